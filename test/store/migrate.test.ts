// How a database comes to the schema of this program: step by step, all or nothing, once, and never back.

import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../src/store/drizzle.ts';
import { DataVersionError, migrate, schemaVersion } from '../../src/store/migrate.ts';

const STEPS = [
  'CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)',
  'CREATE TABLE b (x INTEGER) STRICT; INSERT INTO b SELECT x + 1 FROM a',
  'UPDATE a SET x = 10',
] as const;

function openEmpty() {
  const sqlite = new Database(':memory:');
  onTestFinished(() => void sqlite.close());
  return {
    sqlite,
    version: () => sqlite.pragma('user_version', { simple: true }),
    tables: () => sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
    valueIn: (table: string) => sqlite.prepare(`SELECT x FROM ${table}`).pluck().all(),
  };
}

test('an empty database gets every step in order', () => {
  const { sqlite, version, valueIn } = openEmpty();
  migrate(sqlite, STEPS);
  expect([version(), valueIn('a'), valueIn('b')]).toEqual([3, [10], [2]]);
});

test('an older database gets the steps that it lacks, and keeps what it has', () => {
  const { sqlite, version, valueIn } = openEmpty();
  migrate(sqlite, STEPS.slice(0, 1));
  sqlite.exec('UPDATE a SET x = 5');
  migrate(sqlite, STEPS.slice(0, 2));
  expect([version(), valueIn('a'), valueIn('b')]).toEqual([2, [5], [6]]);
});

test('a step is applied once', () => {
  const { sqlite, valueIn } = openEmpty();
  migrate(sqlite, STEPS);
  sqlite.exec('UPDATE a SET x = 11');
  migrate(sqlite, STEPS);
  expect(valueIn('a')).toEqual([11]);
});

test('a step that fails leaves nothing of itself or of those before it', () => {
  const { sqlite, version, tables } = openEmpty();
  const broken = [STEPS[0], 'CREATE TABLE b (x INTEGER); INSERT INTO nowhere VALUES (1)'];
  expect(() => migrate(sqlite, broken)).toThrow('no such table: nowhere');
  expect([version(), tables()]).toEqual([0, []]);
  migrate(sqlite, STEPS);
  expect(version()).toBe(3);
});

test('a database of a newer program is refused, with what to do, and left alone', () => {
  const { sqlite, version, valueIn } = openEmpty();
  migrate(sqlite, STEPS);
  const refused = () => migrate(sqlite, STEPS.slice(0, 2));
  expect(refused).toThrow(DataVersionError);
  expect(refused).toThrow(
    ':memory: was written by a newer Sandbank (schema 3, this one knows 2): ' +
      'start that version again, or choose another data directory',
  );
  expect([version(), valueIn('a')]).toEqual([3, [10]]);
});

test("the program's own steps are the files of migrations/, numbered without a gap", () => {
  const files = readdirSync(new URL('../../migrations/', import.meta.url)).toSorted();
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, place) => place + 1));
  expect(schemaVersion()).toBe(files.length);
  const { sqlite, version } = openEmpty();
  migrate(sqlite);
  expect(version()).toBe(files.length);
  expect(sqlite.pragma('foreign_key_check')).toEqual([]);
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
});
