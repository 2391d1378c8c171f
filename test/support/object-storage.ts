/**
 * What stands in for the storage of a Durable Object: SQLite that takes parameters by their positions alone, gives bytes as an
 * ArrayBuffer, and keeps other values beside the rows. test/long/worker-images.test.ts has the real one.
 */
import type { NodeDriver } from '../../src/store/node-driver.ts';
import type { ObjectStorage } from '../../src/store/object-driver.ts';

/** More than one statement. */
const SEVERAL = /;\s*\S/;
const NOTHING = { raw: () => [].values(), next: () => ({ done: true }), toArray: () => [] } as never;

/** The storage of an object. */
export function objectStorageOn(sqlite: NodeDriver): ObjectStorage {
  let kept = new Map<string, unknown>();
  const given = (value: unknown) => (Buffer.isBuffer(value) ? Uint8Array.from(value).buffer : value);
  return {
    sql: {
      exec(sql, ...values) {
        if (/[@:]\w/.test(sql.replaceAll(/'(?:[^']|'')*'|"[^"]*"/g, '')))
          throw new Error('only positions are taken');
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
        const all = rows.map((row) => row.map(given));
        const records = all.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])));
        const iterator = records[Symbol.iterator]();
        return {
          raw: () => all[Symbol.iterator](),
          next: () => iterator.next(),
          toArray: () => records,
          [Symbol.iterator]: () => iterator,
        } as never;
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
