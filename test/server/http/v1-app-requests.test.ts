/**
 * The parsing of requests of v1 apps: keys and tokens, page sizes, enum values and amounts. Decisions `api-keys`,
 * `user-tokens`, `list-paging`, `counterparty-in-bank` and `business-projections` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp();
const hint = (answer: Answer) => answer.headers['x-sandbox-hint'];

describe('a 401 response', () => {
  const refused = async (path: string, headers: Record<string, string>) => {
    const answer = await http.call('GET', path, { headers });
    expect(answer.status).toBe(401);
    return hint(answer);
  };

  it('says that no key was sent, and shows the format of a key', async () => {
    expect(await refused('/v1/account', {})).toBe(
      'there is no key; send sd-api-key: test_<name>, or Authorization: Bearer <key> or Bearer <key>:<person id>',
    );
    expect(await refused('/v2/webhook', {})).toBe('there is no key; send api-key: test_<name>');
  });

  it('names the header of the other version, and that v2 has no tokens', async () => {
    expect(await refused('/v1/account', { 'api-key': 'test_default' })).toMatch(
      /^api-key is the header of v2; /,
    );
    expect(await refused('/v2/webhook', { 'sd-api-key': 'test_a' })).toMatch(
      /^sd-api-key is the header of v1; /,
    );
    expect(await refused('/v2/webhook', { authorization: 'Bearer test_a' })).toMatch(
      /^v2 does not accept an Authorization/,
    );
  });

  it('explains an unknown key', async () => {
    expect(await refused('/v2/webhook', { 'api-key': 'live_1' })).toMatch(/^a key begins with test_; /);
    expect(await refused('/v2/webhook', { 'api-key': 'test_-x' })).toMatch(
      /^the name in the key is not valid for a sandbox; /,
    );
    expect(await refused('/v1/account', { authorization: 'Basic eDp5' })).toMatch(
      /^there is no key in the Authorization header; send Authorization: Bearer <key>/,
    );
  });
});

describe('a list of v1', () => {
  it('has at most 100 items on a page, with a hint if more were requested', async () => {
    const caller = http.caller();
    const answer = await caller.v1('GET', '/v1/account?limit=1000');
    expect({ status: answer.status, total: answer.at('total') }).toEqual({ status: 200, total: 5 });
    expect(hint(answer)).toBe('the maximum of limit is 100; total is the number of all records');
    expect(hint(await caller.v1('GET', '/v1/account?limit=100'))).toBeUndefined();
    expect(hint(await caller.v1('GET', '/v1/account?limit=200&shade=1'))).toMatch(
      /^the maximum of limit is.*; ignored.*shade$/,
    );
    expect((await caller.v2('GET', '/v2/issuing/card?limit=101')).status).toBe(400);
  });

  it('ends at the hundredth item if there are more', async () => {
    const caller = http.caller();
    const accountId = caller.seed('account_id');
    for (let made = 0; made < 101; made += 1) {
      await caller.v1('POST', '/v1/contact', { accountId, name: `Mill ${made}` });
    }
    const page = await caller.v1('GET', '/v1/contact?limit=1000');
    expect(page.at('total')).toBeGreaterThan(100);
    expect(page.at('data')).toHaveLength(100);
  });

  it('accepts filter values in any case', async () => {
    const caller = http.caller();
    const of = async (query: string) => (await caller.v1('GET', `/v1/contact?${query}`)).at('total');
    expect(await of('type=OTHERS')).toBe(await of('type=others'));
    expect((await caller.v1('GET', '/v1/contact?type=selfACH')).status).toBe(200);
    expect((await caller.v1('GET', '/v1/contact?type=self')).status).toBe(400);
  });
});

describe('strict fields', () => {
  const strict = useHttp({ strictFields: true });

  it('refuse a page size above the maximum', async () => {
    const answer = await strict.caller().v1('GET', '/v1/account?limit=101');
    expect(answer.status).toBe(400);
    expect(answer.at('message')).toBe('limit must be a whole number from 1 to 100');
  });
});

describe('a contact with another account of the same holder', () => {
  const second = async (caller: Caller) => {
    const body = { label: 'Second', acceptedTerms: true };
    return (await caller.v1('POST', '/v1/account', body, { 'sd-person-id': caller.seed('person_id') })).id();
  };
  const add = (caller: Caller, accountId: string, more: object) =>
    caller.v1('POST', '/v1/contact', {
      accountId: caller.seed('account_id'),
      name: 'My savings',
      intrabank: { accountId },
      ...more,
    });

  it('is a selfIntrabank if it has no other rail', async () => {
    const caller = http.caller();
    const answer = await add(caller, await second(caller), {});
    expect({ status: answer.status, type: answer.at('type') }).toEqual({
      status: 201,
      type: 'selfIntrabank',
    });
  });

  it('is refused with another rail or as another type', async () => {
    const caller = http.caller();
    const id = await second(caller);
    const ach = { accountNumber: '123456789', routingNumber: '123206972', accountType: 'personalChecking' };
    for (const more of [{ ach }, { type: 'others' }]) {
      expect((await add(caller, id, more)).at('code')).toBe('EC_CONTACT_INVALID_SELF_INTRABANK_REQUEST');
    }
  });
});

it('projections accept whole amounts', async () => {
  const caller = http.caller();
  const path = `/v1/business/${caller.seed('new_business_id')}/projection`;
  const way = (amount: string) => ({ transactions: { annual: { send: { ach: { count: '1', amount } } } } });
  for (const [amount, kept] of [
    ['1000', '1000.00'],
    ['0', '0.00'],
    ['12.50', '12.50'],
  ] as const) {
    const answer = await caller.v1('PATCH', path, way(amount));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.at('transactions.annual.send.ach.amount')).toBe(kept);
  }
  expect((await caller.v1('PATCH', path, way('1000.5'))).status).toBe(400);
});

describe('each version lists only its own webhooks', () => {
  it('in a new bank, and after both created one', async () => {
    const caller = http.caller();
    expect((await caller.v2('GET', '/v2/webhook')).at('total')).toBe(0);
    const body = { url: 'http://hooks.example', events: ['card.updated'] };
    const v2 = (await caller.v2('POST', '/v2/webhook', body)).id();
    const v1 = (await caller.v1('POST', '/v1/webhook', body)).id();
    const ids = (answer: Answer) => (answer.at('data') as { id: string }[]).map(({ id }) => id);
    expect(ids(await caller.v2('GET', '/v2/webhook'))).toEqual([v2]);
    expect(ids(await caller.v1('GET', '/v1/webhook'))).toEqual([v1, caller.seed('webhook_id')]);
  });

  it("and v1's list can be read for a person that exists only in v1", async () => {
    const caller = http.caller();
    const person = { 'sd-person-id': 'per-0193a5c0-b800-7a3e-9c4d-5e6f70819203' };
    for (const path of ['/v1/webhook', '/v1/webhook/events']) {
      expect((await caller.v1('GET', path, undefined, person)).status).toBe(404);
    }
  });
});
