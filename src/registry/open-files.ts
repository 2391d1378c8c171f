/**
 * Which sandboxes are open. One rests after a minute without use: its file is closed, or what it has in memory is compressed.
 * It is opened by itself when a step or a delivery of its bank is due; for files the index of resting files says when. At the
 * limit of open files the one that was not used for the longest time is closed for the next.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../kernel/time.ts';
import type { BackgroundJobs, Job } from '../sandbox/background-jobs.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { RestingIndex } from '../store/resting.ts';
import type { DataFolder, StoredSandbox } from './data-folder.ts';

/** A sandbox of the registry. */
export interface Entry {
  /** Made when somebody asks for it: most of a thousand that rest are not asked for. */
  readonly sandbox: Sandbox;
  /** The sandbox as far as somebody has asked for it: to look at it is no use of it. */
  requested(): Sandbox | undefined;
  isOpen(): boolean;
  tokenMark: string;
  /** Set while its file cannot be used: why, and of which file that was found. */
  damage: { reason: string; file: StoredSandbox | undefined } | undefined;
  /** While it rests: when it is to be opened by itself, on the real clock; `null` for never. */
  dueAt: number | null;
}

interface OpenFilesOptions {
  /** All sandboxes, by their names. */
  entries: ReadonlyMap<string, Entry>;
  /** `null` where everything is in memory. */
  folder: DataFolder | null;
  /** The one that never rests. */
  stays: string;
  wallClock: Clock;
  maxOpen: number | undefined;
  /** Real milliseconds without use after which a sandbox rests. */
  idleMs: number | undefined;
  lookEveryMs: number | undefined;
  jobs: BackgroundJobs;
}

export interface OpenFiles {
  /** The sandboxes that are open. */
  list(): [string, Entry][];
  /** Room for one more open file. Refuses: `sandboxes_busy`. */
  makeRoom(): void;
  /** There is one more in memory, so there may be something to look after. */
  added(): void;
  /** From now on what rests is written into this index. */
  attach(index: RestingIndex): void;
  /**
   * Looks after the files from now on. These were not closed by this process, so what is due in them is not known until they
   * are opened.
   */
  lookAt(names: readonly string[]): void;
  /** Takes a sandbox that is gone out of the index. */
  removeFromIndex(name: string): void;
  /** Closes all of them, and the index. */
  close(): Promise<void>;
}

const JOBS_WHILE_OPEN: readonly Job[] = ['settle', 'deliver', 'record', 'publish'];
const TOO_MANY_FILES: readonly string[] = ['EMFILE', 'ENFILE'];
const MAX_OPEN = 1000;
const IDLE_MS = MINUTE_MS;
/** Nobody who has just asked for a sandbox should find it closed. */
const JUST_USED_MS = SECOND_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
/** A bank in memory rests within a millisecond; requests are answered between so many of them. */
const RESTS_AT_ONCE = 16;
const REST_NEXT_AFTER_MS = 5;
const CLOSED_AT_ONCE = 8;
/** Half of the descriptors that are kept for connections. */
const BEYOND_LIMIT = 64;
/** A start is answered between two openings of files that were not closed. */
const OPEN_NEXT_AFTER_MS = 5;

/** Looks after the open files of one registry. */
export function createOpenFiles(options: OpenFilesOptions): OpenFiles {
  const { entries, folder, stays, wallClock, jobs } = options;
  const { maxOpen = MAX_OPEN, idleMs: restAfterMs = IDLE_MS, lookEveryMs = LOOK_EVERY_MS } = options;
  const index = createIndexNotes(options);
  let looking: NodeJS.Timeout | undefined;
  let unknown: string[] = [];
  let looksAt = Number.POSITIVE_INFINITY;
  let isOver = false;

  const list = (): [string, Entry][] => [...entries].filter(([, entry]) => entry.isOpen());

  /** Lets one rest that is not needed now; false when it is. Throws if its file cannot be written; then it stays open. */
  const rest = (name: string, entry: Entry, idleMs: number): boolean => {
    if (name === stays || !entry.isOpen()) return false;
    const resting = entry.sandbox.rest(idleMs);
    if (resting === undefined) return false;
    // What is due opens it again, so these have nothing left that could fail.
    for (const job of JOBS_WHILE_OPEN) jobs.of(name).succeeded(job);
    noteResting(name, resting.dueAt);
    return true;
  };
  const noteResting = (name: string, dueAt: number | null): void => {
    const entry = entries.get(name);
    if (entry !== undefined) entry.dueAt = dueAt;
    if (dueAt !== null && dueAt < looksAt) arm();
    if (folder !== null) index.write(name);
  };

  /** Room for one more open file: the one that was not used for the longest time makes it. Refuses: `sandboxes_busy`. */
  const makeRoom = (): void => {
    if (folder === null) return;
    const open = list();
    if (open.length < maxOpen) return;
    const byUse = open.toSorted(([, a], [, b]) => a.sandbox.usedAt() - b.sandbox.usedAt());
    const now = wallClock.now();
    let isWritable = true;
    for (const isPatient of [true, false]) {
      for (const [name, entry] of byUse) {
        if (isPatient && now - entry.sandbox.usedAt() < JUST_USED_MS) break;
        let isClosed = false;
        isWritable &&= jobs.of(name).run('close', () => {
          isClosed = rest(name, entry, 0);
        });
        if (isClosed) return;
        if (!isWritable) break;
      }
    }
    // On a full disk no file can be closed. Reads go on as long as the process may open more.
    if (!isWritable && open.length < maxOpen + BEYOND_LIMIT) return;
    throw busy(open.length);
  };

  /** Opens a sandbox in which something is due, or may be; one whose file cannot be used has been reported. */
  const wake = (name: string): void => {
    const entry = entries.get(name);
    if (entry === undefined || entry.isOpen()) return;
    entry.dueAt = null;
    jobs.of(name).run('open', () => {
      openOr(entry, () => {
        entry.dueAt = wallClock.now() + lookEveryMs;
      });
    });
  };

  const closeIdle = (name: string, entry: Entry): boolean => {
    let isClosed = false;
    jobs.of(name).run('close', () => {
      isClosed = rest(name, entry, restAfterMs);
    });
    return isClosed;
  };

  /** Lets rest what has not been used for a while, and opens what is due. */
  const look = (): void => {
    const now = wallClock.now();
    let rested = 0;
    for (const [name, entry] of entries) {
      if (!entry.isOpen()) {
        if (entry.dueAt !== null && entry.dueAt <= now) wake(name);
        continue;
      }
      const idleMs = now - entry.sandbox.usedAt();
      if (idleMs < restAfterMs && idleMs >= 0) {
        // One that is in use again has nothing to close.
        jobs.of(name).succeeded('close');
      } else if (rested < RESTS_AT_ONCE && closeIdle(name, entry)) rested += 1;
    }
    index.rewrite();
    arm(rested === RESTS_AT_ONCE ? REST_NEXT_AFTER_MS : lookEveryMs);
  };
  /** Looks again after a while, or when the first that rests is due. */
  const arm = (afterMs = lookEveryMs): void => {
    if (unknown.length > 0 || isOver || (folder !== null && !index.isAttached())) return;
    const now = wallClock.now();
    let next = now + afterMs;
    for (const { dueAt } of entries.values()) if (dueAt !== null && dueAt < next) next = dueAt;
    looksAt = Math.max(now, next);
    clearTimeout(looking);
    looking = setTimeout(look, looksAt - now).unref();
  };

  /** One at a time, so that requests are answered in between. */
  const lookAtUnknown = (): void => {
    const name = unknown.shift();
    if (name === undefined) {
      look();
      return;
    }
    const entry = entries.get(name);
    if (entry !== undefined && !entry.isOpen()) {
      wake(name);
      closeIdle(name, entry);
    }
    looking = setTimeout(lookAtUnknown, OPEN_NEXT_AFTER_MS).unref();
  };

  return {
    list,
    makeRoom,
    added() {
      if (folder === null && looksAt === Number.POSITIVE_INFINITY && entries.size > 1) arm();
    },
    attach: index.attach,
    lookAt(names) {
      unknown.push(...names);
      clearTimeout(looking);
      looking = setTimeout(lookAtUnknown, OPEN_NEXT_AFTER_MS).unref();
    },
    removeFromIndex(name) {
      index.remove(name);
      jobs.remove(name);
    },
    async close() {
      clearTimeout(looking);
      isOver = true;
      unknown = [];
      const closing = index.detach();
      await closeAll(options, list(), closing);
      closing?.close();
    },
  };
}

/** Writes the index of the files that rest. A failure is repeated at the next look. */
function createIndexNotes({ entries, folder, jobs }: OpenFilesOptions) {
  let index: RestingIndex | undefined;
  /** Closed files that the index does not have as they are, because it could not be written. */
  const notWritten = new Set<string>();

  /** A row that is missing or old costs the next start one opening, so a failure here must not end the closing. */
  const write = (name: string): void => {
    const dueAt = entries.get(name)?.dueAt ?? null;
    const isWritten = jobs.of(name).run('index', () => {
      const found = folder?.find(name);
      if (found !== undefined) index?.write(name, { bytes: found.bytes, modified: found.modified, dueAt });
    });
    if (isWritten) notWritten.delete(name);
    else notWritten.add(name);
  };

  return {
    attach(opened: RestingIndex): void {
      index = opened;
    },
    isAttached: () => index !== undefined,
    detach(): RestingIndex | undefined {
      const detached = index;
      index = undefined;
      return detached;
    },
    write,
    rewrite(): void {
      for (const name of notWritten) {
        if (entries.get(name)?.isOpen() === false) write(name);
        else {
          // One that is open again gets its row at the next closing.
          notWritten.delete(name);
          jobs.of(name).succeeded('index');
        }
      }
    },
    remove(name: string): void {
      notWritten.delete(name);
      // The next start removes the row of a file that is gone.
      jobs.of(name).run('index', () => index?.remove(name));
    },
  };
}

/** Opens a sandbox, or postpones it: now its file, or the process, has no room, or another program has the file open. */
function openOr(entry: Entry, postpone: () => void): void {
  try {
    entry.sandbox.open();
  } catch (error) {
    // Set aside until its file has changed.
    if (entry.damage !== undefined) return;
    postpone();
    if (!(error instanceof Refusal) || error.code === 'sandbox_damaged') throw error;
  }
}

/** Closes these files, and notes in the index when something is due in them. */
async function closeAll(
  { folder, wallClock, jobs }: OpenFilesOptions,
  open: [string, Entry][],
  index: RestingIndex | undefined,
): Promise<void> {
  const closeOne = async ([name, { sandbox }]: [string, Entry]): Promise<void> => {
    try {
      const wait = sandbox.nextDueIn();
      await sandbox.close();
      const found = folder?.find(name);
      if (found === undefined) return;
      const dueAt = wait === null ? null : wallClock.now() + wait;
      index?.write(name, { bytes: found.bytes, modified: found.modified, dueAt });
    } catch (error) {
      // A full disk: what was answered is in the log beside the file, and is found by the next start.
      jobs.of(name).failed('close', error);
    }
  };
  // Some at a time: whoever waits for the end only so long must be able to look at the time.
  while (open.length > 0) {
    await Promise.all(open.splice(0, CLOSED_AT_ONCE).map(closeOne));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * What keeps a file from being opened: `files` that are too many, a `lock` of another program, something `else` that may be
 * over some day, or damage.
 */
export function classifyOpenError(error: unknown, isThere: boolean): 'files' | 'lock' | 'else' | 'damage' {
  if (error instanceof Refusal) return 'else';
  const { code = '' } = error as { code?: string };
  if (TOO_MANY_FILES.includes(code)) return 'files';
  // SQLite does not say why it could not open a file that is there.
  if (code.startsWith('SQLITE_CANTOPEN')) return hasDescriptors() ? (isThere ? 'damage' : 'else') : 'files';
  if (code.startsWith('SQLITE_BUSY')) return 'lock';
  return /^(SQLITE_(FULL|IOERR|NOMEM)|E[A-Z]+$)/.test(code) ? 'else' : 'damage';
}

function hasDescriptors(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !TOO_MANY_FILES.includes((error as { code?: string }).code ?? '');
  }
}

/** The refusal of a file that cannot be opened because too many are. */
export function busy(open: number): Refusal {
  return refuse('sandboxes_busy', {
    message: `${open} sandboxes are in use with open files, the maximum that the file descriptors of this process allow: try again soon, or start the bank with a higher limit (ulimit -n)`,
  });
}

/** The refusal of one sandbox more than there may be. */
export function full(count: number): Refusal {
  return refuse('sandboxes_full', {
    message: `there are ${count} sandboxes, the maximum of SANDBANK_MAX_SANDBOXES: delete one with DELETE /_sandbox/sandboxes/{name}, or start the bank with a higher maximum`,
  });
}
