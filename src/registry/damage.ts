/**
 * Files that cannot be used. One is set aside with the reason, its key is refused, and it is tried again only when the file
 * has changed; the other sandboxes of the process go on.
 */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Instance } from '../sandbox/instance.ts';
import { DataVersionError } from '../store/migrate.ts';
import type { DataFolder, StoredSandbox } from './data-folder.ts';
import { busy, classifyOpenError, type Entry, type OpenFiles } from './open-files.ts';

export interface DamageOptions {
  entries: ReadonlyMap<string, Entry>;
  /** `null` where everything is in memory, and nothing is damaged. */
  folder: DataFolder | null;
  openFiles: OpenFiles;
  /** The start has to say what keeps the bank from its own file. */
  isStarting(): boolean;
  onSetAside?: ((sandbox: string, reason: string, file: string) => void) | undefined;
}

export interface Damage {
  /** Stands around every opening of a file: one that cannot be used is asked for again only when it has changed. */
  around(name: string, open: () => Instance): Instance;
  /** Sets a sandbox aside whose file an error shows to be damaged; does nothing for any other error. */
  note(name: string, error: unknown): void;
}

/** Looks after the files of one registry that cannot be used. */
export function createDamage({ entries, folder, openFiles, isStarting, onSetAside }: DamageOptions): Damage {
  return {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the cases of one file that cannot be used
    around(name, open) {
      const entry = entries.get(name);
      const file = folder?.find(name);
      if (entry?.damage !== undefined && isSame(entry.damage.file, file)) {
        throw damaged(name, entry.damage.reason);
      }
      if (entry !== undefined) openFiles.makeRoom();
      try {
        const problem = folder?.problemOf(name);
        if (problem !== undefined) throw new Error(problem);
        const instance = open();
        if (entry !== undefined) entry.damage = undefined;
        return instance;
      } catch (error) {
        const openError = classifyOpenError(error, file !== undefined);
        if (openError === 'files') throw busy(openFiles.list().length);
        // Another program has it, or the disk is full: that is over some day, and a start has to say so. So it has to where
        // the directory is of a newer program.
        const isStart = isStarting();
        if (
          openError === 'else' ||
          (isStart && (openError === 'lock' || error instanceof DataVersionError))
        ) {
          throw folder?.explain(error) ?? error;
        }
        if (openError === 'lock') throw damaged(name, 'another program has it open');
        const reason = error instanceof Error ? error.message : String(error);
        const isNew = entry?.damage?.reason !== reason;
        if (entry !== undefined) entry.damage = { reason, file: folder?.find(name) };
        if (isNew) onSetAside?.(name, reason, folder?.sandboxPath(name) ?? '');
        throw damaged(name, reason);
      }
    },

    note(name, error) {
      const entry = entries.get(name);
      const { code = '', message } = (error ?? {}) as { code?: string; message?: string };
      if (entry === undefined || folder === null || !/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return;
      entry.sandbox.drop();
      entry.damage = { reason: message ?? code, file: folder.find(name) };
      onSetAside?.(name, entry.damage.reason, folder.sandboxPath(name));
    },
  };
}

function damaged(name: string, reason: string): Refusal {
  return refuse('sandbox_damaged', {
    message: `the file of the sandbox ${name} cannot be used: ${reason}. Import an image into it, repair its file, or delete it with DELETE /_sandbox/sandboxes/${name}`,
  });
}

function isSame(a: StoredSandbox | undefined, b: StoredSandbox | undefined): boolean {
  return a?.bytes === b?.bytes && a?.modified === b?.modified;
}
