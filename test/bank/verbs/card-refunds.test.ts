// Refunds that are pending first and settled later, their effect on the purchase and on the card's limit, and the
// rows that can represent a purchase.

import { describe, expect, test } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import type { Transaction } from '../../../src/bank/model/records.ts';
import { openTestSandbox } from '../../support/sandbox.ts';
import { digestOf, readTables } from '../../support/tables.ts';
import { kindsV1, kindsV2, totals } from './parties.ts';

const FUNDED = 500_000;

/** A bank in which a purchase of 10.00 was captured on a card whose limit counts it. */
async function openPurchase() {
  const sandbox = openTestSandbox();
  const { run, id, bank } = sandbox;
  const cardId = id('virtual_card');
  await run(({ cards }) =>
    cards.change(cardId, {
      controls: { limit: { period: 'daily', maxSpendAmount: 50_000, maxSpendCount: 10 } },
    }),
  );
  const held = await run(({ cardPayments }) => cardPayments.authorize({ cardId, amount: 1_000 }));
  await run(({ cardPayments }) => cardPayments.capture({ authorizationId: held.id }));
  sandbox.newFacts();
  const refund = (amount: number, isPending = true, parentId: Id = held.id) =>
    run(({ cardPayments }) => cardPayments.refund({ cardId, amount, parentId, captured: true, isPending }));
  const settle = (refundId: Id, amount?: number) =>
    run(({ cardPayments }) =>
      cardPayments.settleRefund({ cardId, refundId, ...(amount !== undefined && { amount }) }),
    );
  const revoke = (refundId: Id) => run(({ cardPayments }) => cardPayments.revokeRefund(refundId));
  const usage = () => readTables(sandbox.sandbox).card_usage?.map(({ amount, count }) => [amount, count]);
  const read = (subject: Id = held.id): Transaction => bank.payments.byId(subject);
  return { sandbox, cardId, held, refund, settle, revoke, usage, read, accountId: id('account') };
}

describe('a pending refund', () => {
  test('is pending until it settles, and restores its limit immediately', async () => {
    const { sandbox, refund, settle, read, usage, accountId, held } = await openPurchase();
    expect(usage()).toEqual([[1_000, 1]]);
    const promised = await refund(1_000);
    expect(promised).toMatchObject({
      rail: 'card_refund',
      status: 'pending',
      amount: 1_000,
      direction: 'credit',
      parentId: held.id,
      details: { networkSettlementAt: null, availableLimit: { amount: 50_000, count: 10 } },
    });
    // The money is available immediately, as in every sample of the platform.
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
    expect(promised).toMatchObject({ availableBalance: FUNDED, pendingCredits: 0, bookedBalance: FUNDED });
    expect(usage()).toEqual([[0, 0]]);
    expect(read().status).toBe('settled');
    const made = sandbox.newFacts();
    expect(kindsV1(made)).toEqual(['card.refund', 'account.credit']);
    expect(kindsV2(made)).toEqual(['transaction.created', 'transaction.status.pending']);
    const settled = await settle(promised.id, 1_000);
    expect(settled).toMatchObject({
      id: promised.id,
      status: 'settled',
      details: { networkSettlementAt: sandbox.clock.now() },
    });
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
    expect(read().status).toBe('refunded');
    const facts = sandbox.newFacts();
    expect(kindsV1(facts)).toEqual([]);
    expect(kindsV2(facts)).toEqual(['transaction.status.settled', 'transaction.status.refunded']);
  });

  test('reduces the amount that can still be refunded', async () => {
    const { refund, read } = await openPurchase();
    await refund(600);
    await expect(refund(401)).rejects.toMatchObject({
      code: 'parent_wrong',
      field: 'amount',
      message: '4.01 is more than the 4.00 that is left of the purchase',
    });
    await refund(400, false);
    expect(read().status).toBe('settled');
  });

  test('changes the purchase to refunded when the last part settles', async () => {
    const { refund, settle, read } = await openPurchase();
    const [first, second] = [await refund(600), await refund(400)];
    await settle(second.id);
    expect(read().status).toBe('settled');
    await settle(first.id);
    expect(read().status).toBe('refunded');
  });

  test('settles once, as a whole, and only on its card', async () => {
    const { sandbox, refund, settle, held } = await openPurchase();
    const { id } = await refund(600);
    const before = digestOf(sandbox.sandbox);
    await expect(settle(id, 500)).rejects.toMatchObject({ code: 'parent_wrong', field: 'amount' });
    await expect(settle(held.id)).rejects.toMatchObject({ code: 'parent_wrong' });
    await expect(
      sandbox.run(({ cardPayments }) =>
        cardPayments.settleRefund({ cardId: sandbox.id('physical_card'), refundId: id }),
      ),
    ).rejects.toMatchObject({ code: 'parent_wrong' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
    await settle(id);
    await expect(settle(id)).rejects.toMatchObject({ code: 'illegal_step' });
  });

  test('that is reversed restores purchase, limit and balance', async () => {
    const { sandbox, refund, revoke, usage, accountId, read } = await openPurchase();
    const whole = await refund(1_000);
    sandbox.newFacts();
    await revoke(whole.id);
    expect(read(whole.id).status).toBe('reversed');
    const facts = sandbox.newFacts();
    expect(facts.at(-1)).toMatchObject({
      moved: -1_000,
      record: {
        rail: 'reversal_debit',
        type: 'reverse',
        amount: 1_000,
        parentId: whole.id,
        details: { networkSettlementAt: null },
      },
    });
    expect(kindsV1(facts)).toEqual(['account.debit']);
    expect(usage()).toEqual([[1_000, 1]]);
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 1_000, 0, 0]);
    const part = await refund(300);
    expect(usage()).toEqual([[700, 1]]);
    await revoke(part.id);
    expect(usage()).toEqual([[1_000, 1]]);
    await expect(revoke(part.id)).rejects.toMatchObject({ code: 'illegal_step' });
    expect(await refund(1_000, false)).toMatchObject({ status: 'settled' });
    expect(read().status).toBe('refunded');
  });

  test('without a purchase settles and is reversed in the same way', async () => {
    const { sandbox, settle, revoke, cardId, accountId } = await openPurchase();
    const promise = () =>
      sandbox.run(({ cardPayments }) => cardPayments.refund({ cardId, amount: 250, isPending: true }));
    const [first, second] = [await promise(), await promise()];
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 500, 0, 0]);
    await settle(first.id);
    await revoke(second.id);
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 750, 0, 0]);
  });

  test.each(['settle', 'reverse'] as const)(
    'simulated to %s has the same effect as the command',
    async (event) => {
      const { sandbox, refund, usage, read } = await openPurchase();
      const { id } = await refund(1_000);
      await sandbox.run(({ simulation }) => simulation.transaction(id, event));
      expect(read().status).toBe(event === 'settle' ? 'refunded' : 'settled');
      expect(usage()).toEqual([event === 'settle' ? [0, 0] : [1_000, 1]]);
    },
  );
});

describe('the transaction of a capture', () => {
  test('represents its authorization in a refund', async () => {
    const { sandbox, cardId } = await openPurchase();
    const { run } = sandbox;
    const held = await run(({ cardPayments }) => cardPayments.authorize({ cardId, amount: 500 }));
    const { transaction } = await run(({ cardPayments }) =>
      cardPayments.capture({ authorizationId: held.id, cardId, amount: 800 }),
    );
    expect(transaction).toMatchObject({ rail: 'card_adjust_up', amount: 300, parentId: held.id });
    const refund = await run(({ cardPayments }) =>
      cardPayments.settleOrRefund({ cardId, parentId: transaction.id, amount: 800 }),
    );
    expect(refund).toMatchObject({ amount: 800, parentId: held.id });
    expect(sandbox.bank.payments.byId(held.id).status).toBe('refunded');
  });

  test('and its purchase cannot be used with another card', async () => {
    const { sandbox, held, cardId } = await openPurchase();
    const other = sandbox.id('physical_card');
    const { run } = sandbox;
    const open = await run(({ cardPayments }) => cardPayments.authorize({ cardId, amount: 500 }));
    for (const verb of [
      run(({ cardPayments }) => cardPayments.capture({ authorizationId: open.id, cardId: other })),
      run(({ cardPayments }) => cardPayments.settleOrRefund({ cardId: other, parentId: held.id, amount: 1 })),
    ]) {
      await expect(verb).rejects.toMatchObject({ code: 'parent_wrong', field: 'parentId' });
    }
  });
});
