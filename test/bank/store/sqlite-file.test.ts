/**
 * The file of a SQLite database as rows, read without SQLite: the image equals the one made from SQLite's own rows.
 * Any damage of a file results in an error and not in endless work.
 */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate, schemaVersion, stepsTo } from '../../../src/bank/store/migrate.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { dumpRows, loadRows, rowsOfFile } from '../../../src/bank/store/row-image.ts';
import { writeExampleHistory } from '../../../src/sandboxes/sandbox/example-history.ts';
import { propertyRuns, propertyTimeout } from '../../support/runs.ts';
import { openTestSandbox, START, seededImage } from '../../support/sandbox.ts';

function open(image?: Buffer): NodeDriver {
  const sqlite = new NodeDriver(image ?? ':memory:');
  onTestFinished(() => void sqlite.close());
  return sqlite;
}

/** Both ways to read the rows of a database. */
function bothOf(sqlite: NodeDriver): [file: Buffer, own: Buffer] {
  const file = sqlite.serialize();
  return [rowsOfFile(open(), file), dumpRows(sqlite)];
}

test('the file of a bank with every kind of record has its rows', async () => {
  const bank = openTestSandbox();
  await bank.run(() =>
    writeExampleHistory(bank.bank, {
      personId: bank.id('person'),
      accountId: bank.id('account'),
      otherAccountId: bank.id('other_account'),
      cardId: bank.id('virtual_card'),
    }),
  );
  const [file, own] = bothOf(open(bank.sandbox.image()));
  expect(file.equals(own)).toBe(true);
});

test.each([512, 1024, 4096, 65_536])(
  'trees of many pages of %i bytes, and rows of more than one page, are read in order',
  (pageSize) => {
    const sqlite = open();
    sqlite.pragma(`page_size = ${pageSize}`);
    migrate(sqlite);
    const answer = sqlite.prepare(
      'INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at) VALUES (?, ?, 200, ?, CAST(? AS INTEGER))',
    );
    const numbers = [
      '0',
      '1',
      '-1',
      '127',
      '-32768',
      '8388607',
      '2147483648',
      '140737488355327',
      '9223372036854775807',
    ];
    const file = sqlite.prepare(
      "INSERT INTO files (id, content_type, content, updated_at) VALUES (?, '', ?, 0)",
    );
    const meta = sqlite.prepare('INSERT INTO meta VALUES (?, ?)');
    sqlite.atomically(() => {
      for (let number = 0; number < 400; number += 1) {
        // In no order, and around the sizes at which a row is stored outside of its page.
        const key = String((number * 7919) % 1000).padStart(4, '0');
        const text = `é\0${'x'.repeat((number * 37) % (pageSize + 80))}`;
        answer.run(key, 'f', text, numbers[number % numbers.length]);
        meta.run(key, JSON.stringify(text));
        file.run(key.repeat(8), Buffer.alloc((number * 53) % (3 * pageSize), number));
      }
    });
    const [read, own] = bothOf(sqlite);
    expect(read.equals(own)).toBe(true);
  },
);

test('columns that were added later have their default value in older rows, and the image is migrated', () => {
  const sqlite = open();
  migrate(sqlite, stepsTo(1));
  const id = 'a'.repeat(32);
  sqlite.exec(`INSERT INTO webhooks VALUES ('${id}', 'v1', 'http://x', '', '[]', 's', 'active', 1, 1, NULL)`);
  migrate(sqlite, stepsTo(3));
  const [read, own] = bothOf(sqlite);
  expect(read.equals(own)).toBe(true);
  const loaded = open();
  loadRows(loaded, read);
  expect(loaded.prepare('SELECT made_after_fact, previous_secret FROM webhooks').raw().all()).toEqual([
    [0, null],
  ]);
  expect(loaded.version).toBe(schemaVersion());
});

describe('a file is refused', () => {
  const changed = (change: (sqlite: NodeDriver) => void): Buffer => {
    const sqlite = open(seededImage('test', START));
    change(sqlite);
    return sqlite.serialize();
  };
  test.each<[string, () => Buffer, string]>([
    [
      'of another program',
      () => {
        const sqlite = open();
        sqlite.exec('CREATE TABLE t (x)');
        return sqlite.serialize();
      },
      'Sandbank did not write it',
    ],
    [
      'of a newer version',
      () => changed((sqlite) => sqlite.pragma(`user_version = ${schemaVersion() + 1}`)),
      'a newer Sandbank',
    ],
    [
      'with a trigger',
      () => changed((sqlite) => sqlite.exec('CREATE TRIGGER t AFTER INSERT ON facts BEGIN SELECT 1; END')),
      "its schema differs from Sandbank's: trigger t",
    ],
    [
      'without a table',
      () => changed((sqlite) => sqlite.exec('DROP TABLE agenda')),
      "differs from Sandbank's: table agenda",
    ],
    [
      'that is truncated',
      () => changed(() => {}).subarray(0, 60_000),
      'it has 60000 bytes, and its header says',
    ],
    [
      'with texts in UTF-16',
      () => {
        const sqlite = open();
        sqlite.pragma("encoding = 'UTF-16le'");
        migrate(sqlite);
        return sqlite.serialize();
      },
      'its texts are not UTF-8',
    ],
  ])('%s', (_, make, message) => {
    expect(() => rowsOfFile(open(), make())).toThrow(message);
  });
});

test('modified bytes are read or refused, quickly', {
  timeout: propertyTimeout(60_000),
}, () => {
  const image = seededImage('test', START);
  const change = fc.record({ at: fc.nat(image.length - 1), byte: fc.nat(255) });
  const sqlite = new NodeDriver(':memory:');
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      const bytes = Buffer.from(image);
      for (const { at, byte } of changes) bytes[at] = byte;
      try {
        rowsOfFile(sqlite, bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
    propertyRuns(60),
  );
  sqlite.close();
});
