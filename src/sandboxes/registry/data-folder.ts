/**
 * A data directory: a file for each sandbox, named after it, with SQLite's files for it while it is open; a folder
 * for snapshots; and further files of the process. Foreign files are not touched. Unfinished files of a killed
 * process are removed at the start.
 */
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Refusal, refuse } from '../../bank/kernel/refusal.ts';
import type { Resting } from '../../bank/store/resting.ts';
import { sideFilesOf } from '../sandbox/bank-replacement.ts';
import { type Disk, OWNER_ONLY, UNFINISHED } from '../sandbox/disk.ts';
import { DEFAULT_SANDBOX, SANDBOX_NAME } from './names.ts';

/** The state of a sandbox's file. */
export interface StoredSandbox {
  bytes: number;
  /** Its modification time, in milliseconds. */
  modified: number;
  /** Whether it has a log, because it was not closed. */
  hasLog: boolean;
  isFolder: boolean;
}

export interface DataFolder {
  readonly snapshots: string;
  readonly keys: string;
  readonly seedSources: string;
  readonly secrets: string;
  readonly restingIndex: string;
  sandboxPath(name: string): string;
  /** Creates the folder if it does not exist. */
  open(): void;
  /** Removes an index that cannot be used. */
  removeRestingIndex(): void;
  /** Removes unfinished files of a killed process. */
  sweep(): void;
  /** The sandboxes in it, including those of which only the log is left. */
  names(): string[];
  /** The file of a sandbox; `undefined` if there is none. */
  find(name: string): StoredSandbox | undefined;
  /** A problem of a sandbox's file that is visible before it is opened, as a sentence; `undefined` for none. */
  problemOf(name: string): string | undefined;
  removeSandbox(name: string): void;
  /** Creates an empty unfinished file, which is renamed when it is complete. */
  unfinished(): string;
  /** Copies a file to an unfinished one, without blocking the event loop. */
  copy(from: string, to: string): Promise<void>;
  /** Syncs an unfinished file to the disk if required, without blocking the event loop. */
  flush(file: string): Promise<void>;
  /** Removes an unfinished file. */
  discard(file: string): void;
  /** Writes a file and removes it again. Throws if that is impossible. */
  probe(): void;
  /** The error of a write, or, if the folder was deleted, the refusal that explains it. */
  explain(error: unknown): unknown;
  /** Removes everything that a failed opening created. */
  undo(): void;
}

const ENDING = '.sqlite';
const LOG = `${ENDING}-wal`;
/** The names of replacement files in earlier versions. */
const EARLIER_UNFINISHED = /\.sqlite(-new|\.half)$/;

/** The data directory at a path. Does not access the disk yet. */
export function createDataFolder(input: string, disk: Disk): DataFolder {
  // Resolved now, because the working directory may be removed; Node would then create a relative folder in an
  // endless loop.
  const folder = resolve(input);
  const snapshots = join(folder, 'snapshots');
  const keys = join(folder, 'keys.json');
  const seedSources = join(folder, 'seeded.json');
  /** Its name in earlier versions. */
  const earlierSeedSources = join(folder, 'founding.json');
  const secrets = join(folder, 'secrets.json');
  const restingIndex = join(folder, 'resting.index');
  const sandboxPath = (name: string): string => join(folder, name + ENDING);
  /** The files and folders that the opening created, the newest last. */
  const made: { path: string; isFolder: boolean }[] = [];

  const sweepFolder = (from: string): void => {
    const left = readdirSync(from).filter((file) => UNFINISHED.test(file) || EARLIER_UNFINISHED.test(file));
    disk.remove(left.map((file) => join(from, file)));
  };

  /** Otherwise SQLite would create a file that other users can read. */
  const beginIndex = (): void => closeSync(openSync(restingIndex, 'a', OWNER_ONLY));

  const find = (name: string): StoredSandbox | undefined => {
    const stat = statSync(sandboxPath(name), { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const hasLog = sizeOf(`${sandboxPath(name)}-wal`) > 0;
    return { bytes: stat.size, modified: stat.mtimeMs, hasLog, isFolder: stat.isDirectory() };
  };

  return {
    snapshots,
    keys,
    seedSources,
    secrets,
    restingIndex,
    sandboxPath,
    open() {
      const first = disk.makeFolder(folder);
      if (first !== undefined) {
        for (const path of foldersFrom(first, folder)) made.push({ path, isFolder: true });
      }
      if (!existsSync(seedSources) && existsSync(earlierSeedSources)) {
        renameSync(earlierSeedSources, seedSources);
      }
      for (const path of [seedSources, secrets, sandboxPath(DEFAULT_SANDBOX), restingIndex]) {
        if (!existsSync(path)) made.push({ path, isFolder: false });
      }
      beginIndex();
    },
    removeRestingIndex() {
      disk.remove([restingIndex, ...sideFilesOf(restingIndex)]);
      beginIndex();
    },
    sweep() {
      sweepFolder(folder);
      if (!existsSync(snapshots)) return;
      const own = readdirSync(snapshots, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      for (const { name } of own) sweepFolder(join(snapshots, name));
    },
    names() {
      const ended = readdirSync(folder).map((file) =>
        file.endsWith(ENDING)
          ? file.slice(0, -ENDING.length)
          : file.endsWith(LOG)
            ? file.slice(0, -LOG.length)
            : '',
      );
      return [...new Set(ended)].filter((name) => SANDBOX_NAME.test(name));
    },
    find,
    problemOf(name) {
      const found = find(name);
      if (found === undefined) {
        return sizeOf(`${sandboxPath(name)}-wal`) > 0
          ? 'its database is missing, and only its write-ahead log exists'
          : undefined;
      }
      if (found.isFolder) return 'its path is a folder';
      return found.bytes === 0 ? 'its database is empty' : undefined;
    },
    removeSandbox(name) {
      disk.remove([sandboxPath(name), ...sideFilesOf(sandboxPath(name))]);
    },
    unfinished: () => disk.begin(join(folder, 'image')),
    copy: disk.copy,
    flush: disk.flush,
    discard: (file) => disk.remove([file, ...sideFilesOf(file)]),
    probe() {
      if (!existsSync(restingIndex)) throw new Error('the files of this process are no longer in it');
      disk.probe(folder);
    },
    explain(error) {
      if (error instanceof Refusal || existsSync(folder)) return error;
      return refuse('data_not_written', {
        message: `the data directory ${folder} was deleted or moved while the bank was using it: put it back, or start the bank again; nothing was changed`,
      });
    },
    undo() {
      for (const { path, isFolder } of made.splice(0).reverse()) {
        if (isFolder) removeEmpty(path);
        else disk.remove([path, ...sideFilesOf(path)]);
      }
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The folders from one to another below it, including both. */
function foldersFrom(first: string, last: string): string[] {
  const folders = [resolve(last)];
  while (folders[0] !== undefined && folders[0].length > resolve(first).length) {
    folders.unshift(dirname(folders[0]));
  }
  return folders;
}

/** Removes a folder if it is empty. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It contains other files.
  }
}

/** Whether a file has not changed since it was closed. */
export function isAsClosed(found: StoredSandbox, resting: Resting | undefined): resting is Resting {
  return !found.hasLog && resting?.bytes === found.bytes && resting.modified === found.modified;
}
