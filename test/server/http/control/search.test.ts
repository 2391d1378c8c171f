/** One search over everything in a sandbox. */
import { describe, expect, it, test } from 'vitest';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();

interface Found {
  kind: string;
  id: string;
  title: string;
}

async function search(caller: Caller, q: string, rest = ''): Promise<Found[]> {
  const url = `/_sandbox/search?q=${encodeURIComponent(q)}${rest}`;
  const { status, body } = await http.call('GET', url, { headers: { 'api-key': caller.key } });
  expect(status, q).toBe(200);
  return (body as { results: Found[] }).results;
}

const pull = (caller: Caller, amount: string, description = '') =>
  caller.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount,
    ...(description !== '' && { description }),
  });

describe('a search', () => {
  it('finds names, labels and parts of them in any case', async () => {
    const caller = http.caller();
    const account = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`);
    const name = String(account.at('sub_account_holder_name'));
    expect((await search(caller, name))[0]).toMatchObject({ kind: 'holder', title: name });
    expect((await search(caller, name.slice(1, 5).toUpperCase())).map(({ title }) => title)).toContain(name);
    const label = String(account.at('label'));
    expect(await search(caller, label)).toContainEqual(
      expect.objectContaining({ kind: 'account', id: caller.seed('sub_account_id'), title: label }),
    );
  });

  it('finds the payments with a return code, and shows their amounts', async () => {
    const caller = http.caller();
    const [made, other] = [await pull(caller, '1234.56'), await pull(caller, '8.00')];
    for (const [id, code] of [
      [made.id(), 'R01'],
      [other.id(), 'R03'],
    ]) {
      for (const [event, body] of [
        ['settle', undefined],
        ['return', { return_code: code }],
      ] as const) {
        const path = `/_sandbox/simulate/transactions/${id}/${event}`;
        expect((await caller.v2('POST', path, body)).status, event).toBe(200);
      }
    }
    const found = await search(caller, 'r01');
    expect(found).toContainEqual(
      expect.objectContaining({ id: made.id(), detail: expect.stringContaining('1234.56, returned') }),
    );
    expect(found.map(({ id }) => id)).not.toContain(other.id());
  });

  it('finds a payment by its amount, its texts and its trace number', async () => {
    const caller = http.caller();
    const made = await pull(caller, '1234.56', 'Rent of May');
    await http.call('POST', `/_sandbox/simulate/transactions/${made.id()}/settle`, {
      headers: { 'api-key': caller.key },
    });
    const settled = await caller.v2('GET', `/v2/payments/transaction/${made.id()}`);
    const expected = expect.objectContaining({ kind: 'transaction', id: made.id() });
    for (const q of [
      '1234.56',
      '-1234.56',
      '1,234.56',
      '$1234.56',
      'rent of',
      settled.id('ach.trace_number'),
    ]) {
      expect(await search(caller, q), q).toContainEqual(expected);
    }
    expect(await search(caller, '1234.57')).toEqual([]);
  });

  it('finds ids in either spelling, and by their first or last digits', async () => {
    const caller = http.caller();
    const id = (await pull(caller, '5.00')).id();
    const digits = id.slice(4);
    const v1 = `txn-${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
    for (const q of [id, v1, id.slice(0, 30), digits.slice(-8)]) {
      expect(
        (await search(caller, q)).map((one) => one.id),
        q,
      ).toContain(id);
    }
  });

  it('finds an account and a card by the last digits, but no card by its whole number', async () => {
    const caller = http.caller();
    const number = (await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`)).id(
      'account_number',
    );
    for (const q of [number, number.slice(-4)]) {
      expect(await search(caller, q)).toContainEqual(
        expect.objectContaining({ kind: 'account', id: caller.seed('sub_account_id') }),
      );
    }
    const card = `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
    const token = (await caller.v2('POST', `${card}/show_token`)).id('show_token');
    const shown = (await caller.v2('GET', `${card}/show`, undefined, { 'show-token': token })).id(
      'card_number',
    );
    expect((await search(caller, shown.slice(-4))).map(({ kind }) => kind)).toContain('card');
    expect((await search(caller, shown)).map(({ kind }) => kind)).not.toContain('card');
  });

  it('finds webhooks by URL, and events and requests by id', async () => {
    const caller = http.caller();
    await caller.v2('POST', '/v2/webhook', {
      url: 'http://hooks.example/ledger',
      events: ['transaction.created'],
    });
    expect((await search(caller, 'hooks.example'))[0]).toMatchObject({
      kind: 'webhook',
      title: 'http://hooks.example/ledger',
    });
    const { headers } = await pull(caller, '5.00');
    expect((await search(caller, headers['x-request-id'] ?? ''))[0]).toMatchObject({
      kind: 'request',
      title: 'POST /v2/payments/ach/pull',
    });
    const log = await http.call('GET', '/_sandbox/events?limit=1', { headers: { 'api-key': caller.key } });
    const event = log.id('events.0.id');
    expect((await search(caller, event))[0]).toMatchObject({ kind: 'event', id: event });
    expect(await search(caller, `${event.slice(0, -1)}x`)).toEqual([]);
  });

  it('returns at most the requested number', async () => {
    const caller = http.caller();
    for (let count = 0; count < 4; count += 1) await pull(caller, '7.77');
    expect(await search(caller, '7.77', '&limit=3')).toHaveLength(3);
  });

  test.each(['%', '__', "' OR 1=1 --", '\\', '"; DROP TABLE holders; --'])(
    'accepts %j literally',
    async (q) => {
      const found = await search(http.caller(), q.padEnd(2, q));
      expect(found).toEqual([]);
    },
  );

  test.each(['?q=x', `?q=${'x'.repeat(10_000)}`, '?q=ada&limit=0', '?q=ada&limit=many', '?q=ad%00a', ''])(
    'refuses %j',
    async (query) => {
      const { status, body } = await http.call('GET', `/_sandbox/search${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: { code: query === '' ? 'field_missing' : 'field_invalid' } });
    },
  );
});
