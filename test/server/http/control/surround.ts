/** Everything around the rows of a bank: faults, chaos, a rule, deliveries to the built-in receiver, and requests. */
import { type Bank, pull } from './server.ts';

/** Returns the ids of the webhook and of the last request. */
export async function surround(server: Bank): Promise<{ webhook: string; request: string }> {
  const { call } = server;
  const webhook = (
    await call('POST', '/_sandbox/webhooks', { api_version: 'v2', receiver: true, events: ['*'] })
  ).body.id;
  await call('PUT', `/_sandbox/webhooks/${webhook}/chaos`, { drop: { every: 3 } });
  await call('PUT', '/_sandbox/rules', {
    rules: [{ match: { rail: 'ach_push' }, outcome: { return_code: 'R03' } }],
  });
  await pull(server, '12.00');
  await call('POST', '/_sandbox/drain', {});
  await call('PUT', '/_sandbox/receiver', { status: 503, times: 5 });
  await call('POST', '/_sandbox/faults', {
    match: { route: '/v2/webhook' },
    error: { status: 503 },
    every: 2,
  });
  await call('GET', '/v2/webhook');
  const { headers } = await call('GET', '/v2/webhook');
  return { webhook, request: headers['x-request-id'] ?? '' };
}
