/**
 * Group commit: the commands that arrive in one turn of the event loop share one SQLite transaction, each in its own
 * savepoint, and every answer waits for the commit. One that refuses takes back its own writes and nobody else's.
 * The bank runs inside and knows nothing of it: it stays synchronous, and a reader never sees half a command.
 */
import { cachesOf } from './cache.ts';
import type { Driver } from './driver.ts';
import { isDatabaseFailure } from './open.ts';
import { RowsRefused } from './waiting-rows.ts';

/** Runs a command with the others of this turn; the promise settles after the commit, or with what it threw. */
export type Commit = <T>(command: () => T) => Promise<T>;

export interface GroupCommit {
  run: Commit;
  /** Commits what is waiting, now. */
  flush(): void;
  /** Whether no command waits. */
  isEmpty(): boolean;
  /** Takes no more commands: the database is about to be closed. */
  close(): void;
}

interface Waiting {
  command: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

/** What else belongs to a group. */
export interface GroupHooks {
  /** From here to the commit, what is the whole group's need not be written by each of its commands. */
  afterBegin(): void;
  /** Writes what is the whole group's: the position of the random sequence. */
  beforeCommit(): void;
  /** Tells the timers that so many commands may have changed what is due. */
  afterCommit(commands: number): void;
  /** A command was taken back: what was cached while it ran may be wrong. */
  afterUndo(): void;
}

/** Opens the group commit of one database. */
export function createGroupCommit(sqlite: Driver, hooks: GroupHooks): GroupCommit {
  const caches = cachesOf(sqlite);
  let waiting: Waiting[] = [];
  let closed = false;

  const attempt = (command: () => unknown): Outcome => {
    const takeBack = caches.mark();
    try {
      return { ok: true, value: sqlite.atomically(command) };
    } catch (error) {
      // An error of the disk may end the whole transaction: nobody's work is kept, and this is why.
      if (!sqlite.inTransaction || error instanceof RowsRefused) throw error;
      takeBack();
      hooks.afterUndo();
      return { ok: false, error };
    }
  };

  /** Runs the commands and commits them; throws where that fails as a whole, and then nothing is kept. */
  const commit = (group: readonly Waiting[], rowsMayWait: boolean): Outcome[] => {
    const takeBack = caches.mark();
    try {
      return sqlite.atomically(() => {
        hooks.afterBegin();
        const made = group.map(({ command }) => attempt(command));
        hooks.beforeCommit();
        return made;
      }, rowsMayWait);
    } catch (error) {
      takeBack();
      hooks.afterUndo();
      throw error;
    }
  };

  /** The rows of one command may spoil those of the others with which they are written. Then each row is written by itself. */
  const commitAll = (group: readonly Waiting[]): Outcome[] => {
    try {
      return commit(group, true);
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error;
      if (isDatabaseFailure(error)) throw error.cause;
      return commit(group, false);
    }
  };

  const flush = (): void => {
    const group = waiting;
    if (group.length === 0) return;
    waiting = [];
    let outcomes: Outcome[];
    caches.settle();
    try {
      outcomes = commitAll(group);
    } catch (error) {
      // The commit itself failed (a full disk): nobody's work is kept, and every caller gets the error.
      for (const { reject } of group) reject(error);
      return;
    }
    group.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index] as Outcome;
      if (outcome.ok) resolve(outcome.value);
      else reject(outcome.error);
    });
    hooks.afterCommit(group.length);
  };

  return {
    run: <T>(command: () => T) =>
      new Promise<T>((resolve, reject) => {
        if (closed) {
          reject(new Error('the bank is closed'));
          return;
        }
        waiting.push({ command, resolve: resolve as (value: unknown) => void, reject });
        if (waiting.length === 1) setImmediate(flush);
      }),
    flush,
    isEmpty: () => waiting.length === 0,
    close() {
      closed = true;
    },
  };
}

/** Runs an action in one transaction, outside of any group: all that it writes is kept, or nothing. */
export function inTransaction<T>(sqlite: Driver, action: () => T): T {
  const takeBack = cachesOf(sqlite).mark();
  try {
    return sqlite.atomically(action);
  } catch (error) {
    takeBack();
    throw error;
  }
}
