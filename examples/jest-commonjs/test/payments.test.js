/**
 * One bank for the run, and a sandbox for each test, so tests do not affect each other.
 */
const { randomUUID } = require('node:crypto');
const { connectSandbank, startSandbank } = require('sandbank');
const { verifyWebhook } = require('sandbank/webhooks');

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
  const { body, headers } = await receiver.next('transaction.created', { resource: id });
  const event = verifyWebhook(body, headers, receiver.secrets.v2);
  expect(event.data.amount).toBe('5.00');
});

test('a test can have a bank of its own', async () => {
  const own = await startSandbank({ now: '2026-12-24T12:00:00Z' });
  const { now } = await own.sandbox.retrieveClock();
  expect(now).toBe('2026-12-24T12:00:00.000Z');
  await own.close();
});
