/**
 * One bank for this file, and a sandbox for each test, so tests do not affect each other.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { startSandbank } from 'sandbank';

let server;
let bank;
let made = 0;

before(async () => {
  server = await startSandbank({ rails: 'manual' });
});
after(() => server?.close());

beforeEach(async () => {
  made += 1;
  bank = await server.inSandbox(`payments_${made}`);
  // The clock is frozen until a test moves it.
  await bank.clock.freeze();
});
afterEach(async (context) => {
  // Prints the requests and deliveries of the test. On CI it also writes a trace to sandbank-traces/.
  if (context.error) await bank?.traceFailure(context.name, context.error);
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
  assert.equal(data.amount, '12.50');
});

test('a payment is returned by the other bank', async () => {
  const { id } = await push('20.00');
  await bank.clock.settle();
  await bank.sandbox.simulateTransaction({ params: { id, event: 'return' }, body: { return_code: 'R03' } });
  const { status } = await bank.v2.retrieveTransaction({ params: { transaction_id: id } });
  assert.equal(status, 'returned');
});

test('a webhook is delivered and signed', async () => {
  const receiver = await bank.receiver();
  const { id } = await push('5.00');
  const delivery = await receiver.next('transaction.created', { resource: id });
  assert.equal(delivery.data.amount, '5.00');
});
