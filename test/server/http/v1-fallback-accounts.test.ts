/**
 * Fallback accounts: opening one, its allowed payments, the accounts that it covers, and the covered payments.
 * Decisions `fallback-accounts` and `fallback-draws` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { expectRefusedV1, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';
import { available } from './v1-orders.ts';

const http = useHttp();
const INVALID = 'EC_ACCOUNT_INVALID_REQUEST';
const own = (caller: Caller) => `/v1/account/${caller.seed('account_id')}`;
const ok = async (pending: Promise<Answer>): Promise<Answer> => {
  const answer = await pending;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};

const openAs = (caller: Caller, type: string, person = caller.seed('person_id')) =>
  caller.v1('POST', '/v1/account', { acceptedTerms: true, type }, { 'sd-person-id': person });

const covers = (ach: string | undefined, card: string | undefined) => ({
  received: {
    ...(ach !== undefined && { ach: { enabled: true, fallbackId: ach } }),
    ...(card !== undefined && { card: { enabled: true, fallbackId: card } }),
  },
});

/** Pays from one account of the person to another. */
async function move(caller: Caller, from: string, to: string, amount: string): Promise<Answer> {
  const contact = await ok(
    caller.v1('POST', '/v1/contact', {
      accountId: from,
      name: 'Own',
      type: 'selfIntrabank',
      intrabank: { accountNumber: (await caller.v1('GET', `/v1/account/${to}`)).at('accountNumber') },
    }),
  );
  return caller.v1('POST', '/v1/send/intrabank', { accountId: from, contactId: contact.id(), amount });
}

/** A fallback account with this amount, which covers both directions; the seeded account keeps `rest`. */
async function cover(caller: Caller, amount: string, rest = '100.00'): Promise<string> {
  const fallback = (await ok(openAs(caller, 'fallbackAccount'))).id();
  const spare = (await ok(openAs(caller, 'fundingAccount'))).id();
  const left = Number(await available(caller)) - Number(amount) - Number(rest);
  await ok(move(caller, caller.seed('account_id'), fallback, amount));
  await ok(move(caller, caller.seed('account_id'), spare, left.toFixed(2)));
  await ok(caller.v1('PATCH', own(caller), { fallback: covers(fallback, fallback) }));
  expect(await available(caller)).toBe(rest);
  return fallback;
}

const balanceOf = async (caller: Caller, id: string) =>
  (await caller.v1('GET', `/v1/account/${id}`)).at('availableBalance');

const pull = (caller: Caller, amount: string) =>
  caller.v1('POST', `${own(caller)}/test/ach`, { amount, txnType: 'debit', senderName: 'Mill' });
const spend = (caller: Caller, body: object) =>
  caller.v1('POST', `/v1/card/${caller.seed('virtual_card_id')}/test`, body);
const rows = async (caller: Caller, id: string, query = '') =>
  (await ok(caller.v1('GET', `/v1/account/${id}/transaction?${query}`))).at('data') as Record<
    string,
    string
  >[];

describe('an account with a purpose', () => {
  it.each([
    ['fundingAccount', '1000.00'],
    ['clearingAccount', '1000.00'],
    ['fallbackAccount', '0.00'],
  ])('is a %s, opens with %s, and is a checking account in v2', async (type, opens) => {
    const caller = http.caller();
    const before = (await caller.v1('GET', '/v1/account?type=personalChecking')).at('total');
    const opened = await openAs(caller, type);
    expect(opened.status, opened.text).toBe(201);
    expect(opened.body).toMatchObject({ type, availableBalance: opens, status: 'active' });
    const found = await caller.v1('GET', `/v1/account?type=${type}`);
    expect([found.at('total'), found.at('data.0.id')]).toEqual([1, opened.id()]);
    expect((await caller.v1('GET', '/v1/account?type=personalChecking')).at('total')).toBe(before);
    const v2 = await caller.v2('GET', `/v2/accounts/sub_account/${opened.id()}`);
    expect(v2.at('type')).toBe('checking');
  });

  it('for funding or clearing uses every rail', async () => {
    const caller = http.caller();
    for (const type of ['fundingAccount', 'clearingAccount']) {
      const accountId = (await ok(openAs(caller, type))).id();
      const contact = await ok(
        caller.v1('POST', '/v1/contact', {
          accountId,
          name: 'Mill',
          ach: { accountNumber: '5500112244', routingNumber: '121042882', accountType: 'businessChecking' },
        }),
      );
      const order = { accountId, contactId: contact.id(), amount: '5.00' };
      expect((await caller.v1('POST', '/v1/send/ach', order)).status).toBe(201);
      expect((await caller.v1('POST', '/v1/receive/ach', order)).status).toBe(201);
    }
  });

  it('for fallback pays and is paid only within the bank', async () => {
    const caller = http.caller();
    const fallback = (await ok(openAs(caller, 'fallbackAccount'))).id();
    expect((await move(caller, caller.seed('account_id'), fallback, '50.00')).status).toBe(201);
    expect((await move(caller, fallback, caller.seed('account_id'), '20.00')).status).toBe(201);
    const contact = await ok(
      caller.v1('POST', '/v1/contact', {
        accountId: fallback,
        name: 'Mill',
        ach: { accountNumber: '5500112244', routingNumber: '121042882', accountType: 'businessChecking' },
      }),
    );
    const order = { accountId: fallback, contactId: contact.id(), amount: '5.00' };
    for (const path of ['send/ach', 'receive/ach']) {
      expectRefusedV1(await caller.v1('POST', `/v1/${path}`, order), {
        status: 400,
        code: 'EC_TRANSFER_NOT_ENABLED',
        message: /only intrabank payments/,
      });
    }
    const card = await caller.v1('POST', '/v1/card', { accountId: fallback, cardType: 'virtual' });
    expect([card.status, card.at('code')]).toEqual([400, 'EC_CARD_NOT_ENABLED']);
    for (const txnType of ['credit', 'debit']) {
      const came = await ok(
        caller.v1('POST', `/v1/account/${fallback}/test/ach`, { amount: '1.00', txnType }),
      );
      expect(came.at('status')).toBe('declined');
    }
    expect(await balanceOf(caller, fallback)).toBe('30.00');
    const rtp = await caller.v2('POST', '/v2/payments/counterparty', {
      sub_account_id: fallback,
      type: 'person',
      person: { first_name: 'Mo', last_name: 'Ash' },
      rtp: { account_number: '5500112244', routing_number: '121042882', account_type: 'business_checking' },
    });
    const sent = await caller.v2('POST', '/v2/payments/rtp/push', {
      sub_account_id: fallback,
      counterparty_id: rtp.id(),
      amount: '1.00',
    });
    expect([sent.status, sent.at('error.code')]).toEqual([400, 'ERROR_CODE_FORM_FACTOR_NOT_ENABLED']);
    for (const side of ['send', 'receive']) {
      expectRefusedV1(
        await caller.v1('PATCH', `/v1/account/${fallback}`, {
          config: { [side]: { ach: { enabled: true } } },
        }),
        { status: 400, code: INVALID, message: new RegExp(`config\\.${side}\\.ach\\.enabled must be false`) },
      );
    }
    const shown = await caller.v1('GET', `/v1/account/${fallback}`);
    expect(shown.at('config.send.ach')).toEqual({ enabled: false, sameDay: true });
  });
});

describe('the fallback of an account', () => {
  it('can be set at the top level and in the configuration, and removed with null', async () => {
    const caller = http.caller();
    const fallback = (await ok(openAs(caller, 'fallbackAccount'))).id();
    const set = await ok(caller.v1('PATCH', own(caller), { fallback: covers(fallback, undefined) }));
    expect(set.at('config.fallback.received')).toEqual({
      ach: { enabled: true, fallbackId: fallback },
      card: { enabled: false, fallbackId: '' },
    });
    const both = await ok(
      caller.v1('PATCH', own(caller), { config: { fallback: covers(undefined, fallback) } }),
    );
    expect(both.at('config.fallback')).toEqual(covers(fallback, fallback));
    const off = { received: { ach: { enabled: false } } };
    const one = await ok(caller.v1('PATCH', own(caller), { fallback: off }));
    expect(one.at('config.fallback.received.ach')).toEqual({ enabled: false, fallbackId: fallback });
    // A record can be sent as it was read.
    const same = await ok(caller.v1('PATCH', own(caller), { config: one.at('config') }));
    expect(same.at('config')).toEqual(one.at('config'));
    const none = await ok(caller.v1('PATCH', own(caller), { fallback: { received: null } }));
    expect(none.at('config.fallback')).toEqual({ received: null });
    expectRefusedV1(await caller.v1('PATCH', own(caller), { fallback: off, config: { fallback: off } }), {
      status: 400,
      code: INVALID,
      message: /at the top level of the body or below config/,
    });
  });

  it('must be a fallback account of the same holder that is not closed', async () => {
    const caller = http.caller();
    const stranger = await caller.v1('GET', `/v1/account/${caller.seed('other_sub_account_id')}`);
    const other = (await ok(openAs(caller, 'fallbackAccount', stranger.id('personId')))).id();
    const checking = (await ok(openAs(caller, 'personalChecking'))).id();
    const closed = (await ok(openAs(caller, 'fallbackAccount'))).id();
    await ok(caller.v1('PATCH', `/v1/account/${closed}`, { status: 'closed' }));
    for (const [fallback, message] of [
      [other, /config\.fallback\.received\.ach\.fallbackId must be a fallbackAccount of the same holder/],
      [checking, /must be a fallbackAccount of the same holder/],
      [closed, /is closed/],
    ] as const) {
      expectRefusedV1(await caller.v1('PATCH', own(caller), { fallback: covers(fallback, undefined) }), {
        status: 400,
        code: INVALID,
        message,
      });
    }
    expectRefusedV1(
      await caller.v1('PATCH', own(caller), { fallback: { received: { card: { enabled: true } } } }),
      {
        status: 400,
        code: INVALID,
        message: /is required if "enabled" is true/,
      },
    );
  });

  it('cannot be closed while an account uses it', async () => {
    const caller = http.caller();
    const fallback = await cover(caller, '0.01');
    const v1 = `/v1/account/${fallback}`;
    expectRefusedV1(await caller.v1('PATCH', v1, { status: 'closed' }), {
      status: 409,
      code: 'EC_ACCOUNT_IS_FALLBACK',
    });
    expectRefusedV2(await caller.v2('PATCH', `/v2/accounts/sub_account/${fallback}`, { status: 'closed' }), {
      status: 400,
      code: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED',
      field: 'status',
    });
    await ok(caller.v1('PATCH', own(caller), { fallback: { received: null } }));
    expect((await caller.v1('PATCH', v1, { status: 'closed' })).at('status')).toBe('closed');
  });
});

describe('the fallback of a closed account', () => {
  it('can be closed', async () => {
    const caller = http.caller();
    const fallback = (await ok(openAs(caller, 'fallbackAccount'))).id();
    const opened = await ok(
      caller.v2('POST', '/v2/accounts/sub_account', {
        sub_account_holder_id: caller.seed('person_holder_id'),
        type: 'checking',
      }),
    );
    const covered = `/v1/account/${opened.id()}`;
    await ok(caller.v1('PATCH', covered, { fallback: covers(fallback, fallback) }));
    expect((await caller.v1('PATCH', `/v1/account/${fallback}`, { status: 'closed' })).status).toBe(409);
    await ok(caller.v1('PATCH', covered, { status: 'closed' }));
    await ok(caller.v1('PATCH', `/v1/account/${fallback}`, { status: 'closed' }));
  });
});

describe('a payment beyond the balance', () => {
  it('draws the missing amount, in two rows that both versions and the events show', async () => {
    const caller = http.caller();
    const fallback = await cover(caller, '80.00');
    await caller.listen();
    const debit = await ok(pull(caller, '130.00'));
    expect(debit.at('status')).toBe('settled');
    const [covered] = await rows(caller, caller.seed('account_id'), 'subType=overdraft');
    const [drawn] = await rows(caller, fallback, 'subType=overdraft');
    expect(covered).toMatchObject({
      amount: '30.00',
      balance: '130.00',
      status: 'settled',
      transferType: 'intrabank',
      parentTxnId: debit.id(),
      fallbackTxnId: '',
    });
    expect(drawn).toMatchObject({ amount: '-30.00', balance: '50.00', parentTxnId: debit.id() });
    expect([debit.at('fallbackTxnId'), debit.at('fallbackTransferId')]).toEqual([
      covered?.id,
      covered?.id?.replace('txn', 'tra'),
    ]);
    // The transfer of the debit contains the id of the transfer of the draw, which can be read.
    const transfer = await ok(caller.v1('GET', `/v1/receive/ach/${debit.at('ach.transferId')}`));
    expect(transfer.at('fallbackTransferId')).toBe(debit.at('fallbackTransferId'));
    const draw = await ok(caller.v1('GET', `/v1/receive/intrabank/${transfer.at('fallbackTransferId')}`));
    expect(draw.body).toMatchObject({ amount: '30.00', transferSubType: 'overdraft' });
    expect([await available(caller), await balanceOf(caller, fallback)]).toEqual(['0.00', '50.00']);
    const v2 = (id: string | undefined) => caller.v2('GET', `/v2/payments/transaction/${id}`);
    expect((await v2(covered?.id)).body).toMatchObject({
      method: 'intra_account',
      type: 'push',
      direction: 'credit',
      message: 'incoming',
      status: 'settled',
      amount: '30.00',
    });
    expect((await v2(drawn?.id)).body).toMatchObject({ direction: 'debit', message: 'outgoing' });
    const { v1: events, v2: told } = await caller.receivedEvents();
    expect(events.map(({ kind }) => kind)).toEqual([
      'intrabank.originated.debit',
      'account.debit',
      'intrabank.received.credit',
      'account.credit',
      'ach.received.debit',
      'account.debit',
    ]);
    expect(told.map(({ kind }) => kind).slice(0, 4)).toEqual([
      'transaction.created',
      'transaction.status.settled',
      'transaction.created',
      'transaction.status.settled',
    ]);
    const why = await caller.v2('GET', `/_sandbox/explain/${debit.id()}`);
    expect(why.text).toContain('drew 30.00');
  });

  it('by a card draws at the authorization, at its increase and at a capture of more', async () => {
    const caller = http.caller();
    const fallback = await cover(caller, '100.00');
    expect((await ok(spend(caller, { amount: '110.00' }))).at('status')).toBe('approved');
    const [purchase] = await rows(caller, caller.seed('account_id'), 'subType=auth');
    expect(await balanceOf(caller, fallback)).toBe('90.00');
    const update = { amount: '130.00', txnType: 'authUpdate', parentTxnId: purchase?.id };
    expect((await ok(spend(caller, update))).at('status')).toBe('approved');
    expect([await available(caller), await balanceOf(caller, fallback)]).toEqual(['0.00', '70.00']);
    const draws = await rows(caller, caller.seed('account_id'), `parentTransactionId=${purchase?.id}`);
    expect(draws.map(({ subType, amount }) => [subType, amount])).toEqual([
      ['overdraft', '20.00'],
      ['overdraft', '10.00'],
    ]);
    const [after] = await rows(caller, caller.seed('account_id'), 'subType=auth');
    expect(after?.fallbackTxnId).toBe(draws[0]?.id);
    const capture = `/_sandbox/simulate/authorizations/${purchase?.id}/capture`;
    await ok(caller.v2('POST', capture, { amount: '135.00' }));
    expect([await available(caller), await balanceOf(caller, fallback)]).toEqual(['0.00', '65.00']);
    const [tip] = await rows(caller, caller.seed('account_id'), 'subType=authUpdate');
    const [last] = await rows(caller, caller.seed('account_id'), 'subType=overdraft');
    expect([tip?.amount, tip?.fallbackTxnId]).toEqual(['-5.00', last?.id]);
  });

  it('by a card does not draw when an authorization decreases, even if the account is overdrawn', async () => {
    const caller = http.caller();
    const fallback = await cover(caller, '50.00');
    const credit = await ok(
      caller.v1('POST', `${own(caller)}/test/ach`, {
        amount: '40.00',
        txnType: 'credit',
        senderName: 'Mill',
      }),
    );
    await ok(spend(caller, { amount: '30.00' }));
    await ok(pull(caller, '110.00'));
    await ok(caller.v2('POST', `/_sandbox/simulate/transactions/${credit.id()}/return`, {}));
    expect(await available(caller)).toBe('-40.00');
    const [purchase] = await rows(caller, caller.seed('account_id'), 'subType=auth');
    await ok(spend(caller, { amount: '20.00', txnType: 'authUpdate', parentTxnId: purchase?.id }));
    expect([await available(caller), await balanceOf(caller, fallback)]).toEqual(['-30.00', '50.00']);
  });

  it('is declined or returned as before if the fallback has too little, or is for the other direction', async () => {
    const caller = http.caller();
    const fallback = await cover(caller, '20.00');
    await caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' });
    expect((await ok(pull(caller, '120.01'))).at('status')).toBe('declined');
    expect((await ok(spend(caller, { amount: '120.01' }))).body).toEqual({
      status: 'declined',
      declineReason: 'lowBalance',
    });
    await ok(caller.v1('PATCH', own(caller), { fallback: { received: { card: { enabled: false } } } }));
    expect((await ok(spend(caller, { amount: '110.00' }))).at('status')).toBe('declined');
    await ok(caller.v1('PATCH', `/v1/account/${fallback}`, { status: 'debitBlocked' }));
    expect((await ok(pull(caller, '110.00'))).at('status')).toBe('declined');
    expect([await available(caller), await balanceOf(caller, fallback)]).toEqual(['100.00', '20.00']);
    expect(await rows(caller, fallback, 'subType=overdraft')).toEqual([]);
    await ok(caller.v1('PATCH', `/v1/account/${fallback}`, { status: 'active' }));
    expect((await ok(pull(caller, '120.00'))).at('status')).toBe('settled');
  });

  it('that is returned credits the account that made it, and the draw stays', async () => {
    const caller = http.caller();
    const fallback = await cover(caller, '80.00');
    const debit = await ok(pull(caller, '130.00'));
    await ok(caller.v2('POST', `/_sandbox/simulate/transactions/${debit.id()}/return`, {}));
    expect([await available(caller), await balanceOf(caller, fallback)]).toEqual(['130.00', '50.00']);
    const [back] = await rows(caller, caller.seed('account_id'), 'subType=reversal');
    expect([back?.amount, back?.fallbackTxnId]).toEqual(['130.00', '']);
    await ok(spend(caller, { amount: '150.00' }));
    const [purchase] = await rows(caller, caller.seed('account_id'), 'subType=auth');
    await ok(spend(caller, { amount: '150.00', txnType: 'reversal', parentTxnId: purchase?.id }));
    expect([await available(caller), await balanceOf(caller, fallback)]).toEqual(['150.00', '30.00']);
    const [reversal] = await rows(caller, caller.seed('account_id'), 'subType=reversal');
    expect([reversal?.amount, reversal?.fallbackTxnId]).toEqual(['150.00', '']);
  });
});
