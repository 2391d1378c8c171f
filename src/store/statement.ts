/**
 * A statement is written with Drizzle, once, and run by better-sqlite3. Drizzle's own way of running a prepared
 * statement looks at every parameter and column anew each time, which costs a payment as much as half its SQL; here
 * that is done when the statement is prepared. Prepared at the first use: a new sandbox opens in about a millisecond.
 */
import type { RunResult } from 'better-sqlite3';
import type { DriverValueDecoder, DriverValueEncoder, GetColumnData, SQL } from 'drizzle-orm';
import type { SelectedFields, SQLiteColumn, SQLiteSelectBuilder, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { cachesOf } from './cache.ts';
import type { Statement, Written } from './driver.ts';
import {
  Column,
  getTableColumns,
  getTableName,
  is,
  Param,
  Placeholder,
  SQLiteInteger,
  SQLiteText,
  SQLiteTable as Table,
} from './drizzle.ts';
import { lazily } from './lazily.ts';
import type { Db } from './open.ts';

/** What Drizzle's builders make: SQL with a question mark for each parameter. */
export interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

/** What is read of each row, by the names in the answer; a table stands for all its columns. */
type Fields = Readonly<Record<string, SQLiteColumn | SQL | SQLiteTable>>;
type FieldOf<F> = F extends SQLiteTable
  ? F['$inferSelect']
  : F extends SQLiteColumn
    ? GetColumnData<F>
    : F extends SQL<infer T>
      ? T
      : never;
type RowOf<F extends Fields> = { -readonly [Name in keyof F]: FieldOf<F[Name]> };

type Select = SQLiteSelectBuilder<SelectedFields, 'sync', RunResult>;

/** A statement that gives rows. The values are those of its placeholders, by their names. */
export interface Read<R> {
  get(values?: object): R | undefined;
  all(values?: object): R[];
}

/** A statement that gives none. */
export interface Write {
  run(values?: object): Written;
}

type Values = Readonly<Record<string, unknown>>;

/** A statement that reads whole rows of a table, or these fields; prepared at its first use. */
export function prepareRead<T extends SQLiteTable>(
  db: Db,
  table: T,
  write: (select: Select) => Query,
): Read<T['$inferSelect']>;
export function prepareRead<F extends Fields>(
  db: Db,
  fields: F,
  write: (select: Select) => Query,
): Read<RowOf<F>>;
export function prepareRead(
  db: Db,
  of: SQLiteTable | Fields,
  write: (select: Select) => Query,
): Read<unknown> {
  const made = lazily(() => {
    const fields: Fields = is(of, Table) ? getTableColumns(of) : of;
    const { stmt, bind } = prepare(db, write(db.select(fields)));
    return { stmt: stmt.raw(true), bind, read: readerOf(fields) };
  });
  return {
    get(values = {}) {
      const { stmt, bind, read } = made();
      const row = stmt.get(...bind(values)) as unknown[] | undefined;
      return row === undefined ? undefined : read(row);
    },
    all(values = {}) {
      const { stmt, bind, read } = made();
      return (stmt.all(...bind(values)) as unknown[][]).map(read);
    },
  };
}

/** A statement that writes; prepared at its first use. */
export function prepareWrite(db: Db, write: () => Query): Write {
  const made = lazily(() => prepare(db, write()));
  return {
    run(values = {}) {
      const { stmt, bind } = made();
      // As arguments: an array is asked for each of its elements anew, which costs a wide row a tenth of its insert.
      return stmt.run(...bind(values));
    },
  };
}

/** A statement that adds rows, which wait for others of their table where the transaction lets them. */
export interface RowWrite {
  /** Adds a row; answers its number, if SQLite numbers the rows of the table. */
  add(row: object): number;
  /** Reads what a row of this id says, and has waiting rows written only if it may be among them. */
  about<T>(id: string, read: () => T): T;
}

/** What is special about the rows of a table. */
export interface RowOptions {
  /** The field with the number that SQLite gives a row. */
  numberedBy?: string;
  /** The field by which `about` knows a row. */
  knownBy?: string;
}

/** A statement that adds rows of a table; `write` makes it for so many rows. Prepared at its first use. */
export function prepareRowWrite(
  db: Db,
  table: SQLiteTable,
  write: (rows: number) => Query,
  { numberedBy, knownBy }: RowOptions = {},
): RowWrite {
  const sqlite = db.$client;
  const rows = sqlite.waitingRows;
  const name = getTableName(table);
  const numbers = cachesOf(sqlite).named<string, number>('last_numbers');
  /** Of rows that may wait. */
  const ids = new Set<unknown>();
  const made = lazily(() => {
    const { sql: text, params } = write(1).toSQL();
    const sqlOf = (count: number): string => (count === 1 ? text : write(count).toSQL().sql);
    return {
      bind: binderOf(params),
      stmt: lazily(() => sqlite.prepare(text)),
      lane: rows?.lane({ table: name, width: params.length, sqlOf }),
      /** From the end of a row. */
      numberAt: params.length - params.findIndex((param) => nameOf(param) === numberedBy),
      last: lazily(() => sqlite.prepare(`SELECT coalesce(max(rowid), 0) FROM ${name}`).pluck()),
    };
  });
  const isWaiting = (): boolean => {
    const { lane } = made();
    return lane !== undefined && lane.added > lane.written;
  };
  const numbered = (values: unknown[], number: number | null): unknown[] => {
    if (numberedBy !== undefined) values[values.length - made().numberAt] = number;
    return values;
  };
  return {
    add(row) {
      const { stmt, bind, lane, last } = made();
      if (lane === undefined || rows?.isOpen !== true) {
        const { lastInsertRowid } = stmt().run(...numbered(bind(row), null));
        return numberedBy === undefined ? 0 : numbers.set(name, Number(lastInsertRowid));
      }
      if (knownBy !== undefined) {
        if (!isWaiting()) ids.clear();
        ids.add((row as Values)[knownBy]);
      }
      const number = numberedBy === undefined ? 0 : (numbers.get(name) ?? (last().get() as number)) + 1;
      if (numberedBy !== undefined) numbers.set(name, number);
      rows.add(lane, (values) => numbered(bind(row, values), number));
      return number;
    },
    about(id, read) {
      if (rows?.isOpen !== true || (ids.has(id) && isWaiting())) return read();
      return rows.ofWritten(read);
    },
  };
}

function prepare(
  db: Db,
  query: Query,
): { stmt: Statement; bind: (values: object, into?: unknown[]) => unknown[] } {
  const { sql, params } = query.toSQL();
  return { stmt: db.$client.prepare(sql), bind: binderOf(params) };
}

/** A column whose value in SQLite is the value in the record. */
function isPlain(column: unknown): boolean {
  return is(column, SQLiteText) || is(column, SQLiteInteger);
}

interface Parameter {
  /** Of a value that is given at each run; without one it is a constant. */
  readonly name?: string;
  readonly constant?: unknown;
  readonly encoder?: DriverValueEncoder<unknown, unknown> | undefined;
}

/** The name of a parameter whose value is given at each run. */
function nameOf(param: unknown): string | undefined {
  if (is(param, Placeholder)) return param.name;
  return is(param, Param) && is(param.value, Placeholder) ? param.value.name : undefined;
}

/** The parameters in their order: a constant, a value by its name, or one that its column encodes. */
function binderOf(params: readonly unknown[]): (values: object, into?: unknown[]) => unknown[] {
  const plan = params.map((param): Parameter => {
    const name = nameOf(param);
    if (name === undefined) return { constant: param };
    const encoder = is(param, Param) ? param.encoder : undefined;
    return { name, encoder: isPlain(encoder) ? undefined : encoder };
  });
  return (values, into = []) => {
    for (const { name, constant, encoder } of plan) {
      const value = name === undefined ? constant : (values as Values)[name];
      into.push(encoder === undefined ? value : encoder.mapToDriverValue(value));
    }
    return into;
  };
}

interface Cell {
  /** The part of the answer that it belongs to, where the answer has parts. */
  readonly part: string | undefined;
  readonly name: string;
  readonly decoder: DriverValueDecoder<unknown, unknown> | undefined;
}

/** The fields in the order in which Drizzle writes them: those of a table where the table stands. */
function cellsOf(fields: Fields, part?: string): Cell[] {
  return Object.entries(fields).flatMap(([name, field]): Cell[] => {
    if (is(field, Table)) return cellsOf(getTableColumns(field), name);
    return [{ part, name, decoder: is(field, Column) && !isPlain(field) ? field : undefined }];
  });
}

/** A row as the answer that was asked for: flat, or with a part for each table. */
function readerOf(fields: Fields): (row: unknown[]) => unknown {
  const cells = cellsOf(fields);
  return (row) => {
    if (row.length !== cells.length) throw new Error('a statement gives other columns than it was asked for');
    const answer: Record<string, unknown> = {};
    for (let at = 0; at < cells.length; at += 1) {
      const cell = cells[at];
      if (cell === undefined) continue;
      const { part, name, decoder } = cell;
      const raw = row[at];
      const value = decoder === undefined || raw === null ? raw : decoder.mapFromDriverValue(raw);
      if (part === undefined) answer[name] = value;
      else {
        answer[part] ??= {};
        (answer[part] as Record<string, unknown>)[name] = value;
      }
    }
    return answer;
  };
}
