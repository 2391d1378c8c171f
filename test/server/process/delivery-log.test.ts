/** Problems of deliveries in the log: their own text and fields, and no stack trace. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startBank, until } from './support.ts';

it('a webhook that is deactivated has a log line of its own, and its drops are counted', async () => {
  const server = createServer((_, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const bank = await startBank({ SANDBANK_WEBHOOK_URL: `http://127.0.0.1:${port}/` });
  const change = async (label: string) => {
    const { status, text } = await bank.v2('PATCH', `/v2/issuing/card/${bank.seeded.virtual_card_id}`, {
      label,
    });
    expect(status, text).toBe(200);
  };
  await bank.v2('PUT', '/_sandbox/clock', { mode: 'frozen' });
  for (let day = 0; day < 6; day += 1) {
    await change(`${day}`);
    await bank.v2('POST', '/_sandbox/clock/advance', { by: 'P1D' });
  }
  await change('last');
  await bank.v2('POST', '/_sandbox/clock/advance', { by: 'P1D' });
  const line = await until('the log line', () =>
    bank
      .stdout()
      .split('\n')
      .find((text) => text.includes('no delivery has succeeded for five days')),
  );
  expect(JSON.parse(line)).toMatchObject({
    msg: 'a webhook was deactivated, because no delivery has succeeded for five days',
    sandbox: 'default',
    webhookId: expect.any(String),
  });
  expect(line).not.toContain('stack');
  expect(bank.stdout()).not.toContain('a planned step failed');
  // Deliveries that wait when a webhook ends are counted, and the webhook has the time.
  const webhook = `/v1/webhook/${bank.seeded.webhook_id}`;
  for (const status of ['active', 'deactivated']) {
    const answer = await bank.v1('PATCH', webhook, { status });
    expect(answer.status, answer.text).toBe(200);
    await change(status);
  }
  const { text } = await bank.v2('GET', '/metrics');
  expect(text).toContain('sandbank_deliveries_dropped_total{reason="too_many"} 0');
  expect(text).toMatch(/^sandbank_deliveries_dropped_total\{reason="webhook_ended"\} [1-9]/m);
  const { body } = await bank.v2('GET', '/_sandbox/webhooks');
  expect(body.webhooks).toMatchObject([{ last_dropped_at: expect.stringMatching(/Z$/) }]);
});
