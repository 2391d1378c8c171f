/**
 * Snapshots: images of banks under names that belong to their sandbox, so that two suites never meet under one name.
 * They are kept where the sandboxes are: in memory, or as files in a folder for each sandbox.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './data-files.ts';

interface SnapshotRow {
  name: string;
  bytes: number;
}

export interface Snapshots {
  /** What is read may be of an older version, or not be as it was written. */
  readonly areFiles: boolean;
  /** In the order of their names. */
  list(sandbox: string): SnapshotRow[];
  read(sandbox: string, name: string): Buffer | undefined;
  /** Keeps an image, in place of one that has the name already. */
  write(sandbox: string, name: string, image: Buffer): void;
  /** False when there is none. */
  remove(sandbox: string, name: string): boolean;
  /** Removes all of a sandbox. */
  forget(sandbox: string): void;
}

const ENDING = '.sqlite';

const byName = (a: SnapshotRow, b: SnapshotRow): number => (a.name < b.name ? -1 : 1);

/** The snapshots of one process; without a folder they go with it. */
export function createSnapshots(folder: string | null): Snapshots {
  return folder === null ? inMemory() : inFolder(folder);
}

function inMemory(): Snapshots {
  const kept = new Map<string, Map<string, Buffer>>();
  return {
    areFiles: false,
    list: (sandbox) =>
      [...(kept.get(sandbox) ?? [])].map(([name, image]) => ({ name, bytes: image.length })).toSorted(byName),
    read: (sandbox, name) => kept.get(sandbox)?.get(name),
    write(sandbox, name, image) {
      const own = kept.get(sandbox) ?? new Map();
      kept.set(sandbox, own.set(name, image));
    },
    remove: (sandbox, name) => kept.get(sandbox)?.delete(name) ?? false,
    forget: (sandbox) => void kept.delete(sandbox),
  };
}

function inFolder(folder: string): Snapshots {
  const pathOf = (sandbox: string, name: string): string => join(folder, sandbox, name + ENDING);
  return {
    areFiles: true,
    list(sandbox) {
      const own = join(folder, sandbox);
      if (!existsSync(own)) return [];
      return readdirSync(own)
        .filter((file) => file.endsWith(ENDING))
        .map((file) => ({ name: file.slice(0, -ENDING.length), bytes: statSync(join(own, file)).size }))
        .toSorted(byName);
    },
    read(sandbox, name) {
      const path = pathOf(sandbox, name);
      return existsSync(path) ? readFileSync(path) : undefined;
    },
    write(sandbox, name, image) {
      mkdirSync(join(folder, sandbox), { recursive: true });
      writeWhole(pathOf(sandbox, name), image);
    },
    remove(sandbox, name) {
      const path = pathOf(sandbox, name);
      const isThere = existsSync(path);
      rmSync(path, { force: true });
      return isThere;
    },
    forget: (sandbox) => rmSync(join(folder, sandbox), { recursive: true, force: true }),
  };
}
