// Failed payments: canceled, declined, returned or reversed, before or after their settlement. The money comes back,
// which may overdraw the account, and a separate row records it if money was on hold.

import { describe, expect, test } from 'vitest';
import type { OriginationRail, RailEvent } from '../../../src/bank/model/rails/index.ts';
import type { Reason, Transaction } from '../../../src/bank/model/records.ts';
import { openTestSandbox, START } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { everyRail, kindsV1, kindsV2, totals } from './parties.ts';

const AMOUNT = 10_000;
const FUNDED = 500_000;
const R03: Reason = { code: 'R03', message: 'no account' };

/** A payment of 100.00 after `events`, without the facts before them. */
async function openPayment(rail: OriginationRail, ...events: RailEvent[]) {
  const sandbox = openTestSandbox();
  const { run, id, newFacts } = sandbox;
  const accountId = id('account');
  const { id: counterpartyId } = await run(({ counterparties }) =>
    counterparties.create(everyRail(accountId, id('other_account'))),
  );
  const { id: paymentId } = await run(({ payments }) =>
    payments.originate(rail, {
      accountId,
      counterpartyId,
      amount: AMOUNT,
      description: 'rent',
      externalReferenceId: 'x',
      metadata: { a: '1' },
      shortage: 'refuse',
    }),
  );
  const simulate = (event: RailEvent, reason?: Reason) =>
    run(({ payments }) => payments.applyEvent(paymentId, event, reason));
  for (const event of events) await simulate(event);
  newFacts();
  return { sandbox, simulate, accountId, paymentId };
}

const SENT: RailEvent[] = ['submit', 'send'];
const CLEARED: RailEvent[] = [...SENT, 'clear'];
const SETTLED: RailEvent[] = [...CLEARED, 'settle'];

describe('before settlement', () => {
  const ends: [OriginationRail, RailEvent[], RailEvent, string, string][] = [
    ['ach_push', [], 'cancel', 'canceled', 'cancel'],
    ['ach_push', ['submit'], 'cancel', 'canceled', 'cancel'],
    ['ach_push', ['submit', 'review'], 'decline', 'declined', 'decline'],
    ['ach_push', SENT, 'return', 'returned', 'return'],
    ['ach_push', CLEARED, 'return', 'returned', 'return'],
    ['ach_push', CLEARED, 'reverse', 'reversed', 'reverse'],
    ['ach_pull', SENT, 'return', 'returned', 'return'],
    ['domestic_wire', ['submit'], 'decline', 'declined', 'decline'],
    ['international_wire', CLEARED, 'return', 'returned', 'return'],
    ['rtp_push', [], 'return', 'returned', 'return'],
    ['fednow_push', ['review'], 'cancel', 'canceled', 'cancel'],
    ['debit_card_pull', [], 'decline', 'declined', 'decline'],
    ['check_send', SENT, 'return', 'returned', 'return'],
    ['check_deposit', CLEARED, 'return', 'returned', 'return'],
  ];

  test.each(ends)(
    'a payment by %s after %j can %s, has the status %s and has moved nothing',
    async (rail, before, event, status, type) => {
      const { sandbox, simulate, accountId, paymentId } = await openPayment(rail, ...before);
      sandbox.clock.advance(5_000);
      const ended = await simulate(event, R03);
      expect(ended).toMatchObject({
        id: paymentId,
        status,
        reason: R03,
        holdId: null,
        dueAt: null,
        masterId: '',
        updatedAt: START + 5_000,
        settledAt: null,
        availableBalance: FUNDED,
        pendingCredits: 0,
        pendingDebits: 0,
      });
      expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);

      const facts = sandbox.newFacts();
      const row = facts[1]?.record as Transaction;
      expect(row).toMatchObject({
        accountId,
        rail: ended.direction === 'debit' ? 'reversal_credit' : 'reversal_debit',
        status: 'settled',
        amount: AMOUNT,
        direction: ended.direction === 'debit' ? 'credit' : 'debit',
        method: ended.method,
        type,
        message: 'incoming',
        description: 'Reversal for - rent',
        parentId: paymentId,
        reason: R03,
        masterId: '',
        createdAt: START + 5_000,
        settledAt: START + 5_000,
        availableBalance: FUNDED,
      });
      expect(sandbox.bank.payments.byId(row.id)).toEqual(row);
      expect(sandbox.sandbox.store.transactions.ofParent(paymentId)).toEqual([row]);
      expect(kindsV2(facts)).toEqual([
        `transaction.status.${status}`,
        'transaction.created',
        'transaction.status.settled',
      ]);
    },
  );

  test.each<[OriginationRail, RailEvent[], RailEvent, string[]]>([
    ['ach_push', SENT, 'return', ['transfer.updated', 'ach.reversal.credit', 'account.credit']],
    ['ach_pull', SENT, 'return', ['transfer.updated', 'ach.reversal.debit']],
    ['domestic_wire', ['submit'], 'decline', ['transfer.updated', 'wire.reversal.credit', 'account.credit']],
    ['rtp_push', [], 'return', ['transfer.updated', 'account.credit']],
    ['check_send', SENT, 'return', ['transfer.updated', 'check.reversal.credit', 'account.credit']],
    ['check_deposit', CLEARED, 'return', ['transfer.updated', 'check.reversal.debit']],
  ])('that of a payment by %s after %j is told to v1', async (rail, before, event, kinds) => {
    const { sandbox, simulate } = await openPayment(rail, ...before);
    await simulate(event);
    expect(kindsV1(sandbox.newFacts())).toEqual(kinds);
  });
});

describe('after settlement', () => {
  test.each<[OriginationRail, RailEvent[], RailEvent, string, string[]]>([
    [
      'ach_push',
      SETTLED,
      'return',
      'returned',
      ['transfer.updated', 'ach.reversal.credit', 'account.credit'],
    ],
    ['ach_pull', SETTLED, 'return', 'returned', ['transfer.updated', 'ach.reversal.debit', 'account.debit']],
    ['ach_pull', SETTLED, 'reverse', 'reversed', ['transfer.updated', 'ach.reversal.debit', 'account.debit']],
    [
      'international_wire',
      SETTLED,
      'return',
      'returned',
      ['transfer.updated', 'wire.reversal.credit', 'account.credit'],
    ],
    ['rtp_push', ['settle'], 'return', 'returned', ['transfer.updated', 'account.credit']],
    [
      'check_deposit',
      SETTLED,
      'return',
      'returned',
      ['transfer.updated', 'check.reversal.debit', 'account.debit'],
    ],
  ])(
    'a payment by %s after %j may %s: it is %s, and posted back',
    async (rail, before, event, status, v1) => {
      const { sandbox, simulate, accountId } = await openPayment(rail, ...before);
      const ended = await simulate(event, R03);
      expect(ended).toMatchObject({ status, reason: R03, settledAt: START, availableBalance: FUNDED });
      expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
      const facts = sandbox.newFacts();
      const row = facts[1]?.record as Transaction;
      expect(row.masterId).toMatch(/^[0-9a-f]{32}$/);
      expect(row.masterId).not.toBe(ended.masterId);
      expect(kindsV1(facts)).toEqual(v1);
    },
  );

  test('a pull is returned even if the money was spent, and the balance becomes negative', async () => {
    const { sandbox, simulate, accountId } = await openPayment('ach_pull', ...SETTLED);
    const { run, id } = sandbox;
    await run(({ payments }) =>
      payments.originate('intra_push', {
        accountId,
        counterpartyId: id('intra_counterparty'),
        amount: FUNDED + AMOUNT,
        shortage: 'refuse',
      }),
    );
    const returned = await simulate('return', R03);
    expect(returned).toMatchObject({ status: 'returned', availableBalance: -AMOUNT });
    expect(totals(sandbox, accountId)).toEqual([-AMOUNT, 0, 0]);
    const paid = await run(({ payments }) =>
      payments.originate('intra_push', {
        accountId,
        counterpartyId: id('intra_counterparty'),
        amount: 1,
        shortage: 'record',
      }),
    );
    expect(paid.status).toBe('declined');
  });

  test('a push within the bank is reversed even if the money was spent', async () => {
    const { sandbox, simulate, accountId } = await openPayment('intra_push');
    const { run, id } = sandbox;
    await run(({ payments }) => {
      const { id: spent } = payments.receive('ach_received_pull', {
        accountId: id('other_account'),
        amount: 260_000,
        sender: {},
      });
      payments.applyEvent(spent, 'settle');
    });
    await simulate('reverse');
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
    expect(totals(sandbox, id('other_account'))).toEqual([-AMOUNT, 0, 0]);
  });
});

describe('a return code', () => {
  test('is stored with the returned ACH', async () => {
    const { simulate } = await openPayment('ach_push', ...SENT);
    expect((await simulate('return', R03)).details).toMatchObject({ returnCode: 'R03' });
  });

  test('is empty if the reason is not a NACHA code', async () => {
    const { simulate } = await openPayment('ach_push', ...SENT);
    const returned = await simulate('return', { code: 'lost', message: '' });
    expect(returned.details).toMatchObject({ returnCode: '' });
    expect(returned.reason?.code).toBe('lost');
  });

  test('is empty for a reversal', async () => {
    const { simulate } = await openPayment('ach_push', ...CLEARED);
    expect((await simulate('reverse', R03)).details).toMatchObject({ returnCode: '' });
  });
});

describe('a review', () => {
  test('stops a payment without moving money, until it is approved', async () => {
    const { sandbox, simulate, accountId } = await openPayment('ach_push', 'submit');
    expect((await simulate('review')).status).toBe('in_review');
    expect(totals(sandbox, accountId)).toEqual([FUNDED - AMOUNT, 0, AMOUNT]);
    expect((await simulate('approve')).status).toBe('pending');
    expect(kindsV2(sandbox.newFacts())).toEqual([
      'transaction.status.in_review',
      'transaction.status.pending',
    ]);
  });

  test('cancels the scheduled step, and the approval schedules it again', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { run, id, bank, pass, clock } = sandbox;
    const { id: paymentId } = await run(({ payments }) =>
      payments.originate('ach_push', {
        accountId: id('account'),
        counterpartyId: id('ach_counterparty'),
        amount: AMOUNT,
        shortage: 'refuse',
      }),
    );
    await run(({ payments }) => payments.applyEvent(paymentId, 'review'));
    expect(bank.payments.byId(paymentId).dueAt).toBeNull();
    expect(await pass(60_000)).toBe(0);
    const approved = await run(({ payments }) => payments.applyEvent(paymentId, 'approve'));
    expect(approved).toMatchObject({ status: 'pending', dueAt: clock.now() + 1_000 });
    await pass(60_000);
    expect(bank.payments.byId(paymentId).status).toBe('settled');
  });
});

describe('an event that the state does not allow', () => {
  test.each<[OriginationRail, RailEvent[], RailEvent, RailEvent[]]>([
    ['ach_push', [], 'settle', ['submit', 'review', 'cancel', 'decline']],
    ['ach_push', SENT, 'cancel', ['clear', 'return']],
    ['ach_pull', SETTLED, 'settle', ['return', 'reverse']],
    ['ach_pull', ['cancel'], 'submit', []],
    ['rtp_push', ['settle', 'return'], 'return', []],
    ['intra_push', [], 'return', ['reverse']],
  ])(
    '(%s after %j: %s) is refused with those that are legal, and nothing has changed',
    async (rail, before, event, legal) => {
      const { sandbox, simulate } = await openPayment(rail, ...before);
      const digest = digestOf(sandbox.sandbox);
      await expect(simulate(event)).rejects.toMatchObject({ code: 'illegal_step', legal });
      expect(digestOf(sandbox.sandbox)).toBe(digest);
    },
  );

  test('is refused for an unknown transaction', async () => {
    const { run, bank } = openTestSandbox();
    const refusal = { code: 'transaction_not_found' };
    await expect(run(({ payments }) => payments.applyEvent('0'.repeat(32), 'settle'))).rejects.toMatchObject(
      refusal,
    );
    expect(() => bank.payments.byId('0'.repeat(32))).toThrow(expect.objectContaining(refusal));
  });
});
