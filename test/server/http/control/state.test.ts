// The whole state of a bank: reset, seed, snapshots, export and import, each in one step or not at all.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemaVersion } from '../../../../src/bank/store/migrate.ts';
import { NodeDriver } from '../../../../src/bank/store/node-driver.ts';
import { dumpRows, ROW_IMAGE_TYPE } from '../../../../src/bank/store/row-image.ts';
import { defaultSeedDocument, type SeedDocument } from '../../../../src/sandboxes/sandbox/seed-document.ts';
import { makeFolder } from '../../../support/folder.ts';
import { propertyRuns, propertyTimeout } from '../../../support/runs.ts';
import { smallFixture } from '../../../support/sandbox.ts';
import { readBank } from '../../../support/tables.ts';
import { IS_WORKERD } from '../../process/support.ts';
import {
  type Bank,
  openBank,
  openInProcess,
  openServer,
  PLACES,
  pull,
  type Reply,
  type Server,
} from './server.ts';

const own = ({ registry }: Server) => registry.default();
const freeze = ({ call }: Bank, now = '2026-07-02T17:00:00Z') =>
  call('PUT', '/_sandbox/clock', { mode: 'frozen', now });
const counts = async ({ call }: Bank) => (await call('GET', '/_sandbox')).body.counts;

describe.each(PLACES)('%s', (_, place) => {
  test('a reset restores the seeded bank, with its ids and the real time', async () => {
    const server = await openBank(place());
    const before = (await server.call('GET', '/_sandbox')).body;
    const digest = await server.digest();
    await freeze(server);
    await pull(server, '5.00');
    await server.call('POST', '/_sandbox/clock/settle');
    await server.advance(1_000);
    const { status, body } = await server.call('POST', '/_sandbox/reset');
    expect(status).toBe(200);
    expect(body).toEqual({
      sandbox: server.name,
      clock: { mode: 'live', now: '2026-03-04T18:00:01.000Z', rate: 1 },
      counts: before.counts,
    });
    expect(await server.digest()).toBe(digest);
    expect((await server.call('GET', '/_sandbox')).body).toMatchObject({ seeded: before.seeded });
  });

  test('the same calls have the same responses after a reset', async () => {
    const server = await openBank(place());
    const live = async () => {
      await freeze(server);
      const answers = [await pull(server, '5.00'), await pull(server, '6.00')];
      answers.push((await server.call('POST', '/_sandbox/clock/settle')).body);
      return answers;
    };
    const first = await live();
    await server.call('POST', '/_sandbox/reset');
    expect(await live()).toEqual(first);
  });

  test('a snapshot can be restored any number of times', async () => {
    const server = await openBank(place());
    await freeze(server);
    await pull(server, '5.00');
    const { transactions } = await counts(server);
    const taken = await server.call('PUT', '/_sandbox/snapshots/five');
    expect([taken.status, taken.body]).toEqual([200, { name: 'five', bytes: expect.any(Number) }]);
    const digest = await server.digest();
    const seen = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      const next = await pull(server, '6.00');
      seen.add(JSON.stringify(next));
      await server.call('POST', '/_sandbox/clock/settle');
      const { status, body } = await server.call('POST', '/_sandbox/snapshots/five/restore');
      expect([status, body.counts.transactions]).toEqual([200, transactions]);
      expect(body.clock).toEqual({ mode: 'frozen', now: '2026-07-02T17:00:00.000Z', rate: 0 });
      expect(await server.digest()).toBe(digest);
    }
    expect(seen.size).toBe(1);
  });

  test('snapshots are listed, read, replaced and deleted, separately for each sandbox', async () => {
    const server = await openBank(place());
    await freeze(server);
    const { transactions } = await counts(server);
    await server.call('PUT', '/_sandbox/snapshots/b');
    await server.call('PUT', '/_sandbox/snapshots/a');
    const list = await server.call('GET', '/_sandbox/snapshots');
    expect(list.body.snapshots.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
    expect((await server.call('GET', '/_sandbox/snapshots', undefined, 'test_x')).body.snapshots).toEqual([]);
    await pull(server, '5.00');
    await server.call('PUT', '/_sandbox/snapshots/a');
    const inside = (await server.call('GET', '/_sandbox/snapshots/a')).body;
    expect(inside).toEqual({
      sandbox: server.name,
      name: 'a',
      bytes: expect.any(Number),
      clock: { mode: 'frozen', now: '2026-07-02T17:00:00.000Z', rate: 0 },
      counts: await counts(server),
    });
    expect((await server.call('GET', '/_sandbox/snapshots/b')).body.counts.transactions).toBe(transactions);
    expect((await server.call('DELETE', '/_sandbox/snapshots/a')).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const) {
      const gone = await server.call(method, '/_sandbox/snapshots/a');
      expect([gone.status, gone.body.error.code]).toEqual([404, 'snapshot_not_found']);
    }
    const missing = await server.call('POST', '/_sandbox/snapshots/a/restore');
    expect([missing.status, missing.body.error.hint]).toEqual([404, 'legal: b']);
    expect((await server.call('PUT', '/_sandbox/snapshots/..%2Fa')).status).toBe(400);
  });

  test('an exported bank is the same after its import', async () => {
    const server = await openBank(place());
    await freeze(server);
    await pull(server, '5.00');
    const exported = await server.call('GET', '/_sandbox/export');
    const type = IS_WORKERD ? ROW_IMAGE_TYPE : 'application/vnd.sqlite3';
    expect([exported.status, exported.headers['content-type']]).toEqual([200, type]);
    const digest = await server.digest();
    const { transactions } = await counts(server);
    const other = await openBank({ ...place(), seed: 'another' });
    const imported = await other.call('POST', '/_sandbox/import', exported.bytes);
    expect([imported.status, imported.body.counts.transactions]).toEqual([200, transactions]);
    expect(await other.digest()).toBe(digest);
    expect(await pull(other, '6.00')).toEqual(await pull(server, '6.00'));
    // Its seed was imported with it.
    await other.call('POST', '/_sandbox/reset');
    await server.call('POST', '/_sandbox/reset');
    expect(await other.digest()).toBe(await server.digest());
  });

  test(
    'two runs from one snapshot are identical, byte for byte',
    async () => {
      const server = await openServer({ ...place(), webhookUrl: 'http://receiver.example/' });
      await freeze(server);
      const requested = fc.oneof(
        fc.constant({ does: 'pull' }),
        fc.constant({ does: 'settle' }),
        fc.constant({ does: 'webhook' }),
        fc.record({ does: fc.constant('advance'), hours: fc.integer({ min: 0, max: 100 }) }),
      );
      type Requested = { does: string; hours?: number };
      // How far deliveries were created in advance depends on the commits.
      const tablesOf = (sandbox: Parameters<typeof readBank>[0]) => {
        const { backlogs = [], ...tables } = readBank(sandbox);
        return { ...tables, backlogs: backlogs.map(({ after_fact: _, ...backlog }) => backlog) };
      };
      const run = async (requests: readonly Requested[]): Promise<string[]> => {
        const replies: Reply[] = [];
        for (const { does, hours } of requests) {
          if (does === 'pull') replies.push({ body: await pull(server, '1.00') } as Reply);
          if (does === 'settle') replies.push(await server.call('POST', '/_sandbox/clock/settle'));
          if (does === 'advance') {
            replies.push(await server.call('POST', '/_sandbox/clock/advance', { by: `PT${hours}H` }));
          }
          if (does === 'webhook') {
            const body = { url: 'http://receiver.example/two', events: ['transaction.created'] };
            replies.push(await server.call('POST', '/v2/webhook', body));
          }
          // Whether an immediate delivery precedes the next command depends on the receiver.
          await own(server).courier?.idle();
        }
        return replies.map(({ body, headers }) => JSON.stringify([body, headers?.['x-request-id']]));
      };
      await fc.assert(
        fc.asyncProperty(
          fc.array(requested, { maxLength: 4 }),
          fc.array(requested, { minLength: 1, maxLength: 4 }),
          async (before, after) => {
            await run(before);
            await server.call('PUT', '/_sandbox/snapshots/here');
            const first = await run(after);
            const tables = tablesOf(own(server));
            await server.call('POST', '/_sandbox/snapshots/here/restore');
            expect(await run(after)).toEqual(first);
            expect(tablesOf(own(server))).toEqual(tables);
          },
        ),
        propertyRuns(8),
      );
    },
    propertyTimeout(120_000),
  );
});

/** A document in which one value is changed; `undefined` removes it. */
const edited = (path: string, value: unknown, of = smallFixture()): unknown => {
  const fixture = JSON.parse(JSON.stringify(of));
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const parent = steps.reduce((found, step) => found[step], fixture);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return fixture;
};

describe('a seed', () => {
  const document = (change: (fixture: SeedDocument) => void = () => {}): SeedDocument => {
    const fixture = smallFixture();
    change(fixture);
    return fixture;
  };

  test('replaces the bank with a document, and returns the ids by name', async () => {
    const server = await openBank();
    await pull(server, '5.00');
    const seed = document(({ accounts, persons }) => {
      const [person] = persons;
      if (person === undefined) throw new Error('the fixture has a person');
      persons.push({ ...person, as: 'third', id_number: '412345678', first_name: 'Ida' });
      accounts.push({ as: 'third_account', holder: 'third', label: 'Third', type: 'cash', funded: '12.34' });
    });
    const { status, body } = await server.call('POST', '/_sandbox/seed', seed);
    expect([status, body.counts.accounts, body.counts.transactions]).toEqual([200, 3, 3]);
    expect(body.ids).toMatchObject({
      third: expect.stringMatching(/^sah_/),
      third_account: expect.stringMatching(/^sub_/),
      ach_counterparty: expect.stringMatching(/^ctp_/),
      card_holder: expect.stringMatching(/^cah_/),
      virtual_card: expect.stringMatching(/^crd_/),
    });
    const account = await server.call('GET', `/v2/accounts/sub_account/${body.ids.third_account}`);
    expect(account.body).toMatchObject({ available_balance: '12.34', label: 'Third' });
  });

  test('is the state after a reset, also after a restart', async () => {
    const data = makeFolder();
    const first = await openBank({ data });
    const seed = document(({ accounts }) => {
      accounts.push({ as: 'extra', holder: 'person', label: 'Extra', type: 'cash', funded: '0.00' });
    });
    const { ids } = (await first.call('POST', '/_sandbox/seed', seed)).body;
    const digest = await first.digest();
    await pull(first, '5.00');
    await first.call('POST', '/_sandbox/reset');
    expect(await first.digest()).toBe(digest);
    await first.end();
    const second = await openBank({ data, seed: 'another', at: Date.parse('2026-05-05T05:05:05Z') });
    await pull(second, '5.00');
    await second.call('POST', '/_sandbox/reset');
    expect(await second.digest()).toBe(digest);
    expect((await second.call('GET', `/v2/accounts/sub_account/${ids.extra}`)).status).toBe(200);
  });

  test('is dated by the clock of the sandbox, which it does not change', async () => {
    const server = await openBank();
    await freeze(server);
    const { body } = await server.call('POST', '/_sandbox/seed', document());
    expect(body.clock).toEqual({ mode: 'frozen', now: '2026-07-02T17:00:00.000Z', rate: 0 });
    const account = await server.call('GET', `/v2/accounts/sub_account/${body.ids.account}`);
    expect(account.body.timestamps?.created_at ?? account.body.created_at).toBe('2026-07-02T17:00:00Z');
    await server.call('POST', '/_sandbox/reset');
    expect((await server.call('GET', '/_sandbox/clock')).body.mode).toBe('live');
  });

  test.each([
    ['persons', undefined, 'persons is required'],
    ['persons.0.first_name', undefined, 'persons.0.first_name is required'],
    ['persons.1.address.city', 7, 'persons.1.address.city must be a string'],
    ['accounts.0.type', 'savings', 'accounts.0.type must be one of'],
    ['persons.0.nick_name', 'Ada', 'this operation does not accept persons[].nick_name'],
    [
      'accounts.1.holder',
      'nobody',
      'accounts.1.holder names "nobody", which is not in persons or businesses; there are: person, other_person, business',
    ],
    ['accounts.0.holder', 'account', 'accounts.0.holder names "account"'],
    [
      'counterparties.1.intra_account',
      'savings',
      'counterparties.1.intra_account names "savings", which is not in accounts; there are: account, other_account',
    ],
    ['counterparties.1.intra_account', 'account', 'counterparties.1: Invalid self intrabank request'],
    ['card_holders.0.person', 'business', 'card_holders.0.person names "business", which is not in persons'],
    [
      'cards.0.card_holder',
      'person',
      'cards.0.card_holder names "person", which is not in card_holders; there are: card_holder',
    ],
    [
      'cards.1.as',
      'virtual_card',
      'cards.1.as is "virtual_card", which is already used in cards; each name must be unique',
    ],
    [
      'accounts.0.funded',
      '5000',
      'accounts.0.funded is "5000"; expected an amount like "12.50", or "0.00" for nothing',
    ],
    ['accounts.0.funded', '-1.00', 'accounts.0.funded is "-1.00"'],
    [
      'businesses.0.members.1.ownership',
      '100.01',
      'businesses.0.members.1.ownership is "100.01"; expected a percentage from "0.00" to "100.00"',
    ],
    ['persons.1.id_number', '212345678', 'persons.1: this id number belongs to another holder'],
    ['accounts.0.holder', 'business', 'accounts.0: '],
  ])('with %s as %j is refused with its path, and nothing changes', async (path, value, message) => {
    const server = await openBank();
    await pull(server, '5.00');
    const digest = await server.digest();
    const answer = await server.call('POST', '/_sandbox/seed', edited(path, value));
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(message);
    expect(await server.digest()).toBe(digest);
  });
});

describe('a seed with everything', () => {
  test('returns the ids of all named records, and its tokens', async () => {
    const server = await openBank();
    const { status, body } = await server.call('POST', '/_sandbox/seed', defaultSeedDocument(), 'test_all');
    expect(status).toBe(200);
    const { seeded } = (await server.call('GET', '/_sandbox', undefined, 'test_all')).body;
    expect(body.ids).toMatchObject({
      business_member: seeded.business_member_id,
      family: expect.stringMatching(/^fam_/),
      member: expect.stringMatching(/^mem_/),
      person_document: expect.stringMatching(/^doc_/),
      attachment: seeded.attachment_id,
      send_wire: expect.stringMatching(/^txn_/),
      unallocated: seeded.unallocated_transaction_id,
      show_token: seeded.show_token,
    });
    const transactions = await server.call(
      'GET',
      '/v2/payments/transaction?limit=100',
      undefined,
      'test_all',
    );
    const byId = (id: string) => transactions.body.data.find((one: { id: string }) => one.id === id);
    expect(byId(body.ids.send_wire)).toMatchObject({ status: 'settled', amount: '18.00' });
    expect(byId(body.ids.receive_check)).toMatchObject({ status: 'originated', amount: '28.00' });
    const shown = await server.call(
      'GET',
      `/v2/issuing/card/${body.ids.virtual_card}/show`,
      undefined,
      'test_all',
      { 'show-token': body.ids.show_token },
    );
    expect([shown.status, shown.body.card_number]).toEqual([200, expect.stringMatching(/^\d{16}$/)]);
  });

  test.each([
    [
      'businesses.0.members.0.as',
      'person',
      'businesses.0.members.0.as is "person", which is already used in persons',
    ],
    ['families.0.created_by', 'business', 'families.0.created_by names "business", which is not in persons'],
    ['memberships.0.of', 'person', 'memberships.0.of names "person", which is not in businesses or families'],
    ['memberships.0.ownership', 'half', 'memberships.0.ownership is "half"; expected a percentage'],
    ['documents.0.holder', 'account', 'documents.0.holder names "account"'],
    ['attachments.0.account', 'person', 'attachments.0.account names "person", which is not in accounts'],
    ['transfers.0.rail', 'pigeon', 'transfers.0.rail must be one of'],
    ['transfers.0.amount', '1', 'transfers.0.amount is "1"; expected an amount like "12.50"'],
    ['transfers.0.counterparty', 'payer', 'transfers.0.counterparty names "payer"'],
    ['transfers.2.amount', '99999.00', 'transfers.2: '],
    ['incoming.0.account', 'nobody', 'incoming.0.account names "nobody"'],
    ['incoming.0.amount', '', 'incoming.0.amount is ""'],
    ['tokens.0.of', 'vendor', 'tokens.0.of names "vendor", which is not in cards'],
    ['tokens.2.of', 'virtual_card', 'tokens.2.of names "virtual_card", which is not in counterparties'],
    ['tokens.0.expires_at', 'soon', 'tokens.0.expires_at is "soon"; expected an instant'],
  ])('with %s as %j is refused with its path', async (path, value, message) => {
    const server = await openBank();
    const digest = await server.digest();
    const answer = await server.call('POST', '/_sandbox/seed', edited(path, value, defaultSeedDocument()));
    expect([answer.status, answer.body.error?.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await server.digest()).toBe(digest);
  });
});

describe('an uploaded image', () => {
  const imageOf = async (change: (sqlite: InstanceType<typeof Database>) => void): Promise<Buffer> => {
    const server = await openInProcess();
    await freeze(server);
    await pull(server, '5.00');
    const sqlite = new Database((await server.call('GET', '/_sandbox/export')).bytes);
    change(sqlite);
    const image = sqlite.serialize();
    sqlite.close();
    return image;
  };
  const foreign = (sql: string): Buffer => {
    const sqlite = new Database(':memory:');
    sqlite.exec(sql);
    const image = sqlite.serialize();
    sqlite.close();
    return image;
  };

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['nothing', () => Buffer.alloc(0), 'curl --data-binary @bank.sqlite'],
    [
      'a text',
      () => Buffer.from('{"hello": true}'.repeat(50)),
      'it does not begin with the header of a SQLite database',
    ],
    [
      'only a header',
      () => Buffer.from('SQLite format 3\0'),
      'it does not begin with the header of a SQLite database',
    ],
    [
      'a header with garbage',
      () => Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5_000, 7)]),
      'this image cannot be used',
    ],
    [
      'half of a bank',
      async () => (await imageOf(() => {})).subarray(0, 60_000),
      'it is damaged: it has 60000 bytes, and its header says ',
    ],
    [
      'a damaged bank',
      async () => (await imageOf(() => {})).fill(0xaa, 40_000, 60_000),
      IS_WORKERD ? 'it is damaged' : 'malformed',
    ],
    ['another database', () => foreign('CREATE TABLE t (x)'), 'Sandbank did not write it'],
    [
      'another database with a version',
      () => foreign('CREATE TABLE t (x); PRAGMA user_version = 1'),
      'this image cannot be used',
    ],
    [
      'a bank of a newer version',
      () => imageOf((sqlite) => sqlite.pragma(`user_version = ${schemaVersion() + 1}`)),
      `it was written by a newer Sandbank (schema ${schemaVersion() + 1}, this version supports ${schemaVersion()})`,
    ],
    [
      'a bank with a trigger of its own',
      () => imageOf((sqlite) => sqlite.exec('CREATE TRIGGER t AFTER INSERT ON facts BEGIN SELECT 1; END')),
      "its schema differs from Sandbank's: trigger t",
    ],
    [
      'a bank without a table',
      () => imageOf((sqlite) => sqlite.exec('DROP TABLE agenda')),
      "its schema differs from Sandbank's: table agenda",
    ],
    [
      'an empty bank',
      () => imageOf((sqlite) => sqlite.exec("DELETE FROM meta WHERE key = 'program'")),
      'it does not contain a bank: it has no program',
    ],
    [
      'a bank without its program',
      () => imageOf((sqlite) => sqlite.exec("UPDATE meta SET value = '{}' WHERE key = 'program'")),
      'its program is invalid: ',
    ],
    [
      'a bank without its seed',
      () => imageOf((sqlite) => sqlite.exec("UPDATE meta SET value = '{}' WHERE key = 'seeded'")),
      'its seeded is invalid: ',
    ],
    [
      'a bank with wrong books',
      () =>
        imageOf((sqlite) =>
          sqlite.exec(
            "UPDATE ledger_accounts SET credits_posted = credits_posted + 1 WHERE kind = 'sub_account'",
          ),
        ),
      'its books are wrong: ',
    ],
    [
      'a bank with an orphan',
      () =>
        imageOf((sqlite) => {
          sqlite.pragma('foreign_keys = OFF');
          sqlite.exec('UPDATE deliveries SET webhook_id = hex(randomblob(16))');
          sqlite.exec(
            "INSERT INTO deliveries (webhook_id, fact_seq, kind, ordinal, state, attempts, due_at) VALUES ('x', 1, 'k', 0, 'waiting', 0, 0)",
          );
        }),
      'a row of deliveries refers to a missing row',
    ],
  ])('that is %s changes nothing', async (_, make, message) => {
    const bytes = await make();
    const server = await openBank();
    await pull(server, '5.00');
    const digest = await server.digest();
    const answer = await server.call('POST', '/_sandbox/import', bytes);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'image_invalid']);
    expect(answer.body.error.message).toContain(message);
    expect(await server.digest()).toBe(digest);
  });

  test('without a body or with JSON is refused with the accepted type', async () => {
    const server = await openBank();
    for (const body of [undefined, { sqlite: true }]) {
      const answer = await server.call('POST', '/_sandbox/import', body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'image_invalid']);
    }
  });

  test.each(PLACES)('that has only the rows is accepted, %s', async (_, options) => {
    const sqlite = new NodeDriver(await imageOf(() => {}));
    const rows = dumpRows(sqlite);
    sqlite.close();
    const server = await openBank(options());
    const answer = await server.call('POST', '/_sandbox/import', rows);
    expect([answer.status, answer.body.counts]).toEqual([200, await counts(server)]);
    const loaded = new NodeDriver(await server.image());
    expect(dumpRows(loaded).equals(rows)).toBe(true);
    loaded.close();
    const digest = await server.digest();
    const cut = await server.call('POST', '/_sandbox/import', rows.subarray(0, rows.length - 9));
    expect([cut.status, cut.body.error.message]).toEqual([400, expect.stringContaining('it is damaged: ')]);
    expect(await server.digest()).toBe(digest);
  });

  test('is accepted with any content type', async () => {
    const bytes = await imageOf(() => {});
    const server = await openBank();
    for (const type of ['application/vnd.sqlite3', 'application/x-www-form-urlencoded', 'text/plain']) {
      const answer = await server.call('POST', '/_sandbox/import', bytes, undefined, {
        'content-type': type,
      });
      expect(answer.status).toBe(200);
    }
    // No other operation has it.
    const other = await server.call('POST', '/_sandbox/seed', bytes);
    expect([other.status, other.body.error.code]).toEqual([415, 'media_unsupported']);
  });

  test('that is the file of a bank in a data directory is accepted', async () => {
    const data = makeFolder();
    const server = await openInProcess({ data });
    await pull(server, '5.00');
    const { transactions } = await counts(server);
    await server.end();
    const file = readFileSync(join(data, 'default.sqlite'));
    const other = await openBank();
    const answer = await other.call('POST', '/_sandbox/import', file);
    expect([answer.status, answer.body.counts.transactions]).toEqual([200, transactions]);
  });

  test('that was a snapshot and is damaged is refused, and the bank does not change', async () => {
    const data = makeFolder();
    const server = await openServer({ data });
    await server.call('PUT', '/_sandbox/snapshots/one');
    const path = join(data, 'snapshots', 'default', 'one.sqlite');
    writeFileSync(path, readFileSync(path).subarray(0, 9_000));
    const answer = await server.call('POST', '/_sandbox/snapshots/one/restore');
    expect([answer.status, answer.body.error.code]).toEqual([400, 'image_invalid']);
    expect((await server.call('GET', '/v2/webhook')).status).toBe(200);
    expect(readdirSync(join(data, 'snapshots', 'default'))).toEqual(['one.sqlite']);
  });
});
