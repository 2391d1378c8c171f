/**
 * Each test has a bank of its own, so tests may run in any order and in parallel. When a test fails, its requests to the
 * bank are printed.
 */
import type { Sandbank } from 'sandbank';
import { test } from 'sandbank/vitest';
import { expect } from 'vitest';
import { type Payout, payOut, stateOf } from '../src/payouts.ts';

async function order(bank: Sandbank, number: string, amount = '12.50'): Promise<Payout> {
  const { sub_account_id: accountId, ach_counterparty_id: counterpartyId } = await bank.seeded();
  return { order: number, amount, accountId, counterpartyId };
}

test('a payout is paid when the payment has settled', async ({ bank }) => {
  const id = await payOut(bank, await order(bank, '1001'));
  expect(await stateOf(bank, id)).toBe('under way');
  await bank.clock.settle();
  expect(await stateOf(bank, id)).toBe('paid');
  await expect(bank).toHavePublished('transaction.status.settled', { resource: id });
});

test('an order is paid out once, however often it is tried', async ({ bank }) => {
  const payout = await order(bank, '1002');
  const ids = [await payOut(bank, payout), await payOut(bank, payout)];
  expect(new Set(ids).size).toBe(1);
  await expect(bank).toHaveBalance(payout.accountId, { pending_debits: '12.50' });
});

test('a payout that the other bank returns has failed, and the money is back', async ({ bank }) => {
  const payout = await order(bank, '1003');
  const { available_balance } = await bank.v2.retrieveSubAccount({
    params: { sub_account_id: payout.accountId },
  });
  const id = await payOut(bank, payout);
  await bank.clock.settle();
  await bank.sandbox.simulateTransaction({ params: { id, event: 'return' }, body: { return_code: 'R03' } });
  expect(await stateOf(bank, id)).toBe('failed');
  await expect(bank).toHaveBalance(payout.accountId, { available_balance });
  await expect(bank).toBalance();
});

test('a payout without an amount is refused', async ({ bank }) => {
  await expect(payOut(bank, await order(bank, '1004', ''))).rejects.toThrow('/v2/payments/ach/push: 4');
});
