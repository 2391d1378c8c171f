/** Transactions and their rollback. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { sqliteError, watchSqlite } from '../../support/failing-sqlite.ts';

let sqlite: NodeDriver;

beforeEach(() => {
  sqlite = new NodeDriver(':memory:');
  sqlite.exec('CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT');
  const opened = sqlite;
  onTestFinished(() => void opened.close());
});

const SORRY = new Error('sorry');
const notes = () => sqlite.prepare('SELECT text FROM notes ORDER BY rowid').pluck().all();
const write = (text: string) => sqlite.prepare('INSERT INTO notes VALUES (?)').run(text);
const attempt = (action: () => void): unknown => {
  try {
    return sqlite.atomically(action);
  } catch (error) {
    return error;
  }
};
const failing = (sql: RegExp, ...codes: string[]): void => {
  const end = watchSqlite((step) => {
    if (sql.test(step.sql) && codes.length > 0) throw sqliteError(String(codes.shift()));
  });
  onTestFinished(end);
};

test('the writes of an action are stored, and its value is returned', () => {
  expect(sqlite.atomically(() => write('a').changes)).toBe(1);
  expect([notes(), sqlite.inTransaction]).toEqual([['a'], false]);
});

test('the writes of an action that throws are not stored', () => {
  const error = attempt(() => {
    write('a');
    throw SORRY;
  });
  expect([error, notes(), sqlite.inTransaction]).toEqual([SORRY, [], false]);
});

describe('a nested action', () => {
  test('that throws rolls back only its own writes, at any depth', () => {
    sqlite.atomically(() => {
      write('a');
      sqlite.atomically(() => {
        write('b');
        const error = attempt(() => {
          write('c');
          throw SORRY;
        });
        expect(error).toBe(SORRY);
        write('d');
      });
    });
    expect(notes()).toEqual(['a', 'b', 'd']);
  });

  test('is not stored if the outer one throws', () => {
    attempt(() => {
      sqlite.atomically(() => write('a'));
      throw SORRY;
    });
    expect(notes()).toEqual([]);
  });

  test('whose transaction was ended by the disk stores nothing, and its error is the result', () => {
    const error = attempt(() => {
      write('a');
      sqlite.atomically(() => {
        sqlite.exec('ROLLBACK');
        throw SORRY;
      });
    });
    expect([error, notes(), sqlite.inTransaction]).toEqual([SORRY, [], false]);
  });

  test('that cannot be rolled back is not committed with the others', () => {
    failing(/^RELEASE/, 'SQLITE_IOERR');
    const error = attempt(() => {
      write('a');
      attempt(() => {
        write('b');
        throw SORRY;
      });
      expect(sqlite.inTransaction).toBe(false);
    });
    expect([error, notes()]).toMatchObject([{ message: 'cannot commit - no transaction is active' }, []]);
  });
});

test('a commit that fails stores nothing, and the next one succeeds', () => {
  failing(/^COMMIT/, 'SQLITE_FULL');
  expect(attempt(() => void write('a'))).toMatchObject({ code: 'SQLITE_FULL' });
  expect(attempt(() => void write('b'))).toBe(undefined);
  expect(notes()).toEqual(['b']);
});

test('a table with references is rebuilt with its rows', () => {
  sqlite.pragma('foreign_keys = ON');
  sqlite.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE children (parent INTEGER REFERENCES parents (id)) STRICT;
    INSERT INTO parents VALUES (1); INSERT INTO children VALUES (1)`);
  sqlite.rebuild(() =>
    sqlite.exec(`CREATE TABLE wider (id INTEGER PRIMARY KEY, name TEXT) STRICT;
      INSERT INTO wider SELECT id, '' FROM parents; DROP TABLE parents; ALTER TABLE wider RENAME TO parents`),
  );
  expect([...sqlite.rows('SELECT * FROM parents JOIN children ON parent = id')]).toEqual([[1, '', 1]]);
  expect(() => sqlite.exec('INSERT INTO children VALUES (2)')).toThrow('FOREIGN KEY constraint failed');
});

test('the version is stored in the database, and its size is that of its pages', () => {
  expect(sqlite.version).toBe(0);
  sqlite.version = 7;
  expect([sqlite.version, sqlite.bytes()]).toEqual([7, sqlite.serialize().length]);
});
