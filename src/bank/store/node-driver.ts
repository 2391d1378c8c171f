/** SQLite in a Node process: better-sqlite3 as a driver. A transaction is BEGIN IMMEDIATE, a nested one a savepoint. */
import type { Statement as Sqlite } from 'better-sqlite3';
import { type Driver, MemoryFullError, type Statement, type Written } from './driver.ts';
import { Database } from './drizzle.ts';
import { lazily } from './lazily.ts';
import { type Needs, needsOf, WaitingRows } from './waiting-rows.ts';

/** A statement that first writes the waiting rows that it needs. */
class GuardedStatement implements Statement {
  readonly #statement: Sqlite;
  readonly #rows: WaitingRows;
  readonly #needs: Needs;

  constructor(statement: Sqlite, rows: WaitingRows) {
    this.#statement = statement;
    this.#rows = rows;
    this.#needs = needsOf(statement.source);
  }

  run(...values: unknown[]): Written {
    if (this.#rows.isOpen) this.#rows.beforeRun(this.#needs);
    return this.#statement.run(...values);
  }
  get(...values: unknown[]): unknown {
    if (this.#rows.isOpen) this.#rows.beforeRun(this.#needs);
    return this.#statement.get(...values);
  }
  all(...values: unknown[]): unknown[] {
    if (this.#rows.isOpen) this.#rows.beforeRun(this.#needs);
    return this.#statement.all(...values);
  }
  iterate(...values: unknown[]): IterableIterator<unknown> {
    if (this.#rows.isOpen) this.#rows.beforeRun(this.#needs);
    return this.#statement.iterate(...values);
  }
  raw(isRaw = true): this {
    this.#statement.raw(isRaw);
    return this;
  }
  pluck(isPlucked = true): this {
    this.#statement.pluck(isPlucked);
    return this;
  }
  /** Whether it returns rows, and their columns. */
  get reader(): boolean {
    return this.#statement.reader;
  }
  columns(): ReturnType<Sqlite['columns']> {
    return this.#statement.columns();
  }
}

/** A database in memory, from an image, or in a file; the options are those of better-sqlite3. */
export class NodeDriver extends Database implements Driver {
  /** SQLite's limit. */
  readonly maxParameters = 32_766;
  readonly maxImageBytes = 1024 * 1024 * 1024;
  // Each is prepared at its first use: opening a bank needs only two of them, and takes about a millisecond.
  readonly #begin = lazily(() => super.prepare('BEGIN IMMEDIATE'));
  readonly #commit = lazily(() => super.prepare('COMMIT'));
  readonly #rollback = lazily(() => super.prepare('ROLLBACK'));
  readonly #savepoint = lazily(() => super.prepare('SAVEPOINT part'));
  readonly #release = lazily(() => super.prepare('RELEASE part'));
  readonly #undo = lazily(() => super.prepare('ROLLBACK TO part'));
  #pages: { count: Sqlite; size: number } | undefined;
  /** Whether `atomically` runs. SQLite's state cannot be used, because a failed rollback leaves a transaction open. */
  #isAtomic = false;
  readonly waitingRows = new WaitingRows((sql) => super.prepare(sql), this.maxParameters);

  override prepare<B extends unknown[] | object = unknown[], R = unknown>(source: string) {
    const plain = super.prepare<B, R>(source);
    return new GuardedStatement(plain as Sqlite, this.waitingRows) as unknown as typeof plain;
  }

  override exec(sql: string): this {
    if (this.waitingRows.isOpen) this.waitingRows.beforeWrite();
    return super.exec(sql);
  }

  get version(): number {
    return this.pragma('user_version', { simple: true }) as number;
  }

  set version(version: number) {
    this.pragma(`user_version = ${version}`);
  }

  atomically<T>(action: () => T, rowsMayWait = false): T {
    return this.#isAtomic ? this.#runPart(action) : this.#runWhole(action, rowsMayWait);
  }

  rebuild(action: () => void): void {
    const guarded = this.pragma('foreign_keys', { simple: true }) as number;
    // This has no effect within a transaction.
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

  #runWhole<T>(action: () => T, rowsMayWait: boolean): T {
    const { waitingRows } = this;
    this.#isAtomic = true;
    try {
      this.#begin().run();
      if (rowsMayWait) waitingRows.begin();
      const value = action();
      if (rowsMayWait) waitingRows.write();
      this.#commit().run();
      return value;
    } catch (error) {
      try {
        if (this.inTransaction) this.#rollback().run();
      } catch {
        // The caller gets the first error. While this transaction is open, the next one fails at BEGIN, and both are
        // rolled back.
      }
      throw this.#explained(error);
    } finally {
      waitingRows.end();
      this.#isAtomic = false;
    }
  }

  #runPart<T>(action: () => T): T {
    if (this.waitingRows.isOpen) return this.waitingRows.part(action);
    this.#savepoint().run();
    try {
      const value = action();
      this.#release().run();
      return value;
    } catch (error) {
      // A disk error may have ended the whole transaction; then the caller must get that error.
      if (!this.inTransaction) throw this.#explained(error);
      try {
        this.#undo().run();
        this.#release().run();
      } catch {
        // Writes that could not be rolled back must not be committed with the rest.
        this.#rollback().run();
      }
      throw this.#explained(error);
    }
  }

  /** SQLite reports a full memory database like a full disk. */
  #explained(error: unknown): unknown {
    const isFull = this.memory && (error as { code?: unknown } | null)?.code === 'SQLITE_FULL';
    return isFull && !(error instanceof MemoryFullError)
      ? new MemoryFullError('its database has the maximum size of a database in memory', { cause: error })
      : error;
  }
}
