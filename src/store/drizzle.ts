/**
 * Drizzle and better-sqlite3, as CommonJS. Imported as ES modules, Drizzle's files cost seven times the time and
 * six times the memory (docs/decisions/0002-drizzle.md), so the one module that needs them asks for the other build.
 */
import { createRequire } from 'node:module';
import type * as Sqlite from 'better-sqlite3';
import type * as Core from 'drizzle-orm';
import type * as Driver from 'drizzle-orm/better-sqlite3';
import type * as Columns from 'drizzle-orm/sqlite-core';

const require = createRequire(import.meta.url);

export const Database = require('better-sqlite3') as typeof Sqlite.default;
export const { drizzle } = require('drizzle-orm/better-sqlite3') as typeof Driver;
export const { SQLiteTable, SQLiteText, SQLiteInteger } =
  require('drizzle-orm/sqlite-core') as typeof Columns;
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
} = require('drizzle-orm') as typeof Core;
