// Rows that wait in memory until their group commits: they are written together, no reader sees a difference, and a
// rollback removes their own rows. The tables are created for this test: rows with numbers, rows that refer to them,
// and counters.

import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { integer, table, text } from '../../../src/bank/model/columns.ts';
import { cachesOf } from '../../../src/bank/store/cache.ts';
import type { Driver } from '../../../src/bank/store/driver.ts';
import { eq, sql } from '../../../src/bank/store/drizzle.ts';
import { createGroupCommit, type GroupCommit } from '../../../src/bank/store/group-commit.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { openDrizzle } from '../../../src/bank/store/open.ts';
import { placeholdersOf, prepareRows } from '../../../src/bank/store/rows.ts';
import { prepareRead, prepareRowWrite } from '../../../src/bank/store/statement.ts';
import { createObjectDriver } from '../../../src/cluster/worker/object-driver.ts';
import { sqliteError, watchSqlite } from '../../support/failing-sqlite.ts';
import { objectStorageOn } from '../../support/object-storage.ts';
import { propertyRuns, propertyTimeout } from '../../support/runs.ts';

const SCHEMA = `
  CREATE TABLE transfers (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (name <> 'bad')) STRICT;
  CREATE TABLE transactions (id TEXT NOT NULL PRIMARY KEY, parent INTEGER REFERENCES transfers (number)) STRICT, WITHOUT ROWID;
  CREATE TABLE card_usage (name TEXT NOT NULL PRIMARY KEY, sum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE notes (text TEXT NOT NULL) STRICT;
  CREATE TABLE seen (parents INTEGER NOT NULL) STRICT;
  CREATE TRIGGER look AFTER INSERT ON notes WHEN new.text = 'look'
  BEGIN INSERT INTO seen SELECT count(*) FROM transfers; END;`;

const parents = table('transfers', { number: integer('number').primaryKey(), name: text('name').notNull() });
const children = table('transactions', { id: text('id').primaryKey(), parent: integer('parent') });
const counters = table('card_usage', { name: text('name').primaryKey(), sum: integer('sum').notNull() });

const SORRY = new Error('sorry');
const TABLES = ['transfers', 'transactions', 'card_usage', 'notes', 'seen'];

const KINDS = ['a process', 'an object'] as const;
type Kind = (typeof KINDS)[number];

function openStore(kind: Kind) {
  const database = new NodeDriver(':memory:');
  database.pragma('foreign_keys = ON');
  database.exec(SCHEMA);
  const sqlite: Driver = kind === 'a process' ? database : createObjectDriver(objectStorageOn(database));
  const db = openDrizzle(sqlite);
  const group = createGroupCommit(sqlite, {
    markSequence: () => () => {},
    afterBegin() {},
    beforeCommit() {},
    afterCommit() {},
    afterUndo() {},
  });
  const child = prepareRows(db, children, { knownBy: 'id' });
  const parent = prepareRows(db, parents, { numberedBy: 'number' });
  const counter = prepareRowWrite(db, counters, (of) =>
    of
      .insert(counters)
      .values(placeholdersOf(counters))
      .onConflictDoUpdate({ target: counters.name, set: { sum: sql`${counters.sum} + excluded.sum` } }),
  );
  const childById = prepareRead(db, children, (select) =>
    select.from(children).where(eq(children.id, sql.placeholder('id'))),
  );
  let lastName = 0;
  return {
    sqlite,
    group,
    close: () => void database.close(),
    /** Runs a part of a command, which is rolled back alone if it throws; returns whether it succeeded. */
    part(work: () => unknown): boolean {
      const undo = cachesOf(sqlite).mark();
      try {
        sqlite.atomically(work);
        return true;
      } catch (error) {
        undo();
        if (error !== SORRY) throw error;
        return false;
      }
    },
    /** Of a row with a unique name. */
    nextName(): number {
      const before = lastName;
      cachesOf(sqlite).onUndo(() => {
        lastName = before;
      });
      lastName += 1;
      return lastName;
    },
    addParent: (name: string): number => parent.add({ name }),
    addChild: (id: string, of: number | null): void => void child.add({ id, parent: of }),
    count: (name: string, sum: number): void => void counter.add({ name, sum }),
    childOf: (id: string) => child.about(id, () => childById.get({ id })),
    note: (words: string) => sqlite.prepare('INSERT INTO notes VALUES (?)').run(words),
    read: (query: string) => sqlite.prepare(query).raw().all(),
    all: () =>
      Object.fromEntries(TABLES.map((name) => [name, sqlite.prepare(`SELECT * FROM ${name}`).all()])),
  };
}

let store: ReturnType<typeof openStore>;
let group: GroupCommit;

/** Opens a store before each test of a group. */
const openFor = (kind: Kind) =>
  beforeEach(() => {
    const opened = openStore(kind);
    onTestFinished(opened.close);
    store = opened;
    ({ group } = opened);
  });

/** The statements that run in one group; those of the test itself come first. */
async function statementsOf(...commands: (() => unknown)[]): Promise<string[]> {
  const statements: string[] = [];
  const end = watchSqlite(({ sql: text }) => {
    statements.push(text.replace(/ values .*/, (values) => ` x${values.split('), (').length}`));
  });
  try {
    await Promise.all(commands.map((command) => group.run(command)));
  } finally {
    end();
  }
  return statements;
}

const names = () => store.read('SELECT number, name FROM transfers');

describe.each(KINDS)('%s: rows of a group', (kind) => {
  openFor(kind);

  it('are written with one statement per table, without savepoints, after those to which they refer', async () => {
    await group.run(() => store.addParent('first'));
    const command = (name: string) => () => {
      store.addChild(`of ${name}`, 1);
      const number = store.addParent(name);
      store.addChild(name, number);
      return number;
    };
    const statements = await statementsOf(...['a', 'b', 'c', 'd'].map(command));
    expect(statements).toEqual([
      'BEGIN IMMEDIATE',
      'insert into "transfers" ("number", "name") x4',
      'insert into "transactions" ("id", "parent") x8',
      'COMMIT',
    ]);
    expect(store.read('SELECT parent, count(*) FROM transactions GROUP BY parent')).toEqual([
      [1, 4],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
    ]);
  });

  it('are written in powers of two', async () => {
    const commands = Array.from({ length: 45 }, (_, at) => () => store.addParent(`p${at}`));
    const inserts = (await statementsOf(...commands)).filter((text) => text.startsWith('insert'));
    expect(inserts.map((text) => Number(text.split(' x')[1]))).toEqual([32, 8, 4, 1]);
    expect(names()).toEqual(commands.map((_, at) => [at + 1, `p${at}`]));
  });

  it('have the same numbers as those of SQLite', async () => {
    store.sqlite.exec("INSERT INTO transfers VALUES (41, 'old')");
    expect(await Promise.all(['a', 'b'].map((name) => group.run(() => store.addParent(name))))).toEqual([
      42, 43,
    ]);
    const refused = group.run(() => {
      store.addParent('c');
      throw SORRY;
    });
    await expect(refused).rejects.toBe(SORRY);
    expect(await group.run(() => store.addParent('d'))).toBe(44);
    cachesOf(store.sqlite).settle(0);
    expect(await group.run(() => store.addParent('e'))).toBe(45);
  });

  it('may change one row more than once', async () => {
    await Promise.all([1, 2, 3].map((sum) => group.run(() => store.count('a', sum))));
    expect(store.read('SELECT * FROM card_usage')).toEqual([['a', 6]]);
  });

  it('are written immediately outside of a group', () => {
    store.addParent('a');
    expect(names()).toEqual([[1, 'a']]);
  });
});

describe.each(KINDS)('%s: a reader', (kind) => {
  openFor(kind);

  it.each([
    ['of the table', 'SELECT name FROM transfers'],
    ['of an index alone', "SELECT name FROM transfers WHERE name = 'a'"],
    ['within another query', "SELECT 'a' WHERE EXISTS (SELECT 1 FROM transfers WHERE number = 1)"],
  ])('%s sees waiting rows', async (_, query) => {
    const seen = await group.run(() => {
      store.addParent('a');
      return store.read(query);
    });
    expect(seen).toEqual([['a']]);
  });

  it('sees them from a foreign key and from a trigger', async () => {
    await group.run(() => {
      const number = store.addParent('a');
      store.sqlite.prepare('INSERT INTO transactions VALUES (?, ?)').run('b', number);
      store.addParent('c');
      store.note('look');
      store.addParent('d');
    });
    expect([store.read('SELECT * FROM transactions'), store.read('SELECT * FROM seen')]).toEqual([
      [['b', 1]],
      [[2]],
    ]);
  });

  it('sees them from SQL of several statements', async () => {
    await group.run(() => {
      store.addParent('a');
      store.sqlite.exec('INSERT INTO seen SELECT count(*) FROM transfers; DELETE FROM notes');
    });
    expect(store.read('SELECT * FROM seen')).toEqual([[1]]);
  });

  it('of another table does not cause a write', async () => {
    await group.run(() => store.addParent('first'));
    const statements = await statementsOf(
      () => {
        store.addParent('a');
        return store.read('SELECT text FROM notes');
      },
      () => store.addParent('b'),
    );
    expect(statements.slice(1, -1)).toEqual([
      'SELECT text FROM notes',
      'insert into "transfers" ("number", "name") x2',
    ]);
  });

  it('of one row causes a write only if it may be waiting', async () => {
    const ids = ['a', 'b'];
    await group.run(() => store.addChild('old', null));
    const statements = await statementsOf(() => {
      for (const id of ids) store.addChild(id, null);
      expect([store.childOf('old'), store.childOf('unknown')]).toEqual([
        { id: 'old', parent: null },
        undefined,
      ]);
      expect(store.childOf('b')).toEqual({ id: 'b', parent: null });
      store.addChild('c', null);
      expect(store.childOf('b')).toEqual({ id: 'b', parent: null });
    });
    expect(statements.filter((text) => text.startsWith('insert')).map((text) => text.split(' x')[1])).toEqual(
      ['2', '1'],
    );
  });
});

describe.each(KINDS)('%s: a command that refuses', (kind) => {
  openFor(kind);

  const refusing = (work: () => void) => () => {
    work();
    throw SORRY;
  };

  it('rolls back waiting rows, and its writes', async () => {
    const settled = await Promise.allSettled([
      group.run(() => store.addParent('a')),
      group.run(refusing(() => store.addParent('b'))),
      group.run(() => store.addParent('c')),
      group.run(
        refusing(() => {
          store.addParent('d');
          store.note('d');
        }),
      ),
      group.run(() => store.addParent('e')),
      group.run(
        refusing(() => {
          store.addParent('f');
          names();
          store.addParent('g');
        }),
      ),
      group.run(() => {
        store.note('h');
        return store.addParent('h');
      }),
    ]);
    expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : 'refused'))).toEqual([
      1,
      'refused',
      2,
      'refused',
      3,
      'refused',
      4,
    ]);
    expect([names(), store.read('SELECT * FROM notes')]).toEqual([
      [
        [1, 'a'],
        [2, 'c'],
        [3, 'e'],
        [4, 'h'],
      ],
      [['h']],
    ]);
  });

  it('runs its group again only if it has written something', async () => {
    await group.run(() => store.addParent('first'));
    const runsOf = async (refused: () => void): Promise<number> => {
      let runs = 0;
      const counted = (work: () => void) => () => {
        runs += 1;
        work();
      };
      const commands = [() => store.addParent('a'), counted(refusing(refused)), () => store.note('b')];
      await Promise.allSettled(commands.map((command) => group.run(command)));
      store.sqlite.exec("DELETE FROM transfers WHERE name = 'a'");
      return runs;
    };
    expect(await runsOf(() => store.addParent('c'))).toBe(1);
    // These are the rows of the first command.
    expect(await runsOf(() => names())).toBe(1);
    expect(await runsOf(() => store.note('c'))).toBe(2);
    const readOwn = () => {
      store.addParent('c');
      names();
    };
    expect(await runsOf(readOwn)).toBe(2);
    expect(store.read('SELECT * FROM notes')).toEqual([['b'], ['b'], ['b'], ['b']]);
  });

  it('may be nested, with nested ones of its own', async () => {
    const { part } = store;
    await group.run(() => {
      store.addParent('a');
      part(refusing(() => store.addChild('not', 1)));
      part(() => {
        store.addChild('b', 1);
        part(refusing(() => store.note('not')));
        part(refusing(() => store.read('SELECT * FROM transactions')));
        store.addChild('c', 1);
      });
      part(
        refusing(() => {
          store.note('not');
          part(() => store.addChild('not', 1));
        }),
      );
      store.addChild('d', 1);
    });
    expect(store.read('SELECT id FROM transactions')).toEqual([['b'], ['c'], ['d']]);
    expect([names(), store.read('SELECT * FROM notes')]).toEqual([[[1, 'a']], []]);
  });
});

describe.each(KINDS)('%s: a row that cannot be written', (kind) => {
  openFor(kind);

  it.each([
    ['at the commit', () => {}],
    ['when a reader needs it', names],
  ])('refuses only its own command, if this is detected %s', async (_, read) => {
    let runs = 0;
    const command = (name: string, after = () => {}) =>
      group.run(() => {
        runs += 1;
        const number = store.addParent(name);
        after();
        return number;
      });
    const answers = await Promise.allSettled([
      command('a'),
      command('bad'),
      command('b', () => void read()),
      command('a'),
      command('c'),
    ]);
    expect(answers).toMatchObject([
      { value: 1 },
      { reason: { code: 'SQLITE_CONSTRAINT_CHECK' } },
      { value: 2 },
      { reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } },
      { value: 3 },
    ]);
    expect(names()).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    expect(runs).toBeGreaterThan(5);
    expect(await group.run(() => store.addParent('d'))).toBe(4);
  });

  it('is not stored by a command that catches the error', async () => {
    const caught = group.run(() => {
      store.addParent('bad');
      try {
        names();
      } catch {
        return 'caught';
      }
      return 'nothing happened';
    });
    // Without others the row is refused where it is added.
    await expect(caught).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_CHECK' });
    expect(names()).toEqual([]);
  });

  it('is not written again by a command that catches the error, with those written before it', async () => {
    let inserts = 0;
    const end = watchSqlite(({ sql: text }) => {
      if (!text.startsWith('insert into "card_usage"')) return;
      inserts += 1;
      if (inserts === 2) throw sqliteError('SQLITE_BUSY');
    });
    const caught = group.run(() => {
      for (let row = 0; row < 33; row += 1) store.count('a', 1);
      try {
        store.read('SELECT * FROM card_usage');
      } catch {
        return 'caught';
      }
      return 'nothing happened';
    });
    await expect(caught).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    end();
    expect(store.read('SELECT * FROM card_usage')).toEqual([]);
  });

  it('fails all commands if the disk fails', async () => {
    const end = watchSqlite(({ sql: text }) => {
      if (text.startsWith('insert')) throw sqliteError('SQLITE_FULL');
    });
    const answers = await Promise.allSettled(
      ['a', 'b'].map((name) => group.run(() => store.addParent(name))),
    );
    end();
    expect(answers).toMatchObject([{ reason: { code: 'SQLITE_FULL' } }, { reason: { code: 'SQLITE_FULL' } }]);
    expect([names(), store.sqlite.inTransaction]).toEqual([[], false]);
    expect(await group.run(() => store.addParent('c'))).toBe(1);
  });
});

type Step =
  | { do: 'parent' | 'child' | 'count' | 'note' | 'read' | 'find' | 'refuse'; which: number }
  | { do: 'part'; steps: Step[] };

const { steps: someSteps } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 6 }),
  step: fc.oneof(
    { depthSize: 'small' },
    {
      weight: 9,
      arbitrary: fc.record({
        do: fc.constantFrom('parent', 'parent', 'child', 'child', 'count', 'note', 'read', 'find', 'refuse'),
        which: fc.nat(7),
      }) as fc.Arbitrary<Step>,
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('part' as const), steps: tie('steps') }) as fc.Arbitrary<Step>,
    },
  ),
}));

/** Runs the steps of a command and returns what it read. Added rows are identified by their order. */
function takeSteps(opened: ReturnType<typeof openStore>, steps: readonly Step[], seen: unknown[]): unknown[] {
  let own: number | null = null;
  for (const step of steps) {
    if (step.do === 'part') {
      seen.push(opened.part(() => takeSteps(opened, step.steps, seen)));
      continue;
    }
    const { which } = step;
    if (step.do === 'parent') {
      own = opened.addParent(`parent ${opened.nextName()}`);
      seen.push(own);
    } else if (step.do === 'child') opened.addChild(`child ${opened.nextName()}`, own);
    else if (step.do === 'count') opened.count(`counter ${which % 3}`, which);
    else if (step.do === 'note') opened.note(`note ${which}`);
    else if (step.do === 'read') seen.push(opened.read(`SELECT * FROM ${TABLES[which % TABLES.length]}`));
    else if (step.do === 'find') seen.push(opened.childOf(`child ${which}`));
    else throw SORRY;
  }
  return seen;
}

const WAYS = KINDS.flatMap((kind) =>
  (['wait', 'write now and then', 'do not wait'] as const).map((way) => [kind, way] as const),
);

describe('random commands', () => {
  it(
    'see and store the same whether rows wait, are written sometimes, or do not wait',
    async () => {
      const message = (error: unknown): string => (error as Error).message;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(someSteps, { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 4 }),
          fc.integer({ min: 1, max: 5 }),
          async (groups, every) => {
            const outcomes: unknown[] = [];
            for (const [kind, way] of WAYS) {
              const opened = openStore(kind);
              const { waitingRows } = opened.sqlite;
              if (way === 'do not wait') waitingRows.begin = () => {};
              let added = 0;
              const add = waitingRows.add.bind(waitingRows);
              if (way === 'write now and then') {
                waitingRows.add = (...row) => {
                  add(...row);
                  added += 1;
                  if (added % every === 0) waitingRows.write();
                };
              }
              const answers: unknown[] = [];
              for (const commands of groups) {
                const settled = await Promise.allSettled(
                  commands.map((steps) => opened.group.run(() => takeSteps(opened, steps, []))),
                );
                answers.push(
                  settled.map((one) => (one.status === 'fulfilled' ? one.value : message(one.reason))),
                );
              }
              outcomes.push({ answers, kept: opened.all() });
              opened.close();
            }
            for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
          },
        ),
        propertyRuns(100),
      );
    },
    propertyTimeout(120_000),
  );
});
