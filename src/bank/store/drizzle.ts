/** The parts of Drizzle and better-sqlite3 that the store, the ledger and the outbox use. */
import Database from 'better-sqlite3';
import { columns, core, driver } from '../model/drizzle.cjs';

export { Database };
export const { drizzle } = driver;
export const { SQLiteTable, SQLiteText, SQLiteInteger } = columns;
export const {
  is,
  Column,
  Param,
  Placeholder,
  sql,
  eq,
  and,
  or,
  lte,
  gt,
  desc,
  asc,
  getTableColumns,
  getTableName,
} = core;
