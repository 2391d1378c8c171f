/**
 * The whole course of a card payment through the control plane: authorized, incremented, captured completely, in
 * parts, for less and for more, reversed, expired and refunded. After each step the balance and the used limit of the
 * card are correct.
 */
import { describe, expect, it } from 'vitest';
import { setPin } from '../pin.ts';
import { type Answer, type Caller, useHttp } from '../support.ts';

const http = useHttp();
const DAY_MS = 86_400_000;

const card = (caller: Caller, path: string, body?: object) =>
  caller.v2('POST', `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/${path}`, body);
const on = (caller: Caller, id: string, event: string, body?: object) =>
  caller.v2('POST', `/_sandbox/simulate/authorizations/${id}/${event}`, body);
const authorize = async (caller: Caller, amount: string, more: object = {}): Promise<string> => {
  const answer = await card(caller, 'authorize', { amount, ...more });
  expect([answer.status, answer.at('transaction.status')]).toEqual([201, 'pending']);
  return answer.id('transaction.id');
};
const transaction = async (caller: Caller, id: string) =>
  (await caller.v2('GET', `/v2/payments/transaction/${id}`)).body as Record<string, unknown>;

/** Available balance, and pending debits. */
const balances = async (caller: Caller) => {
  const { body } = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`);
  const { available_balance, pending_debits } = body as Record<string, string>;
  return [available_balance, pending_debits];
};

async function limit(caller: Caller, limits: object): Promise<void> {
  const path = `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
  expect((await caller.v2('PATCH', path, { controls: { limit: limits } })).status).toBe(200);
}

/** The amount and the count of the present period. */
const usage = async (caller: Caller) => {
  const answer = await caller.v2('GET', `/_sandbox/explain/${caller.seed('virtual_card_id')}`);
  return [answer.at('figures.spent'), answer.at('figures.uses')];
};

const shown = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(200);
  const { type, status, direction, amount } = answer.at('transaction') as Record<string, string>;
  return [type, status, direction, amount];
};

describe('an authorization', () => {
  it('accepts the published wallets and no others', async () => {
    const caller = http.caller();
    for (const wallet of ['apple_pay', 'google_pay', 'samsung_pay', '']) {
      const taken = await card(caller, 'authorize', { amount: '1.00', wallet });
      expect(taken.at('transaction.card.wallet'), taken.text).toBe(wallet);
    }
    const refused = await card(caller, 'authorize', { amount: '1.00', wallet: 'purse' });
    expect([refused.status, refused.at('error.hint')]).toEqual([400, 'wallet']);
  });

  it('contains the merchant, the entry mode and the wallet', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await card(caller, 'authorize', {
      amount: '18.40',
      merchant: { name: 'Harbor Books', mcc: '5942', city: 'Monterey', state: 'CA', country: 'US', id: 'HB' },
      auth_method: 'contactless',
      wallet: 'apple_pay',
    });
    expect(answer.at('transaction')).toMatchObject({
      type: 'auth',
      status: 'pending',
      direction: 'debit',
      method: 'card_issuing',
      message: 'incoming',
      description: 'Harbor Books',
      card: { merchant: 'Harbor Books', auth_method: 'contactless', wallet: 'apple_pay', rta_id: '' },
    });
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['card.spend', 'account.debit']);
    expect(v1[0]?.record).toMatchObject({
      card: {
        merchant: {
          merchantName: 'Harbor Books',
          merchantCategoryCode: '5942',
          merchantCategory: 'Book Stores',
        },
      },
    });
  });

  it.each([
    ['insufficient funds', {}, { amount: '5000.01' }, 'lowBalance'],
    ['a country', { blocked: { countries: ['FR'] } }, { merchant: { country: 'FR' } }, 'countryNotAllowed'],
    ['a category', { allowed: { categories: ['5942'] } }, {}, 'categoryNotAllowed'],
    [
      'a merchant',
      { blocked: { merchants: ['mill'] } },
      { merchant: { name: 'Mill' } },
      'merchantNotAllowed',
    ],
    ['a cash withdrawal', { atm_enabled: 'false' }, { atm: true }, 'doNotHonor'],
    ['a PIN that was never set', {}, { atm: true }, 'pinNotSet'],
    ['the amount of one', { limit: { max_spend_per_transaction: '9.99' } }, {}, 'perTransactionLimit'],
    ['the period', { limit: { period: 'daily', max_spend_amount: '9.99' } }, {}, 'spendLimit'],
    ['the count', { limit: { period: 'daily', max_spend_count: '0' } }, {}, 'countLimit'],
  ])('is declined for %s with a normal response, not an error', async (_, controls, purchase, reason) => {
    const caller = http.caller();
    await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { controls });
    const answer = await card(caller, 'authorize', { amount: '10.00', ...purchase });
    expect(answer.status).toBe(201);
    expect(answer.at('transaction')).toMatchObject({ type: 'decline', status: 'declined' });
    expect(await balances(caller)).toEqual(['5000.00', '0.00']);
    const why = await caller.v2('GET', `/_sandbox/explain/${answer.id('transaction.id')}`);
    expect(why.at('reason.code')).toBe(reason);
    expect(why.at('decisions.0')).toMatchObject({ source: 'control', effect: `declined ${reason}` });
  });

  it('at a cash machine is approved after the PIN is set', async () => {
    const caller = http.caller();
    await setPin(caller);
    const answer = await card(caller, 'authorize', { amount: '10.00', atm: true });
    expect(answer.at('transaction.status')).toBe('pending');
  });

  it('requires a card and an amount', async () => {
    const caller = http.caller();
    const post = (id: string, body: object) =>
      caller.v2('POST', `/_sandbox/simulate/cards/${id}/authorize`, body);
    expect((await post('crd_none', { amount: '1.00' })).status).toBe(404);
    const id = caller.seed('card_id');
    expect((await post(id, { amount: '1.00' })).status).toBe(201);
    for (const body of [{}, { amount: '1' }, { amount: '0.00' }, { amount: '1.00', auth_method: 'magic' }]) {
      expect((await post(id, body)).status).toBe(400);
    }
  });
});

describe('a capture', () => {
  it('of the held amount settles the authorization itself', async () => {
    const caller = http.caller();
    await limit(caller, { period: 'daily', max_spend_amount: '500.00', max_spend_count: '9' });
    const id = await authorize(caller, '93.50');
    await caller.listen();
    const answer = await on(caller, id, 'capture');
    expect(shown(answer)).toEqual(['auth', 'settled', 'debit', '93.50']);
    expect(answer.at('transaction.id')).toBe(id);
    expect(answer.at('transaction.card.network_settlement_at')).not.toBe('');
    expect(await balances(caller)).toEqual(['4906.50', '0.00']);
    expect(await usage(caller)).toEqual(['93.50', '1']);
    expect((await caller.receivedEvents()).v2.map(({ kind }) => kind)).toEqual([
      'transaction.status.settled',
    ]);
  });

  it('of more is an adjustment by the difference, as published', async () => {
    const caller = http.caller();
    await limit(caller, { period: 'daily', max_spend_amount: '500.00', max_spend_count: '9' });
    const id = await authorize(caller, '93.50');
    await caller.listen();
    const answer = await on(caller, id, 'capture', { amount: '120.00' });
    expect(shown(answer)).toEqual(['adjust', 'settled', 'debit', '26.50']);
    expect(answer.at('transaction')).toMatchObject({
      parent_transaction_id: id,
      card: { available_limit: { max_spend_amount: '380.00', max_spend_count: '8' } },
    });
    expect(answer.at('authorization')).toMatchObject({ id, status: 'settled', amount: '93.50' });
    expect(await balances(caller)).toEqual(['4880.00', '0.00']);
    expect(await usage(caller)).toEqual(['120.00', '1']);
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['card.spend.update', 'account.debit']);
  });

  it('of less releases the difference', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '93.50');
    const answer = await on(caller, id, 'capture', { amount: '90.00' });
    expect(shown(answer)).toEqual(['adjust', 'settled', 'credit', '3.50']);
    expect(await balances(caller)).toEqual(['4910.00', '0.00']);
    expect(await usage(caller)).toEqual(['90.00', '1']);
  });

  it('posts even if it overdraws, as card networks do', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '5000.00');
    expect(shown(await on(caller, id, 'capture', { amount: '5010.00' }))[3]).toBe('10.00');
    expect(await balances(caller)).toEqual(['-10.00', '0.00']);
  });

  it('posts even if the card was closed meanwhile', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { status: 'closed' });
    expect(shown(await on(caller, id, 'capture'))[1]).toBe('settled');
  });

  it('in parts is a row for each, and the rest stays on hold', async () => {
    const caller = http.caller();
    await limit(caller, { period: 'daily', max_spend_amount: '500.00', max_spend_count: '9' });
    const id = await authorize(caller, '100.00');
    await caller.listen();
    const first = await on(caller, id, 'capture', { amount: '30.00', final: false });
    expect(shown(first)).toEqual(['adjust', 'settled', 'debit', '30.00']);
    expect(first.at('authorization')).toMatchObject({ status: 'pending', amount: '70.00' });
    expect(await balances(caller)).toEqual(['4900.00', '70.00']);
    // Only money that was held before has left the account.
    expect((await caller.receivedEvents()).v1.map(({ kind }) => kind)).toEqual(['card.spend.update']);
    await on(caller, id, 'capture', { amount: '20.00', final: false });
    expect(await balances(caller)).toEqual(['4900.00', '50.00']);
    const last = await on(caller, id, 'capture', { amount: '45.00' });
    expect(shown(last)).toEqual(['adjust', 'settled', 'credit', '5.00']);
    expect(await balances(caller)).toEqual(['4905.00', '0.00']);
    expect(await usage(caller)).toEqual(['95.00', '1']);
    expect((await on(caller, id, 'capture')).status).toBe(409);
  });

  it('that is not final but complete is final', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    expect(shown(await on(caller, id, 'capture', { amount: '10.00', final: false }))[1]).toBe('settled');
    expect(await balances(caller)).toEqual(['4990.00', '0.00']);
  });

  it('prevents the authorization from expiring', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    await on(caller, id, 'capture');
    http.clock.advance(8 * DAY_MS);
    await caller.sandbox.agenda.runDue();
    expect((await transaction(caller, id)).status).toBe('settled');
  });
});

describe('an increment', () => {
  it('increases the held amount', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    const answer = await on(caller, id, 'increment', { amount: '5.50' });
    expect(answer.at('transaction')).toMatchObject({ id, status: 'pending', amount: '15.50' });
    expect(await balances(caller)).toEqual(['4984.50', '15.50']);
    expect((await on(caller, id, 'increment')).at('error.hint')).toBe('amount');
  });

  it.each([
    ['there is', {}, '4990.01', 'lowBalance'],
    ['one may cost', { max_spend_per_transaction: '20.00' }, '10.01', 'perTransactionLimit'],
    ['is left of the period', { period: 'daily', max_spend_amount: '20.00' }, '10.01', 'spendLimit'],
  ])('beyond %s is declined, and the hold does not change', async (_, limits, amount, reason) => {
    const caller = http.caller();
    if (Object.keys(limits).length > 0) await limit(caller, limits);
    const id = await authorize(caller, '10.00');
    const answer = await on(caller, id, 'increment', { amount });
    expect(answer.at('transaction')).toMatchObject({ type: 'decline', parent_transaction_id: id });
    expect(answer.at('authorization')).toMatchObject({ status: 'pending', amount: '10.00' });
    const why = await caller.v2('GET', `/_sandbox/explain/${answer.id('transaction.id')}`);
    expect(why.at('reason.code')).toBe(reason);
    expect(shown(await on(caller, id, 'increment', { amount: '10.00' }))[3]).toBe('20.00');
  });

  it('does not count the purchase twice', async () => {
    const caller = http.caller();
    await limit(caller, { period: 'daily', max_spend_amount: '20.00', max_spend_count: '1' });
    const id = await authorize(caller, '15.00');
    expect(shown(await on(caller, id, 'increment', { amount: '5.00' }))[3]).toBe('20.00');
  });
});

describe('a reversal', () => {
  it('of everything restores amount and count', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    const answer = await on(caller, id, 'reverse');
    expect(shown(answer)).toEqual(['reverse', 'settled', 'credit', '10.00']);
    expect(answer.at('authorization.status')).toBe('reversed');
    expect(await balances(caller)).toEqual(['5000.00', '0.00']);
    expect(await usage(caller)).toEqual(['0.00', '0']);
  });

  it('of a part keeps the rest', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    expect(shown(await on(caller, id, 'reverse', { amount: '4.00' }))[3]).toBe('4.00');
    expect(await balances(caller)).toEqual(['4994.00', '6.00']);
    const more = await on(caller, id, 'reverse', { amount: '6.01' });
    expect([more.status, more.at('error.message')]).toEqual([400, expect.stringContaining('6.00')]);
    const why = await caller.v2('GET', `/_sandbox/explain/${id}`);
    expect(why.at('figures')).toMatchObject({ amount: '10.00', held: '6.00' });
    expect(why.at('decisions.0.numbers')).toMatchObject({ held_before: '10.00' });
    await on(caller, id, 'capture');
    const after = await caller.v2('GET', `/_sandbox/explain/${id}`);
    expect(after.at('decisions.1.numbers')).toMatchObject({ held_before: '6.00' });
    expect(after.at('figures.held')).toBeUndefined();
  });

  it('of the rest after a partial capture keeps the purchase and its count', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    await on(caller, id, 'capture', { amount: '4.00', final: false });
    await on(caller, id, 'reverse');
    expect(await balances(caller)).toEqual(['4996.00', '0.00']);
    expect(await usage(caller)).toEqual(['4.00', '1']);
    expect(shown(await on(caller, id, 'refund'))).toEqual(['refund', 'settled', 'credit', '4.00']);
    expect(await balances(caller)).toEqual(['5000.00', '0.00']);
    expect(await usage(caller)).toEqual(['0.00', '0']);
  });
});

describe('an expiry', () => {
  it('releases the held amount immediately', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    const answer = await on(caller, id, 'expire');
    expect(shown(answer)).toEqual(['reverse', 'settled', 'credit', '10.00']);
    expect(answer.at('transaction.parent_transaction_id')).toBe(id);
    expect(answer.at('authorization.status')).toBe('reversed');
    expect(await balances(caller)).toEqual(['5000.00', '0.00']);
    expect(await usage(caller)).toEqual(['0.00', '0']);
    expect((await on(caller, id, 'expire', { amount: '1.00' })).status).toBe(400);
  });

  it('of the rest of a purchase keeps what was captured', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    await on(caller, id, 'capture', { amount: '4.00', final: false });
    await on(caller, id, 'reverse', { amount: '1.00' });
    expect(shown(await on(caller, id, 'expire'))[3]).toBe('5.00');
    expect(await balances(caller)).toEqual(['4996.00', '0.00']);
    expect(await usage(caller)).toEqual(['4.00', '1']);
  });
});

describe('a capture after the hold was released', () => {
  it.each(['expire', 'reverse'])('posts what was released (%s)', async (end) => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    await on(caller, id, end);
    const answer = await on(caller, id, 'capture');
    expect(shown(answer)).toEqual(['adjust', 'settled', 'debit', '10.00']);
    expect(answer.at('transaction.parent_transaction_id')).toBe(id);
    expect(answer.at('authorization.status')).toBe('reversed');
    expect(await balances(caller)).toEqual(['4990.00', '0.00']);
    expect(await usage(caller)).toEqual(['10.00', '1']);
    expect((await caller.v2('GET', '/_sandbox/ledger/verify')).at('balanced')).toBe(true);
  });

  it('posts another amount, overdraws the account, and can be refunded', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    await on(caller, id, 'capture', { amount: '4.00', final: false });
    await on(caller, id, 'expire');
    expect(shown(await on(caller, id, 'capture'))[3]).toBe('6.00');
    await on(caller, id, 'capture', { amount: '5000.00' });
    expect(await balances(caller)).toEqual(['-10.00', '0.00']);
    expect(await usage(caller)).toEqual(['5010.00', '1']);
    expect(shown(await on(caller, id, 'refund'))).toEqual(['refund', 'settled', 'credit', '5010.00']);
    expect(await balances(caller)).toEqual(['5000.00', '0.00']);
  });
});

describe('a refund', () => {
  it('of the captured amount changes the status to refunded', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    await on(caller, id, 'capture', { amount: '12.00' });
    const answer = await on(caller, id, 'refund');
    expect(shown(answer)).toEqual(['refund', 'settled', 'credit', '12.00']);
    expect(answer.at('authorization.status')).toBe('refunded');
    expect(await balances(caller)).toEqual(['5000.00', '0.00']);
    expect(await usage(caller)).toEqual(['0.00', '0']);
    expect((await on(caller, id, 'refund')).status).toBe(409);
  });

  it('in parts never exceeds the captured amount', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    await on(caller, id, 'capture', { amount: '8.00' });
    await on(caller, id, 'refund', { amount: '5.00' });
    expect((await on(caller, id, 'refund', { amount: '3.01' })).at('error.message')).toContain('3.00');
    expect(shown(await on(caller, id, 'refund'))[3]).toBe('3.00');
    expect((await transaction(caller, id)).status).toBe('refunded');
  });

  it('requires a capture', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    const answer = await on(caller, id, 'refund', { amount: '1.00' });
    expect([answer.status, answer.at('error.hint')]).toEqual([
      409,
      'legal: increment, capture, reverse, expire',
    ]);
    await on(caller, id, 'capture', { amount: '4.00', final: false });
    expect(shown(await on(caller, id, 'refund'))[3]).toBe('4.00');
    expect(await balances(caller)).toEqual(['4994.00', '6.00']);
  });

  it('without a purchase is a separate credit', async () => {
    const caller = http.caller();
    const answer = await card(caller, 'refund', { amount: '7.00', merchant: { name: 'Mill' } });
    expect(answer.status).toBe(201);
    expect(answer.at('transaction')).toMatchObject({
      type: 'refund',
      status: 'settled',
      direction: 'credit',
      amount: '7.00',
      parent_transaction_id: '',
      card: { merchant: 'Mill' },
    });
    expect(await balances(caller)).toEqual(['5007.00', '0.00']);
  });
});

describe('an action that the present state does not allow', () => {
  it.each([
    ['capture', 'increment', []],
    ['capture', 'capture', ['refund', 'dispute']],
    ['capture', 'reverse', ['refund', 'dispute']],
    ['capture', 'expire', ['refund', 'dispute']],
    ['reverse', 'increment', ['capture']],
    ['reverse', 'refund', ['capture']],
    ['expire', 'reverse', []],
    ['expire', 'expire', ['capture']],
  ])('is refused: after %s no %s', async (before, event, legal) => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    await on(caller, id, before);
    const answer = await on(caller, id, event, event === 'increment' ? { amount: '1.00' } : {});
    expect([answer.status, answer.at('error.code')]).toEqual([409, 'illegal_step']);
    if (legal.length > 0) expect(answer.at('error.hint')).toBe(`legal: ${legal.join(', ')}`);
  });

  it('is refused for a declined transaction, and for one that is no authorization', async () => {
    const caller = http.caller();
    const declined = await card(caller, 'authorize', { amount: '9999.00' });
    expect((await on(caller, declined.id('transaction.id'), 'capture')).status).toBe(409);
    const refund = await card(caller, 'refund', { amount: '1.00' });
    expect((await on(caller, refund.id('transaction.id'), 'capture')).at('error.code')).toBe('parent_wrong');
    expect((await on(caller, 'txn_none', 'capture')).status).toBe(404);
    expect((await on(caller, refund.id('transaction.id'), 'swallow')).status).toBe(400);
    const id = await authorize(caller, '1.00');
    expect((await on(caller, id, 'reverse', { final: true })).status).toBe(400);
  });
});

describe('the events of the rail', () => {
  it.each([
    ['settle', 'settled', ['4990.00', '0.00'], ['10.00', '1']],
    ['reverse', 'reversed', ['5000.00', '0.00'], ['0.00', '0']],
    ['expire', 'reversed', ['5000.00', '0.00'], ['0.00', '0']],
  ])('have the same effect on a card payment: %s', async (event, status, after, used) => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    const answer = await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`);
    expect(answer.at('transaction.status')).toBe(status);
    expect(await balances(caller)).toEqual(after);
    expect(await usage(caller)).toEqual(used);
  });

  it('refund a captured one, and refuse a return', async () => {
    const caller = http.caller();
    const id = await authorize(caller, '10.00');
    const post = (event: string) => caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`);
    expect((await post('return')).at('error.hint')).toBe('legal: settle, reverse, expire');
    await post('settle');
    expect((await post('refund')).at('transaction.status')).toBe('refunded');
    expect(await balances(caller)).toEqual(['5000.00', '0.00']);
  });
});
