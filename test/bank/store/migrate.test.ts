// The migration of a database to the current schema: step by step, completely or not at all, once, and never back.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { DataVersionError, migrate, schemaVersion } from '../../../src/bank/store/migrate.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';

const STEPS = [
  'CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)',
  'CREATE TABLE b (x INTEGER) STRICT; INSERT INTO b SELECT x + 1 FROM a',
  'UPDATE a SET x = 10',
] as const;

function openEmpty() {
  const sqlite = new NodeDriver(':memory:');
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

test('an older database gets the missing steps, and keeps its data', () => {
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

test('a step that fails rolls back itself and those before it', () => {
  const { sqlite, version, tables } = openEmpty();
  const broken = [STEPS[0], 'CREATE TABLE b (x INTEGER); INSERT INTO nowhere VALUES (1)'];
  expect(() => migrate(sqlite, broken)).toThrow('no such table: nowhere');
  expect([version(), tables()]).toEqual([0, []]);
  migrate(sqlite, STEPS);
  expect(version()).toBe(3);
});

test('a database of a newer program is refused with a solution, and not changed', () => {
  const { sqlite, version, valueIn } = openEmpty();
  migrate(sqlite, STEPS);
  const refused = () => migrate(sqlite, STEPS.slice(0, 2));
  expect(refused).toThrow(DataVersionError);
  expect(refused).toThrow(
    ':memory: was written by a newer Sandbank (schema 3, this version supports 2): ' +
      'start that version again, or choose another data directory',
  );
  expect([version(), valueIn('a')]).toEqual([3, [10]]);
});

test("the program's own steps are the files of migrations/, numbered without a gap", () => {
  const files = readdirSync(new URL('../../../migrations/', import.meta.url)).toSorted();
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, place) => place + 1));
  expect(schemaVersion()).toBe(files.length);
  const { sqlite, version } = openEmpty();
  migrate(sqlite);
  expect(version()).toBe(files.length);
  expect(sqlite.pragma('foreign_key_check')).toEqual([]);
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('a table with references can be rebuilt, and a dangling reference fails', () => {
  const { sqlite, version, valueIn } = openEmpty();
  sqlite.pragma('foreign_keys = ON');
  const steps = [
    'CREATE TABLE a (x INTEGER PRIMARY KEY) STRICT; CREATE TABLE b (x INTEGER REFERENCES a (x)) STRICT',
    'CREATE TABLE c (x INTEGER PRIMARY KEY) STRICT; INSERT INTO c SELECT x FROM a; DROP TABLE a; ALTER TABLE c RENAME TO a',
    'DELETE FROM a',
  ];
  migrate(sqlite, steps.slice(0, 1));
  sqlite.exec('INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)');
  migrate(sqlite, steps.slice(0, 2));
  expect([version(), valueIn('a'), valueIn('b')]).toEqual([2, [1], [1]]);
  expect(() => migrate(sqlite, steps)).toThrow('a row of b refers to a missing row');
  expect([version(), valueIn('a')]).toEqual([2, [1]]);
  expect(() => sqlite.exec('INSERT INTO b VALUES (2)')).toThrow('FOREIGN KEY constraint failed');
});

test('accounts of an older database keep everything, and then may have no number', () => {
  const { sqlite } = openEmpty();
  const folder = new URL('../../../migrations/', import.meta.url);
  const steps = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const before = steps.findIndex((step) => step.includes('accounts_made_anew'));
  migrate(sqlite, steps.slice(0, before));
  const [holder, account, other] = ['1', '2', '3'].map((digit) => digit.repeat(32));
  sqlite.exec(`
    INSERT INTO holders (id, type, name, person, id_number, verification, ofac_status, ofac_at, external_reference_id,
      purpose, status, created_by, created_at, updated_at)
      VALUES ('${holder}', 'person', 'Ada', '{}', '', '{}', 'pass', 1, '', '', 'activated', '', 1, 1);
    INSERT INTO accounts VALUES ('${account}', '${holder}', 'person', 'Ada', '', 'Rent', 'cash', '9500000000000001', 'x',
      'rent', '{}', 'locked', 'open', 1, 2, NULL, 'f', '{}');
    INSERT INTO card_holders (id, account_id, holder_id, person, ofac_status, ofac_at, external_reference_id, purpose,
      status, created_at, updated_at)
      VALUES ('${other}', '${account}', '${holder}', '{}', 'pass', 1, '', '', 'activated', 1, 1);
  `);
  const rows = () => sqlite.prepare('SELECT * FROM accounts').all();
  const indexes = () =>
    sqlite
      .prepare("SELECT name FROM sqlite_schema WHERE tbl_name = 'accounts' AND type = 'index' AND sql <> ''")
      .pluck()
      .all();
  const [stored, found] = [rows(), indexes()];
  migrate(sqlite, steps.slice(0, before + 1));
  expect(rows()).toEqual(stored);
  expect(found.length).toBeGreaterThan(0);
  expect(indexes()).toEqual(expect.arrayContaining(found));
  expect(sqlite.pragma('foreign_key_check')).toEqual([]);
  const copy = (id: string, number: string) =>
    sqlite.exec(`
      CREATE TEMP TABLE one AS SELECT * FROM accounts LIMIT 1;
      UPDATE one SET id = '${id.repeat(32)}', account_number = '${number}';
      INSERT INTO accounts SELECT * FROM one;
      DROP TABLE one;
    `);
  copy('4', '');
  copy('5', '');
  expect(() => copy('6', '9500000000000001')).toThrow('UNIQUE constraint failed');
});

test('the steps are numbered from 1 without a gap, so that the version of a file identifies its steps', () => {
  const numbers = readdirSync(new URL('../../../migrations/', import.meta.url))
    .map((name) => Number(name.slice(0, 4)))
    .sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
});
