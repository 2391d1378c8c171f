/**
 * Drizzle generates a statement once, and better-sqlite3 runs it. Drizzle's own prepared statements inspect every
 * parameter and column at each run, which takes half as long as the SQL of a payment; here this is done when the
 * statement is prepared. Statements are prepared at their first use, because a new sandbox opens in about a
 * millisecond. The columns that it reads and the function that writes it identify a statement: if both are constants,
 * its SQL is generated once for the process.
 */
import type { RunResult } from 'better-sqlite3';
import type { DriverValueDecoder, DriverValueEncoder, GetColumnData, SQL } from 'drizzle-orm';
import type { SelectedFields, SQLiteColumn, SQLiteSelectBuilder, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { cachesOf } from './cache.ts';
import type { Written } from './driver.ts';
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

/** The result of Drizzle's builders: SQL with a question mark for each parameter. */
export interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

/** The columns to read, by the names in the result; a table means all its columns. */
type Fields = Readonly<Record<string, SQLiteColumn | SQL | SQLiteTable>>;
type FieldOf<F> = F extends SQLiteTable
  ? F['$inferSelect']
  : F extends SQLiteColumn
    ? GetColumnData<F>
    : F extends SQL<infer T>
      ? T
      : never;
type RowOf<F extends Fields> = { -readonly [Name in keyof F]: FieldOf<F[Name]> };

export type Select = SQLiteSelectBuilder<SelectedFields, 'sync', RunResult>;

/** A statement that returns rows. `values` are those of its placeholders, by name. */
export interface Read<R> {
  get(values?: object): R | undefined;
  all(values?: object): R[];
}

/** A statement that returns no rows. */
export interface Write {
  run(values?: object): Written;
}

type Values = Readonly<Record<string, unknown>>;

/** Returns the values of a run, in the order of the parameters. */
type Bind = (values: object) => unknown[];

/** A statement of any database. */
interface Text {
  readonly sql: string;
  readonly bind: Bind;
  readonly read: (row: unknown[]) => unknown;
}

/**
 * By the columns that are read and the function that writes the SQL; entries whose keys are not constants are dropped
 * with their database.
 */
const texts = new WeakMap<object, WeakMap<object, Text>>();

function textOf(of: object, write: object, query: () => Query, fields: Fields = {}): Text {
  const ofIt = texts.get(of) ?? new WeakMap<object, Text>();
  texts.set(of, ofIt);
  const known = ofIt.get(write);
  if (known !== undefined) return known;
  const { sql, params } = query().toSQL();
  const text: Text = { sql, bind: binderOf(params), read: readerOf(fields) };
  ofIt.set(write, text);
  return text;
}

/** Creates a statement that reads whole rows of a table, or these fields; prepared at its first use. */
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
    const { sql, bind, read } = textOf(of, write, () => write(db.select(fields)), fields);
    return { stmt: db.$client.prepare(sql).raw(true), bind, read };
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

/** Creates a statement that writes; prepared at its first use. */
export function prepareWrite(db: Db, write: (db: Db) => Query): Write {
  const made = lazily(() => {
    const { sql, bind } = textOf(write, write, () => write(db));
    return { stmt: db.$client.prepare(sql), bind };
  });
  return {
    run(values = {}) {
      const { stmt, bind } = made();
      // As arguments, because reading the elements of an array takes a tenth of the insert of a wide row.
      return stmt.run(...bind(values));
    },
  };
}

/** A statement that adds rows, which wait for the commit if the transaction allows it. */
export interface RowWrite {
  /** Adds a row. Returns its number if SQLite numbers the rows of the table. */
  add(row: object): number;
  /** Reads the row with this id. Waiting rows are written first only if it may be one of them. */
  about<T>(id: string, read: () => T): T;
}

/** Options for the rows of a table. */
export interface RowOptions {
  /** The field with the row number that SQLite assigns. */
  numberedBy?: string;
  /** The field by which `about` identifies a row. */
  knownBy?: string;
}

/** The statement that adds a row, and the same for several rows. */
interface RowText extends Text {
  readonly params: readonly unknown[];
  sqlOf(rows: number): string;
}

/** By the function that writes them, which is a constant. */
const rowTexts = new WeakMap<object, RowText>();

function rowTextOf(db: Db, write: (db: Db) => Query): RowText {
  const known = rowTexts.get(write);
  if (known !== undefined) return known;
  const { sql, params } = write(db).toSQL();
  const [, row = ''] = / values (\([^()]*\))/.exec(sql) ?? [];
  const sqls: string[] = [];
  const text: RowText = {
    sql,
    params,
    bind: binderOf(params),
    read: () => undefined,
    sqlOf(rows) {
      sqls[rows] ??= sql.replace(row, Array(rows).fill(row).join(', '));
      return sqls[rows];
    },
  };
  rowTexts.set(write, text);
  return text;
}

/**
 * Creates a statement that adds rows to a table; `write` is a constant, because its texts are generated once for the process.
 * Prepared at its first use.
 */
export function prepareRowWrite(
  db: Db,
  table: SQLiteTable,
  write: (db: Db) => Query,
  { numberedBy, knownBy }: RowOptions = {},
): RowWrite {
  const { $client: sqlite } = db;
  const { waitingRows } = sqlite;
  const name = getTableName(table);
  const numbers = cachesOf(sqlite).named<string, number>('last_numbers');
  const made = lazily(() => {
    const { params, bind, sqlOf } = rowTextOf(db, write);
    return {
      bind,
      lane: waitingRows.lane({ table: name, width: params.length, sqlOf }),
      numberAt: params.findIndex((param) => numberedBy !== undefined && nameOf(param) === numberedBy),
    };
  });
  const now = lazily(() => sqlite.prepare(rowTextOf(db, write).sql));
  const last = lazily(() => sqlite.prepare(`SELECT coalesce(max(rowid), 0) FROM ${name}`).pluck());
  return {
    add(row) {
      const { bind, lane, numberAt } = made();
      const values = bind(row);
      if (!waitingRows.isOpen) {
        if (numberAt !== -1) values[numberAt] = null;
        const written = now().run(...values);
        // A Durable Object gets the number from its database.
        return numberAt === -1 ? 0 : numbers.set(name, Number(written.lastInsertRowid));
      }
      let number = 0;
      if (numberAt !== -1) {
        number = numbers.set(name, (numbers.get(name) ?? (last().get() as number)) + 1);
        values[numberAt] = number;
      }
      waitingRows.add(lane, values, knownBy === undefined ? undefined : String((row as Values)[knownBy]));
      return number;
    },
    about: (id, read) => waitingRows.about(made().lane, id, read),
  };
}

/** Whether a column has the same value in SQLite and in the record. */
function isPlain(column: unknown): boolean {
  return is(column, SQLiteText) || is(column, SQLiteInteger);
}

interface Parameter {
  /** The name of a placeholder; a parameter without one is a constant. */
  readonly name?: string;
  readonly constant?: unknown;
  readonly encoder?: DriverValueEncoder<unknown, unknown> | undefined;
}

/** The name of a placeholder; `undefined` for a constant. */
function nameOf(param: unknown): string | undefined {
  if (is(param, Placeholder)) return param.name;
  return is(param, Param) && is(param.value, Placeholder) ? param.value.name : undefined;
}

/**
 * Creates the function that binds the parameters in order: constants, named values, and values that their column
 * encodes.
 */
function binderOf(params: readonly unknown[]): Bind {
  const plan = params.map((param): Parameter => {
    const name = nameOf(param);
    if (name === undefined) return { constant: param };
    const encoder = is(param, Param) ? param.encoder : undefined;
    return { name, encoder: isPlain(encoder) ? undefined : encoder };
  });
  return (values) =>
    plan.map(({ name, constant, encoder }) => {
      const value = name === undefined ? constant : (values as Values)[name];
      return encoder === undefined ? value : encoder.mapToDriverValue(value);
    });
}

interface Cell {
  /** The part of the result to which it belongs, if the result has parts. */
  readonly part: string | undefined;
  readonly name: string;
  readonly decoder: DriverValueDecoder<unknown, unknown> | undefined;
}

/** The fields in the order in which Drizzle writes them, with tables expanded to their columns. */
function cellsOf(fields: Fields, part?: string): Cell[] {
  return Object.entries(fields).flatMap(([name, field]): Cell[] => {
    if (is(field, Table)) return cellsOf(getTableColumns(field), name);
    return [{ part, name, decoder: is(field, Column) && !isPlain(field) ? field : undefined }];
  });
}

/** Creates the function that converts a row to a result: flat, or with a part for each table. */
function readerOf(fields: Fields): (row: unknown[]) => unknown {
  const cells = cellsOf(fields);
  return (row) => {
    if (row.length !== cells.length) throw new Error('a statement returns other columns than requested');
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
