/**
 * The balances at every step of a payment, from its origination to its return: the three totals of v2, those of v1,
 * and the balance in each record. Decisions `shared-records`, `too-little-money`, `incoming-money-pending`,
 * `outgoing-money-pending`, `incoming-not-taken`, `return-may-overdraw`, `v2-simulated-decline`,
 * `uncaptured-authorization` and `ach-timing` of the decisions.
 */
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/bank/kernel/refusal.ts';
import type { Reason } from '../../../src/bank/model/records.ts';
import type { Origination } from '../../../src/bank/verbs/inputs.ts';
import { digestOf } from './digest.ts';
import { simulate } from './simulate.ts';
import { type Caller, type ReceivedEvent, useHttp } from './support.ts';

const NSF: Reason = { code: 'R01', message: 'insufficient funds' };

/** Available, pending credits, pending debits. */
type Totals = readonly [string, string, string];

async function totals(caller: Caller, account = 'sub_account_id'): Promise<Totals> {
  const id = caller.seed(account);
  const v2 = await caller.v2('GET', `/v2/accounts/sub_account/${id}`);
  const v1 = await caller.v1('GET', `/v1/account/${id}`);
  const inV2 = ['available_balance', 'pending_credits', 'pending_debits'].map((field) => v2.at(field));
  const inV1 = ['availableBalance', 'pendingCredit', 'pendingDebit'].map((field) => v1.at(field));
  expect(inV1, 'v1 says of the account what v2 says').toEqual(inV2);
  return inV2 as unknown as Totals;
}

async function transaction(caller: Caller, id: string) {
  const { body } = await caller.v2('GET', `/v2/payments/transaction/${id}`);
  const { status, available_balance, pending_credits, pending_debits, ...rest } = body as Record<
    string,
    unknown
  >;
  return { status, totals: [available_balance, pending_credits, pending_debits], rest };
}

async function pull(caller: Caller, amount: string): Promise<string> {
  const answer = await caller.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount,
    description: 'Dues',
  });
  return answer.id();
}

async function push(caller: Caller, amount: string): Promise<{ id: string; status: unknown }> {
  const answer = await caller.v2('POST', '/v2/payments/ach/push', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount,
    description: 'Invoice 88',
  });
  return { id: answer.id(), status: answer.at('status') };
}

const kindsOf = (events: ReceivedEvent[]) => events.map(({ kind }) => kind);
const only = (events: ReceivedEvent[], kind: string): ReceivedEvent['record'] => {
  const found = events.filter((event) => event.kind === kind);
  expect(found.length, `${kind} among ${kindsOf(events).join(', ')}`).toBe(1);
  return found[0]?.record ?? {};
};

describe('an ACH pull', () => {
  const http = useHttp();
  const ORIGINATED: Totals = ['5000.00', '62.40', '0.00'];
  const SETTLED: Totals = ['5062.40', '0.00', '0.00'];
  const BEFORE: Totals = ['5000.00', '0.00', '0.00'];

  it('is in pending credits until it settles, and then in the balance', async () => {
    const caller = http.caller();
    expect(await totals(caller)).toEqual(BEFORE);
    const id = await pull(caller, '62.40');
    for (const [event, status] of [
      [null, 'originated'],
      ['submit', 'pending'],
      ['send', 'clearing'],
      ['clear', 'cleared'],
    ] as const) {
      if (event !== null) await simulate(caller, id, event);
      expect(await totals(caller), status).toEqual(ORIGINATED);
      expect(await transaction(caller, id)).toMatchObject({ status, totals: ORIGINATED });
    }
    expect((await transaction(caller, id)).rest).toMatchObject({
      ach: { trace_number: expect.stringMatching(/^121042882\d{5}$/) },
      reconciliation: { status: 'not_reconciled' },
    });
    http.clock.advance(1000);
    await simulate(caller, id, 'settle');
    expect(await totals(caller)).toEqual(SETTLED);
    expect(await transaction(caller, id)).toMatchObject({
      status: 'settled',
      totals: SETTLED,
      rest: {
        reconciliation: {
          status: 'reconciled',
          master_account: [{ id: caller.seed('master_account_id'), amount: '62.40' }],
          sub_account: [{ id: caller.seed('sub_account_id'), transaction_id: id, amount: '62.40' }],
        },
        timestamps: { settled_at: `${new Date(http.clock.now()).toISOString().slice(0, 19)}Z` },
      },
    });
  });

  it('publishes a pending transfer and transaction in v1, and a credit at settlement', async () => {
    const caller = http.caller();
    await caller.listen();
    const id = await pull(caller, '62.40');
    const made = await caller.receivedEvents();
    expect(only(made.v1, 'transfer.created')).toMatchObject({ status: 'pending', amount: '62.40' });
    expect(only(made.v1, 'ach.originated.credit')).toMatchObject({ status: 'pending', balance: '5000.00' });
    for (const event of ['submit', 'send'] as const) await simulate(caller, id, event);
    expect((await caller.receivedEvents()).v1).toEqual([]);
    await simulate(caller, id, 'clear');
    expect(only((await caller.receivedEvents()).v1, 'ach.originated.updated')).toMatchObject({
      status: 'pending',
      ach: { traceNumber: expect.stringMatching(/^121042882\d{5}$/) },
    });
    await simulate(caller, id, 'settle');
    const settled = (await caller.receivedEvents()).v1;
    expect(kindsOf(settled)).toEqual(['transfer.updated', 'ach.received.credit', 'account.credit']);
    expect(only(settled, 'transfer.updated')).toMatchObject({ status: 'completed', amount: '62.40' });
    expect(only(settled, 'account.credit')).toMatchObject({
      status: 'settled',
      amount: '62.40',
      balance: '5062.40',
    });
  });

  it.each([
    ['before settlement', ['submit', 'send'], BEFORE],
    ['after clearing', ['submit', 'send', 'clear'], BEFORE],
    ['after settlement', ['submit', 'send', 'clear', 'settle'], BEFORE],
  ] as const)('returned %s restores the previous totals', async (_, steps, after) => {
    const caller = http.caller();
    const id = await pull(caller, '62.40');
    for (const step of steps) await simulate(caller, id, step);
    await caller.listen();
    await simulate(caller, id, 'return', NSF);
    expect(await totals(caller)).toEqual(after);
    expect(await transaction(caller, id)).toMatchObject({
      status: 'returned',
      totals: after,
      rest: { ach: { return_code: 'R01' }, amount: '62.40' },
    });
    const { v1, v2 } = await caller.receivedEvents();
    const row = only(v2, 'transaction.created');
    expect(row).toMatchObject({
      type: 'return',
      direction: 'debit',
      amount: '62.40',
      status: 'settled',
      parent_transaction_id: id,
      available_balance: after[0],
      pending_credits: after[1],
    });
    const reversal = only(v1, 'ach.reversal.debit');
    expect(reversal).toMatchObject({
      amount: '-62.40',
      txnType: 'debit',
      subType: 'reversal',
      balance: after[0],
      description: 'Reversal for - Dues',
      title: 'Received from Harbor Supplies',
      reviewCode: 'insufficientFunds',
    });
    expect(String(reversal.parentTxnId).replaceAll('-', '')).toBe(id.replace('_', ''));
    expect(only(v1, 'transfer.updated')).toMatchObject({ status: 'declined' });
    const wasThere = (steps as readonly string[]).includes('settle');
    expect(kindsOf(v1).includes('account.debit')).toBe(wasThere);
  });

  it('returned after its money was spent makes the balance negative', async () => {
    const caller = http.caller();
    const id = await pull(caller, '100.00');
    for (const step of ['submit', 'send', 'clear', 'settle'] as const) await simulate(caller, id, step);
    const spent = await push(caller, '5050.00');
    expect(spent.status).toBe('originated');
    await simulate(caller, id, 'return', NSF);
    expect(await totals(caller)).toEqual(['-50.00', '0.00', '5050.00']);
    expect((await transaction(caller, id)).totals).toEqual(['-50.00', '0.00', '5050.00']);
    const declined = await caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, { amount: '0.01' });
    expect(declined.body).toEqual({ status: 'declined', declineReason: 'lowBalance' });
  });

  it('that is canceled or declined is removed from pending credits', async () => {
    for (const event of ['cancel', 'decline'] as const) {
      const caller = http.caller();
      const id = await pull(caller, '62.40');
      await simulate(caller, id, event);
      expect(await totals(caller)).toEqual(BEFORE);
      expect((await transaction(caller, id)).status).toBe(event === 'cancel' ? 'canceled' : 'declined');
    }
  });

  it('that is repeated counts twice, and each settles separately', async () => {
    const caller = http.caller();
    const first = await pull(caller, '10.00');
    const second = await pull(caller, '20.00');
    expect(await totals(caller)).toEqual(['5000.00', '30.00', '0.00']);
    for (const step of ['submit', 'send', 'clear', 'settle'] as const) await simulate(caller, second, step);
    expect(await totals(caller)).toEqual(['5020.00', '10.00', '0.00']);
    expect((await transaction(caller, first)).totals).toEqual(['5000.00', '10.00', '0.00']);
  });
});

describe('an ACH push', () => {
  const http = useHttp();
  const HELD: Totals = ['4900.00', '0.00', '100.00'];
  const POSTED: Totals = ['4900.00', '0.00', '0.00'];
  const BEFORE: Totals = ['5000.00', '0.00', '0.00'];

  it('reduces the balance at creation, and pending debits at settlement', async () => {
    const caller = http.caller();
    await caller.listen();
    const { id } = await push(caller, '100.00');
    const made = await caller.receivedEvents();
    expect(only(made.v1, 'transfer.created')).toMatchObject({ status: 'completed', amount: '100.00' });
    expect(only(made.v1, 'account.debit')).toMatchObject({
      amount: '-100.00',
      balance: '4900.00',
      status: 'settled',
    });
    for (const [event, status, after] of [
      [null, 'originated', HELD],
      ['submit', 'pending', HELD],
      ['send', 'clearing', HELD],
      ['clear', 'cleared', HELD],
      ['settle', 'settled', POSTED],
    ] as const) {
      if (event !== null) await simulate(caller, id, event);
      expect(await totals(caller), status).toEqual(after);
      expect(await transaction(caller, id)).toMatchObject({ status, totals: after });
    }
    expect(kindsOf((await caller.receivedEvents()).v1)).toEqual(['ach.originated.updated']);
  });

  it.each([
    ['before settlement', ['submit', 'send']],
    ['after settlement', ['submit', 'send', 'clear', 'settle']],
  ] as const)('returned %s restores the balance', async (_, steps) => {
    const caller = http.caller();
    const { id } = await push(caller, '100.00');
    for (const step of steps) await simulate(caller, id, step);
    await caller.listen();
    await simulate(caller, id, 'return', { code: 'R03', message: 'no account' });
    expect(await totals(caller)).toEqual(BEFORE);
    expect(await transaction(caller, id)).toMatchObject({
      status: 'returned',
      totals: BEFORE,
      rest: { ach: { return_code: 'R03' } },
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(only(v1, 'ach.reversal.credit')).toMatchObject({
      amount: '100.00',
      balance: '5000.00',
      subType: 'reversal',
      description: 'Reversal for - Invoice 88',
      reviewCode: 'accountNotFound',
    });
    expect(only(v1, 'account.credit')).toMatchObject({ amount: '100.00', balance: '5000.00' });
    expect(only(v2, 'transaction.created')).toMatchObject({
      type: 'return',
      direction: 'credit',
      amount: '100.00',
    });
  });
});

describe('an intra-account pull', () => {
  const http = useHttp();

  it('that is reversed goes back to the other account, even if it was spent', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', '/v2/payments/intra_account/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('intra_counterparty_id'),
      amount: '2500.00',
    });
    expect(await totals(caller)).toEqual(['7500.00', '0.00', '0.00']);
    expect(await totals(caller, 'other_sub_account_id')).toEqual(['0.00', '0.00', '0.00']);
    await push(caller, '7400.00');
    await simulate(caller, answer.id(), 'reverse');
    expect(await totals(caller)).toEqual(['-2400.00', '0.00', '7400.00']);
    expect(await totals(caller, 'other_sub_account_id')).toEqual(['2500.00', '0.00', '0.00']);
    expect((await transaction(caller, answer.id())).status).toBe('reversed');
  });
});

describe('a card', () => {
  const http = useHttp();

  it('that is authorized, raised, lowered, partly reversed and refunded has the correct totals at every step', async () => {
    const caller = http.caller();
    await caller.listen();
    const test = async (body: object) => {
      const answer = await caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, body);
      expect(answer.body).toEqual({ status: 'approved', declineReason: '' });
    };
    await test({ amount: '50.00' });
    const parentTxnId = only((await caller.receivedEvents()).v1, 'card.spend').id;
    expect(await totals(caller)).toEqual(['4950.00', '0.00', '50.00']);
    await test({ amount: '62.50', txnType: 'authUpdate', parentTxnId });
    expect(await totals(caller)).toEqual(['4937.50', '0.00', '62.50']);
    await test({ amount: '40.00', txnType: 'authUpdate', parentTxnId });
    expect(await totals(caller)).toEqual(['4960.00', '0.00', '40.00']);
    await test({ amount: '15.00', txnType: 'reversal', parentTxnId });
    expect(await totals(caller)).toEqual(['4975.00', '0.00', '25.00']);
    await simulate(caller, String(parentTxnId), 'settle');
    expect(await totals(caller)).toEqual(['4975.00', '0.00', '0.00']);
    expect(await transaction(caller, String(parentTxnId))).toMatchObject({
      status: 'settled',
      totals: ['4975.00', '0.00', '0.00'],
      rest: { amount: '40.00', card: { network_settlement_at: expect.stringMatching(/Z$/) } },
    });
    await test({ amount: '25.00', txnType: 'refund', parentTxnId });
    expect(await totals(caller)).toEqual(['5000.00', '0.00', '0.00']);
    expect((await transaction(caller, String(parentTxnId))).status).toBe('refunded');
  });

  it('with an expired authorization has its money back', async () => {
    const caller = http.caller();
    await caller.listen();
    await caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, { amount: '50.00' });
    const spend = only((await caller.receivedEvents()).v1, 'card.spend');
    await simulate(caller, String(spend.id), 'expire');
    expect(await totals(caller)).toEqual(['5000.00', '0.00', '0.00']);
    const { v1, v2 } = await caller.receivedEvents();
    const reversal = only(v1, 'card.reversal');
    expect(reversal).toMatchObject({
      txnType: 'credit',
      amount: '50.00',
      subType: 'reversal',
      parentTxnId: spend.id,
      balance: '5000.00',
      card: { isCaptured: false, capturedAt: '' },
    });
    expect(only(v1, 'account.credit')).toEqual(reversal);
    expect(kindsOf(v2)).toEqual([
      'transaction.status.reversed',
      'transaction.created',
      'transaction.status.settled',
    ]);
    expect(only(v2, 'transaction.created')).toMatchObject({
      type: 'reverse',
      status: 'settled',
      direction: 'credit',
      amount: '50.00',
      parent_transaction_id: String(spend.id).replaceAll('-', '').replace('txn', 'txn_'),
      card: { network_settlement_at: '' },
    });
  });
});

describe('insufficient funds', () => {
  const http = useHttp();

  it('result in a declined transaction and its event in v2 with a setting, and move no money', async () => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' });
    await caller.listen();
    const answer = await caller.v2('POST', '/v2/payments/intra_account/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('intra_counterparty_id'),
      amount: '2500.01',
    });
    expect({ code: answer.status, status: answer.at('status') }).toEqual({ code: 201, status: 'declined' });
    expect(await totals(caller)).toEqual(['5000.00', '0.00', '0.00']);
    expect(await totals(caller, 'other_sub_account_id')).toEqual(['2500.00', '0.00', '0.00']);
    const { v1, v2 } = await caller.receivedEvents();
    expect(only(v2, 'transaction.status.declined')).toEqual(answer.body);
    expect(v1).toEqual([]);
  });

  it('also decline a push in v2 with the setting', async () => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' });
    const declined = await push(caller, '5000.01');
    expect(await transaction(caller, declined.id)).toMatchObject({
      status: 'declined',
      totals: ['5000.00', '0.00', '0.00'],
    });
  });

  it.each([
    ['ach_push', 'ach_counterparty', 5_000_01],
    ['intra_push', 'intra_counterparty', 5_000_01],
    ['intra_pull', 'intra_counterparty', 2_500_01],
  ] as const)('result in an error for %s in v1, and create nothing', async (rail, counterparty, amount) => {
    const caller = http.caller();
    await caller.listen();
    const before = digestOf(caller.sandbox);
    const { sandbox } = caller;
    const { account = '', [counterparty]: counterpartyId = '' } = sandbox.seeded.ids;
    const order: Origination = { accountId: account, counterpartyId, amount, shortage: 'refuse' };
    const refused = await sandbox
      .commit(() => sandbox.bank.payments.originate(rail, order))
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ code: 'insufficient_funds', field: 'amount' });
    expect(digestOf(caller.sandbox)).toBe(before);
    expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
    const enough = { ...order, amount: amount - 1 };
    expect((await sandbox.commit(() => sandbox.bank.payments.originate(rail, enough))).status).not.toBe(
      'declined',
    );
  });

  it('are a declined response in the card test of v1', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, { amount: '5000.01' });
    expect({ code: answer.status, body: answer.body }).toEqual({
      code: 200,
      body: { status: 'declined', declineReason: 'lowBalance' },
    });
    expect(await totals(caller)).toEqual(['5000.00', '0.00', '0.00']);
    const { v1, v2 } = await caller.receivedEvents();
    expect(kindsOf(v1)).toEqual(['card.declined']);
    expect(only(v2, 'transaction.status.declined')).toMatchObject({ type: 'decline', amount: '5000.01' });
  });
});

describe('the timetable', () => {
  const http = useHttp({ rails: 'fast' });

  it('of the fast profile advances a pull by one step per second', async () => {
    const caller = http.caller();
    const { sandbox } = caller;
    const made = new Date(http.clock.now()).toISOString().slice(0, 19);
    const id = await pull(caller, '62.40');
    for (const status of ['pending', 'clearing', 'cleared', 'settled']) {
      http.clock.advance(999);
      await sandbox.agenda.runDue();
      expect((await transaction(caller, id)).status).not.toBe(status);
      http.clock.advance(1);
      await sandbox.agenda.runDue();
      expect((await transaction(caller, id)).status).toBe(status);
    }
    expect(await totals(caller)).toEqual(['5062.40', '0.00', '0.00']);
    expect((await transaction(caller, id)).rest.timestamps).toMatchObject({ created_at: `${made}Z` });
  });

  it('catches up with overdue steps, each at its own time', async () => {
    const caller = http.caller();
    await caller.listen();
    const start = http.clock.now();
    const id = await pull(caller, '62.40');
    http.clock.advance(3_600_000);
    await caller.sandbox.agenda.runDue();
    expect(await totals(caller)).toEqual(['5062.40', '0.00', '0.00']);
    const settledAt = `${new Date(start + 4000).toISOString().slice(0, 19)}Z`;
    expect((await transaction(caller, id)).rest.timestamps).toMatchObject({ settled_at: settledAt });
    expect(kindsOf((await caller.receivedEvents()).v2)).toEqual([
      'transaction.created',
      'transaction.status.pending',
      'transaction.status.clearing',
      'transaction.status.cleared',
      'transaction.status.settled',
    ]);
  });

  it('releases a card hold after seven days', async () => {
    const caller = http.caller();
    const held = await caller.v2('POST', '/v2/simulate/incoming/card_issuing', {
      card_id: caller.seed('virtual_card_id'),
      amount: '50.00',
      type: 'auth',
      status: 'pending',
    });
    http.clock.advance(7 * 86_400_000 - 1);
    await caller.sandbox.agenda.runDue();
    expect(await totals(caller)).toEqual(['4950.00', '0.00', '50.00']);
    http.clock.advance(1);
    await caller.sandbox.agenda.runDue();
    expect(await totals(caller)).toEqual(['5000.00', '0.00', '0.00']);
    const { body } = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction?limit=2`);
    expect(body).toMatchObject({
      data: [
        { amount: '50.00', subType: 'reversal', balance: '5000.00' },
        { amount: '-50.00', subType: 'auth', balance: '4950.00', status: 'settled' },
      ],
    });
    expect((await transaction(caller, held.id())).status).toBe('reversed');
  });

  it('captures a card test of v1 after a day, and never releases it', async () => {
    const caller = http.caller();
    await caller.listen();
    const test = (body: object) => caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, body);
    await test({ amount: '50.00' });
    const { id: parentTxnId } = only((await caller.receivedEvents()).v1, 'card.spend');
    await test({ amount: '62.50', txnType: 'authUpdate', parentTxnId });
    await test({ amount: '12.50', txnType: 'reversal', parentTxnId });
    expect(await totals(caller)).toEqual(['4950.00', '0.00', '50.00']);
    http.clock.advance(86_400_000);
    await caller.sandbox.agenda.runDue();
    expect(await totals(caller)).toEqual(['4950.00', '0.00', '0.00']);
    expect((await transaction(caller, String(parentTxnId))).status).toBe('settled');
    const entry = `/v1/account/${caller.seed('account_id')}/transaction/${String(parentTxnId)}`;
    expect((await caller.v1('GET', entry)).body).toMatchObject({
      amount: '-62.50',
      status: 'settled',
      balance: '4950.00',
      card: { isCaptured: true },
    });
    http.clock.advance(30 * 86_400_000);
    await caller.sandbox.agenda.runDue();
    expect(await totals(caller)).toEqual(['4950.00', '0.00', '0.00']);
  });
});

describe('the banking calendar', () => {
  const http = useHttp({ rails: 'calendar' });

  it('settles a pull two banking days after its effective date, and skips the holiday', async () => {
    const caller = http.caller();
    // Friday, 20 November 2026, 10:00 Pacific: posts on Monday, the 23rd; Thursday, the 26th, is a holiday.
    const id = await pull(caller, '62.40');
    const at = async (instant: string) => {
      http.clock.advance(Date.parse(instant) - http.clock.now());
      await caller.sandbox.agenda.runDue();
      return (await transaction(caller, id)).status;
    };
    expect(await at('2026-11-20T20:14:59Z')).toBe('pending');
    expect(await at('2026-11-20T20:15:00Z')).toBe('clearing');
    expect(await at('2026-11-23T13:29:59Z')).toBe('clearing');
    expect(await at('2026-11-23T13:30:00Z')).toBe('cleared');
    expect(await at('2026-11-25T13:29:59Z')).toBe('cleared');
    expect(await totals(caller)).toEqual(['5000.00', '62.40', '0.00']);
    expect(await at('2026-11-25T13:30:00Z')).toBe('settled');
    expect(await totals(caller)).toEqual(['5062.40', '0.00', '0.00']);
  });
});
