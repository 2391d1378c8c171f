/**
 * The files of a data directory that SQLite does not write itself. One is written whole under another name first, so that
 * nobody ever reads half of it, and only whoever runs the bank may read it. With `SANDBANK_SYNCHRONOUS=full` what was
 * written outlasts a power cut too: the file is on the disk before it has its name, and the name is before anybody is
 * answered.
 */
import * as fs from 'node:fs';
import * as promises from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file of the data directory that is not as it was written; the message says what to do. */
export class DataFileError extends Error {}

/** What of a file system is used to write. */
export type Files = Pick<
  typeof fs,
  'closeSync' | 'fsyncSync' | 'mkdirSync' | 'openSync' | 'renameSync' | 'rmSync' | 'writeFileSync'
> &
  Pick<typeof promises, 'copyFile' | 'open'>;

/** Node's own. */
export const NODE_FILES: Files = { ...fs, copyFile: promises.copyFile, open: promises.open };

export interface Disk {
  /** Writes a file so that nobody ever reads half of it. */
  writeWhole(path: string, content: Buffer | string): void;
  /** Makes an empty file beside another, which is to be put in its place when it is whole; answers its path. */
  begin(path: string): string;
  /** Gives a finished file the place of another, or of none. */
  putInPlace(from: string, to: string): void;
  /** Removes files; those that are not there are no error. */
  remove(paths: readonly string[]): void;
  removeFolder(path: string): void;
  /** Makes a folder with those above it; answers the uppermost that was not there. */
  makeFolder(path: string): string | undefined;
  /** Writes something into a folder and removes it again. Throws what keeps it from that. */
  probe(folder: string): void;
  /** Copies a file outside the event loop's thread; the copy is to be put in place later. */
  copy(from: string, to: string): Promise<void>;
  /** Waits outside the event loop's thread for a file that is to be put in place later, which then takes no time. */
  flush(path: string): Promise<void>;
}

export const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
/** What a file is called until it is whole; the start of a bank removes what a kill left of such files. */
const HALF = '.half';
export const UNFINISHED = /\.half(-journal|-wal|-shm)?$/;

/** As much as a small commit writes. */
const PROBE = Buffer.alloc(16_384, 'sandbank');

let unfinished = 0;

/** A name beside a file under which another can be prepared to take its place. */
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
  /** The names in a folder are kept in it, and not in the files. Windows cannot open one, and does so by itself. */
  const syncFolder = (folder: string): void => {
    if (isSynced && process.platform !== 'win32') sync(folder);
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
    writeWhole(path, content) {
      const half = unfinishedName(path);
      try {
        const file = files.openSync(half, 'w', OWNER_ONLY);
        try {
          files.writeFileSync(file, content);
          if (isSynced) files.fsyncSync(file);
        } finally {
          files.closeSync(file);
        }
        files.renameSync(half, path);
      } catch (error) {
        files.rmSync(half, { force: true });
        throw error;
      }
      syncFolder(dirname(path));
    },
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
      const first = files.mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
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
 * What a JSON file holds, as `read` understands it, which answers `undefined` for what it does not; `undefined` where there
 * is no file. `what` says in the error what it holds. Throws `DataFileError`.
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
