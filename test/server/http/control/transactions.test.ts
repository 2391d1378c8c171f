/** The list of transactions of the control plane, and requests of observers, which create nothing. */
import { describe, expect, it } from 'vitest';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();

interface Row {
  id: string;
  status: string;
  method: string;
  name: string;
  amount: string;
}
interface List {
  total: number;
  transactions: Row[];
  cursor: string;
}

const list = async (caller: Caller, query = ''): Promise<List> => {
  const { status, body } = await http.call('GET', `/_sandbox/transactions${query}`, {
    headers: { 'api-key': caller.key },
  });
  expect(status).toBe(200);
  return body as List;
};
const receive = (caller: Caller, amount: string) =>
  http.call('POST', '/_sandbox/simulate/incoming/rtp', {
    headers: { 'api-key': caller.key },
    body: { sub_account_id: caller.seed('sub_account_id'), amount, sender: { name: 'Harbor Payroll' } },
  });
const pull = (caller: Caller, amount: string) =>
  caller.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount,
  });

describe('the list of transactions', () => {
  it('is filtered by state and method among all, newest first', async () => {
    const caller = http.caller();
    const made = await pull(caller, '10.00');
    for (const amount of ['1.00', '2.00', '3.00']) await receive(caller, amount);
    const { transactions, total } = await list(caller, '?method=ach');
    expect(transactions[0]).toMatchObject({ id: made.id(), amount: '10.00', method: 'ach' });
    expect(transactions.every(({ method }) => method === 'ach')).toBe(true);
    expect(total).toBeGreaterThan(transactions.length);
    expect((await list(caller, '?method=rtp')).transactions.slice(0, 3)).toMatchObject([
      { amount: '3.00', name: 'Harbor Payroll' },
      { amount: '2.00' },
      { amount: '1.00' },
    ]);
    expect((await list(caller, '?method=rtp&status=refunded')).transactions).toEqual([]);
  });

  it('continues with its cursor, and has each transaction once', async () => {
    const caller = http.caller();
    for (let count = 0; count < 5; count += 1) await receive(caller, `${count + 1}.00`);
    const all = (await list(caller, '?limit=1000')).transactions.map(({ id }) => id);
    const found: string[] = [];
    let cursor = '';
    do {
      const page = await list(caller, `?limit=2&cursor=${cursor}`);
      found.push(...page.transactions.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== '');
    expect(found).toEqual(all);
    expect(new Set(found).size).toBe(all.length);
  });

  it('contains those of an account and of a card, and refuses unknown filter values', async () => {
    const caller = http.caller();
    await receive(caller, '1.00');
    const account = caller.seed('sub_account_id');
    expect((await list(caller, `?sub_account_id=${account}&limit=1`)).transactions).toMatchObject([
      { amount: '1.00' },
    ]);
    const card = caller.seed('virtual_card_id');
    await http.call('POST', `/_sandbox/simulate/cards/${card}/authorize`, {
      headers: { 'api-key': caller.key },
      body: { amount: '4.00', merchant: { name: 'Corner Market' } },
    });
    expect((await list(caller, `?card_id=${card}&limit=1`)).transactions).toMatchObject([
      { amount: '4.00', name: 'Corner Market', card_id: card },
    ]);
    const headers = { 'api-key': caller.key };
    for (const query of ['status=lost', 'method=pigeon', 'limit=0', 'cursor=x']) {
      expect((await http.call('GET', `/_sandbox/transactions?${query}`, { headers })).status, query).toBe(
        400,
      );
    }
  });
});

describe('a call of an observer', () => {
  const OBSERVER = { 'x-sandbox-observer': 'test' };

  it.each([
    ['GET', '/_sandbox/clock', 'api-key', 404],
    ['POST', '/_sandbox/reset', 'api-key', 404],
    ['GET', '/v2/accounts/sub_account', 'api-key', 401],
    ['POST', '/v2/accounts/sub_account', 'api-key', 401],
    ['GET', '/v1/person', 'sd-api-key', 401],
  ] as const)('creates no sandbox: %s %s', async (method, path, header, status) => {
    const key = `test_nowhere_${method}_${path.replace(/\W/g, '_')}`;
    const call = () => http.call(method, path, { headers: { [header]: key, ...OBSERVER } });
    expect((await call()).status).toBe(status);
    const { body } = await http.call('GET', '/_sandbox/sandboxes');
    expect(JSON.stringify(body)).not.toContain(key.replace('test_', ''));
    // A request of a program creates one, as usual.
    await http.call('GET', '/_sandbox/clock', { headers: { 'api-key': key } });
    expect((await call()).status).not.toBe(status);
  });

  it('with a name that no sandbox can have is told the form of a name', async () => {
    const { status, body } = await http.call('GET', '/_sandbox', { headers: { 'api-key': 'test_a[b]' } });
    expect(status).toBe(404);
    expect(body).toMatchObject({
      error: {
        code: 'sandbox_not_found',
        message: expect.stringMatching(/^the name in the key is not valid for a sandbox; .* 1 to 64 letters/),
      },
    });
  });

  it('does not follow an unknown sandbox', async () => {
    const url = await http.app.server.listen({ port: 0, host: '127.0.0.1' });
    const leaving = new AbortController();
    const response = await fetch(`${url}/_sandbox/stream`, {
      headers: { 'x-sandbox-keys': 'test_unseen', ...OBSERVER },
      signal: leaving.signal,
    });
    const body = new TextDecoder().decode((await response.body?.getReader().read())?.value);
    leaving.abort();
    expect(body).toContain('sandbox_not_found');
    expect(JSON.stringify((await http.call('GET', '/_sandbox/sandboxes')).body)).not.toContain('unseen');
  });
});
