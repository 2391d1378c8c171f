/** `GET /metrics`: its format and its access. */
import { expect, it } from 'vitest';
import { pull, type Running, startBank } from './support.ts';

const LINE =
  /^([a-z_][a-z_\d]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*)\})? [-+]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|Inf)$/i;

/** The metrics by name and labels, as they are printed. */
async function valuesOf(bank: Running): Promise<Record<string, number>> {
  const { text } = await bank.v2('GET', '/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

it('metrics count requests by operation and status, in the format of Prometheus', async () => {
  const bank = await startBank();
  expect((await pull(bank, '1.00')).status).toBe(201);
  await bank.v2('GET', '/v2/accounts/sub_account/sub_nothing');
  await bank.v2('GET', '/nothing/at/all');
  const { status, text } = await bank.v2('GET', '/metrics');
  expect(status).toBe(200);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) expect(line).toMatch(LINE);
  const count = 'sandbank_request_duration_seconds_count';
  expect(text).toMatch(new RegExp(`^${count}\\{operation="v2_[a-z_]*pull[a-z_]*",status="2xx"\\} 1$`, 'm'));
  expect(text).toContain(`${count}{operation="none",status="4xx"} 1`);
  expect(text).toContain('sandbank_sandboxes{state="open"} 1');
  expect(text).toContain('sandbank_delivery_attempts_total{outcome="delivered"} 0');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  for (const secret of [bank.key, bank.seeded.sub_account_id ?? '?', 'sub_nothing', '/nothing']) {
    expect(text).not.toContain(secret);
  }
  // Prometheus' checker requires `_total` at the end of every counter, and of nothing else.
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    expect([name, name?.endsWith('_total')]).toEqual([name, type === 'counter']);
  }
  // Buckets are cumulative.
  const buckets = lines.filter((line) => line.includes('_bucket{') && line.includes('pull'));
  const values = buckets.map((line) => Number(line.split(' ').at(-1)));
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(values.at(-1)).toBe(1);
});

it('metrics count the transactions of every sandbox by rail and status, including deleted sandboxes', async () => {
  const bank = await startBank();
  const control = (method: string, path: string, body?: unknown, key = bank.key) =>
    bank.v2(method, `/_sandbox/${path}`, body, { 'api-key': key });
  expect((await pull(bank, '1.00')).status).toBe(201);
  expect((await control('PUT', 'clock', { mode: 'frozen' })).status).toBe(200);
  expect((await control('POST', 'clock/settle', {})).status).toBe(200);
  const before = await valuesOf(bank);
  expect(before['sandbank_transactions_total{rail="ach_pull",status="settled"}']).toBe(1);
  expect((await control('POST', 'sandboxes', { name: 'gone' })).status).toBe(201);
  const incoming = { sub_account_id: bank.seeded.sub_account_id, amount: '5.00' };
  expect((await control('POST', 'simulate/incoming/rtp', incoming, 'test_gone')).status).toBe(201);
  expect((await control('DELETE', 'sandboxes/gone')).status).toBe(204);
  const after = await valuesOf(bank);
  expect(after['sandbank_transactions_total{rail="rtp_received",status="received"}']).toBe(
    (before['sandbank_transactions_total{rail="rtp_received",status="received"}'] ?? 0) + 1,
  );
  expect(after['sandbank_transactions_total{rail="ach_pull",status="settled"}']).toBe(1);
});

it('metrics require access to the control plane', async () => {
  const token = 'tiger-lily-and-rose';
  const bank = await startBank({ SANDBANK_CONTROL_TOKEN: token });
  expect((await bank.v2('GET', '/metrics')).status).toBe(401);
  expect((await bank.v2('GET', '/metrics', undefined, { 'x-control-token': token })).status).toBe(200);
  // Most programs that collect metrics can send only this header.
  for (const [authorization, status] of [
    [`Bearer ${token}`, 200],
    ['Bearer test_default', 401],
    [token, 401],
  ] as const) {
    expect([authorization, (await bank.v2('GET', '/metrics', undefined, { authorization })).status]).toEqual([
      authorization,
      status,
    ]);
  }
  // Other calls of the control plane need the header of their own.
  expect((await bank.v2('GET', '/_sandbox', undefined, { authorization: `Bearer ${token}` })).status).toBe(
    401,
  );
  const foreign = { 'x-control-token': token, origin: 'https://evil.example' };
  expect((await bank.v2('GET', '/metrics', undefined, foreign)).status).toBe(403);
  const without = await startBank({ SANDBANK_CONTROL: 'off' });
  expect((await without.v2('GET', '/metrics')).status).toBe(404);
});
