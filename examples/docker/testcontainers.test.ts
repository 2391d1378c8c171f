/**
 * A bank in a container, for tests that need the same image as elsewhere. Build the image first: `npm run image`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectSandbank, type Sandbank } from 'sandbank';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { afterAll, beforeAll, expect, test } from 'vitest';

const CONTROL_TOKEN = 'only-for-this-test';
const TIMEOUT_MS = 60_000;

let container: StartedTestContainer;
let bank: Sandbank;

beforeAll(async () => {
  container = await new GenericContainer('sandbank')
    .withExposedPorts(4800)
    .withEnvironment({ SANDBANK_CONTROL_TOKEN: CONTROL_TOKEN, SANDBANK_RAILS: 'manual', SANDBANK_DATA: '' })
    // With this, webhooks reach this machine.
    .withExtraHosts([{ host: 'host.docker.internal', ipAddress: 'host-gateway' }])
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  bank = connectSandbank({
    url: `http://${container.getHost()}:${container.getMappedPort(4800)}`,
    apiKey: 'test_default',
    controlToken: CONTROL_TOKEN,
  });
}, TIMEOUT_MS);

afterAll(async () => {
  await container?.stop();
});

test('a payment settles', async () => {
  const { sub_account_id, ach_counterparty_id: counterparty_id } = await bank.seeded();
  const { id } = await bank.v2.originateAchPull({
    body: { sub_account_id, counterparty_id, amount: '40.00' },
  });
  await bank.clock.freeze();
  await bank.clock.settle();
  expect((await bank.v2.retrieveTransaction({ params: { transaction_id: id } })).status).toBe('settled');
});

test('a webhook reaches this machine', async () => {
  const heard: string[] = [];
  const receiver = createServer((request, response) => {
    heard.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
  });
  // A container cannot reach a receiver that listens only on loopback.
  receiver.listen(0, '0.0.0.0');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const { sub_account_id } = await bank.seeded();
  await bank.v2.createWebhook({
    body: { url: `http://host.docker.internal:${port}/`, events: ['sub_account.updated'], description: '' },
  });
  await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Rent' } });
  await bank.sandbox.drain();
  expect(heard).toHaveLength(1);
  receiver.close();
});
