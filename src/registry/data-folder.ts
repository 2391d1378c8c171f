/**
 * A data directory: a file for each sandbox, named after it, with what SQLite keeps beside it while it is open; a folder
 * for their snapshots; and what else is kept there. Files of others are left alone, and what a kill left unfinished is
 * removed at the start.
 */
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { type Disk, OWNER_ONLY, UNFINISHED } from '../sandbox/disk.ts';
import { sideFilesOf } from '../sandbox/sandbox.ts';
import type { Resting } from '../store/resting.ts';

/** 1 to 64 letters, digits, _ and -, the first a letter or digit. */
export const SANDBOX_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** A sandbox's file as it lies there. */
export interface StoredSandbox {
  bytes: number;
  /** Its time of change, in milliseconds. */
  modified: number;
  /** It has a log beside it: it was not closed. */
  hasLog: boolean;
  isFolder: boolean;
}

export interface DataFolder {
  readonly snapshots: string;
  readonly keys: string;
  readonly seedSources: string;
  readonly secrets: string;
  readonly slots: string;
  readonly restingIndex: string;
  sandboxPath(name: string): string;
  /** Makes the folder if it is not there. */
  open(): void;
  /** Removes an index that cannot be used. */
  removeRestingIndex(): void;
  /** Removes what a kill left unfinished. */
  sweep(): void;
  /** The sandboxes in it, also those of which only the log is left. */
  names(): string[];
  /** The file of a sandbox; `undefined` where there is none. */
  find(name: string): StoredSandbox | undefined;
  /** What is wrong with the file of a sandbox before anybody opens it, in words; `undefined` for nothing. */
  problemOf(name: string): string | undefined;
  removeSandbox(name: string): void;
  /** A new file in it that becomes something when it is whole, empty as yet. */
  unfinished(): string;
  /** Copies a file to an unfinished one, outside the event loop's thread. */
  copy(from: string, to: string): Promise<void>;
  /** Waits outside the event loop's thread until an unfinished file is on the disk, if it has to be. */
  flush(file: string): Promise<void>;
  /** Removes an unfinished file. */
  discard(file: string): void;
  /** Writes a file and removes it again. Throws what keeps it from that. */
  probe(): void;
  /** The error of a write, or the refusal that explains it where the folder was deleted. */
  explain(error: unknown): unknown;
  /** After an opening that failed: takes away what it made. */
  undo(): void;
}

const ENDING = '.sqlite';
const LOG = `${ENDING}-wal`;
/** What earlier versions called a file that was to take another's place. */
const EARLIER_UNFINISHED = /\.sqlite(-new|\.half)$/;

/** The data directory at a path; nothing is touched yet. */
export function createDataFolder(input: string, disk: Disk): DataFolder {
  // Where the process was started: somebody may remove that folder, and Node then makes a folder of a relative path without end.
  const folder = resolve(input);
  const snapshots = join(folder, 'snapshots');
  const keys = join(folder, 'keys.json');
  const seedSources = join(folder, 'seeded.json');
  /** What earlier versions called it. */
  const earlierSeedSources = join(folder, 'founding.json');
  const secrets = join(folder, 'secrets.json');
  const slots = join(folder, 'slots.json');
  const restingIndex = join(folder, 'resting.index');
  const sandboxPath = (name: string): string => join(folder, name + ENDING);
  /** What the opening made, the newest last. */
  const made: { path: string; isFolder: boolean }[] = [];

  const sweepFolder = (from: string): void => {
    const left = readdirSync(from).filter((file) => UNFINISHED.test(file) || EARLIER_UNFINISHED.test(file));
    disk.remove(left.map((file) => join(from, file)));
  };

  /** Else SQLite would make one that others may read. */
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
    slots,
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
      for (const path of [seedSources, secrets, sandboxPath('default'), restingIndex]) {
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

/** The folders from one to another below it, both of them. */
function foldersFrom(first: string, last: string): string[] {
  const folders = [resolve(last)];
  while (folders[0] !== undefined && folders[0].length > resolve(first).length) {
    folders.unshift(dirname(folders[0]));
  }
  return folders;
}

/** Takes a folder away unless somebody put something into it. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Then it is not ours alone.
  }
}

/** Whether a file is as it was when it was closed. */
export function isAsClosed(found: StoredSandbox, resting: Resting | undefined): resting is Resting {
  return !found.hasLog && resting?.bytes === found.bytes && resting.modified === found.modified;
}
