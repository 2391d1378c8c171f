/**
 * One bank for the run, and a sandbox for each test, so tests do not affect each other.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connectSandbank } from 'sandbank';

let bank;

beforeEach(async () => {
  bank = await connectSandbank().inSandbox(`payments_${randomUUID()}`);
  // The clock is frozen until a test moves it.
  await bank.clock.freeze();
});
afterEach(async () => {
  // Prints the requests and deliveries of the test. On CI it also writes a trace to sandbank-traces/.
  const { failure } = globalThis;
  if (failure) await bank?.traceFailure(failure.test, failure.error);
  await bank?.close();
});

async function push(amount) {
  const { sub_account_id, ach_counterparty_id: counterparty_id } = await bank.seeded();
  return bank.v2.originateAchPush({ body: { sub_account_id, counterparty_id, amount } });
}

test('a payment settles when the clock is moved', async () => {
  const { id } = await push('12.50');
  await bank.clock.settle();
  const { data } = await bank.events.waitFor('transaction.status.settled', { resource: id });
  expect(data.amount).toBe('12.50');
});

test('a payment is returned by the other bank', async () => {
  const { id } = await push('20.00');
  await bank.clock.settle();
  await bank.sandbox.simulateTransaction({ params: { id, event: 'return' }, body: { return_code: 'R03' } });
  const { status } = await bank.v2.retrieveTransaction({ params: { transaction_id: id } });
  expect(status).toBe('returned');
});

test('a webhook is delivered and signed', async () => {
  const receiver = await bank.receiver();
  const { id } = await push('5.00');
  const delivery = await receiver.next('transaction.created', { resource: id });
  expect(delivery.data.amount).toBe('5.00');
});
