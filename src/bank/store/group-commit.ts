/**
 * Group commit: the commands that arrive in one turn of the event loop share one SQLite transaction, and every answer
 * waits for the commit. A refused command rolls back only its own writes. The bank does not depend on this: it is
 * synchronous, and no read sees a half-finished command.
 */
import { cachesOf } from './cache.ts';
import type { Driver } from './driver.ts';
import { isDatabaseFailure } from './open.ts';
import { RowsRefused } from './waiting-rows.ts';

/**
 * Runs a command with the others of this turn. The promise settles after the commit, or with the error of the
 * command.
 */
export type Commit = <T>(command: () => T) => Promise<T>;

/** The result of a command, or the error with which it failed. */
export type Outcome<T = unknown> = { ok: true; value: T } | { ok: false; error: unknown };

/** The same without a promise, because promises cost a payment a microsecond. `settle` must not throw. */
export type Submit = <T>(command: () => T, settle: (outcome: Outcome<T>) => void) => void;

export interface GroupCommit {
  run: Commit;
  submit: Submit;
  /** Commits the waiting commands now. */
  flush(): void;
  /** Whether no command waits. */
  isEmpty(): boolean;
  /** Stops accepting commands, because the database will be closed. */
  close(): void;
}

interface Waiting {
  readonly command: () => unknown;
  readonly settle: (outcome: Outcome) => void;
}

/** The hooks of a group. */
export interface GroupHooks {
  /** Returns a function that sets the random sequence back: a group that runs again gets the same values. */
  markSequence(): () => void;
  /** From here to the commit, shared state is not written by each command. */
  afterBegin(): void;
  /** Writes the shared state of the group: the position of the random sequence. */
  beforeCommit(): void;
  /** Notifies the timers that `commands` commands may have changed the due steps. */
  afterCommit(commands: number): void;
  /** A command was rolled back, so caches that it filled may be wrong. */
  afterUndo(): void;
}

/** Opens the group commit of one database. */
export function createGroupCommit(sqlite: Driver, hooks: GroupHooks): GroupCommit {
  const caches = cachesOf(sqlite);
  let waiting: Waiting[] = [];
  let closed = false;

  const attempt = (command: () => unknown): Outcome => {
    const undo = caches.mark();
    try {
      return { ok: true, value: sqlite.atomically(command) };
    } catch (error) {
      // A disk error may end the whole transaction. Then no command is committed, and all fail with this error.
      if (!sqlite.inTransaction || error instanceof RowsRefused) throw error;
      undo();
      hooks.afterUndo();
      return { ok: false, error };
    }
  };

  /** Runs the commands and commits them. Throws if the group fails as a whole; then nothing is committed. */
  const commit = (group: readonly Waiting[], rowsMayWait: boolean): Outcome[] => {
    const undo = caches.mark();
    try {
      return sqlite.atomically(() => {
        hooks.afterBegin();
        const made = group.map(({ command }) => attempt(command));
        hooks.beforeCommit();
        return made;
      }, rowsMayWait);
    } catch (error) {
      undo();
      hooks.afterUndo();
      throw error;
    }
  };

  /**
   * An invalid row of one command also fails the rows of other commands in the same statement, and a command that is
   * refused after it has written cannot be rolled back alone. Then the group runs again, with each row written
   * separately and a savepoint for each command.
   */
  const commitAll = (group: readonly Waiting[]): Outcome[] => {
    const setSequenceBack = hooks.markSequence();
    try {
      return commit(group, true);
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error;
      if (isDatabaseFailure(error)) throw error.cause;
      setSequenceBack();
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
      // The commit itself failed, for example because the disk is full: nothing is committed, and every caller gets
      // the error.
      settleAll(group, () => ({ ok: false, error }));
      return;
    }
    settleAll(group, (index) => outcomes[index] as Outcome);
    hooks.afterCommit(group.length);
  };

  const submit: Submit = (command, settle) => {
    if (closed) {
      settle({ ok: false, error: new Error('the bank is closed') });
      return;
    }
    waiting.push({ command, settle: settle as (outcome: Outcome) => void });
    if (waiting.length === 1) setImmediate(flush);
  };

  return {
    run: <T>(command: () => T) =>
      new Promise<T>((resolve, reject) => {
        submit(command, (outcome) => {
          if (outcome.ok) resolve(outcome.value);
          else reject(outcome.error);
        });
      }),
    submit,
    flush,
    isEmpty: () => waiting.length === 0,
    close() {
      closed = true;
    },
  };
}

/** Reports the outcomes later in this turn, because the caller of `flush` may be about to replace or close the bank. */
function settleAll(group: readonly Waiting[], outcomeOf: (index: number) => Outcome): void {
  queueMicrotask(() => {
    for (const [index, { settle }] of group.entries()) settle(outcomeOf(index));
  });
}

/** Runs an action in one transaction outside of any group: all of its writes are committed, or none. */
export function inTransaction<T>(sqlite: Driver, action: () => T): T {
  const undo = cachesOf(sqlite).mark();
  try {
    return sqlite.atomically(action);
  } catch (error) {
    undo();
    throw error;
  }
}
