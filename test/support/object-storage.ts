/**
 * A replacement for the storage of a Durable Object: SQLite that accepts only positional parameters, returns bytes as
 * an ArrayBuffer, and stores other values beside the rows. test/long/worker-images.test.ts uses the real one.
 */
import type { NodeDriver } from '../../src/bank/store/node-driver.ts';
import type { ObjectStorage } from '../../src/cluster/worker/object-driver.ts';

const PATTERN = /\b(?:LIKE|GLOB)\s+\?(\d*)/gi;
const LONGEST_PATTERN = 50;
const MAX_PARAMETERS = 100;
/** More than one statement. */
const SEVERAL = /;\s*\S/;
const NOTHING = { raw: () => [].values(), next: () => ({ done: true }), toArray: () => [] } as never;

/** The storage of an object. */
export function objectStorageOn(sqlite: NodeDriver): ObjectStorage {
  let kept = new Map<string, unknown>();
  const unread = new Set<object>();
  const given = (value: unknown) => (Buffer.isBuffer(value) ? Uint8Array.from(value).buffer : value);
  return {
    sql: {
      exec(sql, ...values) {
        if (values.length > MAX_PARAMETERS) throw new Error('too many parameters');
        if (unread.size > 0 && /\bDROP TABLE\b/.test(sql))
          throw new Error('database table is locked: SQLITE_LOCKED');
        if (/[@:]\w/.test(sql.replaceAll(/'(?:[^']|'')*'|"[^"]*"/g, '')))
          throw new Error('only positions are taken');
        const patterns = [...sql.matchAll(PATTERN)].flatMap(([, at]) =>
          at === '' ? values : [values[Number(at) - 1]],
        );
        if (patterns.some((pattern) => String(pattern).length > LONGEST_PATTERN))
          throw new Error('LIKE or GLOB pattern too complex: SQLITE_ERROR');
        if (values.length === 0 && SEVERAL.test(sql)) {
          sqlite.exec(sql);
          return NOTHING;
        }
        const statement = sqlite.prepare(sql);
        const numbered = Object.fromEntries(values.map((value, at) => [at + 1, value]));
        const bound = /\?\d/.test(sql) ? [numbered] : values;
        if (!statement.reader) statement.run(...bound);
        const rows = statement.reader ? (statement.raw().all(...bound) as unknown[][]) : [];
        const names = statement.reader ? statement.columns().map(({ name }) => name) : [];
        return cursorOver(
          rows.map((row) => row.map(given)),
          names,
          unread,
        );
      },
      get databaseSize() {
        return sqlite.bytes();
      },
    },
    kv: {
      get: (key) => kept.get(key),
      put: (key, value) => void kept.set(key, value),
      delete: (key) => kept.delete(key),
    },
    transactionSync(action) {
      const before = new Map(kept);
      try {
        return sqlite.atomically(action);
      } catch (error) {
        kept = before;
        throw error;
      }
    },
  };
}

/** A result; it is in `unread` until its last row is read. */
function cursorOver(rows: readonly unknown[][], names: readonly string[], unread: Set<object>): never {
  let at = 0;
  const cursor = {
    step() {
      const row = rows[at];
      at += 1;
      if (at >= rows.length) unread.delete(cursor);
      return row;
    },
    record: (row: unknown[]) => Object.fromEntries(row.map((value, place) => [names[place], value])),
    next() {
      const row = cursor.step();
      return row === undefined ? { done: true } : { done: false, value: cursor.record(row) };
    },
    toArray() {
      const left = rows.slice(at).map(cursor.record);
      at = rows.length;
      unread.delete(cursor);
      return left;
    },
    raw: () => ({
      next() {
        const value = cursor.step();
        return { done: value === undefined, value };
      },
      [Symbol.iterator]() {
        return this;
      },
    }),
  };
  if (rows.length > 0) unread.add(cursor);
  return cursor as never;
}
