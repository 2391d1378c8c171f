/**
 * POST /v1/card/{cardId}/test: the actions of a merchant with a virtual card. The response to a declined one is not
 * an error. Decisions `authorization-checks`, `v2-simulated-decline`, `v1-card-test-decline`, `card-limit-periods`
 * and `uncaptured-authorization` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { contradictions } from '../../contract/rows.ts';
import { CARD_TEST } from '../../contract/v1/card.ts';
import { TRANSACTION_V1 } from '../../contract/v1/money.ts';
import { TRANSACTION } from '../../contract/v2/transaction.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, type ReceivedEvent, useHttp } from './support.ts';

const http = useHttp();
const test = (caller: Caller, body: unknown, card = 'card_id') =>
  caller.v1('POST', `/v1/card/${caller.seed(card)}/test`, body);

/** Authorizes, and returns the transaction that v1 publishes. */
async function authorize(
  caller: Caller,
  amount: string,
  more: object = {},
): Promise<ReceivedEvent['record']> {
  await caller.receivedEvents();
  expect((await test(caller, { amount, ...more })).body).toEqual({ status: 'approved', declineReason: '' });
  const spend = (await caller.receivedEvents()).v1.find(({ kind }) => kind === 'card.spend');
  if (spend === undefined) throw new Error('no purchase was heard of');
  return spend.record;
}

const balances = async (caller: Caller) => {
  const v1 = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
  const v2 = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`);
  const seen = [v1.at('availableBalance'), v1.at('pendingDebit'), v1.at('pendingCredit')];
  expect(seen).toEqual([v2.at('available_balance'), v2.at('pending_debits'), v2.at('pending_credits')]);
  return seen;
};

/** The transactions of the account that are not declined add up to its balance plus pending credits. */
async function expectSum(caller: Caller): Promise<void> {
  const path = `/v1/account/${caller.seed('account_id')}`;
  const { data } = (await caller.v1('GET', `${path}/transaction?limit=100`)).body as {
    data: { status: string; amount: string }[];
  };
  const cents = (text: string) => Math.round(Number(text) * 100);
  const sum = data.reduce(
    (all, { status, amount }) => (status === 'declined' ? all : all + cents(amount)),
    0,
  );
  const account = await caller.v1('GET', path);
  expect(sum).toBe(cents(account.id('availableBalance')) + cents(account.id('pendingCredit')));
}

describe('a card control (testCard)', () => {
  const hint = async (caller: Caller, body: object) => (await test(caller, body)).headers['x-sandbox-hint'];
  const controls = (caller: Caller, value: object) =>
    caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { controls: value });

  it.each([
    [{ limit: { max_spend_per_transaction: '10.00' } }, 'perTransactionLimit'],
    [{ limit: { period: 'per_transaction', max_spend_amount: '10.00' } }, 'perTransactionLimit'],
    [{ blocked: { merchants: ['Harbor Books'] } }, 'merchantNotAllowed'],
    [{ allowed: { merchants: ['Corner Market'] } }, 'merchantNotAllowed'],
    [{ blocked: { countries: ['US'] } }, 'countryNotAllowed'],
    [{ allowed: { countries: ['CA'] } }, 'countryNotAllowed'],
  ])('%j declines a test of 14.90 by default with %s', async (value, declineReason) => {
    const caller = http.caller();
    expect((await controls(caller, value)).status).toBe(200);
    const merchant = { merchantName: 'Harbor Books', merchantCountry: 'US' };
    const answer = await test(caller, { amount: '14.90', merchant });
    expect(answer.body).toEqual({ status: 'declined', declineReason });
  });

  it('set by updateCard of v1 declines the test, and a new total too', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '5.00');
    const card = `/v1/card/${caller.seed('card_id')}`;
    const limit = { limitAmount: '10.00', limitInterval: 'perTransaction' };
    expect((await caller.v1('PATCH', card, limit)).status).toBe(200);
    const declined = { status: 'declined', declineReason: 'perTransactionLimit' };
    expect((await test(caller, { amount: '14.90' })).body).toEqual(declined);
    const update = { amount: '14.90', txnType: 'authUpdate', parentTxnId: id };
    expect((await test(caller, update)).body).toEqual(declined);
    expect((await test(caller, { amount: '9.90' })).at('status')).toBe('approved');
  });

  it('on categories and intervals does not decline a card test, and the hint contains what it would have declined', async () => {
    const caller = http.caller();
    expect(await hint(caller, { amount: '1.00' })).toBeUndefined();
    const machine = { amount: '1.00', merchant: { merchantCategoryCode: '6011' } };
    expect((await test(caller, machine)).body).toEqual({ status: 'approved', declineReason: '' });
    expect(await hint(caller, machine)).toMatch(/declined with pinNotSet .*card_controls_in_test/);
    await controls(caller, { limit: { period: 'daily', max_spend_amount: '10.00' } });
    expect(await hint(caller, { amount: '10.00' })).toMatch(/declined with spendLimit/);
    expect(await hint(caller, { amount: '5000.01' })).toBeUndefined();
  });

  it('that a new total exceeds is also in the hint', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '5.00');
    await controls(caller, { limit: { period: 'daily', max_spend_amount: '10.00' } });
    const update = { txnType: 'authUpdate', parentTxnId: id };
    expect(await hint(caller, { ...update, amount: '10.00' })).toBeUndefined();
    expect(await hint(caller, { ...update, amount: '10.01' })).toMatch(/declined with spendLimit/);
  });

  it('declines if the setting requires that', async () => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { card_controls_in_test: true });
    const answer = await test(caller, { amount: '1.00', merchant: { merchantCategoryCode: '6011' } });
    expect(answer.body).toEqual({ status: 'declined', declineReason: 'pinNotSet' });
    expect(answer.headers['x-sandbox-hint']).toBeUndefined();
  });
});

describe('an authorization (testCard)', () => {
  it('is approved, and is a hold in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await test(caller, { amount: '18.40', authMethod: 'keyedIn' });
    expectRecord(answer, 'testCard', CARD_TEST);
    expect(answer.body).toEqual({ status: 'approved', declineReason: '' });
    expect(await balances(caller)).toEqual(['4981.60', '18.40', '0.00']);

    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['card.spend', 'account.debit']);
    expect(v2.map(({ kind }) => kind)).toEqual(['transaction.created', 'transaction.status.pending']);
    const [entry, transaction] = [v1[0]?.record, v2[0]?.record];
    expect(contradictions(entry, TRANSACTION_V1)).toEqual([]);
    expect(contradictions(transaction, TRANSACTION)).toEqual([]);
    expect(entry).toMatchObject({
      txnType: 'debit',
      amount: '-18.40',
      balance: '4981.60',
      transferType: 'card',
      subType: 'auth',
      status: 'settled',
      card: {
        id: caller.seed('card_id'),
        label: 'Online',
        authMethod: 'keyedIn',
        isCaptured: false,
        localTransactionAmount: '-18.40',
      },
    });
    expect(transaction).toMatchObject({
      status: 'pending',
      type: 'auth',
      direction: 'debit',
      method: 'card_issuing',
      message: 'incoming',
      amount: '18.40',
      available_balance: '4981.60',
      pending_debits: '18.40',
      counterparty: null,
      card: {
        id: caller.seed('virtual_card_id'),
        cardholder_id: caller.seed('card_holder_id'),
        card_holder_id: caller.seed('card_holder_id'),
        auth_method: 'keyed_in',
        local_transaction: { amount: '18.40', currency: 'usd', conversion_rate: '1.00' },
        network_settlement_at: '',
      },
    });
    expect((await caller.v2('GET', `/v2/payments/transaction/${String(entry?.id)}`)).body).toEqual(
      transaction,
    );
  });

  it('with a merchant contains the merchant', async () => {
    const caller = http.caller();
    await caller.listen();
    const merchant = {
      merchantName: 'Harbor Books',
      merchantCity: 'Monterey',
      merchantState: 'CA',
      merchantCountry: 'US',
      postalCode: '93940',
      merchantCategory: 'Book Stores',
      merchantCategoryCode: '5942',
      merchantId: 'HB-1',
    };
    const entry = await authorize(caller, '5.00', { merchant, txnType: 'auth' });
    expect(entry).toMatchObject({
      title: 'Harbor Books',
      description: 'Spent Online at Harbor Books',
      card: { merchant, authMethod: 'other' },
    });
  });

  it('treats an empty text of a merchant as absent', async () => {
    const caller = http.caller();
    await caller.listen();
    const city = { merchantName: 'Harbor Books', merchantCity: '', merchantState: '', postalCode: '' };
    const usual = await authorize(caller, '5.00', { merchant: { merchantName: 'Harbor Books' } });
    const named = await authorize(caller, '5.00', { merchant: city });
    expect(usual).toMatchObject({ card: { merchant: { merchantCity: expect.stringMatching(/./) } } });
    expect((named as { card: { merchant: object } }).card.merchant).toEqual(
      (usual as { card: { merchant: object } }).card.merchant,
    );
  });

  it('contains the remaining limit of the card', async () => {
    const caller = http.caller();
    const limit = { period: 'daily', max_spend_amount: '500.00', max_spend_count: '10' };
    await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { controls: { limit } });
    await caller.listen();
    await test(caller, { amount: '93.50' });
    expect((await caller.receivedEvents()).v2[0]?.record).toMatchObject({
      card: { available_limit: { period: 'daily', max_spend_amount: '406.50', max_spend_count: '9' } },
    });
  });

  it.each(['keyedIn', 'swipe', 'chip', 'online', 'contactless', 'other'])('may be %s', async (authMethod) => {
    const caller = http.caller();
    await caller.listen();
    expect(await authorize(caller, '1.00', { authMethod })).toMatchObject({ card: { authMethod } });
  });

  it('of the whole balance is approved, and of one cent more declined', async () => {
    const caller = http.caller();
    expect((await test(caller, { amount: '5000.00' })).at('status')).toBe('approved');
    expect((await test(caller, { amount: '0.01' })).body).toEqual({
      status: 'declined',
      declineReason: 'lowBalance',
    });
  });

  it('that is declined moves nothing and publishes a decline', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await test(caller, { amount: '5000.01', authMethod: 'online' });
    expectRecord(answer, 'testCard', CARD_TEST);
    expect(answer.body).toEqual({ status: 'declined', declineReason: 'lowBalance' });
    expect(await balances(caller)).toEqual(['5000.00', '0.00', '0.00']);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['card.declined']);
    expect(v1[0]?.record).toMatchObject({
      cardId: caller.seed('card_id'),
      amount: '5000.01',
      currency: 'USD',
      status: 'closed',
      reason: 'lowBalance',
      approved: 'false',
      authMethod: 'online',
    });
    expect(v2.map(({ kind }) => kind)).toEqual(['transaction.created', 'transaction.status.declined']);
    expect(v2[0]?.record).toMatchObject({
      type: 'decline',
      status: 'declined',
      available_balance: '5000.00',
      pending_debits: '0.00',
    });
  });
});

describe('an update (testCard)', () => {
  it.each([
    ['25.00', ['4975.00', '25.00', '0.00'], 'account.debit'],
    ['4.00', ['4996.00', '4.00', '0.00'], 'account.credit'],
    ['5000.00', ['0.00', '5000.00', '0.00'], 'account.debit'],
  ])('to %s sets the new total', async (amount, after, moved) => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    const answer = await test(caller, { amount, txnType: 'authUpdate', parentTxnId: id });
    expect(answer.body).toEqual({ status: 'approved', declineReason: '' });
    expect(await balances(caller)).toEqual(after);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['card.spend.update', moved]);
    expect(v1[0]?.record).toMatchObject({
      id,
      amount: `-${amount}`,
      subType: 'authUpdate',
      balance: '4990.00',
    });
    // The account publishes the moved amount, and the row keeps its original balance.
    expect(v1[1]?.record).toMatchObject({
      id,
      txnType: moved.slice('account.'.length),
      amount: (10 - Number(amount)).toFixed(2),
      balance: after[0],
      subType: 'authUpdate',
      card: { localTransactionAmount: '-10.00' },
    });
    await expectSum(caller);
    expect(v2.map(({ kind }) => kind)).toEqual(['transaction.updated']);
    expect((await caller.v2('GET', `/v2/payments/transaction/${String(id)}`)).body).toMatchObject({
      amount,
      status: 'pending',
      available_balance: after[0],
      pending_debits: after[1],
    });
  });

  it('beyond the balance is declined, and the authorization does not change', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    const answer = await test(caller, { amount: '5000.01', txnType: 'authUpdate', parentTxnId: id });
    expect(answer.body).toEqual({ status: 'declined', declineReason: 'lowBalance' });
    expect(await balances(caller)).toEqual(['4990.00', '10.00', '0.00']);
    expect((await caller.receivedEvents()).v1.map(({ kind }) => kind)).toEqual(['card.declined']);
  });
});

describe('a reversal (testCard)', () => {
  it('releases the whole authorization', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    const answer = await test(caller, { amount: '10.00', txnType: 'reversal', parentTxnId: id });
    expect(answer.body).toEqual({ status: 'approved', declineReason: '' });
    expect(await balances(caller)).toEqual(['5000.00', '0.00', '0.00']);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind).sort()).toEqual(['account.credit', 'card.reversal']);
    expect(v1.find(({ kind }) => kind === 'card.reversal')?.record).toMatchObject({
      amount: '10.00',
      txnType: 'credit',
      subType: 'reversal',
      parentTxnId: id,
      description: 'Reversal for - Spent Online at Corner Market',
    });
    expect(v2.map(({ kind, record }) => [kind, record.type])).toEqual([
      ['transaction.status.reversed', 'auth'],
      ['transaction.created', 'reverse'],
      ['transaction.status.settled', 'reverse'],
    ]);
    expect((await caller.v2('GET', `/v2/payments/transaction/${String(id)}`)).at('status')).toBe('reversed');
  });

  it('of a part keeps the rest on hold', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    await test(caller, { amount: '4.00', txnType: 'reversal', parentTxnId: id });
    expect(await balances(caller)).toEqual(['4994.00', '6.00', '0.00']);
    expect((await caller.v2('GET', `/v2/payments/transaction/${String(id)}`)).body).toMatchObject({
      status: 'pending',
      // A refund is a separate row.
      amount: '10.00',
    });
    await expectSum(caller);
    await test(caller, { amount: '6.00', txnType: 'reversal', parentTxnId: id });
    expect(await balances(caller)).toEqual(['5000.00', '0.00', '0.00']);
    await expectSum(caller);
  });

  it('of a part is kept by a new total, which must exceed it', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    await test(caller, { amount: '4.00', txnType: 'reversal', parentTxnId: id });
    await test(caller, { amount: '12.00', txnType: 'authUpdate', parentTxnId: id });
    expect(await balances(caller)).toEqual(['4992.00', '8.00', '0.00']);
    await expectSum(caller);
    const before = digestOf(caller.sandbox);
    for (const amount of ['4.00', '3.99']) {
      expectRefusedV1(await test(caller, { amount, txnType: 'authUpdate', parentTxnId: id }), {
        status: 400,
        code: 'EC_CARD_INVALID_PARENT_TXN',
        message: /amount.*4\.00/,
      });
    }
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('restores amount and count of the card’s limit', async () => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { card_controls_in_test: true });
    const limit = { period: 'monthly', max_spend_amount: '10.00', max_spend_count: '1' };
    await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { controls: { limit } });
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    expect((await test(caller, { amount: '1.00' })).at('declineReason')).toBe('spendLimit');
    await test(caller, { amount: '10.00', txnType: 'reversal', parentTxnId: id });
    expect((await test(caller, { amount: '10.00' })).at('status')).toBe('approved');
  });

  it('is possible once', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    const reversal = { amount: '10.00', txnType: 'reversal', parentTxnId: id };
    await test(caller, reversal);
    await caller.receivedEvents();
    const before = digestOf(caller.sandbox);
    const refused = { status: 400, code: 'EC_CARD_INVALID_PARENT_TXN', message: /parentTxnId/ };
    expectRefusedV1(await test(caller, reversal), refused);
    expectRefusedV1(await test(caller, { ...reversal, txnType: 'authUpdate' }), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('of more than the held amount is refused', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    expectRefusedV1(await test(caller, { amount: '10.01', txnType: 'reversal', parentTxnId: id }), {
      status: 400,
      code: 'EC_CARD_INVALID_PARENT_TXN',
      message: /amount/,
    });
    expect(await balances(caller)).toEqual(['4990.00', '10.00', '0.00']);
  });
});

describe('a refund (testCard)', () => {
  it('is a separate credit, with or without a parent', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    for (const parent of [{}, { parentTxnId: id }]) {
      const answer = await test(caller, { amount: '2.50', txnType: 'refund', ...parent });
      expect(answer.body).toEqual({ status: 'approved', declineReason: '' });
      const refund = (await caller.receivedEvents()).v1.find(({ kind }) => kind === 'card.refund');
      expect(refund?.record).toMatchObject({
        txnType: 'credit',
        amount: '2.50',
        subType: 'refund',
        parentTxnId: parent.parentTxnId ?? '',
      });
    }
    // The refund with a parent captures what was held.
    expect(await balances(caller)).toEqual(['4995.00', '0.00', '0.00']);
  });

  it('is pending and immediately settled in v2', async () => {
    const caller = http.caller();
    await caller.listen();
    await test(caller, { amount: '2.50', txnType: 'refund' });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['card.refund', 'account.credit']);
    expect(v2.map(({ kind }) => kind)).toEqual([
      'transaction.created',
      'transaction.status.pending',
      'transaction.status.settled',
    ]);
    expect(v2[2]?.record).toMatchObject({
      type: 'refund',
      direction: 'credit',
      available_balance: '5002.50',
    });
  });

  it('of more than the purchase is refused', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await authorize(caller, '10.00');
    expectRefusedV1(await test(caller, { amount: '10.01', txnType: 'refund', parentTxnId: id }), {
      status: 400,
      code: 'EC_CARD_INVALID_PARENT_TXN',
    });
  });
});

describe('an error (testCard)', () => {
  const invalid = { status: 400, code: 'EC_CARD_INVALID_REQUEST' };
  const missing = { status: 404, code: 'EC_TRANSACTION_NOT_FOUND' };
  const parent = { status: 400, code: 'EC_CARD_PARENT_TXN_REQUIRED', message: /parentTxnId/ };
  it.each([
    ['no amount', {}, { ...invalid, message: /amount/ }],
    ['an amount that is a number', { amount: 5 }, { ...invalid, message: /amount/ }],
    ['an amount with one decimal', { amount: '5.0' }, { ...invalid, message: /amount/ }],
    ['an amount of 0', { amount: '0.00' }, { status: 400, code: 'EC_CARD_INVALID_AMOUNT' }],
    ['an unknown kind', { amount: '5.00', txnType: 'capture' }, { ...invalid, message: /txnType/ }],
    ['an unknown method', { amount: '5.00', authMethod: 'keyed_in' }, { ...invalid, message: /authMethod/ }],
    [
      'a merchant that is a string',
      { amount: '5.00', merchant: 'Shop' },
      { ...invalid, message: /merchant/ },
    ],
    [
      'a category of three digits',
      { amount: '5.00', merchant: { merchantCategoryCode: '541' } },
      { ...invalid, message: /merchantCategoryCode/ },
    ],
    ['an update without a parent', { amount: '5.00', txnType: 'authUpdate' }, parent],
    ['a reversal without a parent', { amount: '5.00', txnType: 'reversal' }, parent],
    ['a reversal with an empty parent', { amount: '5.00', txnType: 'reversal', parentTxnId: '' }, parent],
    [
      'an unknown parent',
      { amount: '5.00', txnType: 'reversal', parentTxnId: `txn-${crypto.randomUUID()}` },
      missing,
    ],
    ['a malformed parent id', { amount: '5.00', txnType: 'refund', parentTxnId: 'the last one' }, missing],
  ])('%s', async (_, body, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await test(caller, body), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('for a parent that is not a purchase of this card', async () => {
    const caller = http.caller();
    const pull = await caller.v1('POST', '/v1/receive/ach', {
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      amount: '5.00',
    });
    for (const txnType of ['authUpdate', 'reversal', 'refund']) {
      expectRefusedV1(await test(caller, { amount: '5.00', txnType, parentTxnId: pull.id() }), {
        status: 400,
        code: 'EC_CARD_INVALID_PARENT_TXN',
      });
    }
  });

  it('for a physical card', async () => {
    const caller = http.caller();
    expectRefusedV1(await test(caller, { amount: '5.00' }, 'physical_card_id'), {
      status: 400,
      code: 'EC_CARD_NOT_VIRTUAL',
    });
  });

  it.each([`crd-${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`, 'crd-1', `acc-${crypto.randomUUID()}`])(
    'for an unknown card %s',
    async (id) => {
      const caller = http.caller();
      expectRefusedV1(await caller.v1('POST', `/v1/card/${id}/test`, { amount: '5.00' }), {
        status: 404,
        code: 'EC_CARD_NOT_FOUND',
        message: 'card not found',
      });
    },
  );
});
