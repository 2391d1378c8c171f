/**
 * Snapshots: images of banks under names that belong to their sandbox, so that two suites never meet under one name.
 * They are kept where the sandboxes are: in memory, or as files in a folder for each sandbox.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Disk } from './disk.ts';
import { type Image, type Sandbox, sideFilesOf } from './sandbox.ts';

interface SnapshotRow {
  name: string;
  bytes: number;
}

export interface Snapshots {
  /** In the order of their names. */
  list(sandbox: string): SnapshotRow[];
  /** What is in a file may be of an older version, or not be as it was written; it is to be copied before it is used. */
  find(sandbox: string, name: string): Image | undefined;
  /** Keeps a bank as it is, in place of what has the name already; answers how many bytes that are. */
  take(sandbox: Sandbox, name: string): Promise<number>;
  /** False when there is none. */
  remove(sandbox: string, name: string): boolean;
  /** Removes all of a sandbox. */
  removeAll(sandbox: string): void;
}

const ENDING = '.sqlite';

const byName = (a: SnapshotRow, b: SnapshotRow): number => (a.name < b.name ? -1 : 1);

/** The snapshots of one process; without a folder they go with it. */
export function createSnapshots(folder: string | null, disk: Disk): Snapshots {
  return folder === null ? inMemory() : inFolder(folder, disk);
}

function inMemory(): Snapshots {
  const stored = new Map<string, Map<string, Buffer>>();
  return {
    list: (sandbox) =>
      [...(stored.get(sandbox) ?? [])]
        .map(([name, image]) => ({ name, bytes: image.length }))
        .toSorted(byName),
    find: (sandbox, name) => stored.get(sandbox)?.get(name),
    async take(sandbox, name) {
      const image = sandbox.image();
      const own = stored.get(sandbox.name) ?? new Map();
      stored.set(sandbox.name, own.set(name, image));
      return image.length;
    },
    remove: (sandbox, name) => stored.get(sandbox)?.delete(name) ?? false,
    removeAll: (sandbox) => void stored.delete(sandbox),
  };
}

function inFolder(folder: string, disk: Disk): Snapshots {
  const pathOf = (sandbox: string, name: string): string => join(folder, sandbox, name + ENDING);
  return {
    list(sandbox) {
      const own = join(folder, sandbox);
      if (!existsSync(own)) return [];
      return readdirSync(own)
        .filter((file) => file.endsWith(ENDING))
        .map((file) => ({ name: file.slice(0, -ENDING.length), bytes: statSync(join(own, file)).size }))
        .toSorted(byName);
    },
    find(sandbox, name) {
      const path = pathOf(sandbox, name);
      return existsSync(path) ? { file: path } : undefined;
    },
    async take(sandbox, name) {
      const path = pathOf(sandbox.name, name);
      disk.makeFolder(join(folder, sandbox.name));
      const fresh = disk.begin(path);
      try {
        await sandbox.writeTo(fresh);
        disk.putInPlace(fresh, path);
      } catch (error) {
        disk.remove([fresh, ...sideFilesOf(fresh)]);
        throw error;
      }
      return statSync(path).size;
    },
    remove(sandbox, name) {
      const path = pathOf(sandbox, name);
      const isThere = existsSync(path);
      if (isThere) disk.remove([path]);
      return isThere;
    },
    removeAll: (sandbox) => disk.removeFolder(join(folder, sandbox)),
  };
}
