/**
 * The image of the rows of a bank: it contains everything, with either driver, and a bank that continues from an
 * image with the other driver behaves the same. The driver of an object uses a substitute for its storage;
 * test/long/worker-images.test.ts uses the real one.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Refusal } from '../../../src/bank/kernel/refusal.ts';
import { HOUR_MS } from '../../../src/bank/kernel/time.ts';
import type { Driver } from '../../../src/bank/store/driver.ts';
import { ImageError } from '../../../src/bank/store/image-error.ts';
import { databaseOf } from '../../../src/bank/store/images.ts';
import { migrate, schemaVersion, stepsTo } from '../../../src/bank/store/migrate.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { dumpRows, isRowImage, loadRows } from '../../../src/bank/store/row-image.ts';
import { createObjectDriver } from '../../../src/cluster/worker/object-driver.ts';
import { writeExampleHistory } from '../../../src/sandboxes/sandbox/example-history.ts';
import { objectStorageOn } from '../../support/object-storage.ts';
import { propertyRuns, propertyTimeout } from '../../support/runs.ts';
import {
  createHandClock,
  openTestSandbox,
  START,
  seededImage,
  type TestSandbox,
} from '../../support/sandbox.ts';
import { everyRail } from '../verbs/parties.ts';

const KINDS = ['node', 'object'] as const;
type Kind = (typeof KINDS)[number];

function openMemory(): NodeDriver {
  const sqlite = new NodeDriver(':memory:');
  onTestFinished(() => void sqlite.close());
  return sqlite;
}

/** A database of this program's schema, without rows. */
function openDriver(kind: Kind): Driver {
  const driver = kind === 'node' ? openMemory() : createObjectDriver(objectStorageOn(openMemory()));
  migrate(driver);
  return driver;
}

/** The rows of the seeded bank with which every test starts. */
function seededRows(): Buffer {
  const sqlite = new NodeDriver(seededImage('test', START));
  try {
    return dumpRows(sqlite);
  } finally {
    sqlite.close();
  }
}

/** A bank in a driver, in the form of an image. */
function openBank(kind: Kind, rows = seededRows(), clock = createHandClock()): TestSandbox {
  const rails = 'calendar';
  if (kind === 'node') {
    return openTestSandbox({ rails, clock, place: { kind: 'image', image: databaseOf(rows) } });
  }
  const storage = objectStorageOn(openMemory());
  const open = () => createObjectDriver(storage);
  loadRows(open(), rows);
  return openTestSandbox({ rails, clock, place: { kind: 'object', open } });
}

/** The rows of a bank, including those that it keeps in memory until they are read. */
function rowsOf({ sandbox }: TestSandbox): Buffer {
  sandbox.image();
  return dumpRows(sandbox.connection.sqlite);
}

/** As text: a difference is then readable. */
const textOf = (rows: Buffer): string[] => zstdDecompressSync(rows).toString('utf8').split('\n');

const writeHistory = (bank: TestSandbox) =>
  bank.run(() =>
    writeExampleHistory(bank.bank, {
      personId: bank.id('person'),
      accountId: bank.id('account'),
      otherAccountId: bank.id('other_account'),
      cardId: bank.id('virtual_card'),
    }),
  );

describe.each(KINDS)('in the driver %s', (kind) => {
  test('a bank with every kind of record has the same image after it was loaded', async () => {
    const bank = openBank(kind);
    await writeHistory(bank);
    const rows = rowsOf(bank);
    for (const other of KINDS) {
      const driver = openDriver(other);
      loadRows(driver, rows);
      expect(textOf(dumpRows(driver)), other).toEqual(textOf(rows));
      expect(dumpRows(driver).equals(rows), other).toBe(true);
      // Replaces the present rows.
      loadRows(driver, rows);
      expect(dumpRows(driver).equals(rows), other).toBe(true);
    }
  });

  test('values are exact: bytes, numbers beyond those of JavaScript, null, and any text', () => {
    const driver = openDriver(kind);
    const text = 'a\0b "quoted"\n\r\u2028 é \u{1F600} \\';
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const answer = driver.prepare(
      'INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at) VALUES (?, ?, 200, ?, CAST(? AS INTEGER))',
    );
    const numbers = ['9007199254740993', '9223372036854775807', '-9223372036854775808', '0', '-1'];
    for (const number of numbers) answer.run(number, 'f', text, number);
    driver.prepare("INSERT INTO files VALUES (?, 'text/plain', ?, 0)").run('a'.repeat(32), bytes);
    driver.prepare("INSERT INTO tokens VALUES ('t', 'set_pin', ?, 1, NULL)").run('b'.repeat(32));
    const image = dumpRows(driver);
    for (const other of KINDS) {
      const loaded = openDriver(other);
      loadRows(loaded, image);
      const read = loaded.prepare(
        'SELECT key, CAST(created_at AS TEXT), body, length(body) FROM idempotency_keys ORDER BY key',
      );
      const characters = driver.prepare('SELECT length(body) FROM idempotency_keys').pluck().get();
      expect(read.raw().all(), other).toEqual(
        numbers.toSorted().map((number) => [number, number, text, characters]),
      );
      expect(loaded.prepare('SELECT content FROM files').pluck().get(), other).toEqual(bytes);
      expect(loaded.prepare('SELECT used_at FROM tokens').pluck().all(), other).toEqual([null]);
    }
  });

  test('rows keep their numbers, and the surroundings of a bank are omitted', () => {
    const driver = openDriver(kind);
    const file = driver.prepare(
      "INSERT INTO files (rowid, id, content_type, content, updated_at) VALUES (?, ?, '', ?, 0)",
    );
    for (const number of [7, 3, 900])
      file.run(number, String(number).repeat(32).slice(0, 32), Buffer.of(number % 256));
    driver.exec("INSERT INTO surroundings VALUES ('faults', '[]')");
    driver.exec("INSERT INTO journal_parts VALUES ('calls', 0, 1, 2, x'00')");
    const image = dumpRows(driver);
    expect(textOf(image).join('\n')).not.toMatch(/surroundings|journal/);
    loadRows(driver, image);
    expect(driver.prepare('SELECT rowid FROM files ORDER BY rowid').pluck().all()).toEqual([3, 7, 900]);
    expect(driver.prepare('SELECT count(*) FROM surroundings').pluck().get()).toBe(0);
    expect(driver.prepare('SELECT count(*) FROM journal_parts').pluck().get()).toBe(0);
  });

  test('rows are inserted by one statement for each number of rows', () => {
    const driver = openDriver(kind);
    const key = driver.prepare(
      "INSERT INTO idempotency_keys (key, fingerprint, status, body, created_at) VALUES (?, 'f', 200, '', 0)",
    );
    for (let number = 0; number < 200; number += 1) key.run(String(number));
    const other = openDriver(kind);
    const prepared = vi.spyOn(other, 'prepare');
    loadRows(other, dumpRows(driver));
    const inserts = prepared.mock.calls
      .map(([text]) => text)
      .filter((text) => text.includes('"idempotency_keys"'));
    expect(inserts.length).toBeGreaterThan(1);
    expect(new Set(inserts).size).toBe(inserts.length);
  });

  test('an image of an older schema is migrated', () => {
    const older = openMemory();
    migrate(older, stepsTo(9));
    older.exec(`INSERT INTO ledger_accounts (id, kind) VALUES ('a', 'suspense'), ('b', 'suspense');
      INSERT INTO transfers VALUES (1, 'hold', 'a', 'b', 5, NULL, '${'c'.repeat(32)}', 0, 0, 1);
      INSERT INTO transfers VALUES (2, 'settle', 'a', 'b', 5, 1, '${'c'.repeat(32)}', 0, 0, 1);`);
    const image = dumpRows(older);
    migrate(older);
    const driver = openDriver(kind);
    loadRows(driver, image);
    expect(textOf(dumpRows(driver))).toEqual(textOf(dumpRows(older)));
    expect(driver.version).toBe(schemaVersion());
    // The indexes and triggers exist again.
    expect(() => driver.exec('DELETE FROM transfers')).toThrow('append-only');
  });

  describe('an image changes nothing', () => {
    const packed = (lines: readonly unknown[]): Buffer =>
      zstdCompressSync(
        lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
      );
    /** Changes the lines of an image of a seeded bank; the last one is after its end. */
    const edited = (change: (lines: string[]) => readonly unknown[]) => (rows: Buffer) =>
      packed(change(textOf(rows).slice(0, -1)));
    const head = { kind: 'sandbank rows', format: 1, schema: schemaVersion() };

    test.each<[string, (rows: Buffer) => Buffer, string]>([
      [
        'that is not one',
        () => Buffer.from('SQLite format 3\0'),
        'it does not begin with the header of an image of rows',
      ],
      ['that is truncated', (rows) => rows.subarray(0, rows.length - 9), 'it is damaged: '],
      [
        'with a changed byte',
        (rows) => {
          const changed = Buffer.from(rows);
          changed[changed.length - 40] = (changed[changed.length - 40] ?? 0) ^ 1;
          return changed;
        },
        'it is damaged: ',
      ],
      ['of another program', () => packed(['hello']), 'does not contain the rows of a bank'],
      ['of another kind', () => packed([{ ...head, kind: 'other' }]), 'does not contain the rows of a bank'],
      ['of a newer format', () => packed([{ ...head, format: 2 }]), 'a newer Sandbank (format 2'],
      [
        'of a newer schema',
        () => packed([{ ...head, schema: schemaVersion() + 1 }]),
        `a newer Sandbank (schema ${schemaVersion() + 1}, this version supports ${schemaVersion()})`,
      ],
      [
        'without a schema',
        () => packed([{ ...head, schema: 0 }]),
        'its version is not a version of Sandbank',
      ],
      ['without tables', () => packed([head]), ' is missing'],
      ['without its last table', edited((lines) => lines.slice(0, lastTable(lines))), ' is missing'],
      ['with rows of an unknown table', () => packed([head, [[1]]]), 'it has rows before its first table'],
      ['with additional data', () => packed([head, 5]), 'neither a table nor rows'],
      [
        'with another table',
        edited((lines) => lines.map((line) => line.replace('{"table":"agenda"', '{"table":"sqlite_schema"'))),
        'its table "sqlite_schema" is not as Sandbank writes it',
      ],
      [
        'with another column',
        edited((lines) =>
          lines.map((line) => line.replace('"due_at","subject_id"', '"subject_id","due_at"')),
        ),
        'its table "agenda" is not as Sandbank writes it',
      ],
      [
        'with a row that is too short',
        edited((lines) => lines.map((line) => line.replace('[["', '[["x"],["'))),
        'does not have',
      ],
      [
        'with a row that violates a constraint',
        edited((lines) => lines.map((line) => line.replace('"sub_account",', '"account",'))),
        'CHECK constraint failed',
      ],
    ])('%s', (_, change, message) => {
      const driver = openDriver(kind);
      const rows = rowsOf(openBank(kind));
      loadRows(driver, rows);
      const image = change(rows);
      expect(() => loadRows(driver, image)).toThrow(message);
      expect(dumpRows(driver).equals(rows)).toBe(true);
    });
  });

  test('an image above the limit of its driver is neither created nor read', () => {
    const driver = openDriver(kind);
    const limited = Object.create(driver, { maxImageBytes: { value: 1024 * 1024 } }) as Driver;
    const bytes = Buffer.alloc(1024 * 1024);
    driver.prepare("INSERT INTO files VALUES (?, '', ?, 0)").run('a'.repeat(32), bytes);
    const image = dumpRows(driver);
    const message = 'larger than the 1 MB that an image may have here';
    expect(() => dumpRows(limited)).toThrow(ImageError);
    expect(() => dumpRows(limited)).toThrow(message);
    expect(() => loadRows(limited, image)).toThrow(message);
  });
});

const lastTable = (lines: readonly string[]): number =>
  lines.findLastIndex((line) => line.startsWith('{"table"'));

test('the type of an image is determined by its first bytes', () => {
  expect(isRowImage(dumpRows(openDriver('node')))).toBe(true);
  expect(isRowImage(Buffer.from('SQLite format 3\0'))).toBe(false);
  expect(isRowImage(Buffer.alloc(0))).toBe(false);
});

const command = fc.record({
  verb: fc.constantFrom('ach_pull', 'ach_push', 'intra_push', 'receive', 'authorize', 'act', 'wait', 'fail'),
  amount: fc.constantFrom(1, 500, 20_000, 900_000),
  side: fc.nat(1),
  event: fc.constantFrom('cancel', 'settle', 'return', 'clear', 'capture'),
});
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

async function outcomeOf(opened: TestSandbox, given: Command): Promise<unknown> {
  const { verb, amount, side, event } = given;
  const accounts = [opened.id('account'), opened.id('other_account')];
  const accountId = accounts[side] ?? '';
  if (verb === 'wait') return opened.pass(HOUR_MS * (1 + side * 40));
  try {
    return await opened.run((bank) => {
      if (verb === 'receive')
        return bank.payments.receive('ach_received_push', { accountId, amount, sender: {} });
      if (verb === 'authorize')
        return bank.cardPayments.authorize({ cardId: opened.id('virtual_card'), amount });
      if (verb === 'act') {
        const [latest] = bank.payments.list([], { kind: 'offset', offset: 0, limit: 1 }).items;
        return bank.payments.applyEvent(latest?.id ?? '', event as 'settle');
      }
      const counterpartyId = bank.counterparties.create(everyRail(accountId, accounts[1 - side] ?? '')).id;
      const order = { accountId, counterpartyId, amount, shortage: 'refuse' } as const;
      const payment = bank.payments.originate(verb === 'fail' ? 'ach_pull' : verb, order);
      if (verb === 'fail') throw new Error('refused late');
      return payment;
    });
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error);
  }
}

test('any bank has the same image in both drivers, and each continues from the image of the other', {
  timeout: propertyTimeout(120_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async (commands) => {
      const banks = KINDS.map((kind) => openBank(kind));
      const answers: unknown[][] = [];
      for (const bank of banks) {
        const own: unknown[] = [];
        for (const given of commands) {
          own.push(await outcomeOf(bank, given));
          // A step that is due at once would otherwise run at another point of each bank.
          await bank.pass();
        }
        answers.push(own);
      }
      const images = banks.map(rowsOf);
      expect(answers[1]).toEqual(answers[0]);
      expect(textOf(images[1] as Buffer)).toEqual(textOf(images[0] as Buffer));
      const now = banks[0]?.clock.now() ?? 0;
      const others = KINDS.map((kind, at) => openBank(kind, images[1 - at], createHandClock(now)));
      const next: unknown[] = [];
      for (const bank of [...banks, ...others]) {
        const books = bank.sandbox.audit();
        const payment = await outcomeOf(bank, { verb: 'receive', amount: 500, side: 0, event: 'settle' });
        next.push([
          books,
          payment,
          bank.sandbox.nextId(),
          bank.sandbox.outbox.latestSeq(),
          await bank.pass(HOUR_MS * 80),
        ]);
      }
      for (const one of next) expect(one).toEqual(next[0]);
      const last = [...banks, ...others].map((bank) => textOf(rowsOf(bank)));
      for (const one of last) expect(one).toEqual(last[0]);
      for (const bank of [...banks, ...others]) await bank.end();
    }),
    propertyRuns(3),
  );
});

test('a column of a type that an image cannot hold is named', () => {
  // Without this program's schema, whose tables are already known.
  const sqlite = openMemory();
  sqlite.exec('CREATE TABLE odd (at DATE)');
  expect(() => dumpRows(sqlite)).toThrow('odd has a column of the type DATE');
});
