/**
 * The driver of an object with a substitute for its storage: SQLite that accepts only positional parameters and
 * returns bytes as an ArrayBuffer. test/long/worker.test.ts uses the real one.
 */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Driver } from '../../../src/bank/store/driver.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { createObjectDriver, type ObjectStorage } from '../../../src/cluster/worker/object-driver.ts';
import { objectStorageOn } from '../../support/object-storage.ts';

let storage: ObjectStorage;
let driver: Driver;

beforeEach(() => {
  const sqlite = new NodeDriver(':memory:');
  onTestFinished(() => void sqlite.close());
  storage = objectStorageOn(sqlite);
  driver = createObjectDriver(storage);
  driver.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, bytes BLOB) STRICT');
});

const write = (text: string) => driver.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
const texts = () => driver.prepare('SELECT text FROM notes ORDER BY id').pluck().all();

test('parameters have names, which may repeat, and quoted text has none', () => {
  const find = driver.prepare(
    "SELECT @b || ':no' || @a || '@a' AS \"a:b\", :b AS again, 'it''s :b' AS quoted FROM (SELECT 1)",
  );
  expect(find.get({ a: 'A', b: 'B' })).toEqual({ 'a:b': 'B:noA@a', again: 'B', quoted: "it's :b" });
});

test('a statement returns records, rows or the first values', () => {
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

test('a write returns the number of changed rows, and the last row id', () => {
  const { changes, lastInsertRowid } = write('a');
  expect([changes, lastInsertRowid]).toEqual([1, 1]);
  write('b');
  expect(driver.prepare("UPDATE notes SET text = text || '!'").run().changes).toBe(2);
});

test('a result is read to its end, however much of it is used', () => {
  for (const text of ['a', 'b', 'c']) write(text);
  const all = driver.prepare('SELECT text FROM notes ORDER BY id');
  expect([all.get(), all.raw().get(), all.pluck().get()]).toEqual([{ text: 'a' }, ['a'], 'a']);
  for (const [text] of driver.rows('SELECT text FROM notes ORDER BY id')) {
    expect(text).toBe('a');
    break;
  }
  // A table cannot be dropped before.
  driver.exec('DROP TABLE notes');
  expect(driver.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'notes'").get()).toBeUndefined();
});

test('bytes are a buffer in every form of result', () => {
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

test('a nested action rolls back only its own writes', () => {
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

test('waiting rows are written together, as many as the parameters of a statement allow', () => {
  const columns = Array.from({ length: 30 }, (_, at) => `c${at}`);
  driver.exec(`CREATE TABLE facts (${columns.join(', ')})`);
  const row = `(${columns.map(() => '?').join(', ')})`;
  const { waitingRows } = driver;
  const lane = waitingRows.lane({
    table: 'facts',
    width: columns.length,
    sqlOf: (rows) => `INSERT INTO facts VALUES ${Array.from({ length: rows }, () => row).join(', ')}`,
  });
  const exec = vi.spyOn(storage.sql, 'exec');
  driver.atomically(() => {
    for (let number = 0; number < 7; number += 1) {
      waitingRows.add(
        lane,
        columns.map(() => number),
      );
    }
    expect(exec).not.toHaveBeenCalled();
  }, true);
  expect(exec.mock.calls.map(([, ...values]) => values.length)).toEqual([60, 60, 60, 30]);
  expect(driver.prepare('SELECT c29 FROM facts').pluck().all()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('the version is stored beside the rows', () => {
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

test('a closed driver touches no row, and another one on the same rows does', () => {
  write('a');
  driver.close();
  expect(() => texts()).toThrow('not open');
  expect(() => write('b')).toThrow('not open');
  expect(createObjectDriver(storage).prepare('SELECT text FROM notes').pluck().all()).toEqual(['a']);
});

test('a failed transaction rolls back the version', () => {
  driver.version = 3;
  expect(() =>
    driver.atomically(() => {
      driver.version = 4;
      throw new Error('sorry');
    }),
  ).toThrow('sorry');
  expect(driver.version).toBe(3);
});
