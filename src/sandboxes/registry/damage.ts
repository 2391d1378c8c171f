/**
 * Files that cannot be used. Such a file is set aside with the reason, and requests with its key are refused until
 * the file has changed. The other sandboxes of the process still work.
 */
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { DataVersionError } from '../../bank/store/migrate.ts';
import type { Instance } from '../sandbox/instance.ts';
import type { DataFolder, StoredSandbox } from './data-folder.ts';
import { busy, classifyOpenError, type Entry, type OpenFiles } from './open-files.ts';

export interface DamageOptions {
  entries: ReadonlyMap<string, Entry>;
  /** `null` if everything is in memory and no file can be damaged. */
  folder: DataFolder | null;
  openFiles: OpenFiles;
  /** Whether the process is starting. A start must report why the bank cannot open its file. */
  isStarting(): boolean;
  onSetAside?(sandbox: string, reason: string, file: string): void;
}

export interface Damage {
  /** Wraps every opening of a file. A file that cannot be used is opened again only after it has changed. */
  around(name: string, open: () => Instance): Instance;
  /** Sets a sandbox aside if the error shows that its file is damaged; ignores any other error. */
  note(name: string, error: unknown): void;
}

/** Manages the unusable files of one registry. */
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
        // A lock of another program and a full disk are temporary, and a start must report them. It must also report
        // a directory of a newer program.
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
