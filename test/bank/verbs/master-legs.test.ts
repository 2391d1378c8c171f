// The ledger of the master account: its transaction for each payment, money in suspense without a sub account,
// sub-ledgered parts, and returns of that money.

import { describe, expect, test } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import { totalsOf } from '../../../src/bank/model/balances.ts';
import type { IncomingRail } from '../../../src/bank/model/rails/index.ts';
import type { Transaction } from '../../../src/bank/model/records.ts';
import type { CursorWindow } from '../../../src/bank/store/lists.ts';
import type { Incoming } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, type TestSandbox, type TestSandboxOptions } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { everyRail, kindsV1, kindsV2, putAccount, totals } from './parties.ts';

const FUNDED = 750_000;
const NEWEST: CursorWindow = { kind: 'cursor', limit: 100, after: '', before: '' };

const masterOf = ({ bank }: TestSandbox) => bank.accounts.master().totals;
const suspended = ({ bank }: TestSandbox) => totalsOf(bank.payments.suspenseBalance());
const figuresOf = ({ availableBalance, pendingCredits, pendingDebits }: Transaction) => ({
  availableBalance,
  pendingCredits,
  pendingDebits,
});

/** A bank with an incoming payment of 100.00 without a sub account. */
async function openWaiting(rail: IncomingRail = 'ach_received_push', options?: TestSandboxOptions) {
  const sandbox = openTestSandbox(options);
  const { run, id, newFacts } = sandbox;
  newFacts();
  const receive = (changes: Partial<Incoming> = {}) =>
    run(({ payments }) =>
      payments.receive(rail, {
        accountId: null,
        amount: 10_000,
        description: 'for whom it may concern',
        sender: { name: 'Pat Rowe', routingNumber: '021000021' },
        ...changes,
      }),
    );
  const entry = await receive();
  const now = (subject: Id = entry.id) => sandbox.bank.payments.byId(subject);
  const simulate = (event: 'settle' | 'return' | 'reverse', subject: Id = entry.id) =>
    run(({ payments }) => payments.applyEvent(subject, event));
  const subLedger = (amount: number, accountId: Id = id('account'), masterEntryId: Id = entry.id) =>
    run(({ payments }) => payments.subLedger({ masterEntryId, accountId, amount }));
  return { sandbox, entry, receive, now, simulate, subLedger, accountId: id('account') };
}

describe('a credit without a sub account', () => {
  test.each([
    'ach_received_push',
    'domestic_wire_received',
    'international_wire_received',
    'rtp_received',
    'fednow_received',
  ] as const)('is in suspense on the master account, by %s', async (rail) => {
    const { sandbox, entry, simulate, accountId } = await openWaiting(rail);
    const received = { availableBalance: FUNDED, pendingCredits: 10_000, pendingDebits: 0 };
    expect(entry).toMatchObject({
      accountId: null,
      holderId: null,
      status: 'received',
      masterId: entry.id,
      masterTotals: received,
      subLedger: null,
    });
    expect(figuresOf(entry)).toEqual(received);
    expect(masterOf(sandbox)).toEqual(received);
    const settled = await simulate('settle');
    const there = { availableBalance: FUNDED + 10_000, pendingCredits: 0, pendingDebits: 0 };
    expect(settled).toMatchObject({ status: 'settled', masterTotals: there });
    expect(figuresOf(settled)).toEqual(there);
    expect(suspended(sandbox).availableBalance).toBe(10_000);
    expect(totals(sandbox, accountId)).toEqual([500_000, 0, 0]);
  });

  test('settles on schedule', async () => {
    const { sandbox, entry, now } = await openWaiting('ach_received_push', { rails: 'fast' });
    await sandbox.pass(5_000);
    expect(now(entry.id).status).toBe('settled');
  });

  test('publishes events in v2, and in v1 only after it is sub-ledgered', async () => {
    const { sandbox, simulate, subLedger } = await openWaiting();
    await simulate('settle');
    const waiting = sandbox.newFacts();
    expect(kindsV2(waiting)).toEqual([
      'transaction.created',
      'transaction.status.received',
      'transaction.status.settled',
    ]);
    expect(kindsV1(waiting)).toEqual([]);
    await subLedger(4_000);
    const ledgered = sandbox.newFacts();
    expect(kindsV2(ledgered)).toEqual([
      'transaction.created',
      'transaction.status.settled',
      'transaction.updated',
    ]);
    expect(kindsV1(ledgered)).toEqual(['ach.received.credit', 'account.credit']);
  });

  test('is returned from the master account, before and after settlement', async () => {
    const { sandbox, entry, now, simulate, receive } = await openWaiting();
    await simulate('return');
    expect(now().status).toBe('returned');
    expect(masterOf(sandbox)).toEqual({ availableBalance: FUNDED, pendingCredits: 0, pendingDebits: 0 });
    const second = await receive();
    await simulate('settle', second.id);
    await simulate('reverse', second.id);
    expect(now(second.id).status).toBe('reversed');
    expect(masterOf(sandbox).availableBalance).toBe(FUNDED);
    const rows = sandbox.bank.payments.inMaster([], NEWEST).items;
    for (const original of [entry, second]) {
      const row = rows.find(({ parentId }) => parentId === original.id);
      expect(row).toMatchObject({ accountId: null, direction: 'debit', masterId: row?.id });
    }
  });
});

describe('a debit without a sub account', () => {
  test('is returned with R20, and nothing is held', async () => {
    const { sandbox, entry, now } = await openWaiting('ach_received_pull', { rails: 'fast' });
    expect(entry).toMatchObject({ accountId: null, direction: 'debit', status: 'received', holdId: null });
    const before = masterOf(sandbox);
    expect(before.pendingDebits).toBe(0);
    await sandbox.pass(5_000);
    expect(now()).toMatchObject({
      status: 'returned',
      reason: { code: 'R20' },
      details: { returnCode: 'R20' },
    });
    expect(masterOf(sandbox)).toEqual(before);
    expect(sandbox.sandbox.store.decisions.of(entry.id)).toMatchObject([
      { source: 'control', name: 'sub_account', effect: 'return R20 in received' },
    ]);
  });

  test('does not request a real-time authorization', async () => {
    const { sandbox } = await openWaiting();
    const input: Incoming = { accountId: null, amount: 100, sender: {} };
    expect(sandbox.bank.payments.questionOf('ach_received_pull', input)).toBeUndefined();
  });

  test('overdraws the suspense account if it is settled by a simulation', async () => {
    const { sandbox, simulate } = await openWaiting('ach_received_pull');
    await simulate('settle');
    expect(suspended(sandbox).availableBalance).toBe(-10_000);
    expect(masterOf(sandbox).availableBalance).toBe(FUNDED - 10_000);
  });
});

describe('sub-ledgering', () => {
  test('assigns a part of a master transaction to an account, without a second master transaction', async () => {
    const { sandbox, entry, now, simulate, subLedger, accountId } = await openWaiting();
    const settled = await simulate('settle');
    const master = masterOf(sandbox);
    const part = await subLedger(6_000);
    expect(part).toMatchObject({
      accountId,
      rail: 'sub_ledgered',
      status: 'settled',
      settledAt: part.createdAt,
      amount: 6_000,
      direction: 'credit',
      method: 'ach',
      type: 'push',
      message: 'incoming',
      title: '',
      description: 'for whom it may concern',
      otherSide: entry.otherSide,
      details: settled.details,
      masterId: entry.id,
      masterTotals: null,
      availableBalance: 506_000,
    });
    expect(part.id).not.toBe(entry.id);
    expect(totals(sandbox, accountId)).toEqual([506_000, 0, 0]);
    expect(suspended(sandbox).availableBalance).toBe(4_000);
    expect(masterOf(sandbox)).toEqual(master);
    expect(now()).toMatchObject({
      status: 'settled',
      subLedger: [{ accountId, transactionId: part.id, amount: 6_000 }],
    });
  });

  test('is possible until nothing remains, and an error contains the remaining amount', async () => {
    const { sandbox, simulate, subLedger, now } = await openWaiting();
    const other = sandbox.id('other_account');
    await simulate('settle');
    await subLedger(6_000);
    await expect(subLedger(4_001)).rejects.toMatchObject({
      code: 'field_invalid',
      field: 'amount',
      message: expect.stringContaining('40.00 of this entry'),
    });
    await subLedger(1_500, other);
    await subLedger(2_500, other);
    await expect(subLedger(1)).rejects.toMatchObject({ code: 'entry_sub_ledgered' });
    expect(now().subLedger?.map(({ amount }) => amount)).toEqual([6_000, 1_500, 2_500]);
    expect(suspended(sandbox).availableBalance).toBe(0);
  });

  test('is refused before the transaction settles', async () => {
    const { sandbox, simulate, subLedger } = await openWaiting();
    const before = digestOf(sandbox.sandbox);
    await expect(subLedger(100)).rejects.toMatchObject({ code: 'illegal_step' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
    await simulate('return');
    await expect(subLedger(100)).rejects.toMatchObject({ code: 'illegal_step' });
  });

  test('is refused for an account that accepts no credits, and for unknown accounts and transactions', async () => {
    const { sandbox, simulate, subLedger, accountId } = await openWaiting();
    await simulate('settle');
    await expect(subLedger(1, '0'.repeat(32))).rejects.toMatchObject({ code: 'account_not_found' });
    await expect(subLedger(1, accountId, '0'.repeat(32))).rejects.toMatchObject({
      code: 'transaction_not_found',
    });
    putAccount(sandbox, accountId, 'credit_blocked');
    await expect(subLedger(1)).rejects.toMatchObject({ code: 'account_credit_blocked', field: 'accountId' });
    putAccount(sandbox, accountId, 'closed');
    await expect(subLedger(1)).rejects.toMatchObject({ code: 'account_not_active' });
  });

  test('is refused for a transaction that already has an account, and for outgoing money', async () => {
    const { sandbox, simulate, subLedger, accountId } = await openWaiting();
    const opening = sandbox.bank.payments.byId(sandbox.id('account.opening_transaction'));
    const wrong = { code: 'field_invalid', field: 'masterAccountTransactionId' };
    await expect(subLedger(1, accountId, opening.masterId)).rejects.toMatchObject(wrong);
    await simulate('settle');
    await simulate('reverse');
    const [row] = sandbox.bank.payments.inMaster([{ field: 'rail', is: 'reversal_debit' }], NEWEST).items;
    await expect(subLedger(1, accountId, row?.id ?? '')).rejects.toMatchObject(wrong);
  });
});

describe('a return of sub-ledgered money', () => {
  async function openLedgered() {
    const waiting = await openWaiting();
    const { sandbox, simulate, subLedger, accountId } = waiting;
    const otherId = sandbox.id('other_account');
    await simulate('settle');
    const parts = [await subLedger(6_000), await subLedger(1_500, otherId)] as const;
    sandbox.newFacts();
    return { ...waiting, parts, otherId, accountId };
  }

  test.each(['return', 'reverse'] as const)(
    'by a %s of the master transaction also reverses all parts',
    async (event) => {
      const { sandbox, entry, now, simulate, parts, accountId, otherId } = await openLedgered();
      const after = await simulate(event);
      const status = event === 'return' ? 'returned' : 'reversed';
      expect(after.status).toBe(status);
      expect(parts.map(({ id }) => now(id).status)).toEqual([status, status]);
      expect(totals(sandbox, accountId)).toEqual([500_000, 0, 0]);
      expect(totals(sandbox, otherId)).toEqual([250_000, 0, 0]);
      expect(suspended(sandbox).availableBalance).toBe(0);
      expect(masterOf(sandbox).availableBalance).toBe(FUNDED);
      const rows = [entry, ...parts].map(
        ({ id }) => sandbox.sandbox.store.transactions.ofParent(id)[0] as Transaction,
      );
      const [own, first, second] = rows as [Transaction, Transaction, Transaction];
      expect(own).toMatchObject({
        accountId: null,
        type: event,
        direction: 'debit',
        amount: 10_000,
        masterId: own.id,
      });
      expect(own.subLedger).toEqual([
        { accountId, transactionId: first.id, amount: 6_000 },
        { accountId: otherId, transactionId: second.id, amount: 1_500 },
      ]);
      expect([first.masterId, second.masterId]).toEqual([own.id, own.id]);
      expect([first.masterTotals, second.masterTotals]).toEqual([null, null]);
      const facts = sandbox.newFacts();
      expect(kindsV1(facts)).toEqual([
        'ach.reversal.debit',
        'account.debit',
        'ach.reversal.debit',
        'account.debit',
      ]);
      expect(kindsV2(facts).filter((kind) => kind === `transaction.status.${status}`)).toHaveLength(3);
    },
  );

  test('succeeds even if the money was spent', async () => {
    const { sandbox, simulate, accountId } = await openLedgered();
    await sandbox.run(({ payments, counterparties }) => {
      const { id } = counterparties.create(everyRail(accountId, sandbox.id('other_account')));
      payments.originate('rtp_push', {
        accountId,
        counterpartyId: id,
        amount: 506_000,
        shortage: 'refuse',
      });
    });
    await simulate('return');
    expect(totals(sandbox, accountId)).toEqual([-6_000, 0, 506_000]);
    expect(suspended(sandbox).availableBalance).toBe(0);
  });

  test('of one part makes its amount available for sub-ledgering again', async () => {
    const { sandbox, entry, now, simulate, subLedger, parts, accountId, otherId } = await openLedgered();
    const [first, second] = parts;
    const master = masterOf(sandbox);
    await simulate('reverse', first.id);
    expect(now(first.id).status).toBe('reversed');
    expect(now().subLedger).toEqual([{ accountId: otherId, transactionId: second.id, amount: 1_500 }]);
    expect(totals(sandbox, accountId)).toEqual([500_000, 0, 0]);
    expect(suspended(sandbox).availableBalance).toBe(8_500);
    expect(masterOf(sandbox)).toEqual(master);
    const [row] = sandbox.sandbox.store.transactions.ofParent(first.id);
    expect(row).toMatchObject({ rail: 'reversal_debit', masterId: entry.id, masterTotals: null });
    await subLedger(8_500);
    await simulate('return');
    expect([now(first.id).status, now(second.id).status]).toEqual(['reversed', 'returned']);
    expect(suspended(sandbox).availableBalance).toBe(0);
  });
});

describe('the master transaction', () => {
  test('exists from arrival for incoming money, and from settlement for outgoing money', async () => {
    const sandbox = openTestSandbox();
    const { run, id, bank } = sandbox;
    const received = await run(({ payments }) =>
      payments.receive('ach_received_push', { accountId: id('account'), amount: 500, sender: {} }),
    );
    expect(received.masterTotals).toEqual(masterOf(sandbox));
    const settled = await run(({ payments }) => payments.applyEvent(received.id, 'settle'));
    expect(settled.masterId).toBe(received.masterId);
    expect(settled.masterTotals).toEqual(masterOf(sandbox));
    const sent = await run(({ payments }) =>
      payments.originate('ach_push', {
        accountId: id('account'),
        counterpartyId: id('ach_counterparty'),
        amount: 700,
        shortage: 'record',
      }),
    );
    expect([sent.masterId, sent.masterTotals]).toEqual(['', null]);
    for (const event of ['submit', 'send', 'clear', 'settle'] as const) {
      await run(({ payments }) => payments.applyEvent(sent.id, event));
    }
    const gone = bank.payments.byId(sent.id);
    expect(gone.masterTotals).toEqual(masterOf(sandbox));
    expect(bank.payments.legById(gone.masterId)).toEqual({ transaction: gone, ledger: 'master_account' });
    expect(bank.payments.legById(gone.id)).toEqual({ transaction: gone, ledger: 'sub_account' });
  });

  test('exists for each card transaction, with the totals of the master account', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    const cardId = id('virtual_card');
    const held = await run(({ cardPayments }) => cardPayments.authorize({ cardId, amount: 1_000 }));
    expect(held.masterTotals).toEqual(masterOf(sandbox));
    const less = await run(({ cardPayments }) =>
      cardPayments.reverse({ cardId, parentId: held.id, amount: 400 }),
    );
    expect(less.masterTotals).toEqual(masterOf(sandbox));
    const { authorization, transaction } = await run(({ cardPayments }) =>
      cardPayments.capture({ authorizationId: held.id, amount: 900 }),
    );
    expect(transaction.masterTotals).toEqual(masterOf(sandbox));
    expect(new Set([held, less, transaction].map(({ masterId }) => masterId)).size).toBe(3);
    expect(authorization.masterId).toBe(held.masterId);
  });

  test('does not exist for money that stays in the bank or never moves', async () => {
    const sandbox = openTestSandbox();
    const { run, id, bank } = sandbox;
    const pay = (amount: number) =>
      run(({ payments }) =>
        payments.originate('intra_push', {
          accountId: id('account'),
          counterpartyId: id('intra_counterparty'),
          amount,
          shortage: 'record',
        }),
      );
    const before = bank.payments.inMaster([], NEWEST).total;
    const paid = await pay(100);
    const declined = await pay(99_999_999);
    await run(({ payments }) => payments.applyEvent(paid.id, 'reverse'));
    const rows = [paid, declined, ...sandbox.sandbox.store.transactions.ofParent(paid.id)];
    expect(rows.map(({ masterId }) => masterId)).toEqual(['', '', '']);
    expect(bank.payments.inMaster([], NEWEST).total).toBe(before);
  });

  test('is listed once, newest first, however many parts it has', async () => {
    const { sandbox, entry, simulate, subLedger } = await openWaiting();
    await simulate('settle');
    await subLedger(100);
    await subLedger(200);
    const { payments } = sandbox.bank;
    const all = payments.inMaster([], NEWEST);
    const ids = all.items.map(({ masterId }) => masterId);
    expect(ids.filter((masterId) => masterId === entry.id)).toHaveLength(1);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(all.total).toBe(ids.length);
    const [first = ''] = ids;
    const next = payments.inMaster([], { ...NEWEST, limit: 1, after: first });
    expect(next.items.map(({ masterId }) => masterId)).toEqual([ids[1]]);
  });
});
