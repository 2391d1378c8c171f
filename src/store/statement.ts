/**
 * A statement is written with Drizzle, once, and run by better-sqlite3. Drizzle's own way of running a prepared
 * statement looks at every parameter and column anew each time, which costs a payment as much as half its SQL; here
 * that is done when the statement is prepared. Prepared at the first use: a new sandbox opens in about a millisecond.
 */
import type { RunResult } from 'better-sqlite3';
import type { DriverValueDecoder, DriverValueEncoder, GetColumnData, SQL } from 'drizzle-orm';
import type { SelectedFields, SQLiteColumn, SQLiteSelectBuilder, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Statement, Written } from './driver.ts';
import {
  Column,
  getTableColumns,
  is,
  Param,
  Placeholder,
  SQLiteInteger,
  SQLiteText,
  SQLiteTable as Table,
} from './drizzle.ts';
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

/** A value that is made at its first use. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

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

function prepare(db: Db, query: Query): { stmt: Statement; bind: (values: object) => unknown[] } {
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

/** The parameters in their order: a constant, a value by its name, or one that its column encodes. */
function binderOf(params: readonly unknown[]): (values: object) => unknown[] {
  const plan = params.map((param): Parameter => {
    if (is(param, Placeholder)) return { name: param.name };
    if (!is(param, Param) || !is(param.value, Placeholder)) return { constant: param };
    const { encoder, value } = param;
    return { name: value.name, encoder: isPlain(encoder) ? undefined : encoder };
  });
  return (values) => {
    const bound: unknown[] = [];
    for (const { name, constant, encoder } of plan) {
      const value = name === undefined ? constant : (values as Values)[name];
      bound.push(encoder === undefined ? value : encoder.mapToDriverValue(value));
    }
    return bound;
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
