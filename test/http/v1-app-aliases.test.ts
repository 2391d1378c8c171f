/**
 * Other words that apps of v1 use. Decisions `v1-transaction-filters`, `cash-machines` and `member-paths` in
 * docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ strictFields: true });
const ids = (answer: Answer) => (answer.at('data') as { id: string }[]).map(({ id }) => id);

describe('transactions', () => {
  const list = async (caller: Caller, query: string) => {
    const answer = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return ids(answer);
  };

  it('are found by days of UTC, both of them whole, and by times', async () => {
    const caller = http.caller();
    const all = await list(caller, '');
    expect(all.length).toBeGreaterThan(0);
    expect(await list(caller, 'startDate=2026-11-20&endDate=2026-11-20')).toEqual(all);
    expect(await list(caller, 'startDate=2026-11-21')).toEqual([]);
    expect(await list(caller, 'endDate=2026-11-19')).toEqual([]);
    expect(await list(caller, 'endDate=2026-11-20T17:59:59Z')).toEqual([]);
    const refused = await caller.v1(
      'GET',
      `/v1/account/${caller.seed('account_id')}/transaction?startDate=x`,
    );
    expect(refused.status).toBe(400);
  });

  it('are found by a text in title, description or name', async () => {
    const caller = http.caller();
    const path = `/v1/card/${caller.seed('card_id')}/test`;
    const merchant = { merchantName: 'Harbor Books' };
    expect((await caller.v1('POST', path, { amount: '1.00', merchant })).at('status')).toBe('approved');
    const accountId = caller.seed('account_id');
    const contactId = caller.seed('vendor_contact_id');
    const order = { accountId, contactId, amount: '2.00', description: 'Oats', title: 'Breakfast' };
    const sent = await caller.v1('POST', '/v1/send/intrabank', order);
    expect(sent.status, sent.text).toBe(201);
    const name = sent.id('name');
    expect(await list(caller, 'query=harbor')).toHaveLength(1);
    const [paid, ...others] = await list(caller, 'query=oats');
    expect(others).toEqual([]);
    expect(await list(caller, 'query=BREAK')).toEqual([paid]);
    expect(await list(caller, `query=${encodeURIComponent(name)}`)).toContain(paid);
    expect(await list(caller, 'query=nowhere')).toEqual([]);
  });
});

describe('cash machines', () => {
  const find = (caller: Caller, query: string) =>
    caller.v1('GET', `/v1/card/atm?latitude=45.5189&longitude=-122.6793${query}`);

  it('come in pages', async () => {
    const caller = http.caller();
    const names = (answer: Answer) => (answer.at('data') as { name: string }[]).map(({ name }) => name);
    const all = names(await find(caller, ''));
    const page = await find(caller, '&limit=3&offset=2');
    expect([page.at('total'), names(page)]).toEqual([10, all.slice(2, 5)]);
  });

  it('are found for a card that there is', async () => {
    const caller = http.caller();
    expect((await find(caller, `&cardId=${caller.seed('card_id')}`)).at('total')).toBe(10);
    for (const id of ['crd-0193a5c0-b800-7a3e-9c4d-5e6f70819203', 'x']) {
      expect((await find(caller, `&cardId=${id}`)).body).toEqual({ total: 0, data: [] });
    }
  });
});

it('designation is the title of a member', async () => {
  const caller = http.caller();
  const path = `/v1/member/${caller.seed('member_id')}`;
  const changed = await caller.v1('PATCH', path, { designation: 'Treasurer' });
  expect([changed.status, changed.at('title')]).toEqual([200, 'Treasurer']);
  const both = await caller.v1('PATCH', path, { designation: 'Clerk', title: 'CFO' });
  expect(both.at('title')).toBe('CFO');
});
