// The group commit with a real database: the commands that share a transaction, the order of notifications, and
// failures, which affect only their own command. Hooks record the order.

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { cachesOf } from '../../../src/bank/store/cache.ts';
import {
  createGroupCommit,
  type GroupCommit,
  inTransaction,
  type Outcome,
} from '../../../src/bank/store/group-commit.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { RowsRefused } from '../../../src/bank/store/waiting-rows.ts';

let sqlite: NodeDriver;
let group: GroupCommit;
let log: string[];
let failing: Error | undefined;

beforeEach(() => {
  sqlite = new NodeDriver(':memory:');
  sqlite.exec('CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT');
  const opened = sqlite;
  onTestFinished(() => void opened.close());
  log = [];
  failing = undefined;
  group = createGroupCommit(sqlite, {
    markSequence: () => () => log.push('sequence set back'),
    afterBegin: () => log.push('after begin'),
    beforeCommit() {
      log.push('before commit');
      if (failing !== undefined) throw failing;
    },
    afterCommit: () => log.push('after commit'),
    afterUndo: () => log.push('after undo'),
  });
});

const notes = () => sqlite.prepare('SELECT text FROM notes ORDER BY rowid').pluck().all();
const write = (text: string) => sqlite.prepare('INSERT INTO notes VALUES (?)').run(text);

/** Writes a note, records that, and returns it. */
const note = (text: string) => () => {
  write(text);
  log.push(`${text} runs`);
  return text;
};
const received = (text: string) => () => void log.push(`${text} is told`);
const SORRY = new Error('sorry');

describe('the commands of one turn', () => {
  test('share one transaction, run in order, and have their results after its commit', async () => {
    await Promise.all(['a', 'b', 'c'].map((text) => group.run(note(text)).then(received(text))));
    expect(log).toEqual([
      'after begin',
      'a runs',
      'b runs',
      'c runs',
      'before commit',
      'after commit',
      'a is told',
      'b is told',
      'c is told',
    ]);
    expect(notes()).toEqual(['a', 'b', 'c']);
  });

  test('do not run before the end of the turn', async () => {
    const running = group.run(note('a'));
    await Promise.resolve();
    expect(log).toEqual([]);
    await running;
  });

  test('run inside one transaction, and the next group has another', async () => {
    expect(await group.run(() => sqlite.inTransaction)).toBe(true);
    expect(sqlite.inTransaction).toBe(false);
  });

  test('see the writes of earlier ones', async () => {
    const [, seen] = await Promise.all([group.run(note('a')), group.run(() => notes())]);
    expect(seen).toEqual(['a']);
  });

  test('have their own results of any type', async () => {
    const given = [1, null, undefined, { a: 1 }, [2]];
    expect(await Promise.all(given.map((value) => group.run(() => value)))).toEqual(given);
  });

  test('are two groups if they come in two turns', async () => {
    await group.run(note('a'));
    await group.run(note('b'));
    expect(log.filter((line) => line === 'before commit')).toHaveLength(2);
  });
});

describe('a command that is submitted without a promise', () => {
  const told = (text: string) => (outcome: Outcome<string>) =>
    void log.push(`${text} is told ${outcome.ok ? outcome.value : outcome.error}`);

  test('has its outcome after the commit, in the order of all commands', async () => {
    group.submit(note('a'), told('a'));
    const second = group.run(note('b')).then(received('b'));
    group.submit(() => {
      throw SORRY;
    }, told('c'));
    await second;
    expect(log.slice(-4)).toEqual(['after commit', 'a is told a', 'c is told Error: sorry', 'b is told']);
    expect(notes()).toEqual(['a', 'b']);
  });

  test('has the error of a commit that fails', async () => {
    failing = new Error('the disk is full');
    group.submit(note('a'), told('a'));
    await group.run(note('b')).catch(received('b'));
    expect(log.slice(-2)).toEqual(['a is told Error: the disk is full', 'b is told']);
  });

  test('has its outcome after the caller of `flush` is finished', async () => {
    group.submit(note('a'), told('a'));
    group.flush();
    log.push('flushed');
    await Promise.resolve();
    expect(log.slice(-3)).toEqual(['after commit', 'flushed', 'a is told a']);
  });

  test('is refused after closing', () => {
    group.close();
    group.submit(note('a'), told('a'));
    expect([log, notes()]).toEqual([['a is told Error: the bank is closed'], []]);
  });
});

describe('a command that refuses', () => {
  test('rolls back only its own writes', async () => {
    const answers = await Promise.allSettled([
      group.run(note('a')),
      group.run(() => {
        write('b');
        throw SORRY;
      }),
      group.run(note('c')),
    ]);
    expect(answers).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: SORRY },
      { status: 'fulfilled', value: 'c' },
    ]);
    expect(notes()).toEqual(['a', 'c']);
    // It has written something, so the group runs again.
    expect(log).toEqual([
      'after begin',
      'a runs',
      'after undo',
      'sequence set back',
      'after begin',
      'a runs',
      'after undo',
      'c runs',
      'before commit',
      'after commit',
    ]);
  });

  test('is rejected after the commit, like the others', async () => {
    const refused = group
      .run(() => {
        throw SORRY;
      })
      .catch(received('a'));
    await Promise.all([refused, group.run(note('b')).then(received('b'))]);
    expect(log.slice(-3)).toEqual(['after commit', 'a is told', 'b is told']);
  });

  test('may have violated a constraint of the database', async () => {
    await group.run(note('a'));
    await expect(group.run(note('a'))).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_UNIQUE' });
    expect(notes()).toEqual(['a']);
  });

  test('may throw any value', async () => {
    await expect(group.run(() => Promise.reject('not an error'))).rejects.toBe('not an error');
    await expect(
      group.run(() => {
        throw undefined;
      }),
    ).rejects.toBe(undefined);
  });
});

describe('a commit that fails', () => {
  test('stores nothing, and rejects every command of its group with the reason', async () => {
    failing = new Error('the disk is full');
    const answers = await Promise.allSettled([
      group.run(note('a')),
      group.run(() => {
        throw SORRY;
      }),
      group.run(note('b')),
    ]);
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason)).toEqual([
      failing,
      failing,
      failing,
    ]);
    expect(notes()).toEqual([]);
    expect(sqlite.inTransaction).toBe(false);
    expect(log).toEqual(['after begin', 'a runs', 'after undo', 'b runs', 'before commit', 'after undo']);
  });

  test('does not affect the next group', async () => {
    failing = new Error('the disk is full');
    await group.run(note('a')).catch(() => {});
    failing = undefined;
    expect(await group.run(note('b'))).toBe('b');
    expect(notes()).toEqual(['b']);
  });

  test('that cannot begin rejects every command, none of which has run', async () => {
    sqlite.exec('BEGIN');
    await expect(group.run(note('a'))).rejects.toThrow('cannot start a transaction within a transaction');
    expect(log).toEqual(['after undo']);
  });

  test('because of a deferred constraint stores nothing', async () => {
    sqlite.pragma('foreign_keys = ON');
    sqlite.exec(
      'CREATE TABLE parts (id INTEGER PRIMARY KEY, whole INTEGER REFERENCES parts (id) DEFERRABLE INITIALLY DEFERRED)',
    );
    const orphan = group.run(() => sqlite.exec('INSERT INTO parts VALUES (1, 99)'));
    await expect(Promise.all([orphan, group.run(note('a'))])).rejects.toThrow(
      'FOREIGN KEY constraint failed',
    );
    expect([notes(), sqlite.prepare('SELECT * FROM parts').all()]).toEqual([[], []]);
  });
});

describe('the changes of a command in a cache', () => {
  const cached = () => cachesOf(sqlite).named<string, number>('numbers');

  test('are rolled back with the command', async () => {
    const refused = group.run(() => {
      cached().set('a', 1);
      throw SORRY;
    });
    await Promise.allSettled([refused, group.run(() => cached().set('b', 2))]);
    expect([cached().get('a'), cached().get('b')]).toEqual([undefined, 2]);
  });

  test('are rolled back with the group', async () => {
    failing = new Error('the disk is full');
    await expect(group.run(() => cached().set('a', 1))).rejects.toThrow('the disk is full');
    expect(cached().get('a')).toBeUndefined();
  });

  test('are rolled back with a separate transaction', () => {
    const failed = () =>
      inTransaction(sqlite, () => {
        write('a');
        cached().set('a', 1);
        throw SORRY;
      });
    expect(failed).toThrow(SORRY);
    expect([notes(), cached().get('a'), sqlite.inTransaction]).toEqual([[], undefined, false]);
    expect(inTransaction(sqlite, () => write('b').changes)).toBe(1);
    expect(notes()).toEqual(['b']);
  });
});

describe('flushing', () => {
  test('commits waiting commands immediately', async () => {
    const running = group.run(note('a'));
    group.flush();
    expect(notes()).toEqual(['a']);
    expect(await running).toBe('a');
  });

  test('does nothing without waiting commands', () => {
    group.flush();
    expect(log).toEqual([]);
  });

  test('leaves the commands of the next turn in their own group', async () => {
    const first = group.run(note('a'));
    group.flush();
    const second = group.run(note('b'));
    await Promise.all([first, second]);
    expect(notes()).toEqual(['a', 'b']);
    expect(log.filter((line) => line === 'after commit')).toHaveLength(2);
  });
});

test('during a group puts new commands into the next one', async () => {
  let second: Promise<string> | undefined;
  await group.run(() => {
    second = group.run(note('b'));
    note('a')();
  });
  expect(notes()).toEqual(['a']);
  expect(await second).toBe('b');
  expect(notes()).toEqual(['a', 'b']);
});

describe('after closing', () => {
  test('no command is accepted, and waiting ones can still be flushed', async () => {
    const before = group.run(note('before'));
    group.close();
    await expect(group.run(note('after'))).rejects.toThrow('the bank is closed');
    group.flush();
    expect(await before).toBe('before');
    expect([notes(), group.isEmpty()]).toEqual([['before'], true]);
  });
});

test('a group that runs again first sets the random sequence back', async () => {
  let isFirst = true;
  const first = group.run(() => {
    if (isFirst) {
      isFirst = false;
      log.push('refused');
      throw new RowsRefused(new Error('a waiting row is invalid'));
    }
    return note('one')();
  });
  expect(await first).toBe('one');
  expect(log).toEqual([
    'after begin',
    'refused',
    'after undo',
    'sequence set back',
    'after begin',
    'one runs',
    'before commit',
    'after commit',
  ]);
});
