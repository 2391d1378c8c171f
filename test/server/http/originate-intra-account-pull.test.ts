/**
 * POST /v2/payments/intra_account/pull: money from another sub account, settled immediately, or a recorded decline.
 * Decisions `value-strictness`, `id-format`, `shared-records`, `too-little-money` and `unfit-payment-side` in
 * docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { contradictions } from '../../contract/rows.ts';
import { TRANSACTION_V1 } from '../../contract/v1/money.ts';
import { TRANSACTION } from '../../contract/v2/transaction.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const PATH = '/v2/payments/intra_account/pull';
const http = useHttp();
const order = (caller: Caller, change: object = {}) => ({
  sub_account_id: caller.seed('sub_account_id'),
  counterparty_id: caller.seed('intra_counterparty_id'),
  amount: '125.40',
  description: 'Rent share',
  external_reference_id: 'rent-11',
  ...change,
});
const account = (caller: Caller, name: string) =>
  caller.v2('GET', `/v2/accounts/sub_account/${caller.seed(name)}`);

describe('an intra-account pull (v2_originate_intra_account_pull)', () => {
  it('is settled at creation, with every field of the record', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, order(caller));
    expectRecord(answer, 'v2_originate_intra_account_pull', TRANSACTION);
    const own = { id: caller.seed('sub_account_id'), transaction_id: answer.id(), amount: '125.40' };
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^txn_[0-9a-f]{32}$/),
      client_id: caller.seed('client_id'),
      master_account_id: caller.seed('master_account_id'),
      sub_account_holder_id: caller.seed('person_holder_id'),
      sub_account_id: caller.seed('sub_account_id'),
      status: 'settled',
      amount: '125.40',
      currency: 'usd',
      direction: 'credit',
      method: 'intra_account',
      type: 'pull',
      message: 'outgoing',
      description: 'Rent share',
      available_balance: '5125.40',
      pending_credits: '0.00',
      pending_debits: '0.00',
      counterparty: {
        id: caller.seed('intra_counterparty_id'),
        name: 'Ben Okoro',
        account_number: (await account(caller, 'other_sub_account_id')).at('account_number'),
        routing_number: '',
        bank_name: '',
      },
      ach: null,
      domestic_wire: null,
      international_wire: null,
      rtp: null,
      fednow: null,
      check: null,
      card: null,
      parent_transaction_id: '',
      external_reference_id: 'rent-11',
      metadata: null,
      reconciliation: { status: 'reconciled', master_account: null, sub_account: [own] },
      timestamps: { settled_at: '2026-11-20T18:00:00Z' },
    });
    expect((await caller.v2('GET', `/v2/payments/transaction/${answer.id()}`)).body).toEqual(answer.body);
  });

  it('moves the money between the two accounts, in both versions', async () => {
    const caller = http.caller();
    await caller.v2('POST', PATH, order(caller));
    expect((await account(caller, 'sub_account_id')).body).toMatchObject({
      available_balance: '5125.40',
      pending_credits: '0.00',
    });
    const other = await account(caller, 'other_sub_account_id');
    expect(other.at('available_balance')).toBe('2374.60');
    const inV1 = await caller.v1('GET', `/v1/account/${other.id()}`);
    expect(inV1.at('availableBalance')).toBe('2374.60');
    expect((await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`)).at('availableBalance')).toBe(
      '5125.40',
    );
  });

  it('publishes events for both accounts, in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await caller.v2('POST', PATH, order(caller));
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2.map(({ kind, record }) => [kind, record.direction, record.message])).toEqual([
      ['transaction.created', 'credit', 'outgoing'],
      ['transaction.status.settled', 'credit', 'outgoing'],
      ['transaction.created', 'debit', 'incoming'],
      ['transaction.status.settled', 'debit', 'incoming'],
    ]);
    expect(v2[0]?.record).toEqual(answer.body);
    expect(v1.map(({ kind, record }) => [kind, record.amount, record.balance])).toEqual([
      ['transfer.created', '125.40', undefined],
      ['intrabank.originated.credit', '125.40', '5125.40'],
      ['account.credit', '125.40', '5125.40'],
      ['intrabank.received.debit', '-125.40', '2374.60'],
      ['account.debit', '-125.40', '2374.60'],
    ]);
    const [transfer, entry] = v1.map(({ record }) => record);
    expect(transfer).toMatchObject({ status: 'completed', transferType: 'intrabank', txnType: 'credit' });
    expect(contradictions(entry, TRANSACTION_V1)).toEqual([]);
    expect(entry).toMatchObject({
      status: 'settled',
      subType: 'originated',
      title: 'Received from Ben Okoro',
    });
    expect(String(entry?.id).replaceAll('-', '')).toBe(answer.id().replace('_', ''));
  });

  it('of the whole balance leaves 0.00', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, order(caller, { amount: '2500.00' }));
    expect(answer.at('status')).toBe('settled');
    expect((await account(caller, 'other_sub_account_id')).at('available_balance')).toBe('0.00');
  });

  it('of one cent more is refused, or recorded as declined with a setting, and moves nothing', async () => {
    const caller = http.caller();
    await caller.listen();
    expectRefusedV2(await caller.v2('POST', PATH, order(caller, { amount: '2500.01' })), {
      status: 400,
      code: 'ERROR_CODE_INSUFFICIENT_BALANCE',
      field: 'amount',
    });
    expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
    await caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' });
    const answer = await caller.v2('POST', PATH, order(caller, { amount: '2500.01' }));
    expectRecord(answer, 'v2_originate_intra_account_pull', TRANSACTION);
    expect(answer.body).toMatchObject({
      status: 'declined',
      amount: '2500.01',
      available_balance: '5000.00',
      pending_credits: '0.00',
      timestamps: { settled_at: '' },
    });
    expect((await account(caller, 'other_sub_account_id')).at('available_balance')).toBe('2500.00');
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2.map(({ kind }) => kind)).toEqual(['transaction.created', 'transaction.status.declined']);
    expect(v1).toEqual([]);
  });

  it('accepts ids in the format of v1, and a minimal body', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, {
      sub_account_id: caller.seed('account_id'),
      counterparty_id: caller.seed('intra_counterparty_id'),
      amount: '0.01',
    });
    expect(answer.body).toMatchObject({
      status: 'settled',
      sub_account_id: caller.seed('sub_account_id'),
      description: '',
      external_reference_id: '',
    });
  });
});

describe('an error (v2_originate_intra_account_pull)', () => {
  const invalid = (field: string, code = 'INVALID_FIELD') => ({
    status: 400,
    code: `ERROR_CODE_${code}`,
    field,
  });
  const missing = { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' };
  it.each([
    [
      'no sub account',
      () => ({ sub_account_id: undefined }),
      invalid('sub_account_id', 'REQUIRED_FIELD_MISSING'),
    ],
    [
      'no counterparty',
      () => ({ counterparty_id: undefined }),
      invalid('counterparty_id', 'REQUIRED_FIELD_MISSING'),
    ],
    ['no amount', () => ({ amount: undefined }), invalid('amount', 'REQUIRED_FIELD_MISSING')],
    ['an amount that is a number', () => ({ amount: 12.5 }), invalid('amount', 'INVALID_AMOUNT')],
    ['an amount of 0', () => ({ amount: '0.00' }), invalid('amount', 'INVALID_AMOUNT')],
    ['a description that is a list', () => ({ description: [] }), invalid('description')],
    ['a reference that is a number', () => ({ external_reference_id: 1 }), invalid('external_reference_id')],
    ['an unknown sub account', () => ({ sub_account_id: `sub_${'0'.repeat(32)}` }), missing],
    ['an unknown counterparty', () => ({ counterparty_id: `ctp_${'0'.repeat(32)}` }), missing],
    ['a malformed sub account id', () => ({ sub_account_id: '' }), missing],
    [
      'a counterparty without an account here',
      (caller: Caller) => ({ counterparty_id: caller.seed('ach_counterparty_id') }),
      invalid('counterparty_id'),
    ],
    [
      'a counterparty of another account',
      (caller: Caller) => ({ sub_account_id: caller.seed('other_sub_account_id') }),
      invalid('counterparty_id'),
    ],
  ])('%s', async (_, change, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await caller.v2('POST', PATH, order(caller, change(caller))), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});
