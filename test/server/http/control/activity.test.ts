/** The activity of a sandbox in one list: requests, calls of the control plane, records and attempts. */
import { describe, expect, it } from 'vitest';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();

type Item = Record<string, unknown> & { type: string; summary: Record<string, string> };

async function activity(caller: Caller, query = ''): Promise<Item[]> {
  const headers = { 'api-key': caller.key };
  const { status, body } = await http.call('GET', `/_sandbox/activity${query}`, { headers });
  expect(status).toBe(200);
  return (body as { items: Item[] }).items;
}
const control = (caller: Caller, method: 'POST' | 'PUT' | 'DELETE', path: string, body: unknown = {}) =>
  http.call(method, path, { headers: { 'api-key': caller.key }, body });
const pull = (caller: Caller, amount: string) =>
  caller.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount,
  });

describe('the activity', () => {
  it('shows a payment from its request to its return, with the call that returned it', async () => {
    const caller = http.caller();
    const made = await pull(caller, '62.40');
    await control(caller, 'POST', `/_sandbox/simulate/transactions/${made.id()}/settle`);
    await control(caller, 'POST', `/_sandbox/simulate/transactions/${made.id()}/return`, {
      return_code: 'R01',
    });
    const items = await activity(caller);
    const at = items.findIndex(({ path }) => path === '/v2/payments/ach/pull');
    const told = items.slice(at).filter(({ type }) => type !== 'attempt');
    expect(told[0]).toMatchObject({
      type: 'request',
      api_version: 'v2',
      status: 201,
      operation: expect.any(String),
    });
    expect(told[1]).toMatchObject({
      type: 'fact',
      resource_id: made.id(),
      summary: { title: 'ACH pull', amount: '62.40', direction: 'credit', name: expect.stringMatching(/\w/) },
    });
    const calls = told.filter(({ api_version: apiVersion }) => apiVersion === 'control');
    expect(calls.map(({ operation }) => operation)).toEqual([
      'sandbox_simulate_transaction',
      'sandbox_simulate_transaction',
    ]);
    const from = (calls[1]?.facts as { from: number } | undefined)?.from;
    expect(told.find(({ seq }) => seq === from)).toMatchObject({
      summary: { status: 'returned', reason: 'R01' },
    });
    // Real time continues while the clock of a sandbox is frozen.
    expect(told[0]?.wall_at).toMatch(/^\d{4}-/);
  });

  it('contains refused requests and no reads of the control plane, up to its limit', async () => {
    const caller = http.caller();
    await pull(caller, '1.2');
    await activity(caller);
    for (const amount of ['1.00', '2.00', '3.00']) await pull(caller, amount);
    const items = await activity(caller, '?limit=2');
    expect(items.filter(({ type }) => type === 'request')).toHaveLength(2);
    expect(items.filter(({ type }) => type === 'fact')).toHaveLength(2);
    const all = await activity(caller);
    const refused = all.filter(({ status }) => status === 400);
    expect(refused.map(({ error_code: code }) => code)).toEqual(['ERROR_CODE_INVALID_AMOUNT']);
    expect(all.filter(({ api_version: apiVersion }) => apiVersion === 'control')).toEqual([]);
  });

  it('has a refused request after the facts of the seed', async () => {
    const caller = http.caller();
    await caller.v1('PATCH', '/v1/account/acc-x', { label: 'x' });
    const typesOf = async () => (await activity(caller)).map(({ type }) => type);
    const alone = await typesOf();
    expect([alone.indexOf('request'), alone.at(-1)]).toEqual([alone.length - 1, 'request']);
    await pull(caller, '1.00');
    expect((await typesOf()).slice(0, alone.length)).toEqual(alone);
  });

  it('has the code of each error in the words of its API version', async () => {
    const caller = http.caller();
    await caller.v1('PATCH', '/v1/account/acc-x', { label: 'x' });
    await pull(caller, '1.00');
    const requests = (await activity(caller)).filter(({ type }) => type === 'request');
    expect(requests.map(({ status, error_code: code }) => [status, code])).toEqual([
      [404, 'EC_ACCOUNT_NOT_FOUND'],
      [201, ''],
    ]);
  });

  it('shows a call of the control plane by its id, and omits it in the list of requests', async () => {
    const caller = http.caller();
    await control(caller, 'PUT', '/_sandbox/rules', { rules: [] });
    const [call] = (await activity(caller)).filter(({ api_version: apiVersion }) => apiVersion === 'control');
    const { body } = await caller.v2('GET', `/_sandbox/requests/${call?.id}`);
    expect(body).toMatchObject({ path: '/_sandbox/rules', status: 200, request_body: { rules: [] } });
    expect((await caller.v2('GET', '/_sandbox/requests')).body).toMatchObject({ kept: 0 });
  });

  it('starts again with another bank', async () => {
    const caller = http.caller();
    await pull(caller, '5.00');
    await control(caller, 'POST', '/_sandbox/reset');
    const items = await activity(caller);
    expect(items.map(({ path }) => path).filter(Boolean)).toEqual(['/_sandbox/reset']);
  });
});
