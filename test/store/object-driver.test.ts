/**
 * The driver of an object over what stands in for its storage: SQLite that takes parameters by their positions alone and gives
 * bytes as an ArrayBuffer. test/long/worker.test.ts has the real one.
 */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Driver } from '../../src/store/driver.ts';
import { NodeDriver } from '../../src/store/node-driver.ts';
import { createObjectDriver, type ObjectStorage } from '../../src/store/object-driver.ts';

/** The storage of an object. */
function storageOn(sqlite: NodeDriver): ObjectStorage {
  const kept = new Map<string, unknown>();
  const given = (value: unknown) => (Buffer.isBuffer(value) ? Uint8Array.from(value).buffer : value);
  return {
    sql: {
      exec(sql, ...values) {
        if (/[@:]\w/.test(sql.replaceAll(/'(?:[^']|'')*'|"[^"]*"/g, '')))
          throw new Error('only positions are taken');
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
    kv: { get: (key) => kept.get(key), put: (key, value) => void kept.set(key, value) },
    transactionSync: (action) => sqlite.atomically(action),
  };
}

let driver: Driver;

beforeEach(() => {
  const sqlite = new NodeDriver(':memory:');
  onTestFinished(() => void sqlite.close());
  driver = createObjectDriver(storageOn(sqlite));
  driver.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, bytes BLOB) STRICT');
});

const write = (text: string) => driver.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
const texts = () => driver.prepare('SELECT text FROM notes ORDER BY id').pluck().all();

test('parameters have names, some of them more than once, and quoted text has none', () => {
  const find = driver.prepare(
    "SELECT @b || ':no' || @a || '@a' AS \"a:b\", :b AS again, 'it''s :b' AS quoted FROM (SELECT 1)",
  );
  expect(find.get({ a: 'A', b: 'B' })).toEqual({ 'a:b': 'B:noA@a', again: 'B', quoted: "it's :b" });
});

test('a statement answers records, rows or the first values', () => {
  write('a');
  write('b');
  const all = () => driver.prepare('SELECT id, text FROM notes ORDER BY id');
  expect(all().all()).toEqual([
    { id: 1, text: 'a' },
    { id: 2, text: 'b' },
  ]);
  expect(all().raw().get()).toEqual([1, 'a']);
  expect(all().pluck().all()).toEqual([1, 2]);
  expect([...driver.rows('SELECT text FROM notes ORDER BY id DESC')]).toEqual([['b'], ['a']]);
  expect(driver.prepare('SELECT 1 FROM notes WHERE id = ?').get(9)).toBeUndefined();
});

test('a write answers how many rows it changed, and the number of the last one', () => {
  const { changes, lastInsertRowid } = write('a');
  expect([changes, lastInsertRowid]).toEqual([1, 1]);
  write('b');
  expect(driver.prepare("UPDATE notes SET text = text || '!'").run().changes).toBe(2);
});

test('bytes are a buffer, however they are read', () => {
  driver.prepare('INSERT INTO notes VALUES (1, ?, ?)').run('a', Buffer.from('bytes'));
  const read = () => driver.prepare('SELECT bytes FROM notes');
  const found = [
    read().pluck().get(),
    read().raw().all()[0],
    read().get(),
    [...driver.rows('SELECT bytes FROM notes')][0],
  ];
  const bytes = Buffer.from('bytes');
  expect(found).toEqual([bytes, [bytes], { bytes }, [bytes]]);
});

test('an action within another takes back its own writes alone', () => {
  driver.atomically(() => {
    write('a');
    expect(() =>
      driver.atomically(() => {
        write('b');
        expect(driver.inTransaction).toBe(true);
        throw new Error('sorry');
      }),
    ).toThrow('sorry');
    write('c');
  });
  expect([texts(), driver.inTransaction]).toEqual([['a', 'c'], false]);
});

test('the version is kept beside the rows', () => {
  expect(driver.version).toBe(0);
  driver.version = 13;
  expect(driver.version).toBe(13);
});

test('an error of SQLite has its code', () => {
  write('a');
  expect(() => write('a')).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) }),
  );
});
