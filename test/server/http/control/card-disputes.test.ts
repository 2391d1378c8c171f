/**
 * Disputes of card purchases and chargebacks of debit card pulls, by a simulation and by a rule: the states that v1
 * shows, the money that returns, the events, and the explanation. Decisions `card-disputes` and
 * `debit-card-chargeback` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type Caller, useHttp } from '../support.ts';
import { originate } from './calls.ts';

const http = useHttp({ rails: 'calendar' });
const DAY_MS = 86_400_000;

const on = (caller: Caller, id: string, event: string, body?: object) =>
  caller.v2('POST', `/_sandbox/simulate/authorizations/${id}/${event}`, body);
const step = (caller: Caller, id: string, event: string, body?: object) =>
  caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, body);
const explain = (caller: Caller, id: string) => caller.v2('GET', `/_sandbox/explain/${id}`);
const balance = async (caller: Caller) =>
  (await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`)).at(
    'available_balance',
  );
const authorize = async (caller: Caller, amount = '20.00'): Promise<string> => {
  const path = `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`;
  return (await caller.v2('POST', path, { amount })).id('transaction.id');
};
const capture = async (caller: Caller, amount?: string): Promise<string> => {
  const id = await authorize(caller, amount);
  expect((await on(caller, id, 'capture')).status).toBe(200);
  return id;
};
const readV1 = (caller: Caller, id: string) =>
  caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction/${id}`);
const disputeOf = async (caller: Caller, id: string) => {
  const answer = await readV1(caller, id);
  expect(answer.status, answer.text).toBe(200);
  return [answer.at('status'), answer.at('card.disputeStatus')];
};
const pass = async (caller: Caller, ms: number): Promise<void> => {
  http.clock.advance(ms);
  await caller.sandbox.agenda.runDue();
};
const setRule = async (caller: Caller, rail: string, outcome: object): Promise<void> => {
  const rules = [{ match: { rail }, outcome }];
  const answer = await caller.v2('PUT', '/_sandbox/rules', { rules });
  expect([answer.status, answer.at('rules')]).toEqual([200, rules]);
};
const refused = (answer: Answer) => [answer.status, answer.at('error.code')];

describe('sandbox_simulate_authorization, for a dispute', () => {
  it('opens it and returns the money as a separate transaction when it is won', async () => {
    const caller = http.caller();
    const before = await balance(caller);
    const id = await capture(caller);
    expect(await disputeOf(caller, id)).toEqual(['settled', 'notInitiated']);
    await caller.listen();

    const opened = await on(caller, id, 'dispute');
    expect([opened.status, opened.at('transaction.status')]).toEqual([200, 'settled']);
    expect(await disputeOf(caller, id)).toEqual(['settled', 'initiated']);
    expect(await balance(caller)).toBe('4980.00');

    const won = await on(caller, id, 'win_dispute');
    expect(won.at('authorization.status')).toBe('refunded');
    expect(won.at('transaction')).toMatchObject({
      type: 'refund',
      status: 'settled',
      direction: 'credit',
      amount: '20.00',
      parent_transaction_id: id,
    });
    expect(await disputeOf(caller, id)).toEqual(['settled', 'successful']);
    expect(await balance(caller)).toBe(before);

    const credit = await readV1(caller, won.id('transaction.id'));
    expect(credit.body).toMatchObject({ txnType: 'credit', subType: 'refund', amount: '20.00' });
    expect(String(credit.at('parentTxnId')).slice(4).replaceAll('-', '')).toBe(id.slice(4));
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['card.refund', 'account.credit']);
    expect(v2.map(({ kind }) => kind)).toEqual([
      'transaction.updated',
      'transaction.status.refunded',
      'transaction.created',
      'transaction.status.settled',
    ]);
  });

  it('leaves the money with the merchant when it is lost, for good', async () => {
    const caller = http.caller();
    const id = await capture(caller);
    await on(caller, id, 'dispute');
    const lost = await on(caller, id, 'lose_dispute');
    expect([lost.status, lost.at('transaction.id'), lost.at('transaction.status')]).toEqual([
      200,
      lost.at('authorization.id'),
      'settled',
    ]);
    expect(await disputeOf(caller, id)).toEqual(['settled', 'declined']);
    expect(await balance(caller)).toBe('4980.00');
    for (const event of ['dispute', 'win_dispute', 'lose_dispute']) {
      const again = await on(caller, id, event);
      expect([event, ...refused(again), again.at('error.hint')]).toEqual([
        event,
        409,
        'illegal_step',
        'legal: refund',
      ]);
    }
  });

  it('is refused before the capture, for another transaction and with an amount', async () => {
    const caller = http.caller();
    const held = await authorize(caller);
    expect(refused(await on(caller, held, 'dispute'))).toEqual([409, 'illegal_step']);
    expect(refused(await step(caller, held, 'dispute'))).toEqual([409, 'illegal_step']);
    const id = await capture(caller);
    expect(refused(await on(caller, id, 'win_dispute'))).toEqual([409, 'illegal_step']);
    const partial = await on(caller, id, 'dispute', { amount: '1.00' });
    expect([partial.status, partial.at('error.hint')]).toEqual([400, 'amount']);
    const pull = await originate(caller, 'debit_card_pull');
    expect(refused(await on(caller, pull, 'dispute'))).toEqual([400, 'parent_wrong']);
    expect(await disputeOf(caller, id)).toEqual(['settled', 'notInitiated']);
  });

  it('returns what the merchant has not refunded, and ends when the merchant refunds the rest', async () => {
    const caller = http.caller();
    const first = await capture(caller);
    await on(caller, first, 'refund', { amount: '5.00' });
    await on(caller, first, 'dispute');
    expect((await on(caller, first, 'win_dispute')).at('transaction.amount')).toBe('15.00');
    const second = await capture(caller);
    await on(caller, second, 'dispute');
    await on(caller, second, 'refund');
    expect(await disputeOf(caller, second)).toEqual(['settled', 'declined']);
    expect(refused(await on(caller, second, 'win_dispute'))).toEqual([409, 'illegal_step']);
    expect(await balance(caller)).toBe('5000.00');
  });

  it('restores the limit of the card when it is won', async () => {
    const caller = http.caller();
    const used = async () => {
      const { body } = await explain(caller, caller.seed('virtual_card_id'));
      const { spent, uses } = (body as { figures: Record<string, string> }).figures;
      return [spent, uses];
    };
    const id = await capture(caller);
    expect(await used()).toEqual(['20.00', '1']);
    await on(caller, id, 'dispute');
    await on(caller, id, 'win_dispute');
    expect(await used()).toEqual(['0.00', '0']);
  });

  it('is explained: the dispute, its past and what can be simulated', async () => {
    const caller = http.caller();
    const id = await capture(caller);
    await on(caller, id, 'dispute');
    const why = await explain(caller, id);
    expect(why.body).toMatchObject({
      status: 'settled',
      figures: { dispute: 'initiated' },
      legal_events: ['refund', 'win_dispute', 'lose_dispute'],
    });
    const path = why.at('path') as { change: string; figures: { dispute?: string } }[];
    expect(path.at(-1)).toMatchObject({ change: 'updated', figures: { dispute: 'initiated' } });
    const decisions = why.at('decisions') as { source: string; name: string }[];
    expect(decisions.at(-1)).toMatchObject({ source: 'simulate', name: 'dispute' });
    const won = await on(caller, id, 'win_dispute');
    const credit = await explain(caller, won.id('transaction.id'));
    expect(credit.body).toMatchObject({
      figures: { rail: 'card_dispute_credit' },
      related: [{ as: 'parent', amount: '20.00' }],
    });
  });
});

describe('sandbox_replace_rules, for a dispute', () => {
  it('decides it 90 days after it was opened', async () => {
    for (const [outcome, state] of [
      ['won', 'successful'],
      ['lost', 'declined'],
    ] as const) {
      const caller = http.caller();
      await setRule(caller, 'card_authorization', { dispute: outcome });
      const id = await capture(caller);
      await pass(caller, 0);
      expect(await disputeOf(caller, id)).toEqual(['settled', 'initiated']);
      await pass(caller, 90 * DAY_MS - 1000);
      expect(await disputeOf(caller, id)).toEqual(['settled', 'initiated']);
      await pass(caller, 1000);
      expect(await disputeOf(caller, id)).toEqual(['settled', state]);
      expect(await balance(caller)).toBe(outcome === 'won' ? '5000.00' : '4980.00');
      expect((await explain(caller, id)).at('decisions')).toMatchObject([
        { source: 'rule', name: 'rule 1', effect: 'dispute in settled' },
        { source: 'simulate', name: 'capture' },
      ]);
    }
  });

  it('opens it after a time and leaves it open', async () => {
    const caller = http.caller();
    await setRule(caller, 'card_authorization', { dispute: 'open', after: 'P10D' });
    const id = await capture(caller);
    await pass(caller, 10 * DAY_MS - 1000);
    expect(await disputeOf(caller, id)).toEqual(['settled', 'notInitiated']);
    await pass(caller, 1000);
    expect(await disputeOf(caller, id)).toEqual(['settled', 'initiated']);
    expect((await explain(caller, id)).at('next_step')).toBe(null);
  });

  it('is one outcome of a rule', async () => {
    const caller = http.caller();
    const rules = [{ match: {}, outcome: { dispute: 'won', charge_back: true } }];
    const answer = await caller.v2('PUT', '/_sandbox/rules', { rules });
    expect([answer.status, answer.at('error.hint')]).toEqual([400, 'rules.0.outcome']);
    const unknown = [{ match: {}, outcome: { dispute: 'drawn' } }];
    expect((await caller.v2('PUT', '/_sandbox/rules', { rules: unknown })).status).toBe(400);
  });
});

describe('a chargeback of a debit card pull', () => {
  const PUBLISHED = [
    'id',
    'programId',
    'personId',
    'businessId',
    'familyId',
    'contactId',
    'accountId',
    'transactionId',
    'amount',
    'status',
    'createdAt',
    'modifiedAt',
    'reversalTransactionId',
    'merchantReferenceId',
    'exceptionId',
    'networkTransactionId',
    'networkId',
    'last4',
    'originalProcessedDate',
    'exceptionCode',
    'exceptionDescription',
  ];

  it('sandbox_simulate_transaction takes the money back and publishes debitcard.chargeback', async () => {
    const caller = http.caller();
    const before = await balance(caller);
    const id = await originate(caller, 'debit_card_pull');
    await step(caller, id, 'settle');
    await caller.listen();
    const reason = { reason: '10.4', message: 'Other fraud: card absent environment' };
    const answer = await step(caller, id, 'charge_back', reason);
    expect([answer.status, answer.at('transaction.status')]).toEqual([200, 'returned']);
    expect(await balance(caller)).toBe(before);

    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['transfer.updated', 'debitcard.chargeback', 'account.debit']);
    const record = v1[1]?.record as Record<string, unknown>;
    expect(Object.keys(record)).toEqual(PUBLISHED);
    const uuid = (text: unknown) => String(text).slice(4).replaceAll('-', '');
    expect(uuid(record.transactionId)).toBe(id.slice(4));
    expect(record).toMatchObject({
      amount: '100.00',
      status: 'chargedBack',
      exceptionCode: '10.4',
      exceptionDescription: 'Other fraud: card absent environment',
      last4: '5556',
      originalProcessedDate: null,
    });
    expect(record.exceptionId).toMatch(/^C\d{8}V\d{6}$/);
    expect(record.networkId).toMatch(/^\d{10}$/);
    const reversal = await readV1(caller, String(record.reversalTransactionId));
    expect(reversal.body).toMatchObject({
      txnType: 'debit',
      subType: 'reversal',
      amount: '-100.00',
      transferType: 'debitCard',
      parentTxnId: record.transactionId,
    });
  });

  it('is possible only for a settled pull', async () => {
    const caller = http.caller();
    const id = await originate(caller, 'debit_card_pull');
    await step(caller, id, 'charge_back');
    expect(refused(await step(caller, id, 'charge_back'))).toEqual([409, 'illegal_step']);
    const push = await originate(caller, 'debit_card_push');
    await step(caller, push, 'settle');
    expect(refused(await step(caller, push, 'charge_back'))).toEqual([409, 'illegal_step']);
  });

  it('sandbox_replace_rules charges back at once or after a time', async () => {
    const caller = http.caller();
    await setRule(caller, 'debit_card_pull', { charge_back: true });
    const first = await originate(caller, 'debit_card_pull');
    await pass(caller, 0);
    expect((await explain(caller, first)).body).toMatchObject({
      status: 'returned',
      related: [{ as: 'child', type: 'return', amount: '100.00' }],
    });
    await setRule(caller, 'debit_card_pull', { charge_back: true, after: 'P3D' });
    const second = await originate(caller, 'debit_card_pull');
    await pass(caller, 0);
    expect((await explain(caller, second)).at('next_step.event')).toBe('charge_back');
    await pass(caller, 3 * DAY_MS);
    expect((await explain(caller, second)).at('status')).toBe('returned');
  });
});
