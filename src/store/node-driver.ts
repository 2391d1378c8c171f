/**
 * SQLite within a process of Node: better-sqlite3 as a driver. A transaction is BEGIN IMMEDIATE, what is atomic within it a
 * savepoint.
 */
import type { Statement } from 'better-sqlite3';
import { type Driver, MemoryFullError } from './driver.ts';
import { Database } from './drizzle.ts';

interface Transactions {
  readonly begin: Statement;
  readonly commit: Statement;
  readonly rollback: Statement;
  readonly savepoint: Statement;
  readonly release: Statement;
  readonly undo: Statement;
}

/** A database in memory, of an image, or of a file; the options are those of better-sqlite3. */
export class NodeDriver extends Database implements Driver {
  /** SQLite's own limit. */
  readonly maxParameters = 32_766;
  #transactions: Transactions | undefined;
  #pages: { count: Statement; size: number } | undefined;
  /** Whether `atomically` runs. SQLite's own word is no use: a rollback that failed leaves a transaction open. */
  #isAtomic = false;

  get version(): number {
    return this.pragma('user_version', { simple: true }) as number;
  }

  set version(version: number) {
    this.pragma(`user_version = ${version}`);
  }

  atomically<T>(action: () => T): T {
    return this.#isAtomic ? this.#runPart(action) : this.#runWhole(action);
  }

  rebuild(action: () => void): void {
    const guarded = this.pragma('foreign_keys', { simple: true }) as number;
    // Does nothing within a transaction.
    this.pragma('foreign_keys = OFF');
    try {
      this.atomically(action);
    } finally {
      this.pragma(`foreign_keys = ${guarded}`);
    }
  }

  bytes(): number {
    this.#pages ??= {
      count: this.prepare('PRAGMA page_count').pluck(),
      size: Number(this.pragma('page_size', { simple: true })),
    };
    return Number(this.#pages.count.get()) * this.#pages.size;
  }

  rows(sql: string): IterableIterator<unknown[]> {
    return this.prepare(sql).raw().iterate() as IterableIterator<unknown[]>;
  }

  #runWhole<T>(action: () => T): T {
    const { begin, commit, rollback } = this.#prepared();
    this.#isAtomic = true;
    try {
      begin.run();
      const value = action();
      commit.run();
      return value;
    } catch (error) {
      try {
        if (this.inTransaction) rollback.run();
      } catch {
        // The caller gets the first error. While this transaction is open, the next one fails at its begin, and is rolled back with it.
      }
      throw this.#explained(error);
    } finally {
      this.#isAtomic = false;
    }
  }

  #runPart<T>(action: () => T): T {
    const { savepoint, release, undo, rollback } = this.#prepared();
    savepoint.run();
    try {
      const value = action();
      release.run();
      return value;
    } catch (error) {
      // A failure of the disk may have ended the whole transaction, and is what the caller has to see.
      if (!this.inTransaction) throw this.#explained(error);
      try {
        undo.run();
        release.run();
      } catch {
        // What could not be taken back must not be committed with the rest.
        rollback.run();
      }
      throw this.#explained(error);
    }
  }

  /** SQLite has the same words for a disk and for the memory. */
  #explained(error: unknown): unknown {
    const isFull = this.memory && (error as { code?: unknown } | null)?.code === 'SQLITE_FULL';
    return isFull && !(error instanceof MemoryFullError)
      ? new MemoryFullError('its database is as large as one in memory can be', { cause: error })
      : error;
  }

  #prepared(): Transactions {
    this.#transactions ??= {
      begin: this.prepare('BEGIN IMMEDIATE'),
      commit: this.prepare('COMMIT'),
      rollback: this.prepare('ROLLBACK'),
      savepoint: this.prepare('SAVEPOINT part'),
      release: this.prepare('RELEASE part'),
      undo: this.prepare('ROLLBACK TO part'),
    };
    return this.#transactions;
  }
}
