/**
 * The state that a data directory keeps for the next process, however the first one ended: balances, ids, idempotency
 * keys, scheduled steps, documents, and the events of all acknowledged changes.
 */

import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallFixture } from '../../support/sandbox.ts';
import { type Arrival, openReceiver } from '../http/receiver.ts';
import { makeFolder, pull, type Running, startBank, stop, totals, until } from './support.ts';

describe.concurrent('the data of a bank', () => {
  it('may be deleted together with the working directory of the bank: it continues, and stops', async () => {
    const folder = join(makeFolder(), 'project');
    mkdirSync(folder);
    const bank = await startBank({ SANDBANK_DATA: '.sandbank' }, undefined, folder);
    rmSync(folder, { recursive: true });
    const answers = [
      await bank.v2('PUT', '/_sandbox/snapshots/after'),
      await bank.v2('POST', '/_sandbox/reset', {}),
      await bank.v2('GET', `/v2/accounts/sub_account/${bank.seeded.sub_account_id}`),
    ];
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect((await stop(bank)).code).toBe(0);
  });

  it('is complete after a kill: balances, ids, keys, secrets and the responses of repeated requests', async () => {
    const settings = { SANDBANK_DATA: makeFolder(), SANDBANK_RAILS: 'manual' };
    const bank = await startBank(settings);
    const key = { 'idempotency-key': 'once' };
    const made = await pull(bank, '62.40', key);
    await bank.v1('POST', `/v1/card/${bank.seeded.card_id}/test`, { amount: '18.40' });
    await bank.v2('PATCH', `/v2/issuing/card/${bank.seeded.virtual_card_id}`, { label: 'Fuel' });
    const other = { 'api-key': 'test_other' };
    await bank.v2('PATCH', `/v2/issuing/card/${bank.seeded.virtual_card_id}`, { label: 'Elsewhere' }, other);
    await stop(bank, 'SIGKILL');

    const again = await startBank(settings);
    expect(again.seeded).toEqual(bank.seeded);
    expect(await totals(again)).toEqual(['4981.60', '62.40', '18.40']);
    expect((await again.v2('GET', `/v2/payments/transaction/${made.body.id}`)).body).toEqual(made.body);
    const card = `/v2/issuing/card/${again.seeded.virtual_card_id}`;
    expect((await again.v2('GET', card)).body.label).toBe('Fuel');
    expect((await again.v2('GET', card, undefined, other)).body.label).toBe('Elsewhere');
    expect((await pull(again, '62.40', key)).text).toBe(made.text);
    expect(await totals(again)).toEqual(['4981.60', '62.40', '18.40']);
    const next = await pull(again, '1.00');
    expect(next.status).toBe(201);
    expect(String(next.body.id) > String(made.body.id), 'ids go on in their order').toBe(true);
  });

  it('contains scheduled steps, and overdue ones are caught up', async () => {
    const settings = { SANDBANK_DATA: makeFolder(), SANDBANK_RAILS: 'fast' };
    const bank = await startBank(settings);
    const made = await pull(bank, '62.40');
    await stop(bank, 'SIGKILL');
    const again = await startBank(settings);
    const settled = await until('the settlement', async () => {
      const { body } = await again.v2('GET', `/v2/payments/transaction/${made.body.id}`);
      return body.status === 'settled' && body;
    });
    expect(await totals(again)).toEqual(['5062.40', '0.00', '0.00']);
    const { created_at, settled_at } = settled.timestamps as { created_at: string; settled_at: string };
    const seconds = (Date.parse(settled_at) - Date.parse(created_at)) / 1000;
    // Four steps of a second each, at their scheduled instants.
    expect(seconds).toBeGreaterThanOrEqual(4);
    expect(seconds).toBeLessThanOrEqual(5);
  });

  it('contains documents, which are uploaded and downloaded through their links', async () => {
    const settings = { SANDBANK_DATA: makeFolder() };
    const bank = await startBank(settings);
    const document = await bank.v1('POST', `/v1/person/${bank.seeded.person_id}/document`, {
      name: 'Passport',
    });
    const link = String(document.body.url);
    expect(link.startsWith(`${bank.url}/`)).toBe(true);
    const file = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 0xff, 0x0a]);
    const sent = await fetch(link, {
      method: 'PUT',
      body: file,
      headers: { 'content-type': 'application/pdf' },
    });
    expect(sent.status).toBe(200);
    await stop(bank, 'SIGKILL');

    const again = await startBank(settings);
    const got = await fetch(link.replace(bank.url, again.url));
    expect(got.status).toBe(200);
    expect(got.headers.get('content-type')).toBe('application/pdf');
    expect(new Uint8Array(await got.arrayBuffer())).toEqual(file);
    expect((await fetch(link.replace(bank.url, again.url).replace(/.$/, '_'))).status).toBe(404);
  });
});

describe.concurrent('a key that is first used after a restart', () => {
  const read = async (bank: Running, name: string) => {
    const key = { 'api-key': `test_${name}` };
    const { seeded } = (await bank.v2('GET', '/_sandbox', undefined, key)).body as {
      seeded: Record<string, string>;
    };
    const records = await Promise.all(
      [
        `/v2/accounts/sub_account/${seeded.sub_account_id}`,
        `/v2/issuing/card/${seeded.virtual_card_id}`,
        '/v2/payments/transaction',
      ].map(async (path) => (await bank.v2('GET', path, undefined, key)).text),
    );
    // Each sandbox has its own secrets.
    const open = Object.entries(seeded).filter(([of]) => !/_(token|secret)$/.test(of));
    return { seeded: Object.fromEntries(open), records };
  };

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'opens the same bank as before, if the first process ended by %s',
    async (signal) => {
      const settings = { SANDBANK_DATA: makeFolder(), SANDBANK_RAILS: 'manual' };
      const bank = await startBank(settings);
      const a = await read(bank, 'a');
      await stop(bank, signal);
      // The result of a process that uses the other key first.
      const copy = { ...settings, SANDBANK_DATA: join(makeFolder(), 'copy') };
      cpSync(settings.SANDBANK_DATA, copy.SANDBANK_DATA, { recursive: true });

      const [again, other] = await Promise.all([startBank(settings), startBank(copy)]);
      const b = await read(again, 'b');
      expect(b).toEqual(a);
      expect(await read(other, 'b')).toEqual(b);
      expect(await read(again, 'a')).toEqual(a);
    },
  );

  it('opens the same bank, whatever was imported into the default sandbox', async () => {
    const settings = { SANDBANK_DATA: makeFolder(), SANDBANK_RAILS: 'manual' };
    const bank = await startBank(settings);
    const a = await read(bank, 'a');
    await bank.v1('PATCH', `/v1/contact/${bank.seeded.contact_id}`, { name: 'Elsewhere' });
    const image = await (
      await fetch(`${bank.url}/_sandbox/export`, { headers: { 'api-key': bank.key } })
    ).arrayBuffer();
    const document = { ...smallFixture(), cards: [] };
    expect((await bank.v2('POST', '/_sandbox/seed', document)).status).toBe(200);
    expect(await read(bank, 'b')).toEqual(a);
    await stop(bank, 'SIGKILL');

    const again = await startBank(settings);
    expect(await read(again, 'c')).toEqual(a);
    const imported = await fetch(`${again.url}/_sandbox/import`, {
      method: 'POST',
      body: image,
      headers: { 'api-key': again.key, 'content-type': 'application/vnd.sqlite3' },
    });
    expect(imported.status).toBe(200);
    expect(await read(again, 'd')).toEqual(a);
    await stop(again);
    const third = await startBank(settings);
    expect(await read(third, 'e')).toEqual(a);
  });
});

const WORKERS = 8;
const ENOUGH = 150;

/** Pays as fast as possible until the bank has exited; returns the acknowledged ids. */
async function payUntilGone(bank: Running, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      const { status, body } = await pull(bank, '0.01');
      if (status === 201) acknowledged.push(String(body.id));
    } catch {
      return;
    }
  }
}

const transactionOf = ({ json }: Arrival): string => (json.data as { id: string }).id;
const eventOf = ({ headers }: Arrival): string => String(headers['webhook-id']);

describe.concurrent('a bank that is killed in the middle of a burst', () => {
  it.each([1, 16])(
    'loses no event of an acknowledged payment, and repeats at most those in flight, %i at a time',
    async (atOnce) => {
      const settings = {
        SANDBANK_DATA: makeFolder(),
        SANDBANK_RAILS: 'manual',
        SANDBANK_LOG_LEVEL: 'warn',
        SANDBANK_WEBHOOK_CONCURRENCY: String(atOnce),
      };
      const receiver = await openReceiver();
      try {
        const bank = await startBank(settings);
        const countAtStart = ((await bank.v2('GET', '/_sandbox')).body.counts as Record<string, number>)
          .transactions;
        await bank.v2('POST', '/v2/webhook', { url: receiver.url, events: ['transaction.created'] });
        const acknowledged: string[] = [];
        const workers = Array.from({ length: WORKERS }, () => payUntilGone(bank, acknowledged));
        await until('a burst', () => acknowledged.length >= ENOUGH && receiver.arrivals.length >= ENOUGH / 2);
        await stop(bank, 'SIGKILL');
        await Promise.all(workers);
        const before = receiver.arrivals.splice(0);

        const again = await startBank(settings);
        const summary = async () =>
          (await again.v2('GET', '/_sandbox')).body.counts as Record<string, number>;
        await until('the rest of the deliveries', async () => (await summary()).waiting_deliveries === 0);
        const after = receiver.arrivals;
        const received = new Set([...before, ...after].map(transactionOf));

        expect(
          acknowledged.filter((id) => !received.has(id)),
          'acknowledged, but never told of',
        ).toEqual([]);
        // The bank may have a payment whose response was lost in the kill, and no other.
        expect(received.size - acknowledged.length).toBeLessThanOrEqual(WORKERS);
        expect(received.size + (countAtStart ?? 0), 'as many as there are, with those of the seeding').toBe(
          (await summary()).transactions,
        );

        const repeatable = new Set(after.map(eventOf));
        const repeated = before.map(eventOf).filter((id) => repeatable.has(id));
        // This many are in flight at a time, and earlier responses may not be recorded yet.
        expect(repeated.length).toBeLessThanOrEqual(2 * atOnce);
        const last = before.map(eventOf).slice(-2 * atOnce);
        expect(repeated.filter((id) => !last.includes(id))).toEqual([]);
        expect(new Set(before.map(eventOf)).size, 'nothing is repeated without a kill').toBe(before.length);
        expect(repeatable.size).toBe(after.length);

        const order = [...before, ...after.filter((it) => !repeated.includes(eventOf(it)))].map(
          transactionOf,
        );
        // With several in flight, any number may overtake one.
        if (atOnce === 1) expect(order, 'in the order in which they happened').toEqual(order.toSorted());
        expect(await totals(again)).toEqual(['5000.00', (received.size / 100).toFixed(2), '0.00']);
      } finally {
        await receiver.close();
      }
    },
  );
});
