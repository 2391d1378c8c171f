// Opening a database in each of the three places: with its checks enabled, in the mode that survives a kill, and from
// an image of any of the three.

import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/bank/store/drizzle.ts';
import { DataVersionError, schemaVersion } from '../../../src/bank/store/migrate.ts';
import { type NodeConnection, type OwnPlace, openConnection } from '../../../src/bank/store/open.ts';
import { createStore } from '../../../src/bank/store/store.ts';
import { makeFolder } from '../../support/folder.ts';

function open(place: OwnPlace): NodeConnection {
  const connection = openConnection(place);
  onTestFinished(() => connection.close());
  return connection;
}

const fileIn = (folder: string): OwnPlace & { kind: 'file' } => ({
  kind: 'file',
  path: join(folder, 'bank.sqlite'),
  synchronous: 'normal',
});

const pragma = ({ sqlite }: NodeConnection, name: string) => sqlite.pragma(name, { simple: true });

const PLACES: [string, () => OwnPlace][] = [
  ['in memory', () => ({ kind: 'memory' })],
  ['in a file', () => fileIn(makeFolder())],
  ['from an image', () => ({ kind: 'image', image: open({ kind: 'memory' }).image() })],
];

describe.each(PLACES)('a database %s', (_, placeOf) => {
  test('is migrated', () => {
    expect(pragma(open(placeOf()), 'user_version')).toBe(schemaVersion());
  });

  test('enforces its foreign keys', () => {
    const connection = open(placeOf());
    expect(pragma(connection, 'foreign_keys')).toBe(1);
    expect(() =>
      connection.sqlite.exec(`INSERT INTO card_usage VALUES ('${'c'.repeat(32)}', '2026-03-04', 1, 1)`),
    ).toThrow('FOREIGN KEY constraint failed');
  });

  test('is strict in every table: a text is not an integer', () => {
    const connection = open(placeOf());
    const tables = connection.sqlite
      .prepare(
        "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'",
      )
      .all() as { name: string; strict: number }[];
    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
    expect(() =>
      connection.sqlite.exec(
        "INSERT INTO ledger_accounts (id, kind, debits_posted) VALUES ('x', 'suspense', 'two')",
      ),
    ).toThrow('cannot store TEXT value in INTEGER column ledger_accounts.debits_posted');
  });
});

describe('an image', () => {
  test('of an older schema is migrated', () => {
    const older = new Database(':memory:');
    const image = older.serialize();
    older.close();
    expect(pragma(open({ kind: 'image', image }), 'user_version')).toBe(schemaVersion());
  });

  test('of a newer program is refused', () => {
    const { sqlite } = open({ kind: 'memory' });
    sqlite.pragma(`user_version = ${schemaVersion() + 1}`);
    const image = sqlite.serialize();
    expect(() => openConnection({ kind: 'image', image })).toThrow(DataVersionError);
  });

  test('that is invalid is refused', () => {
    expect(() => openConnection({ kind: 'image', image: Buffer.from('no database') })).toThrow(
      'file is not a database',
    );
  });

  test('of a file can be opened in memory', () => {
    const file = open(fileIn(makeFolder()));
    createStore(file).meta.write('settings', 'here');
    const copy = open({ kind: 'image', image: file.image() });
    expect(createStore(copy).meta.read('settings')).toBe('here');
    expect(pragma(copy, 'integrity_check')).toBe('ok');
  });
});

describe('a file', () => {
  test('is in WAL mode, waits for a lock, and syncs as configured', () => {
    const connection = open(fileIn(makeFolder()));
    expect(pragma(connection, 'journal_mode')).toBe('wal');
    expect(pragma(connection, 'busy_timeout')).toBe(1_000);
    expect(pragma(connection, 'synchronous')).toBe(1);
  });

  test.each([
    ['off', 0],
    ['normal', 1],
    ['full', 2],
  ] as const)('syncs with `%s` as SQLite does with %i', (synchronous, level) => {
    expect(pragma(open({ ...fileIn(makeFolder()), synchronous }), 'synchronous')).toBe(level);
  });

  test('has its rows when it is opened again', () => {
    const place = fileIn(makeFolder());
    // Opened and closed once, so that the file already has its log.
    openConnection(place).close();
    const first = openConnection(place);
    createStore(first).meta.write('settings', { text: 'here' });
    first.close();
    expect(createStore(open(place)).meta.read('settings')).toEqual({ text: 'here' });
  });

  test('has committed data even if its process was killed', () => {
    const folder = makeFolder();
    const place = fileIn(folder);
    createStore(open(place)).meta.write('settings', 'here');
    const copy = { ...place, path: join(folder, 'copy.sqlite') };
    // The state after a kill: the file and its log, without the checkpoint of a normal end.
    for (const tail of ['', '-wal']) copyFileSync(place.path + tail, copy.path + tail);
    expect(createStore(open(copy)).meta.read('settings')).toBe('here');
  });

  test('of a newer program is refused and closed', () => {
    const place = fileIn(makeFolder());
    openConnection(place).close();
    const newer = new Database(place.path);
    newer.pragma(`user_version = ${schemaVersion() + 1}`);
    newer.close();
    expect(() => openConnection(place)).toThrow(DataVersionError);
    expect(() => openConnection(place)).toThrow(place.path);
    // The last connection to close removes the log.
    expect(existsSync(`${place.path}-wal`)).toBe(false);
    rmSync(place.path);
  });
});

test('prevents a second process from opening it', () => {
  const place = { kind: 'file', path: join(makeFolder(), 'bank.sqlite'), synchronous: 'normal' } as const;
  const first = openConnection(place);
  expect(() => openConnection(place)).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
  first.close();
  openConnection(place).close();
});
