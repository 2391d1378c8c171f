/**
 * POST /v1/batch/intrabank: executed transfers, refused transfers, and their results. Decision `v1-batch` in
 * docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { MAX_CENTS } from '../../../src/bank/kernel/money.ts';
import { BATCH } from '../../contract/v1/money.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';
import { available, giveRails, kinds } from './v1-orders.ts';

const http = useHttp({ small: true });
const PATH = '/v1/batch/intrabank';

const item = (caller: Caller, sequence: number, change: object = {}) => ({
  sequence: String(sequence),
  api: 'send',
  accountId: caller.seed('account_id'),
  contactId: caller.seed('contact_id'),
  amount: '10.00',
  description: `Item ${sequence}`,
  ...change,
});
const submit = (caller: Caller, ...data: object[]) => caller.v1('POST', PATH, { data });
const sent = async (caller: Caller, rail: string) =>
  (await caller.v1('GET', `/v1/${rail}/intrabank`)).at('data') as { description: string; title: string }[];

describe('a batch (createIntrabankBatch)', () => {
  it('returns the submitted status, and has been executed by then', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const answer = await submit(
      caller,
      item(caller, 1, { title: 'November' }),
      item(caller, 2, { api: 'receive', amount: '4.00' }),
    );
    expectRecord(answer, 'createIntrabankBatch', BATCH);
    expect(answer.body).toEqual({
      batchId: expect.stringMatching(/^bch-[0-9a-f-]{36}$/),
      transferType: 'intrabank',
      status: 'submitted',
      totalCount: 2,
      successCount: 0,
      failedCount: 0,
      createdAt: '2026-11-20T18:00:00Z',
      modifiedAt: '2026-11-20T18:00:00Z',
      completedAt: '',
    });
    expect(await available(caller)).toBe('4994.00');
    expect(await available(caller, 'other_sub_account_id')).toBe('2506.00');
    expect(await sent(caller, 'send')).toMatchObject([{ description: 'Item 1', title: 'November' }]);
    expect(await sent(caller, 'receive')).toMatchObject([{ description: 'Item 2', title: '' }]);
  });

  it('is executed in order, and a refused item does not affect others', async () => {
    const caller = http.caller();
    await giveRails(caller);
    await caller.listen();
    const nobody = 'con-00000000-0000-0000-0000-000000000000';
    const answer = await submit(
      caller,
      item(caller, 1, { amount: '4999.00' }),
      item(caller, 2, { amount: '1.01' }),
      item(caller, 3, { contactId: nobody }),
      item(caller, 4, { amount: '9999999999999.99', api: 'receive' }),
      item(caller, 5, { amount: '1.00' }),
    );
    expect(answer.at('totalCount')).toBe(5);
    expect(await available(caller)).toBe('0.00');
    expect((await sent(caller, 'send')).map(({ description }) => description)).toEqual(['Item 5', 'Item 1']);
    expect((await kinds(caller)).filter((kind) => kind === 'transfer.created')).toHaveLength(2);
    const explained = await caller.v2('GET', `/_sandbox/explain/${answer.id('batchId')}`);
    expect(explained.at('summary')).toBe('completed; control batch: 2 of 5 were executed');
    expect((explained.at('decisions') as object[]).slice(0, 3)).toMatchObject([
      { name: 'item 2', effect: 'refused insufficient_funds', numbers: { amount: '1.01' } },
      { name: 'item 3', effect: 'refused counterparty_not_found' },
      { name: 'item 4', effect: 'refused insufficient_funds' },
    ]);
  });

  it('rolls back what an item had written if the ledger refuses it', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const { bank, commit, store } = caller.sandbox;
    // An amount after which the books can take 5000.00 more on this account, once.
    await commit(() =>
      bank.payments.receiveAtOnce('ach_received_push', {
        accountId: caller.sandbox.seeded.ids.other_account ?? '',
        amount: MAX_CENTS - 7500_00,
        sender: {},
      }),
    );
    const before = store.counts().transactions ?? 0;
    const answer = await submit(
      caller,
      item(caller, 1, { amount: '5000.00' }),
      item(caller, 2, { amount: '5000.00', api: 'receive' }),
      item(caller, 3, { amount: '1.00' }),
    );
    const explained = await caller.v2('GET', `/_sandbox/explain/${answer.id('batchId')}`);
    expect(explained.at('decisions.0')).toMatchObject({ name: 'item 3', effect: 'refused amount_too_large' });
    expect(await available(caller)).toBe('5000.00');
    expect(store.counts().transactions).toBe(before + 4);
  });

  it('that is malformed is refused as a whole', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const before = digestOf(caller.sandbox);
    const bad = [
      [400, 'EC_BATCH_INVALID_REQUEST', { data: [] }],
      [400, 'EC_BATCH_INVALID_REQUEST', { data: [item(caller, 1), item(caller, 2, { api: 'push' })] }],
      [400, 'EC_BATCH_INVALID_AMOUNT', { data: [item(caller, 1), item(caller, 2, { amount: '0.00' })] }],
      [404, 'EC_CONTACT_NOT_FOUND', { data: [item(caller, 1), item(caller, 2, { contactId: 'nobody' })] }],
      [400, 'EC_BATCH_INVALID_REQUEST', { data: Array.from({ length: 1001 }, () => item(caller, 1)) }],
    ] as const;
    for (const [status, code, body] of bad) {
      expectRefusedV1(await caller.v1('POST', PATH, body), { status, code });
    }
    expect(digestOf(caller.sandbox)).toBe(before);
    const zero = await submit(caller, item(caller, 1, { amount: '0.00' }));
    expect(zero.at('message')).toContain('data.0.amount');
  });

  it('may have a thousand items', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const items = Array.from({ length: 1000 }, (_, place) => item(caller, place + 1, { amount: '0.01' }));
    expect((await submit(caller, ...items)).at('totalCount')).toBe(1000);
    expect(await available(caller)).toBe('4990.00');
  });

  it('is executed once under its key', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const body = { data: [item(caller, 1)] };
    const first = await caller.v1('POST', PATH, body, { 'sd-idempotency-key': 'once' });
    const again = await caller.v1('POST', PATH, body, { 'sd-idempotency-key': 'once' });
    expect(again.body).toEqual(first.body);
    expect(await available(caller)).toBe('4990.00');
  });

  it('that was never submitted has no explanation', async () => {
    const answer = await http
      .caller()
      .v2('GET', '/_sandbox/explain/bch-00000000-0000-0000-0000-000000000000');
    expect([answer.status, answer.at('error.code')]).toEqual([404, 'batch_not_found']);
  });
});
