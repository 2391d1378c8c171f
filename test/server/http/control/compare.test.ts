// The changes of a bank since a snapshot: created, changed and removed records, field by field, with masked secrets.

import { describe, expect, it, test } from 'vitest';
import { parseSender } from '../../../../src/sandboxes/control/simulations/fields.ts';
import { type Bank, openBank, openServer, PLACES } from './server.ts';

interface Difference {
  noun: string;
  id: string;
  change: string;
  record: Record<string, unknown>;
  fields: { field: string; before: unknown; after: unknown }[];
}
interface Counts {
  noun: string;
  created: number;
  changed: number;
  removed: number;
}

const compare = async ({ call }: Bank, query = '') => {
  const { status, body } = await call('GET', `/_sandbox/snapshots/before/compare${query}`);
  expect(status).toBe(200);
  const counts: Counts[] = body.counts;
  const records: Difference[] = body.records;
  return {
    records,
    counts: counts.filter(({ created, changed, removed }) => created + changed + removed > 0),
  };
};
const seededOf = async ({ call }: Bank): Promise<Record<string, string>> =>
  (await call('GET', '/_sandbox')).body.seeded;
const fieldsOf = (records: Difference[], id: string | undefined) =>
  Object.fromEntries(
    (records.find((row) => row.id === id)?.fields ?? []).map(({ field, before, after }) => [
      field,
      [before, after],
    ]),
  );
const take = ({ call }: Bank, name = 'before') => call('PUT', `/_sandbox/snapshots/${name}`);

describe.each(PLACES)('a snapshot of a bank %s', (_, place) => {
  const open = () => openBank({ ...place(), rails: 'manual' });

  it('equals the bank right after it was taken', async () => {
    const server = await open();
    await take(server);
    expect(await compare(server)).toEqual({ counts: [], records: [] });
  });

  it('lists created and changed records, with fields before and after', async () => {
    const server = await open();
    const { sub_account_id: account, virtual_card_id: card, intra_counterparty_id } = await seededOf(server);
    await take(server);
    const made = await server.call('POST', '/v2/payments/intra_account/pull', {
      sub_account_id: account,
      counterparty_id: intra_counterparty_id,
      amount: '25.00',
    });
    await server.call('PATCH', `/v2/issuing/card/${card}`, { label: 'Travel' });
    const { records, counts } = await compare(server);
    expect(counts).toEqual([
      { noun: 'accounts', created: 0, changed: 2, removed: 0 },
      { noun: 'cards', created: 0, changed: 1, removed: 0 },
      { noun: 'transactions', created: 2, changed: 0, removed: 0 },
    ]);
    expect(fieldsOf(records, account)).toEqual({ available_balance: ['5000.00', '5025.00'] });
    expect(fieldsOf(records, card)).toMatchObject({ label: [expect.any(String), 'Travel'] });
    const transaction = records.find(({ id }) => id === made.body.id);
    expect(transaction).toMatchObject({ noun: 'transactions', change: 'created', fields: [] });
    expect(transaction?.record).toMatchObject({ amount: '25.00', status: 'settled' });
  });

  it('lists the records of a later snapshot, and the removed ones in the opposite direction', async () => {
    const server = await open();
    const { sub_account_id } = await seededOf(server);
    await take(server, 'after');
    await server.call('POST', '/_sandbox/simulate/incoming/rtp', { sub_account_id, amount: '7.00' });
    await take(server);
    const { records, counts } = await compare(server, '?with=after');
    expect(counts).toContainEqual({ noun: 'transactions', created: 0, changed: 0, removed: 1 });
    expect(records.find(({ noun }) => noun === 'transactions')).toMatchObject({
      change: 'removed',
      record: { amount: '7.00', status: 'received' },
    });
    expect(fieldsOf(records, sub_account_id)).toEqual({ pending_credits: ['7.00', '0.00'] });
  });

  it('limits the records of each noun, counts all, and does not store the comparison', async () => {
    const server = await open();
    const { sub_account_id } = await seededOf(server);
    await take(server);
    for (let turn = 0; turn < 5; turn += 1) {
      await server.call('POST', '/_sandbox/simulate/incoming/rtp', { sub_account_id, amount: '7.00' });
    }
    const { records, counts } = await compare(server, '?limit=2');
    expect(records.filter(({ noun }) => noun === 'transactions')).toHaveLength(2);
    expect(counts).toContainEqual({ noun: 'transactions', created: 5, changed: 0, removed: 0 });
    const { snapshots } = (await server.call('GET', '/_sandbox/snapshots')).body;
    expect(snapshots).toHaveLength(1);
    expect((await server.call('POST', '/_sandbox/snapshots/before/restore')).status).toBe(200);
    expect(await compare(server)).toEqual({ counts: [], records: [] });
  });

  it('with many records is compared in a thread, with the same result', async () => {
    const server = await openServer({ ...place(), rails: 'manual' });
    const { sub_account_id } = await seededOf(server);
    await take(server, 'empty');
    const { bank, commit } = server.registry.default();
    const accountId = sub_account_id?.slice(4) ?? '';
    await commit(() => {
      for (let turn = 0; turn < 1500; turn += 1) {
        const { id } = bank.payments.receive('rtp_received', {
          accountId,
          amount: 100,
          description: '',
          sender: parseSender(undefined),
        });
        bank.payments.applyEvent(id, 'settle');
      }
    });
    await take(server);
    await server.call('POST', '/_sandbox/simulate/incoming/rtp', { sub_account_id, amount: '7.00' });
    const { records, counts } = await compare(server);
    expect(counts.find(({ noun }) => noun === 'transactions')).toMatchObject({ created: 1, changed: 0 });
    expect(fieldsOf(records, sub_account_id)).toEqual({ pending_credits: ['0.00', '7.00'] });
    const all = await compare(server, '?with=empty&limit=3');
    expect(all.counts).toContainEqual({ noun: 'transactions', created: 0, changed: 0, removed: 1500 });
  });
});

test('numbers of persons and accounts are masked, and secrets are not compared', async () => {
  const server = await openBank();
  const { call } = server;
  await take(server);
  const { sub_account_id } = await seededOf(server);
  const webhook = await call('POST', '/v2/webhook', {
    url: 'http://127.0.0.1:9/hook',
    events: ['transaction.created'],
    description: '',
  });
  await call('POST', `/_sandbox/simulate/accounts/${sub_account_id}/lock`);
  const { records } = await compare(server);
  const account = records.find(({ id }) => id === sub_account_id);
  expect(account?.record.account_number).toMatch(/^\*+\d{4}$/);
  expect(account?.fields.map(({ field }) => field)).toContain('status');
  expect(records.find(({ noun }) => noun === 'webhooks')).toMatchObject({
    change: 'created',
    id: webhook.body.id,
  });
  expect(JSON.stringify(records)).not.toContain(webhook.body.secret);
  expect(webhook.body.secret.length).toBeGreaterThan(10);
});

test('an unknown snapshot is refused with the names of the existing ones', async () => {
  const server = await openBank();
  await take(server);
  for (const path of ['none/compare', 'before/compare?with=none']) {
    const { status, body } = await server.call('GET', `/_sandbox/snapshots/${path}`);
    expect([status, body.error.code, body.error.hint]).toEqual([404, 'snapshot_not_found', 'legal: before']);
  }
});
