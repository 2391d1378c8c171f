/**
 * The SQLite database of one sandbox, as the store, the ledger and the outbox use it. Only a driver begins and ends
 * transactions; all other code uses `atomically`.
 */

import type { WaitingRows } from './waiting-rows.ts';

/** The result of a writing statement. */
export interface Written {
  readonly changes: number;
  readonly lastInsertRowid: number | bigint;
}

/** A prepared statement. The values are arguments in order, or one object with the names of the parameters. */
export interface Statement {
  run(...values: unknown[]): Written;
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  /** Returns rows as arrays of values instead of objects. */
  raw(isRaw?: boolean): this;
  /** Returns only the first value of each row. */
  pluck(isPlucked?: boolean): this;
}

/**
 * A database in memory is full: a database that was opened from an image, as all are, has at most a gigabyte. The
 * code is that of a full disk, because it is handled in the same way.
 */
export class MemoryFullError extends Error {
  readonly code = 'SQLITE_FULL';
}

/** One open database. */
export interface Driver {
  /** The name in messages. */
  readonly name: string;
  /** Whether a transaction is open. A disk error may end a transaction before its action ends. */
  readonly inTransaction: boolean;
  /** The maximum number of parameters of a statement. */
  readonly maxParameters: number;
  /** The maximum size of the uncompressed rows of an image, in bytes; all of them are in memory. */
  readonly maxImageBytes: number;
  /** The number of applied migrations; 0 for an empty database. */
  version: number;
  prepare(sql: string): Statement;
  /** Runs SQL without parameters, also several statements. */
  exec(sql: string): void;
  /**
   * Commits all writes of an action, or, if it throws, none. In a nested call only its own writes are rolled back,
   * and the outer action continues. Throws the error of the action. If rows may wait, it throws `RowsRefused` when
   * waiting rows could not be written, or when a nested call failed after it had written something.
   */
  atomically<T>(action: () => T, rowsMayWait?: boolean): T;
  /** The added rows that wait for the commit. */
  readonly waitingRows: WaitingRows;
  /** The same for an action that drops and recreates a table to which others refer. */
  rebuild(action: () => void): void;
  /** The size of the database in bytes. */
  bytes(): number;
  /** The rows of a query as arrays of values, read one after the other. */
  rows(sql: string): IterableIterator<unknown[]>;
  close(): void;
}
