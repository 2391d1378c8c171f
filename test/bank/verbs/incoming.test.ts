// Payments that other banks send or pull: pending until they settle, or returned by the bank, and then without
// entries in the books.

import { describe, expect, test } from 'vitest';
import { formatTransaction } from '../../../src/bank/api/v1/transactions/format.ts';
import { type IncomingRail, RAILS } from '../../../src/bank/model/rails/index.ts';
import type { Account, CounterpartySnapshot, Transaction } from '../../../src/bank/model/records.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { readTables } from '../../support/tables.ts';
import { kindsV1, kindsV2, putAccount, totals } from './parties.ts';

const AMOUNT = 10_000;
const FUNDED = 500_000;

/** The status of a row in v1. */
const statusOf = ({ bank }: TestSandbox, transaction: Transaction): string =>
  formatTransaction(transaction, bank.program).status;

const receive = (
  { run, id }: TestSandbox,
  rail: IncomingRail,
  amount = AMOUNT,
  sender: Partial<CounterpartySnapshot> = {},
) =>
  run(({ payments }) =>
    payments.receive(rail, { accountId: id('account'), amount, sender, description: 'pay' }),
  );

/** By rail: the event kinds of v1 at arrival, at settlement, and for the row of a return after that. */
const RAILS_IN: [IncomingRail, string[], string[], string[]][] = [
  [
    'ach_received_push',
    [],
    ['ach.received.credit', 'account.credit'],
    ['ach.reversal.debit', 'account.debit'],
  ],
  [
    'ach_received_pull',
    ['ach.received.debit', 'account.debit'],
    [],
    ['ach.reversal.credit', 'account.credit'],
  ],
  [
    'domestic_wire_received',
    [],
    ['wire.received.credit', 'account.credit'],
    ['wire.reversal.debit', 'account.debit'],
  ],
  [
    'international_wire_received',
    [],
    ['wire.received.credit', 'account.credit'],
    ['wire.reversal.debit', 'account.debit'],
  ],
  ['rtp_received', [], ['account.credit'], ['account.debit']],
  ['fednow_received', [], ['account.credit'], ['account.debit']],
];

describe.each(RAILS_IN)('an incoming payment by %s', (rail, came, settled, wentBack) => {
  const debit = RAILS[rail].direction === 'debit';
  const open = debit ? [FUNDED - AMOUNT, 0, AMOUNT] : [FUNDED, AMOUNT, 0];
  const done = debit ? [FUNDED - AMOUNT, 0, 0] : [FUNDED + AMOUNT, 0, 0];

  test('is pending first, and available after settlement', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id, bank, pass, newFacts } = sandbox;
    const payment = await receive(sandbox, rail);
    expect(payment).toMatchObject({
      status: 'received',
      direction: RAILS[rail].direction,
      method: RAILS[rail].method,
      type: RAILS[rail].type,
      message: 'incoming',
      description: 'pay',
      counterpartyId: '',
      outcome: null,
      settledAt: null,
    });
    expect(payment.masterId).toMatch(/^[0-9a-f]{32}$/);
    expect(totals(sandbox, id('account'))).toEqual(open);
    const first = newFacts();
    expect(kindsV2(first)).toEqual(['transaction.created', 'transaction.status.received']);
    expect(kindsV1(first)).toEqual(came);

    expect(await pass((payment.dueAt ?? 0) - START)).toBe(1);
    const after = bank.payments.byId(payment.id);
    expect(after).toMatchObject({ status: 'settled', masterId: payment.masterId, settledAt: payment.dueAt });
    expect(totals(sandbox, id('account'))).toEqual(done);
    const second = newFacts();
    expect(kindsV2(second)).toEqual(['transaction.status.settled']);
    expect(kindsV1(second)).toEqual(settled);
  });

  test('can be returned after settlement, as a separate transaction', async () => {
    const sandbox = openTestSandbox();
    const { run, id, newFacts } = sandbox;
    const payment = await receive(sandbox, rail);
    await run(({ payments }) => payments.applyEvent(payment.id, 'settle'));
    newFacts();
    await run(({ payments }) => payments.applyEvent(payment.id, 'return'));
    expect(totals(sandbox, id('account'))).toEqual([FUNDED, 0, 0]);
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual([
      'transaction.status.returned',
      'transaction.created',
      'transaction.status.settled',
    ]);
    expect(kindsV1(facts).slice(-wentBack.length)).toEqual(wentBack);
    expect(facts[1]?.record).toMatchObject({ parentId: payment.id, message: 'outgoing', type: 'return' });
  });

  test('can be returned before settlement, also with a separate transaction', async () => {
    const sandbox = openTestSandbox();
    const { run, id, newFacts } = sandbox;
    const payment = await receive(sandbox, rail);
    newFacts();
    await run(({ payments }) => payments.applyEvent(payment.id, 'return'));
    expect(totals(sandbox, id('account'))).toEqual([FUNDED, 0, 0]);
    const facts = newFacts();
    expect(facts.map(({ record }) => statusOf(sandbox, record as Transaction))).toEqual([
      debit ? 'settled' : 'canceled',
      'settled',
    ]);
    // Nothing was refused: the reservation was released.
    const came = RAILS[rail].method === 'ach' || RAILS[rail].method?.endsWith('wire');
    expect(kindsV1(facts)).toEqual([...(came ? [wentBack[0]] : []), ...(debit ? ['account.credit'] : [])]);
  });

  const shut: Account['status'][] = [
    'closed',
    'blocked',
    'locked',
    debit ? 'debit_blocked' : 'credit_blocked',
  ];

  test.each(shut)('is returned with R02 by an account that is %s, without moving money', async (status) => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id, sandbox: bank, pass, newFacts } = sandbox;
    putAccount(sandbox, id('account'), status);
    const { transfers } = readTables(bank);
    const payment = await receive(sandbox, rail);
    expect(payment).toMatchObject({ status: 'received', movedNothing: true, bookedAt: null });
    expect(statusOf(sandbox, payment)).toBe('declined');
    expect(totals(sandbox, id('account'))).toEqual([FUNDED, 0, 0]);
    newFacts();
    await pass(1_000);
    expect(statusOf(sandbox, bank.bank.payments.byId(payment.id))).toBe('declined');
    expect(bank.bank.payments.byId(payment.id)).toMatchObject({
      status: 'returned',
      reason: { code: 'R02', message: 'account closed' },
    });
    expect(totals(sandbox, id('account'))).toEqual([FUNDED, 0, 0]);
    expect(readTables(bank).transfers).toEqual(transfers);
    expect(kindsV2(newFacts())).toEqual(['transaction.status.returned']);
  });

  test(`is accepted by an account that is ${debit ? 'credit' : 'debit'}_blocked`, async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id, pass } = sandbox;
    putAccount(sandbox, id('account'), debit ? 'credit_blocked' : 'debit_blocked');
    await receive(sandbox, rail);
    await pass(1_000);
    expect(totals(sandbox, id('account'))).toEqual(done);
  });
});

describe('an incoming ACH debit', () => {
  test('beyond the balance is returned with R01, without moving money', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id, sandbox: bank, pass, newFacts } = sandbox;
    const { transfers } = readTables(bank);
    const payment = await receive(sandbox, 'ach_received_pull', FUNDED + 1);
    expect(payment).toMatchObject({ status: 'received', holdId: null, pendingDebits: 0 });
    const first = newFacts();
    expect(kindsV2(first)).toEqual(['transaction.created', 'transaction.status.received']);
    // A payment that will be sent back is never received in v1.
    expect(kindsV1(first)).toEqual([]);
    await pass(1_000);
    expect(bank.bank.payments.byId(payment.id)).toMatchObject({
      status: 'returned',
      reason: { code: 'R01', message: 'insufficient funds' },
      details: { returnCode: 'R01' },
      settledAt: null,
    });
    expect(totals(sandbox, id('account'))).toEqual([FUNDED, 0, 0]);
    expect(readTables(bank).transfers).toEqual(transfers);
    const second = newFacts();
    expect(kindsV2(second)).toEqual(['transaction.status.returned']);
    expect(kindsV1(second)).toEqual(['ach.received.declined']);
  });

  test('of the whole balance is paid', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    await receive(sandbox, 'ach_received_pull', FUNDED);
    await sandbox.pass(1_000);
    expect(totals(sandbox, sandbox.id('account'))).toEqual([0, 0, 0]);
  });

  test('beyond the balance overdraws the account if it is settled by a simulation', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    const payment = await receive(sandbox, 'ach_received_pull', FUNDED + 1);
    sandbox.newFacts();
    sandbox.clock.advance(5_000);
    const settled = await run(({ payments }) => payments.applyEvent(payment.id, 'settle'));
    expect(totals(sandbox, id('account'))).toEqual([-1, 0, 0]);
    // It moved money after all, and is a row of its account from now on.
    expect(settled).toMatchObject({ movedNothing: false, bookedAt: START + 5_000, bookedBalance: -1 });
    expect(statusOf(sandbox, settled)).toBe('settled');
    expect(kindsV1(sandbox.newFacts())).toEqual(['ach.received.debit', 'account.debit']);
    await run(({ payments }) => payments.applyEvent(payment.id, 'return'));
    expect(statusOf(sandbox, sandbox.bank.payments.byId(payment.id))).toBe('settled');
    expect(kindsV1(sandbox.newFacts())).toEqual(['ach.reversal.credit', 'account.credit']);
  });

  test('that a rule returns in the same command never reserves money', async () => {
    const sandbox = openTestSandbox();
    const { run, id, sandbox: bank } = sandbox;
    const rule = { match: { rail: 'ach_received_pull' as const }, outcome: { returnCode: 'R03' } };
    await run(({ outcomes }) => outcomes.setRules([rule]));
    const { transfers } = readTables(bank);
    const returned = await run(({ payments }) =>
      payments.receiveAtOnce('ach_received_pull', { accountId: id('account'), amount: AMOUNT, sender: {} }),
    );
    expect(returned).toMatchObject({ status: 'returned', movedNothing: true, reason: { code: 'R03' } });
    expect(readTables(bank).transfers).toEqual(transfers);
    expect(kindsV1(sandbox.newFacts())).toEqual(['ach.received.declined']);
  });

  test('beyond the balance is also returned after a review', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { run, bank, pass } = sandbox;
    const { id } = await receive(sandbox, 'ach_received_pull', FUNDED + 1);
    await run(({ payments }) => payments.applyEvent(id, 'review'));
    expect(await pass(60_000)).toBe(0);
    await run(({ payments }) => payments.applyEvent(id, 'approve'));
    await pass(60_000);
    expect(bank.payments.byId(id)).toMatchObject({ status: 'returned', reason: { code: 'R01' } });
  });
});

describe('the sender of an incoming payment', () => {
  test('is part of the payment, with the bank name of its routing number', async () => {
    const payment = await receive(openTestSandbox(), 'ach_received_push', AMOUNT, {
      name: 'Acme',
      routingNumber: '021000021',
    });
    expect(payment).toMatchObject({
      title: '',
      otherSide: {
        id: '',
        name: 'Acme',
        routingNumber: '021000021',
        bankName: 'JPMorgan Chase',
        verificationStatus: 'pass',
      },
      details: { kind: 'ach', traceNumber: expect.stringMatching(/^021000021\d{5}$/), returnCode: '' },
    });
  });

  test('may be unknown', async () => {
    const payment = await receive(openTestSandbox(), 'ach_received_pull');
    expect(payment).toMatchObject({
      otherSide: { name: '', bankName: '' },
      details: { traceNumber: expect.stringMatching(/^110000013\d{5}$/) },
    });
  });

  test('of a wire has an IMAD and an OMAD', async () => {
    const { details } = await receive(openTestSandbox(), 'domestic_wire_received');
    expect(details).toEqual({
      kind: 'wire',
      imad: expect.stringMatching(/^\S{9}$/),
      omad: expect.stringMatching(/^\S{9}$/),
    });
  });
});

test('an incoming payment for an unknown account is refused', async () => {
  const { run } = openTestSandbox();
  await expect(
    run(({ payments }) =>
      payments.receive('ach_received_push', { accountId: '0'.repeat(32), amount: 1, sender: {} }),
    ),
  ).rejects.toMatchObject({ code: 'account_not_found' });
});
