/**
 * Opens and closes sandboxes. A sandbox rests after a minute without use: its file is closed, or its bank in memory
 * is compressed. It is opened again when a step or a delivery of its bank is due; for files this time is in the index
 * of resting files. At the limit of open files, the least recently used one is closed. A lower limit grows with the use
 * of the sandboxes (`open-limit.ts`).
 */

import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { counted } from '../../bank/kernel/count.ts';
import { Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../bank/kernel/time.ts';
import type { RestingIndex } from '../../bank/store/resting.ts';
import type { BackgroundJobs, Job } from '../sandbox/background-jobs.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { DataFolder, StoredSandbox } from './data-folder.ts';
import { DEFAULT_SANDBOX } from './names.ts';
import { createOpenLimit, type RestJob } from './open-limit.ts';
import { createOpenSandboxes, type OpenSandboxes } from './open-sandboxes.ts';

/** A sandbox of the registry. */
export interface Entry {
  /** Created on demand, because most resting sandboxes are not used. */
  readonly sandbox: Sandbox;
  /** The sandbox if it was already created. Reading it does not count as a use. */
  requested(): Sandbox | undefined;
  isOpen(): boolean;
  tokenMark: string;
  /** Set while its file cannot be used: the reason, and the state of the file when this was found. */
  damage: { reason: string; file: StoredSandbox | undefined } | undefined;
}

interface OpenFilesOptions {
  /** All sandboxes, by their names. */
  entries: ReadonlyMap<string, Entry>;
  /** `null` where everything is in memory. */
  folder: DataFolder | null;
  wallClock: Clock;
  maxOpen?: number;
  /** Real milliseconds without use after which a sandbox rests. */
  restAfterMs?: number;
  lookEveryMs?: number;
  jobs: BackgroundJobs;
  onRest?(): void;
}

export interface OpenFiles {
  /** The sandboxes that are open. */
  list(): [string, Entry][];
  /** Makes room for another open file. Refuses: `sandboxes_busy`. */
  makeRoom(): void;
  /** Notes a new sandbox in memory, so that it can rest later. */
  added(): void;
  /** Notes that the bank of a sandbox was opened. */
  opened(name: string): void;
  /** Sets the real time at which a resting sandbox must be opened; `null` for never. */
  setDue(name: string, at: Instant | null): void;
  /** Sets the index to which resting sandboxes are written. */
  attach(index: RestingIndex): void;
  /**
   * Begins to manage the files. The named files were not closed properly, so their due steps are unknown until they
   * are opened.
   */
  lookAt(names: readonly string[]): void;
  /** Removes a deleted sandbox from the index. */
  removeFromIndex(name: string): void;
  /** Closes all sandboxes and the index. */
  close(): Promise<void>;
}

const JOBS_WHILE_OPEN: readonly Job[] = ['settle', 'deliver', 'record', 'publish'];
const TOO_MANY_FILES: readonly string[] = ['EMFILE', 'ENFILE'];
const MAX_OPEN = 1000;
const REST_AFTER_MS = MINUTE_MS;
/** A sandbox that was used this recently is not closed. */
const JUST_USED_MS = SECOND_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
/** A bank in memory rests within a millisecond. After this number of banks, requests are answered. */
const RESTS_AT_ONCE = 16;
/** The delay between two groups. */
const NEXT_LOOK_AFTER_MS = 5;
/** Opening a bank takes some milliseconds. After this number of due banks, requests are answered. */
const WAKES_AT_ONCE = 4;
const CLOSED_AT_ONCE = 8;
/** Half of the descriptors that are reserved for connections. */
const BEYOND_LIMIT = 64;
/** The delay between two openings of files that were not closed, in which requests are answered. */
const OPEN_NEXT_AFTER_MS = 5;

/** Manages the open files of one registry. */
export function createOpenFiles(options: OpenFilesOptions): OpenFiles {
  const { entries, folder, wallClock, jobs } = options;
  const { maxOpen = MAX_OPEN, restAfterMs = REST_AFTER_MS, lookEveryMs = LOOK_EVERY_MS } = options;
  const sandboxes = createOpenSandboxes(entries);
  const { list } = sandboxes;
  const index = createIndexNotes(options, sandboxes);
  let looking: NodeJS.Timeout | undefined;
  let unknown: string[] = [];
  let looksAt = Number.POSITIVE_INFINITY;
  let isOver = false;

  /** Makes a sandbox rest; returns false if it is needed. Throws if its file cannot be written; then it stays open. */
  const rest = (name: string, entry: Entry, idleMs: number): boolean => {
    if (name === DEFAULT_SANDBOX || !entry.isOpen()) return false;
    const resting = entry.sandbox.rest(idleMs);
    if (resting === undefined) return false;
    // A due step opens it again, so these jobs have no work that could fail.
    for (const job of JOBS_WHILE_OPEN) jobs.of(name).succeeded(job);
    sandboxes.setDue(name, resting.dueAt);
    if (resting.dueAt !== null && resting.dueAt < looksAt) arm();
    if (folder !== null) index.write(name);
    options.onRest?.();
    return true;
  };

  const tryRest: RestJob<Entry> = (name, entry, idleMs) => {
    let isClosed = false;
    const isDone = jobs.of(name).run('close', () => {
      isClosed = rest(name, entry, idleMs);
    });
    return isDone ? (isClosed ? 'rests' : 'stays') : 'fails';
  };
  const restIfIdle = (name: string, entry: Entry): boolean => tryRest(name, entry, restAfterMs) === 'rests';
  const limit = createOpenLimit({
    sandboxes,
    isInMemory: folder === null,
    wallClock,
    restAfterMs,
    rest: tryRest,
  });

  /** Opens a sandbox in which something is or may be due. A file that cannot be used has already been reported. */
  const wake = (name: string): void => {
    const entry = entries.get(name);
    sandboxes.setDue(name, null);
    if (entry === undefined || entry.isOpen()) return;
    jobs.of(name).run('open', () => {
      openOr(entry, () => sandboxes.setDue(name, wallClock.now() + lookEveryMs));
    });
  };

  /** Closes the files of idle sandboxes, and opens those with due work. */
  const look = (): void => {
    const now = wallClock.now();
    const due = [...sandboxes.due()].filter(([, at]) => at <= now);
    for (const [name] of due.slice(0, WAKES_AT_ONCE)) wake(name);
    let rested = 0;
    for (const [name, entry] of list()) {
      const idleMs = now - entry.sandbox.usedAt();
      if (idleMs < restAfterMs && idleMs >= 0) {
        // A sandbox that is in use again does not have to be closed.
        jobs.of(name).succeeded('close');
      } else if (rested < RESTS_AT_ONCE && restIfIdle(name, entry)) rested += 1;
    }
    limit.lowerToOpen();
    index.rewrite();
    arm(rested === RESTS_AT_ONCE ? NEXT_LOOK_AFTER_MS : lookEveryMs);
  };
  /** Schedules the next look, at the latest when the first resting sandbox is due. */
  const arm = (afterMs = lookEveryMs): void => {
    if (unknown.length > 0 || isOver || (folder !== null && !index.isAttached())) return;
    const now = wallClock.now();
    let next = now + afterMs;
    for (const [, at] of sandboxes.due()) if (at < next) next = at;
    looksAt = Math.max(now, next);
    clearTimeout(looking);
    looking = setTimeout(look, looksAt - now).unref();
  };

  /** Opens one file at a time, so that requests are answered in between. */
  const lookAtUnknown = (): void => {
    const name = unknown.shift();
    if (name === undefined) {
      look();
      return;
    }
    const entry = entries.get(name);
    if (entry !== undefined && !entry.isOpen()) {
      wake(name);
      restIfIdle(name, entry);
    }
    looking = setTimeout(lookAtUnknown, OPEN_NEXT_AFTER_MS).unref();
  };

  return {
    list,
    makeRoom() {
      if (folder !== null && sandboxes.atMost() >= maxOpen)
        closeOne(sandboxes, maxOpen, wallClock.now(), tryRest);
    },
    added() {
      if (folder === null && looksAt === Number.POSITIVE_INFINITY && entries.size > 1) arm();
    },
    opened(name) {
      sandboxes.opened(name);
      limit.opened(name);
    },
    setDue: sandboxes.setDue,
    attach: index.attach,
    lookAt(names) {
      unknown.push(...names);
      clearTimeout(looking);
      looking = setTimeout(lookAtUnknown, OPEN_NEXT_AFTER_MS).unref();
    },
    removeFromIndex(name) {
      sandboxes.setDue(name, null);
      index.remove(name);
      jobs.remove(name);
    },
    async close() {
      clearTimeout(looking);
      limit.close();
      isOver = true;
      unknown = [];
      const closing = index.detach();
      await closeAll(options, list(), closing);
      closing?.close();
    },
  };
}

/** Closes the least recently used file if the maximum is open. Refuses: `sandboxes_busy`. */
function closeOne(
  sandboxes: OpenSandboxes<Entry>,
  maxOpen: number,
  now: Instant,
  tryRest: RestJob<Entry>,
): void {
  const open = sandboxes.list();
  if (open.length < maxOpen) return;
  const byUse = open.toSorted(([, a], [, b]) => a.sandbox.usedAt() - b.sandbox.usedAt());
  let isWritable = true;
  for (const isPatient of [true, false]) {
    for (const [name, entry] of byUse) {
      if (isPatient && now - entry.sandbox.usedAt() < JUST_USED_MS) break;
      const result: ReturnType<RestJob<Entry>> = isWritable ? tryRest(name, entry, 0) : 'fails';
      if (result === 'rests') return;
      isWritable = result !== 'fails';
      if (!isWritable) break;
    }
  }
  // On a full disk no file can be closed. Reads still work as long as the process may open more files.
  if (!isWritable && open.length < maxOpen + BEYOND_LIMIT) return;
  throw busy(open.length);
}

/** Writes the index of resting files. A failed write is retried at the next look. */
function createIndexNotes({ entries, folder, jobs }: OpenFilesOptions, sandboxes: OpenSandboxes<Entry>) {
  let index: RestingIndex | undefined;
  /** Closed files whose rows in the index are out of date, because it could not be written. */
  const notWritten = new Set<string>();

  /**
   * Writes a row. A missing or old row only makes the next start open the file, so a failure does not stop the
   * closing.
   */
  const write = (name: string): void => {
    const dueAt = sandboxes.dueAt(name);
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
          // A file that is open again gets its row when it is closed next.
          notWritten.delete(name);
          jobs.of(name).succeeded('index');
        }
      }
    },
    remove(name: string): void {
      notWritten.delete(name);
      // The next start removes the rows of deleted files.
      jobs.of(name).run('index', () => index?.remove(name));
    },
  };
}

/** Opens a sandbox, or postpones this if the disk or the process has no room or another program has the file open. */
function openOr(entry: Entry, postpone: () => void): void {
  try {
    entry.sandbox.open();
  } catch (error) {
    // The sandbox is set aside until its file has changed.
    if (entry.damage !== undefined) return;
    postpone();
    if (!(error instanceof Refusal) || error.code === 'sandbox_damaged') throw error;
  }
}

/** Closes these files, and writes to the index when each is next due. */
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
      // The disk is full. Acknowledged data is in the log of the file, and the next start reads it.
      jobs.of(name).failed('close', error);
    }
  };
  // A few at a time, so that a caller with a time limit can check the time.
  while (open.length > 0) {
    await Promise.all(open.splice(0, CLOSED_AT_ONCE).map(closeOne));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * The reason why a file cannot be opened: too many open `files`, a `lock` of another program, something `else` that
 * may be temporary, or damage.
 */
export function classifyOpenError(error: unknown, isThere: boolean): 'files' | 'lock' | 'else' | 'damage' {
  if (error instanceof Refusal) return 'else';
  const { code = '' } = error as { code?: string };
  if (TOO_MANY_FILES.includes(code)) return 'files';
  // SQLite does not report why it could not open an existing file.
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

/** The refusal if too many files are open. */
export function busy(open: number): Refusal {
  return refuse('sandboxes_busy', {
    message: `${counted(open, 'sandbox is', 'sandboxes are')} in use with open files, the maximum that the file descriptors of this process allow: try again soon, or start the bank with a higher limit (ulimit -n)`,
  });
}
