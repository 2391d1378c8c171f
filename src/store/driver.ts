/**
 * The SQLite database of one sandbox, as the store, the ledger and the outbox use it. A driver is the only place that begins
 * and ends transactions: everything else says what belongs together with `atomically`.
 */

import type { WaitingRows } from './waiting-rows.ts';

/** What a statement changed. */
export interface Written {
  readonly changes: number;
  readonly lastInsertRowid: number | bigint;
}

/** A prepared statement. Values are given in order, or as one object by the names of the parameters. */
export interface Statement {
  run(...values: unknown[]): Written;
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  /** Answers rows as arrays of values instead of objects. */
  raw(isRaw?: boolean): this;
  /** Answers the first value of each row alone. */
  pluck(isPlucked?: boolean): this;
}

/**
 * A database in memory that has no room for what is written: one that was opened from an image, as all are, holds at most a
 * gigabyte. It has the code of a full disk, because it is treated like one.
 */
export class MemoryFullError extends Error {
  readonly code = 'SQLITE_FULL';
}

/** One open database. */
export interface Driver {
  /** What to call it in messages. */
  readonly name: string;
  /** Whether a transaction is open. A failure of the disk may end one before its action has ended. */
  readonly inTransaction: boolean;
  /** How many parameters a statement may have. */
  readonly maxParameters: number;
  /** The number of migrations that were applied; 0 for an empty database. */
  version: number;
  prepare(sql: string): Statement;
  /** Runs SQL without parameters, also several statements. */
  exec(sql: string): void;
  /**
   * Keeps all that an action writes, or, when it throws, nothing. Within another such action only its own writes are rolled
   * back, and the outer one goes on. Throws what the action threw. If rows may wait, it throws `RowsRefused` where waiting rows
   * could not be written.
   */
  atomically<T>(action: () => T, rowsMayWait?: boolean): T;
  /** Where added rows wait; a driver without it writes each row at once. */
  readonly waitingRows?: WaitingRows;
  /** The same for an action that drops a table to which others refer, in order to make it anew. */
  rebuild(action: () => void): void;
  /** How large the database is, in bytes. */
  bytes(): number;
  /** The rows of a query as arrays of values, read one after the other. */
  rows(sql: string): IterableIterator<unknown[]>;
  close(): void;
}
