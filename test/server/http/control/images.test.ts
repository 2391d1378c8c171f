// Imports are not trusted: an image either works as a bank, or is refused without changes. This holds for crafted and
// truncated images, and for images with changed bits or cells; none leads to a bank that hangs or responds with 500.

import { fstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AnyOperation, type ExampleWorld, formatExample } from '../../../../src/bank/api/operation.ts';
import { V1_OPERATIONS as V1 } from '../../../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS as V2 } from '../../../../src/bank/api/v2/index.ts';
import { Database } from '../../../../src/bank/store/drizzle.ts';
import { examineFile } from '../../../../src/bank/store/images.ts';
import { schemaVersion } from '../../../../src/bank/store/migrate.ts';
import { takeFile } from '../../../../src/sandboxes/registry/image-import.ts';
import { NODE_FILES } from '../../../../src/sandboxes/sandbox/disk.ts';
import { writeExampleHistory } from '../../../../src/sandboxes/sandbox/example-history.ts';
import { DeliveryProblem } from '../../../../src/sandboxes/sandbox/instance.ts';
import { seededId } from '../../../../src/sandboxes/sandbox/seeding.ts';
import { makeFolder } from '../../../support/folder.ts';
import { propertyRuns, propertyTimeout } from '../../../support/runs.ts';
import { digestOf } from '../../../support/tables.ts';
import { type Bank, openBank, openInProcess, openServer, pull, type Server } from './server.ts';

type Sqlite = InstanceType<typeof Database>;

const own = ({ registry }: Server) => registry.default();

let rich: Promise<Buffer> | undefined;

/** The image of a bank with every event type, and with a clock, a webhook, rules and settings. */
function richImage(): Promise<Buffer> {
  rich ??= makeRich();
  return rich;
}

async function makeRich(): Promise<Buffer> {
  const server = await openInProcess();
  const { call } = server;
  const sandbox = own(server);
  await call('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2026-07-02T17:00:00Z' });
  const body = { url: 'http://receiver.example/two', events: ['transaction.created', 'card.created'] };
  await call('POST', '/v2/webhook', body);
  const rule = { match: { rail: 'ach_push', amount: { min: '900.00' } }, outcome: { return_code: 'R01' } };
  await call('PUT', '/_sandbox/rules', { rules: [rule] });
  await call('PUT', '/_sandbox/rta', { url: 'http://rta.example/', card: false, ach: false });
  await call('PUT', '/_sandbox/settings', { magic_values: true });
  const id = (name: string) => seededId(sandbox.seeded, name);
  await sandbox.commit(() =>
    writeExampleHistory(sandbox.bank, {
      personId: id('person'),
      accountId: id('account'),
      otherAccountId: id('other_account'),
      cardId: id('virtual_card'),
    }),
  );
  await pull(server, '5.00');
  await call('POST', '/_sandbox/clock/advance', { by: 'P1D' });
  await sandbox.courier?.idle();
  await pull(server, '6.00');
  return (await call('GET', '/_sandbox/export')).bytes;
}

/** The image after a change with a SQLite tool; the triggers of the tables are off. */
function changed(image: Buffer, change: (sqlite: Sqlite) => void): Buffer {
  const sqlite = new Database(Buffer.from(image));
  try {
    sqlite.unsafeMode(true);
    sqlite.pragma('foreign_keys = OFF');
    sqlite.pragma('ignore_check_constraints = ON');
    change(sqlite);
    return sqlite.serialize();
  } finally {
    sqlite.close();
  }
}

/**
 * Changes rows of a table as if its columns accepted any type and it had no triggers, and restores its schema.
 */
function retyped(sqlite: Sqlite, table: string, change: string): void {
  const rows = sqlite.prepare('SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ?').all(table) as {
    type: string;
    name: string;
    sql: string;
  }[];
  const triggers = rows.filter(({ type }) => type === 'trigger');
  const own = rows.find(({ type }) => type === 'table')?.sql ?? '';
  const loose = own.replaceAll(/ (TEXT|INTEGER|BLOB)\b(?! PRIMARY KEY)/g, ' ').replace(/\) STRICT,? ?/, ') ');
  const write = (sql: string): void => {
    sqlite.pragma('writable_schema = ON');
    sqlite.prepare("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?").run(sql, table);
    sqlite.pragma('writable_schema = RESET');
  };
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`);
  write(loose);
  sqlite.exec(change);
  write(own);
  for (const { sql } of triggers) sqlite.exec(sql);
}

const schemaTrigger = (sqlite: Sqlite, name: string, body: string): void => {
  sqlite.pragma('writable_schema = ON');
  sqlite
    .prepare("INSERT INTO sqlite_schema VALUES ('trigger', ?, 'transactions', 0, ?)")
    .run(name, `CREATE TRIGGER ${name} AFTER INSERT ON transactions BEGIN ${body}; END`);
  sqlite.pragma('writable_schema = RESET');
};
const HANGS =
  'SELECT (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n)';

/** Refused with this message, and the bank is unchanged. */
async function expectRefused(server: Bank, bytes: Buffer, message: string): Promise<void> {
  const digest = await server.digest();
  const answer = await server.call('POST', '/_sandbox/import', bytes);
  expect([answer.status, answer.body.error?.code]).toEqual([400, 'image_invalid']);
  expect(answer.body.error.message).toContain(message);
  expect(await server.digest()).toBe(digest);
}

const sql =
  (...statements: string[]) =>
  (sqlite: Sqlite): void =>
    statements.forEach((statement) => void sqlite.exec(statement));
const meta = (key: string, value: string) => (sqlite: Sqlite) =>
  void sqlite.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, value);
const clock = (setting: object) => meta('clock', JSON.stringify(setting));
const FROZEN = { mode: 'frozen', shows: 1_782_000_000_000, setAt: 1_782_000_000_000, rate: 0 };

describe('an image is refused', () => {
  test.each<[string, (sqlite: Sqlite) => void, string]>([
    [
      'with a trigger that has the name of one of SQLite',
      (db) => schemaTrigger(db, 'sqlite_x', HANGS),
      'trigger sqlite_x',
    ],
    ['with a view', sql('CREATE VIEW v AS SELECT 1'), 'view v'],
    ['with statistics', sql('ANALYZE'), "its schema differs from Sandbank's: table sqlite_stat1"],
    ['with an additional index', sql('CREATE INDEX i ON facts (at)'), 'index i'],
    [
      'with a second table of one name',
      (db) => {
        db.pragma('writable_schema = ON');
        db.exec(
          "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'agenda' AND type = 'table'",
        );
      },
      'malformed database schema (agenda)',
    ],
    [
      'that is older and has a trigger',
      (db) => {
        db.pragma('user_version = 6');
      },
      "its schema differs from Sandbank's",
    ],
    [
      'with a text instead of a number',
      (db) => retyped(db, 'accounts', "UPDATE accounts SET created_at = 'soon'"),
      'damaged',
    ],
    [
      'with a number instead of a text',
      (db) => retyped(db, 'holders', 'UPDATE holders SET name = 7'),
      'damaged',
    ],
    [
      'with an unknown enum value',
      sql("UPDATE accounts SET status = 'ajar'"),
      'damaged: CHECK constraint failed in accounts',
    ],
    [
      'with an unknown rail',
      sql("UPDATE transactions SET rail = 'sledge'"),
      'a row of transactions has "sledge" at /rail',
    ],
    [
      'with invalid JSON',
      sql("UPDATE transactions SET details = '{'"),
      'a row of transactions has invalid JSON in details',
    ],
    [
      'with JSON of another schema',
      sql("UPDATE transactions SET details = '[]'"),
      'a row of transactions has [] at /details',
    ],
    [
      'with a person without a name',
      sql("UPDATE holders SET person = json_remove(person, '$.lastName') WHERE type = 'person'"),
      'a row of holders has nothing at /person/lastName',
    ],
    ['with a fact that cannot be formatted', sql("UPDATE facts SET record = '{}'"), 'cannot be formatted as'],
    [
      'with a fact about no record',
      sql("UPDATE facts SET resource = 'weather' WHERE seq = 3"),
      'is about "weather"',
    ],
    [
      'with a gap in the facts',
      sql(
        'INSERT INTO facts SELECT seq + 2, at, resource, resource_id, change, kinds_v1, kinds_v2, record, moved FROM facts ORDER BY seq DESC LIMIT 1',
      ),
      'the numbers of facts (seq) have gaps',
    ],
    [
      'with a gap in an account',
      sql('UPDATE transactions SET account_seq = 1000 WHERE account_seq = 2'),
      'the numbers of transactions (account_seq) have gaps',
    ],
    [
      "with a card that took nobody's place",
      sql(`UPDATE cards SET replaced_by = '${'0'.repeat(32)}'`),
      'which is not in cards',
    ],
    [
      'with an unknown counterparty',
      sql(`UPDATE transactions SET counterparty_id = '${'1'.repeat(32)}'`),
      'which is not in counterparties',
    ],
    [
      'with an instant out of range',
      sql('UPDATE accounts SET created_at = 9000000000000000'),
      'a row of accounts has 9000000000000000 as its created_at',
    ],
    [
      'with a number that is not exact',
      sql('UPDATE transactions SET booked_balance = 9223372036854775807'),
      'as its booked_balance',
    ],
    [
      'with a response without a status',
      sql("INSERT INTO idempotency_keys VALUES ('v2:k', 'f', 7, '', 1, NULL, '')"),
      'has an answer with an invalid status',
    ],
    [
      'with a response of another record',
      sql("INSERT INTO idempotency_keys VALUES ('v2:k', 'f', 201, '', 1, 1, 'transaction')"),
      'has an answer that shows no record',
    ],
    [
      'whose random sequence is behind its ids',
      (db) => {
        const { seed, position } = JSON.parse(
          String(db.prepare("SELECT value FROM meta WHERE key = 'sequence'").pluck().get()),
        );
        meta(
          'sequence',
          JSON.stringify({ seed, position: { ...position, lastMs: position.lastMs - 86_400_000 } }),
        )(db);
      },
      'its random sequence is behind the ids that it has created',
    ],
    [
      'whose random sequence was never used',
      (db) => {
        const { seed, position } = JSON.parse(
          String(db.prepare("SELECT value FROM meta WHERE key = 'sequence'").pluck().get()),
        );
        meta('sequence', JSON.stringify({ seed, position: { ...position, drawn: 0 } }))(db);
      },
      'its random sequence is behind the ids that it has created',
    ],
    [
      'whose random sequence cannot continue',
      meta('sequence', '{"seed":"x","position":{"drawn":1e300,"lastMs":1,"lastCounter":0}}'),
      'its sequence is invalid',
    ],
    ['without a random sequence', sql("DELETE FROM meta WHERE key = 'sequence'"), 'it has no sequence'],
    ['whose clock is not a number', clock({ ...FROZEN, shows: null }), 'its clock is invalid'],
    ['whose clock is out of range', clock({ ...FROZEN, shows: 1e300 }), 'its clock is invalid'],
    ['whose clock is a text', clock({ ...FROZEN, shows: '2026-01-01T00:00:00Z' }), 'its clock is invalid'],
    ['whose clock goes backwards', clock({ ...FROZEN, mode: 'scaled', rate: -1 }), 'its clock is invalid'],
    ['whose clock is both frozen and running', clock({ ...FROZEN, rate: 2 }), 'its clock is invalid'],
    [
      'whose clock is in the year 10000',
      clock({ ...FROZEN, shows: Date.UTC(10_000, 0, 1) }),
      'its clock is invalid',
    ],
    [
      'whose clock is in the year 0',
      clock({ ...FROZEN, shows: -62_167_219_200_000 }),
      'its clock is invalid',
    ],
    [
      'whose clock would reach the year 100000',
      clock({ mode: 'scaled', shows: 0, setAt: 0, rate: 86_400 }),
      'its clock must show a time',
    ],
    ['whose clock has another mode', clock({ ...FROZEN, mode: 'melted' }), 'its clock is invalid'],
    [
      'whose program lacks a number',
      sql("UPDATE meta SET value = json_remove(value, '$.routingNumber') WHERE key = 'program'"),
      'its program is invalid',
    ],
    [
      'whose seed has no webhook',
      sql(
        "UPDATE meta SET value = json_set(value, '$.webhookId', '00000000000000000000000000000000') WHERE key = 'seeded'",
      ),
      'its seeded records are missing',
    ],
    ['without a seed', meta('seed', '{"seed":"x","at":1,"document":{}}'), 'its seed document is invalid'],
    [
      'whose seed has no time',
      meta('seed', '{"seed":"x","at":1e300,"document":null}'),
      'its seed is invalid',
    ],
    [
      'whose rules have an invalid return code',
      meta('rules', '[{"match":{},"outcome":{"returnCode":"R00"}}]'),
      'its rules are invalid',
    ],
    ['whose rules are not a list', meta('rules', '{}'), 'its rules is invalid'],
    [
      'whose real-time authorization has no URL',
      meta('rta', '{"url":"http://","secret":"s","standIn":"approve","timeoutMs":10,"card":true,"ach":true}'),
      'which is not a URL',
    ],
    ['whose settings are strings', meta('settings', '{"magicValues":"yes"}'), 'its settings is invalid'],
    ['with additional settings', meta('weather', '"fair"'), 'its table meta has the unknown key "weather"'],
  ])('%s', async (_, change, message) => {
    const bytes = changed(await richImage(), change);
    const server = await openBank();
    await expectRefused(server, bytes, message);
  });

  test.each<[string, (image: Buffer) => Buffer, string]>([
    ['without its last byte', (image) => image.subarray(0, -1), 'bytes, and its header says'],
    [
      'with an additional byte',
      (image) => Buffer.concat([image, Buffer.alloc(1)]),
      'bytes, and its header says',
    ],
    ['without its last page', (image) => image.subarray(0, -4096), 'bytes, and its header says'],
    [
      'with another count of pages',
      (image) => {
        const copy = Buffer.from(image);
        copy.writeUInt32BE(copy.readUInt32BE(28) + 1, 28);
        return copy;
      },
      'bytes, and its header says',
    ],
    [
      'with fewer pages, in the header too',
      (image) => {
        const copy = Buffer.from(image.subarray(0, -4096));
        copy.writeUInt32BE(copy.length / 4096, 28);
        return copy;
      },
      'this image cannot be used',
    ],
    [
      'with a flipped digit of an amount',
      (image) => {
        const copy = Buffer.from(image);
        // The number of an account is in its row and in an index: one of them is now different.
        const sqlite = new Database(Buffer.from(image));
        const number = String(
          sqlite
            .prepare("SELECT account_number FROM accounts WHERE account_number <> '' LIMIT 1")
            .pluck()
            .get(),
        );
        sqlite.close();
        const at = copy.indexOf(number);
        copy[at] = (copy[at] ?? 0) ^ 1;
        return copy;
      },
      'damaged',
    ],
    [
      'with texts in UTF-16',
      (image) => {
        const sqlite = new Database(':memory:');
        sqlite.exec(
          `PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (x); PRAGMA user_version = ${schemaVersion()}`,
        );
        const bytes = sqlite.serialize();
        sqlite.close();
        return image.length > 0 ? bytes : image;
      },
      'its texts are not UTF-8',
    ],
  ])('%s', async (_, change, message) => {
    const server = await openBank();
    await expectRefused(server, change(await richImage()), message);
  });
});

test('an exported image is accepted, and its bank continues', async () => {
  const bytes = await richImage();
  const server = await openBank();
  const answer = await server.call('POST', '/_sandbox/import', bytes);
  expect([answer.status, answer.body.error?.message]).toEqual([200, undefined]);
  await pull(server, '7.00');
  const again = (await server.call('GET', '/_sandbox/export')).bytes;
  expect((await server.call('POST', '/_sandbox/import', again)).status).toBe(200);
});

test('the export of a bank that dropped deliveries is imported', async () => {
  const server = await openBank({ answer: () => 500 });
  const { call } = server;
  const { body } = await call('POST', '/v2/webhook', {
    url: server.receiver,
    events: ['transaction.created'],
  });
  await pull(server, '5.00');
  await server.idle();
  expect((await call('DELETE', `/v2/webhook/${body.id}`)).status).toBe(204);
  const bytes = await server.image();
  const sqlite = new Database(Buffer.from(bytes));
  onTestFinished(() => void sqlite.close());
  const keys = sqlite.prepare('SELECT key FROM meta').pluck().all();
  expect(keys).toEqual(expect.arrayContaining(['failing_webhooks', 'last_drops']));
  const answer = await call('POST', '/_sandbox/import', bytes, 'test_other');
  expect(answer.status, answer.bytes.toString()).toBe(200);
});

/** The rich image with thirty megabytes of files. */
async function largeImage(): Promise<Buffer> {
  const large = changed(await richImage(), (sqlite) => {
    sqlite.exec(`INSERT INTO files SELECT printf('%032x', key), 'image/png', zeroblob(100000), 1
      FROM json_each('[' || substr(replace(hex(zeroblob(300)), '00', ',0'), 2) || ']')`);
  });
  expect(large.length).toBeGreaterThan(30_000_000);
  return large;
}

/** Imports an image into a sandbox and counts the responses of the default one meanwhile. */
async function importMeanwhile({ call }: Bank, image: Buffer, key: string) {
  const importing = call('POST', '/_sandbox/import', image, key);
  let over = false;
  void importing.finally(() => {
    over = true;
  });
  let answered = 0;
  while (!over) {
    expect((await call('GET', '/_sandbox/clock')).status).toBe(200);
    answered += 1;
    await nextTurn();
  }
  return { status: (await importing).status, answered };
}

test('a large image is checked while other requests run, and is accepted or refused', async () => {
  const large = await largeImage();
  const server = await openBank();
  const { status, answered } = await importMeanwhile(server, large, 'test_default');
  expect(status).toBe(200);
  expect(answered).toBeGreaterThan(3);
  await expectRefused(
    server,
    changed(large, sql("DELETE FROM meta WHERE key = 'program'")),
    'it has no program',
  );
});

test('with a data directory a large image is written outside of the main thread', async () => {
  const large = await largeImage();
  const data = makeFolder();
  const written: number[] = [];
  const syncs: number[] = [];
  const files = {
    ...NODE_FILES,
    writeFileSync: ((file: number, content: Buffer) => {
      written.push(content.length);
      writeFileSync(file, content);
    }) as typeof writeFileSync,
    fsyncSync: (file: number) => syncs.push(fstatSync(file).size),
  };
  const server = await openServer({ data, files });
  const { status, answered } = await importMeanwhile(server, large, 'test_other');
  expect(status).toBe(200);
  expect(answered).toBeGreaterThan(3);
  expect(Math.max(...written)).toBeLessThan(large.length);
  expect(syncs).toEqual([]);
  await pull(server, '7.00', 'test_other');

  const broken = changed(large, sql("DELETE FROM meta WHERE key = 'program'"));
  expect((await server.call('POST', '/_sandbox/import', broken, 'test_other')).status).toBe(400);
  await pull(server, '8.00', 'test_other');
  expect(readdirSync(data).filter((name) => name.includes('.half'))).toEqual([]);
});

test('a sandbox that is deleted during an import stays deleted', async () => {
  const large = await largeImage();
  const data = makeFolder();
  const server = await openServer({ data });
  await pull(server, '1.00', 'test_other');
  const importing = server.call('POST', '/_sandbox/import', large, 'test_other');
  // The check has started when it has its file.
  while (!readdirSync(data).some((name) => name.startsWith('image'))) await nextTurn();
  expect((await server.call('DELETE', '/_sandbox/sandboxes/other')).status).toBe(204);
  expect((await importing).status).toBe(404);
  expect(readdirSync(data).filter((name) => /^other|half/.test(name))).toEqual([]);
});

test('a file is checked in place, and has the present schema afterwards', async () => {
  const folder = makeFolder();
  const path = join(folder, 'bank.sqlite');
  const server = await openServer();
  const image = await richImage();
  writeFileSync(path, image);
  await takeFile(server.registry.seedImages, path);
  writeFileSync(
    path,
    changed(image, (db) => schemaTrigger(db, 'sqlite_x', HANGS)),
  );
  expect(() => examineFile(path)).toThrow("its schema differs from Sandbank's: trigger sqlite_x");
  await expect(takeFile(server.registry.seedImages, path)).rejects.toThrow('trigger sqlite_x');
  writeFileSync(path, Buffer.concat([image, Buffer.alloc(2_000_000)]));
  await expect(takeFile(server.registry.seedImages, path)).rejects.toThrow('its header says');
});

const READS: readonly AnyOperation[] = [...V1, ...V2].filter(({ method }) => method === 'GET');

/** Every read, a payment and an event list: a bank must respond to them, whatever the responses are. */
async function useAll({ call }: Bank): Promise<string[]> {
  const failed: string[] = [];
  const look = async (
    method: 'GET' | 'POST',
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => {
    const { status } = await call(method, url, body, undefined, headers);
    if (status >= 500) failed.push(`${status} ${method} ${url}`);
  };
  const { seeded } = (await call('GET', '/_sandbox')).body;
  const world: ExampleWorld = { seed: (name) => seeded[name] ?? 'none' };
  const person = { 'sd-person-id': String(seeded.person_id) };
  for (const operation of READS) {
    const { params, query, headers } = formatExample(operation, world);
    const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
    const request = new URLSearchParams(query).toString();
    const own = operation.tokenHeader === undefined ? { ...person, ...headers } : headers;
    await look('GET', `${path}${request === '' ? '' : `?${request}`}`, undefined, own);
    if (Object.keys(params).length === 0 && request !== '') await look('GET', path, undefined, own);
  }
  const payment = { sub_account_id: seeded.sub_account_id, amount: '1.00' };
  await look('POST', '/v2/payments/ach/pull', { ...payment, counterparty_id: seeded.ach_counterparty_id });
  await look('POST', '/v2/payments/intra_account/pull', {
    ...payment,
    counterparty_id: seeded.intra_counterparty_id,
  });
  await look('GET', '/_sandbox/events?limit=100');
  await look('GET', '/_sandbox/ledger/verify');
  return failed;
}

/** Random damage of an image: bytes, its length, or cells. */
const damage = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('flip' as const),
      places: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
        minLength: 1,
        maxLength: 4,
      }),
      with: fc.integer({ min: 1, max: 255 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('cut' as const),
      place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      does: fc.constant('cell' as const),
      column: fc.nat(),
      row: fc.nat(),
      value: fc.oneof(
        fc.constantFrom(
          '',
          'x',
          '0',
          '{}',
          '[]',
          'null',
          '\u0000',
          'person',
          'business',
          'settled',
          'pending',
          'card_authorization',
          'a'.repeat(32),
          '99999999999999',
          'http://',
        ),
        fc.constantFrom(
          0,
          1,
          -1,
          7,
          1_000_000,
          2 ** 40,
          2 ** 53,
          -(2 ** 52),
          8_640_000_000_000_000,
          8_640_000_000_000_001,
        ),
        fc.constant(null),
        fc.constantFrom('swap' as const),
      ),
      part: fc.nat(),
    }),
  },
);
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

interface Column {
  table: string;
  name: string;
}

function damaged(image: Buffer, damageOf: Damage): Buffer {
  if (damageOf.does === 'flip') {
    const copy = Buffer.from(image);
    for (const place of damageOf.places) {
      const at = Math.floor(place * copy.length);
      copy[at] = (copy[at] ?? 0) ^ damageOf.with;
    }
    return copy;
  }
  if (damageOf.does === 'cut') return image.subarray(0, Math.floor(damageOf.place * image.length));
  return changed(image, (sqlite) => {
    const columns = sqlite
      .prepare(
        `SELECT t.name AS "table", c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
          WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, 2`,
      )
      .all() as Column[];
    const { table, name } = columns[damageOf.column % columns.length] as Column;
    const rows = sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    if (rows === 0) return;
    const triggers = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
      name: string;
      sql: string;
    }[];
    for (const trigger of triggers) sqlite.exec(`DROP TRIGGER ${trigger.name}`);
    const keys = (
      sqlite.prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0').pluck().all(table) as string[]
    ).join(', ');
    const where = `(${keys}) = (SELECT ${keys} FROM ${table} ORDER BY ${keys} LIMIT 1 OFFSET ${damageOf.row % rows})`;
    try {
      const before = sqlite.prepare(`SELECT ${name} FROM ${table} WHERE ${where}`).pluck().get();
      let value: unknown = damageOf.value;
      if (value === 'swap')
        value = sqlite
          .prepare(`SELECT ${name} FROM ${table} ORDER BY ${keys} LIMIT 1 OFFSET ${damageOf.part % rows}`)
          .pluck()
          .get();
      else if (typeof before === 'string' && /^[[{]/.test(before) && damageOf.part % 4 !== 0)
        value = partChanged(before, damageOf.part, value);
      sqlite.prepare(`UPDATE ${table} SET ${name} = ? WHERE ${where}`).run(value);
    } catch {
      // The table rejects such a value.
    }
    for (const trigger of triggers) sqlite.exec(trigger.sql);
  });
}

/** A JSON text in which one value is changed or missing. */
function partChanged(text: string, part: number, value: unknown): string {
  const whole: unknown = JSON.parse(text);
  const places: { of: Record<string, unknown>; key: string }[] = [];
  const walk = (of: unknown): void => {
    if (typeof of !== 'object' || of === null) return;
    for (const key of Object.keys(of)) {
      places.push({ of: of as Record<string, unknown>, key });
      walk((of as Record<string, unknown>)[key]);
    }
  };
  walk(whole);
  const place = places[part % Math.max(1, places.length)];
  if (place === undefined) return text;
  if (part % 3 === 0) delete place.of[place.key];
  else place.of[place.key] = value;
  return JSON.stringify(whole);
}

/** A start takes more time than the rest: one in this many accepted images is started again. */
const RESTART_EVERY = 5;

test(
  'a randomly damaged image is refused without effect, or works as a bank',
  async () => {
    const image = await richImage();
    const failures: unknown[] = [];
    const place = {
      data: makeFolder(),
      // A damaged instant may make a delivery too old.
      onError(_: unknown, error: unknown) {
        if (!(error instanceof DeliveryProblem && error.what.includes('thirty days'))) failures.push(error);
      },
    };
    let server = await openServer(place);
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(damage, async (damageOf) => {
        const bytes = damaged(image, damageOf);
        const digest = digestOf(own(server));
        const { status, body } = await server.call('POST', '/_sandbox/import', bytes);
        if (status !== 200) {
          expect([status, body.error.code]).toEqual([400, 'image_invalid']);
          expect(digestOf(own(server))).toBe(digest);
          return;
        }
        expect(await useAll(server)).toEqual([]);
        taken += 1;
        if (taken % RESTART_EVERY === 1) {
          await server.end();
          server = await openServer(place);
          expect(await useAll(server)).toEqual([]);
        }
        expect((await server.call('POST', '/_sandbox/reset')).status).toBe(200);
      }),
      { ...propertyRuns(12), endOnFailure: true },
    );
    expect(failures).toEqual([]);
  },
  propertyTimeout(120_000),
);
