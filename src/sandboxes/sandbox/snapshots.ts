/**
 * Snapshots: named images of banks. A name belongs to its sandbox, so two test suites may use the same name.
 * Snapshots are stored like the sandboxes: in memory, or as files in a folder for each sandbox.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutSurroundings } from '../../bank/store/images.ts';
import { type Image, sideFilesOf } from './bank-replacement.ts';
import type { Disk } from './disk.ts';
import { AT_ONCE_BYTES } from './image-thread.ts';
import type { Instance } from './instance.ts';
import type { Sandbox } from './sandbox.ts';

interface SnapshotRow {
  name: string;
  bytes: number;
}

/** The image of a snapshot. */
export interface Snapshot {
  image: Image;
  /**
   * Whether this process took it and its file has not changed since. Any other file may have an older version or be
   * invalid.
   */
  isAsTaken: boolean;
}

export interface Snapshots {
  /** Sorted by name. */
  list(sandbox: string): SnapshotRow[];
  /** The caller copies a file before it uses it. */
  find(sandbox: string, name: string): Snapshot | undefined;
  /** Stores the current state of a bank and replaces an existing snapshot of the name; returns its size in bytes. */
  take(sandbox: Sandbox, name: string): Promise<number>;
  /** Returns false if there is none. */
  remove(sandbox: string, name: string): boolean;
  /** Removes all snapshots of a sandbox. */
  removeAll(sandbox: string): void;
}

const ENDING = '.sqlite';

const byName = (a: SnapshotRow, b: SnapshotRow): number => (a.name < b.name ? -1 : 1);

/** The snapshots of one process; without a folder they are kept in memory. */
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
    find(sandbox, name) {
      const image = stored.get(sandbox)?.get(name);
      return image && { image, isAsTaken: true };
    },
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
  const snapshotPath = (sandbox: string, name: string): string => join(folder, sandbox, name + ENDING);
  /** The stamps of the files that this process wrote, by path; a replaced file has another stamp. */
  const written = new Map<string, string>();
  const stampOf = (path: string): string => {
    const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs].join('/');
  };
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
      const path = snapshotPath(sandbox, name);
      if (!existsSync(path)) return undefined;
      return { image: { file: path }, isAsTaken: written.get(path) === stampOf(path) };
    },
    async take(sandbox, name) {
      const path = snapshotPath(sandbox.name, name);
      disk.makeFolder(join(folder, sandbox.name));
      const image = smallImageOf(sandbox);
      if (image !== undefined) {
        disk.writeWhole(path, image);
        written.set(path, stampOf(path));
        return image.length;
      }
      const fresh = disk.begin(path);
      try {
        await sandbox.writeTo(fresh);
        disk.putInPlace(fresh, path);
        written.set(path, stampOf(path));
      } catch (error) {
        disk.remove([fresh, ...sideFilesOf(fresh)]);
        throw error;
      }
      return statSync(path).size;
    },
    remove(sandbox, name) {
      const path = snapshotPath(sandbox, name);
      const isThere = existsSync(path);
      if (isThere) disk.remove([path]);
      written.delete(path);
      return isThere;
    },
    removeAll(sandbox) {
      const own = join(folder, sandbox);
      disk.removeFolder(own);
      for (const path of written.keys()) if (dirname(path) === own) written.delete(path);
    },
  };
}

/**
 * The image of a small bank in a file, without its surroundings; `undefined` for a larger one, which `writeTo` copies
 * in several turns of the event loop.
 */
export function smallImageOf(sandbox: Pick<Instance, 'connection' | 'image'>): Buffer | undefined {
  return sandbox.connection.bytes() > AT_ONCE_BYTES ? undefined : withoutSurroundings(sandbox.image());
}
