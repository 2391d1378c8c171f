/**
 * The SQLite database of a Durable Object as a driver. Statements take positional parameters, the runtime manages
 * transactions, and the schema version is in a table, because an object cannot set the pragma.
 */
import type { Driver, Statement, Written } from '../../bank/store/driver.ts';
import { needsOf, WaitingRows } from '../../bank/store/waiting-rows.ts';

type Value = ArrayBuffer | string | number | null;

/** A result that is read lazily. */
interface Cursor extends Iterable<Record<string, Value>> {
  raw(): IterableIterator<Value[]>;
  next(): { done?: boolean; value?: Record<string, Value> };
  toArray(): Record<string, Value>[];
}

/** The parts of an object's storage that are used. */
export interface ObjectStorage {
  readonly sql: { exec(sql: string, ...values: unknown[]): Cursor; readonly databaseSize: number };
  readonly kv: {
    get(key: string): unknown;
    put(key: string, value: unknown): void;
    delete(key: string): boolean;
  };
  transactionSync<T>(action: () => T): T;
}

const VERSION_KEY = 'schema';
const MAX_PARAMETERS = 100;
/** A Durable Object shares 128 MB of memory with others. */
const MAX_IMAGE_BYTES = 32 * 1024 * 1024;
const NAME = 'the database of this sandbox';
/** Quoted strings, and named parameters outside of them. */
const PARAMETER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[@:](\w+)/g;
const CODE = /\bSQLITE_[A-Z_]+/;

/** The driver of an object's storage. */
export function createObjectDriver(storage: ObjectStorage): Driver {
  const { sql, kv } = storage;
  let depth = 0;
  let isOpen = true;
  const exec = (text: string, ...values: unknown[]): Cursor => {
    // The rows may belong to another bank meanwhile.
    if (!isOpen) throw new TypeError('The database connection is not open');
    try {
      return sql.exec(text, ...values);
    } catch (error) {
      throw withCode(error);
    }
  };
  const numberOf = (text: string): number => Number(firstOf(exec(text).raw())?.[0]);

  /** A statement that is guarded writes the waiting rows that it is about to read. */
  const prepare = (source: string, isGuarded: boolean): Statement => {
    const names: string[] = [];
    const text = source.replace(PARAMETER, (all, name: string | undefined) => {
      if (name === undefined) return all;
      if (!names.includes(name)) names.push(name);
      return `?${names.indexOf(name) + 1}`;
    });
    const needs = isGuarded ? needsOf(text) : undefined;
    const run = (given: unknown[]): Cursor => {
      const named = given[0] as Record<string, unknown>;
      const values = names.length === 0 ? given : names.map((name) => named[name]);
      if (needs !== undefined && waitingRows.isOpen) waitingRows.beforeRun(needs);
      return exec(text, ...values);
    };
    let isRaw = false;
    let isPlucked = false;
    const statement: Statement = {
      run(...values): Written {
        run(values);
        return {
          get changes() {
            return numberOf('SELECT changes()');
          },
          get lastInsertRowid() {
            return numberOf('SELECT last_insert_rowid()');
          },
        };
      },
      get(...values) {
        const cursor = run(values);
        if (!isRaw && !isPlucked) {
          const record = firstOf(cursor);
          return record === undefined ? undefined : asRecord(record);
        }
        const value = firstOf(cursor.raw());
        if (value === undefined) return undefined;
        return isPlucked ? asBuffer(value[0] as Value) : asRow(value);
      },
      all(...values) {
        const cursor = run(values);
        if (isPlucked) return Array.from(cursor.raw(), (row) => asBuffer(row[0] as Value));
        return isRaw ? Array.from(cursor.raw(), asRow) : cursor.toArray().map(asRecord);
      },
      raw(on = true) {
        isRaw = on;
        return statement;
      },
      pluck(on = true) {
        isPlucked = on;
        return statement;
      },
    };
    return statement;
  };

  const waitingRows = new WaitingRows((text) => prepare(text, false), MAX_PARAMETERS);

  const runWhole = <T>(action: () => T, rowsMayWait: boolean): T => {
    try {
      return storage.transactionSync(() => {
        if (rowsMayWait) waitingRows.begin();
        const value = action();
        if (rowsMayWait) waitingRows.write();
        return value;
      });
    } finally {
      waitingRows.end();
    }
  };

  const atomically = <T>(action: () => T, rowsMayWait = false): T => {
    const isNested = depth > 0;
    depth += 1;
    try {
      if (!isNested) return runWhole(action, rowsMayWait);
      return waitingRows.isOpen ? waitingRows.part(action) : storage.transactionSync(action);
    } finally {
      depth -= 1;
    }
  };

  return {
    name: NAME,
    get inTransaction() {
      return depth > 0;
    },
    maxParameters: MAX_PARAMETERS,
    waitingRows,
    maxImageBytes: MAX_IMAGE_BYTES,
    get version() {
      return Number(kv.get(VERSION_KEY) ?? 0);
    },
    set version(version) {
      kv.put(VERSION_KEY, version);
    },
    prepare: (source) => prepare(source, true),
    exec(text) {
      if (waitingRows.isOpen) waitingRows.beforeWrite();
      exec(text);
    },
    atomically,
    rebuild: (action) =>
      atomically(() => {
        exec('PRAGMA defer_foreign_keys = ON');
        action();
      }),
    bytes: () => sql.databaseSize,
    *rows(text) {
      if (waitingRows.isOpen) waitingRows.beforeWrite();
      const rows = exec(text).raw();
      try {
        for (const row of rows) yield asRow(row);
      } finally {
        finish(rows);
      }
    },
    close() {
      isOpen = false;
    },
  };
}

/** A result that is read row by row. */
interface Rows<T> {
  next(): { done?: boolean; value?: T };
}

/** Reads to the end: while a result is not read, no table can be dropped and some transactions cannot be committed. */
function finish(rows: Rows<unknown>): void {
  while (rows.next().done !== true);
}

function firstOf<T>(rows: Rows<T>): T | undefined {
  const { done, value } = rows.next();
  if (done !== true) finish(rows);
  return value;
}

/** Adds the code that SQLite's errors have in better-sqlite3. */
function withCode(error: unknown): unknown {
  const [code] = CODE.exec(error instanceof Error ? error.message : '') ?? [];
  return code === undefined ? error : Object.assign(error as Error, { code });
}

function asBuffer(value: Value): unknown {
  return value instanceof ArrayBuffer ? Buffer.from(value) : value;
}

function asRow(row: Value[]): unknown[] {
  return row.some((value) => value instanceof ArrayBuffer) ? row.map(asBuffer) : row;
}

function asRecord(row: Record<string, Value>): Record<string, unknown> {
  for (const value of Object.values(row)) {
    if (value instanceof ArrayBuffer) {
      return Object.fromEntries(Object.entries(row).map(([name, one]) => [name, asBuffer(one)]));
    }
  }
  return row;
}
