/**
 * The images of a sandbox in a Durable Object of workerd: each operation that copies, stores or replaces a bank
 * returns the same response in an object and in a process. An image of one kind opens in the other, and both banks
 * behave the same afterwards. If workerd is not installed, worker.test.ts fails.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseOf } from '../../src/bank/store/images.ts';
import { NodeDriver } from '../../src/bank/store/node-driver.ts';
import { dumpRows, isRowImage } from '../../src/bank/store/row-image.ts';
import { asDatabase, asRows } from '../../src/cli/images.ts';
import { type Sandbank, startSandbank } from '../../src/kit/index.ts';
import { sandbank } from '../cli/support.ts';
import { until } from '../server/process/support.ts';
import { makeFolder } from '../support/folder.ts';
import {
  endWorkerd,
  makeWorkerFolder,
  startWorkerd,
  type Workerd,
  type WorkerFolder,
} from '../support/workerd.ts';
import { DIFFERENCES } from '../support/workerd-differences.ts';
import { WORKERD } from '../support/workerd-program.ts';

const SEED = 'images';
const SETTINGS = { SANDBANK_RAILS: 'manual', SANDBANK_SECRETS: 'seeded', SANDBANK_RANDOM_SEED: SEED };
const FROZEN = { mode: 'frozen', now: '2026-07-01T17:00:00.000Z' };

/** An image is a SQLite database in a process, and the rows of one in an object. */
const SIZES = [{ in: /"bytes":\d+/g, shown: '"bytes":<size>' }];

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a server says
  readonly json: any;
}

/** One of the two servers. */
type Call = (method: string, path: string, key?: string, body?: unknown) => Promise<Answer>;

const callTo =
  (url: () => string): Call =>
  async (method, path, key, body) => {
    const isBytes = Buffer.isBuffer(body) || body instanceof Uint8Array;
    const response = await fetch(url() + path, {
      method,
      headers: {
        ...(key !== undefined && { 'api-key': `test_${key}` }),
        ...(body !== undefined && {
          'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        }),
      },
      ...(body !== undefined && {
        body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type');
    const json = type?.includes('json') === true ? JSON.parse(bytes.toString('utf8')) : undefined;
    return { status: response.status, type, bytes, json };
  };

describe.runIf(WORKERD !== '')('the images of a sandbox in a Durable Object', () => {
  let folder: WorkerFolder;
  let workerd: Workerd;
  let process: Sandbank;
  const inObject = callTo(() => workerd.url);
  const inProcess = callTo(() => process.url);

  beforeAll(async () => {
    folder = await makeWorkerFolder();
    workerd = await startWorkerd(folder, SETTINGS);
    process = await startSandbank({ rails: 'manual', secrets: 'seeded', randomSeed: SEED });
  });
  afterAll(async () => {
    await process.close();
    await endWorkerd();
  });

  const shown = ({ status, type, bytes }: Answer) => {
    const text = [...DIFFERENCES, ...SIZES].reduce(
      (so, one) => so.replaceAll(one.in, one.shown),
      bytes.toString('utf8'),
    );
    return { status, type, text };
  };
  /** Calls both, and expects the same; returns the response of the object. */
  const both: Call = async (method, path, key, body) => {
    const answer = await inObject(method, path, key, body);
    expect(shown(answer), `${method} ${path}`).toEqual(shown(await inProcess(method, path, key, body)));
    return answer;
  };
  const seedOf = async (call: Call, key: string): Promise<Record<string, string>> =>
    (await call('GET', '/_sandbox', key)).json.seeded;
  const pay = async (call: Call, key: string, amount: string): Promise<Answer> => {
    const { sub_account_id, ach_counterparty_id: counterparty_id } = await seedOf(call, key);
    return call('POST', '/v2/payments/ach/pull', key, { sub_account_id, counterparty_id, amount });
  };
  const payBoth = async (key: string, amount: string): Promise<void> => {
    const [one, other] = [await pay(inObject, key, amount), await pay(inProcess, key, amount)];
    expect(shown(one)).toEqual(shown(other));
    expect(one.status).toBe(201);
  };
  const transactionsOf = async (call: Call, key: string): Promise<number> =>
    ((await call('GET', '/_sandbox', key)).json.counts as { transactions: number }).transactions;
  const freeze = (key: string) => both('PUT', '/_sandbox/clock', key, FROZEN);

  it('a sandbox is reset to its seed: the same records with the same ids', async () => {
    const key = 'reset';
    await freeze(key);
    const before = await both('GET', '/_sandbox', key);
    await payBoth(key, '3.00');
    expect((await both('POST', '/_sandbox/reset', key)).status).toBe(200);
    const after = (await inObject('GET', '/_sandbox', key)).json;
    expect(after.seeded).toEqual(before.json.seeded);
    expect(after.counts).toEqual(before.json.counts);
    await both('GET', '/v2/transactions', key);
    await both('GET', '/_sandbox/ledger/verify', key);
    // It then continues as the same bank would.
    await payBoth(key, '4.00');
  });

  it('a sandbox is seeded from a document, completely or not at all, and is reset to it', async () => {
    const key = 'seeded';
    await freeze(key);
    const document = {
      program: {
        name: 'Own',
        sponsor_bank: 'Bank',
        routing_number: '021000021',
        master_account: { label: 'Master', account_number: '9000000001' },
      },
      persons: [],
      businesses: [],
      accounts: [],
      counterparties: [],
      card_holders: [],
      cards: [],
    };
    await both('GET', '/_sandbox', key);
    await both('POST', '/_sandbox/seed', key, { ...document, accounts: [{ as: 'one', holder: 'nobody' }] });
    await both('GET', '/_sandbox', key);
    await both('POST', '/_sandbox/seed', key, document);
    const { counts } = (await both('GET', '/_sandbox', key)).json;
    await both('POST', '/_sandbox/reset', key);
    expect((await inObject('GET', '/_sandbox', key)).json.counts).toEqual(counts);
    await both('GET', '/_sandbox/ledger/verify', key);
  });

  it('snapshots are taken, listed, shown, compared, restored and deleted', async () => {
    const key = 'snapshots';
    await freeze(key);
    await both('GET', '/_sandbox/snapshots', key);
    await both('PUT', '/_sandbox/snapshots/one', key);
    await payBoth(key, '5.00');
    await both('PUT', '/_sandbox/snapshots/two', key);
    await payBoth(key, '6.00');
    await both('GET', '/_sandbox/snapshots', key);
    await both('GET', '/_sandbox/snapshots/one', key);
    const { counts } = (await both('GET', '/_sandbox/snapshots/one/compare', key)).json as unknown as {
      counts: { noun: string; created: number }[];
    };
    expect(counts.find(({ noun }) => noun === 'transactions')?.created).toBe(2);
    await both('GET', '/_sandbox/snapshots/one/compare?with=two&limit=1', key);
    await both('GET', '/_sandbox/snapshots/two/compare?with=one', key);
    await both('GET', '/_sandbox/snapshots/one/compare?with=three', key);
    const count = await transactionsOf(inObject, key);
    await both('POST', '/_sandbox/snapshots/one/restore', key);
    expect(await transactionsOf(inObject, key)).toBe(count - 2);
    await payBoth(key, '7.00');
    await both('POST', '/_sandbox/snapshots/two/restore', key);
    expect(await transactionsOf(inObject, key)).toBe(count - 1);
    await both('PUT', '/_sandbox/snapshots/a b', key);
    await both('DELETE', '/_sandbox/snapshots/two', key);
    await both('DELETE', '/_sandbox/snapshots/two', key);
    await both('POST', '/_sandbox/snapshots/two/restore', key);
    await both('GET', '/_sandbox/snapshots', key);
    await both('GET', '/_sandbox/ledger/verify', key);
  });

  it('a snapshot uses only the space that it needs, and is replaced by a smaller one', async () => {
    const key = 'large';
    const { sub_account_id } = await seedOf(inObject, key);
    const take = async (name: string): Promise<number> =>
      (await inObject('PUT', `/_sandbox/snapshots/${name}`, key)).json.bytes;
    const empty = await take('first');
    for (let number = 0; number < 3; number += 1) {
      const { json } = await inObject('POST', '/v2/attachment', key, {
        reference_id: sub_account_id,
        label: 'file',
      });
      const { pathname, search } = new URL(json.url);
      const file = randomBytes(900_000);
      expect((await inObject('PUT', pathname + search, undefined, file)).status).toBeLessThan(300);
    }
    // More than the two megabytes that a value may have.
    expect(await take('first')).toBeGreaterThan(empty + 2_500_000);
    await inObject('POST', '/_sandbox/reset', key);
    expect(await take('first')).toBe(await take('second'));
    expect((await inObject('POST', '/_sandbox/snapshots/first/restore', key)).status).toBe(200);
    expect((await inObject('GET', '/_sandbox/ledger/verify', key)).json.balanced).toBe(true);
  });

  it('a sandbox can start as a copy of another one, or of a snapshot, and is independent afterwards', async () => {
    const create = (body: object, key?: string) => both('POST', '/_sandbox/sandboxes', key, body);
    await freeze('original');
    await payBoth('original', '8.00');
    await both('PUT', '/_sandbox/snapshots/then', 'original');
    await payBoth('original', '9.00');
    const count = await transactionsOf(inObject, 'original');
    expect((await create({ name: 'copy', from: 'original' })).status).toBe(201);
    expect(await transactionsOf(inObject, 'copy')).toBe(count);
    expect((await create({ name: 'copy_then', from: 'original/then' })).status).toBe(201);
    expect(await transactionsOf(inObject, 'copy_then')).toBe(count - 1);
    expect((await create({ name: 'copy_own', from: 'then' }, 'original')).status).toBe(201);
    expect((await create({ name: 'copy_default', from: 'default' })).status).toBe(201);
    await payBoth('copy', '10.00');
    expect(await transactionsOf(inObject, 'original')).toBe(count);
    // Separate seeds, like the original.
    expect((await seedOf(inObject, 'copy')).sub_account_id).toBe(
      (await seedOf(inObject, 'original')).sub_account_id,
    );
    await both('GET', '/v2/transactions', 'copy');
    await both('GET', '/_sandbox/ledger/verify', 'copy_then');
    for (const from of ['nobody', 'nobody/then', 'original/never', 'original/then/more', 'original/a b']) {
      expect((await create({ name: 'copy_none', from })).status, from).toBeGreaterThan(399);
    }
    expect((await create({ name: 'copy', from: 'original' })).status).toBe(409);
    const names = (await inObject('GET', '/_sandbox/sandboxes')).json.sandboxes as unknown as {
      name: string;
    }[];
    expect(names.map(({ name }) => name)).not.toContain('copy_none');
  });

  it('an image of one kind can be opened in the other, and both banks continue identically', async () => {
    await freeze('there');
    await payBoth('there', '11.00');
    const fromProcess = (await inProcess('GET', '/_sandbox/export', 'there')).bytes;
    const exported = await inObject('GET', '/_sandbox/export', 'there');
    expect([exported.status, exported.type]).toEqual([200, 'application/vnd.sandbank.rows']);
    expect([isRowImage(exported.bytes), isRowImage(fromProcess)]).toEqual([true, false]);

    const next = async (key: string) => {
      const answer = await pay(inObject, key, '12.00');
      expect(answer.status).toBe(201);
      expect(answer.bytes.toString()).toBe((await pay(inProcess, key, '12.00')).bytes.toString());
      const books = await inObject('GET', '/_sandbox/ledger/verify', key);
      expect(books.json.balanced).toBe(true);
      expect(books.bytes.toString()).toBe(
        (await inProcess('GET', '/_sandbox/ledger/verify', key)).bytes.toString(),
      );
    };
    const taken = async (call: Call, key: string, image: Uint8Array) =>
      expect((await call('POST', '/_sandbox/import', key, image)).json.sandbox).toBe(key);

    await taken(inObject, 'rows', exported.bytes);
    await taken(inProcess, 'rows', exported.bytes);
    await next('rows');
    await taken(inObject, 'database', await asRows(fromProcess));
    await taken(inProcess, 'database', fromProcess);
    await next('database');
    await taken(inObject, 'round', exported.bytes);
    await taken(inProcess, 'round', await asDatabase(exported.bytes));
    await next('round');
    const again = (await inObject('GET', '/_sandbox/export', 'round')).bytes;
    expect(
      again.equals(Buffer.from(await asRows((await inProcess('GET', '/_sandbox/export', 'round')).bytes))),
    ).toBe(true);
  });

  it('the command line writes a SQLite database, and imports one', async () => {
    const file = join(makeFolder(), 'bank.sqlite');
    const cli = async (...words: string[]) => {
      const { code, stderr } = await sandbank([...words, '--url', workerd.url]);
      expect([code, stderr]).toEqual([0, '']);
    };
    await pay(inObject, 'line', '13.00');
    const count = await transactionsOf(inObject, 'line');
    await cli('export', file, '--key', 'test_line');
    await inObject('POST', '/_sandbox/reset', 'line');
    await cli('import', file, '--key', 'test_line');
    expect(await transactionsOf(inObject, 'line')).toBe(count);
    await cli('export', `${file}.rows`, '--rows', '--key', 'test_line');
    await inObject('POST', '/_sandbox/reset', 'line');
    await cli('import', `${file}.rows`, '--key', 'test_line');
    expect(await transactionsOf(inObject, 'line')).toBe(count);
  });

  it('an unusable image is refused, and nothing changes', async () => {
    const key = 'refusing';
    await pay(inObject, key, '14.00');
    const { bytes } = await inObject('GET', '/_sandbox/export', key);
    const cut = Buffer.from(bytes.subarray(0, bytes.length - 10));
    const changed = (sql: string): Buffer => {
      const sqlite = new NodeDriver(databaseOf(bytes));
      sqlite.pragma('foreign_keys = OFF');
      sqlite.pragma('ignore_check_constraints = ON');
      sqlite.exec(sql);
      return dumpRows(sqlite);
    };
    const before = (await inObject('GET', '/_sandbox', key)).json.counts;
    for (const [image, message] of [
      [Buffer.from('no image at all'), 'it does not begin with the header of a SQLite database'],
      [cut, 'it is damaged'],
      [Buffer.from(await asDatabase(bytes)), 'a bank of a cluster reads the rows of one'],
      [
        changed('UPDATE cards SET account_id = hex(randomblob(16))'),
        'a row of cards refers to a missing row',
      ],
      [changed("UPDATE meta SET value = '{}' WHERE key = 'program'"), 'its program is invalid'],
      [changed("UPDATE accounts SET status = 'ajar'"), 'CHECK constraint failed'],
      [
        changed("UPDATE ledger_accounts SET credits_posted = credits_posted + 1 WHERE kind = 'sub_account'"),
        'its books are wrong',
      ],
      [changed("UPDATE accounts SET metadata = '[]'"), 'a row of accounts has'],
    ] as const) {
      const { status, json } = await inObject('POST', '/_sandbox/import', key, image);
      const { code, message: said } = json.error as { code: string; message: string };
      expect([status, code]).toEqual([400, 'image_invalid']);
      expect(said).toContain(message);
    }
    expect((await inObject('GET', '/_sandbox', key)).json.counts).toEqual(before);
    expect((await inObject('GET', '/_sandbox/ledger/verify', key)).json.balanced).toBe(true);
    expect((await pay(inObject, key, '15.00')).status).toBe(201);
  });

  it('an example of an event that never occurred in the sandbox is sent', async () => {
    const receiver = createServer(
      (request, response) => void request.resume().once('end', () => response.end()),
    ).listen(0, '127.0.0.1');
    onTestFinished(() => void receiver.close());
    await until('the receiver', () => receiver.listening);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const { json } = await inObject('POST', '/v2/webhook', 'examples', { url, events: ['card.created'] });
    const path = `/_sandbox/webhooks/${json.id}/send_example`;
    const example = await inObject('POST', path, 'examples', { type: 'card.status.closed' });
    expect([example.status, example.json.delivered, example.json.made_from]).toEqual([200, true, '']);
    expect((await inObject('GET', '/_sandbox/ledger/verify', 'examples')).json.balanced).toBe(true);
  });

  it('snapshots and imports are stored over a loss of the runtime', async () => {
    const key = 'lost';
    await pay(inObject, key, '16.00');
    await inObject('PUT', '/_sandbox/snapshots/kept', key);
    const count = await transactionsOf(inObject, key);
    await pay(inObject, key, '17.00');
    const { bytes } = await inObject('GET', '/_sandbox/export', key);
    await inObject('POST', '/_sandbox/import', 'lost_too', bytes);
    await workerd.kill();
    workerd = await startWorkerd(folder, SETTINGS);
    expect(await transactionsOf(inObject, 'lost_too')).toBe(count + 1);
    expect((await inObject('POST', '/_sandbox/snapshots/kept/restore', key)).status).toBe(200);
    expect(await transactionsOf(inObject, key)).toBe(count);
    expect((await pay(inObject, key, '18.00')).status).toBe(201);
  });
});
