/**
 * The files of a data directory that SQLite does not write itself. Each file is written completely under a temporary
 * name first, so that no process reads a partial file, and only the user who runs the bank may read it. With
 * `SANDBANK_SYNCHRONOUS=full` a written file also survives a power failure: the file is synced before it is renamed,
 * and its folder is synced before the caller continues.
 */
import * as fs from 'node:fs';
import * as promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../bank/kernel/folders.ts';

/** A damaged file of the data directory; the message says what to do. */
export class DataFileError extends Error {}

/** The functions of a file system that are used to write. */
export type Files = Pick<
  typeof fs,
  'closeSync' | 'fsyncSync' | 'mkdirSync' | 'openSync' | 'renameSync' | 'rmSync' | 'writeFileSync'
> &
  Pick<typeof promises, 'copyFile' | 'open'>;

/** Node's own. */
export const NODE_FILES: Files = { ...fs, copyFile: promises.copyFile, open: promises.open };

export interface Disk {
  /** Writes a file, from its parts, so that no process reads a partial file. */
  writeWhole(path: string, ...parts: readonly (Buffer | string)[]): void;
  /** Writes an unfinished file, from its parts; `putInPlace` renames it. */
  writeUnfinished(path: string, ...parts: readonly (Buffer | string)[]): void;
  /** Creates an empty file beside another file, which it replaces once it is complete; returns its path. */
  begin(path: string): string;
  /** Renames a finished file to `to`, which may exist. */
  putInPlace(from: string, to: string): void;
  /** Removes files; a file that does not exist is no error. */
  remove(paths: readonly string[]): void;
  removeFolder(path: string): void;
  /** Creates a folder and its parents; returns the topmost folder that did not exist. */
  makeFolder(path: string): string | undefined;
  /** Writes a file into a folder and removes it again. Throws the error that prevents this. */
  probe(folder: string): void;
  /** Copies a file without blocking the event loop; `putInPlace` renames the copy later. */
  copy(from: string, to: string): Promise<void>;
  /** Syncs a file without blocking the event loop, so that `putInPlace` takes no time later. */
  flush(path: string): Promise<void>;
}

export const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
/** The suffix of a file that is not complete; the start of a bank removes such files that a kill left behind. */
const HALF = '.half';
export const UNFINISHED = /\.half(-journal|-wal|-shm)?$/;

/** The size of a small commit. */
const PROBE = Buffer.alloc(16_384, 'sandbank');

let unfinished = 0;

/** A temporary name beside a file, for the file that will replace it. */
export function unfinishedName(path: string): string {
  unfinished += 1;
  return `${path}.${unfinished}${HALF}`;
}

/** The disk of one process; `isSynced` waits for it. */
export function createDisk(isSynced: boolean, files: Files = NODE_FILES): Disk {
  const sync = (path: string): void => {
    const file = files.openSync(path, 'r');
    try {
      files.fsyncSync(file);
    } finally {
      files.closeSync(file);
    }
  };
  /** The names of files are stored in their folder. Windows cannot open a folder, and syncs it by itself. */
  const syncFolder = (folder: string): void => {
    if (isSynced && process.platform !== 'win32') sync(folder);
  };

  const writeUnfinished: Disk['writeUnfinished'] = (path, ...parts) => {
    const file = files.openSync(path, 'w', OWNER_ONLY);
    try {
      for (const part of parts) files.writeFileSync(file, part);
      if (isSynced) files.fsyncSync(file);
    } finally {
      files.closeSync(file);
    }
  };

  const flush = async (path: string): Promise<void> => {
    if (!isSynced) return;
    const file = await files.open(path, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  };

  return {
    writeWhole(path, ...parts) {
      const half = unfinishedName(path);
      try {
        writeUnfinished(half, ...parts);
        files.renameSync(half, path);
      } catch (error) {
        files.rmSync(half, { force: true });
        throw error;
      }
      syncFolder(dirname(path));
    },
    writeUnfinished,
    begin(path) {
      const half = unfinishedName(path);
      files.closeSync(files.openSync(half, 'wx', OWNER_ONLY));
      return half;
    },
    putInPlace(from, to) {
      if (isSynced) sync(from);
      files.renameSync(from, to);
      syncFolder(dirname(to));
    },
    remove(paths) {
      for (const path of paths) files.rmSync(path, { force: true });
      for (const folder of new Set(paths.map((path) => dirname(path)))) {
        if (fs.existsSync(folder)) syncFolder(folder);
      }
    },
    removeFolder(path) {
      if (!fs.existsSync(path)) return;
      files.rmSync(path, { recursive: true, force: true });
      syncFolder(dirname(path));
    },
    makeFolder(path) {
      const first = makeFolders(path, OWNER_ONLY_FOLDER, files.mkdirSync);
      if (first === undefined) return undefined;
      for (let made = path; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
      return first;
    },
    probe(folder) {
      const path = unfinishedName(join(folder, 'probe'));
      try {
        files.writeFileSync(path, PROBE);
      } finally {
        files.rmSync(path, { force: true });
      }
    },
    async copy(from, to) {
      await files.copyFile(from, to);
      await flush(to);
    },
    flush,
  };
}

/**
 * Reads a JSON file with `read`, which returns `undefined` for invalid content. Returns `undefined` if there is no
 * file. `what` describes the content in the error message. Throws `DataFileError`.
 */
export function readJson<T>(
  path: string,
  what: string,
  read: (value: unknown) => T | undefined,
): T | undefined {
  if (!fs.existsSync(path)) return undefined;
  let found: T | undefined;
  let cause: unknown;
  try {
    found = read(JSON.parse(fs.readFileSync(path, 'utf8')));
  } catch (error) {
    cause = error;
  }
  if (found !== undefined) return found;
  throw new DataFileError(`${path} contains ${what} and cannot be read; restore it or delete it`, { cause });
}
