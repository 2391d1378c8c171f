/**
 * Alternative names and operations that apps of v1 use. Decisions `v1-transaction-filters`, `cash-machines`,
 * `member-paths`, `card-tokens`, `v1-account-owner`, `v1-send-card` and `plaid-links` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ strictFields: true });
const ids = (answer: Answer) => (answer.at('data') as { id: string }[]).map(({ id }) => id);

describe('transactions (listTransactions)', () => {
  const list = async (caller: Caller, query: string) => {
    const answer = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return ids(answer);
  };

  it('are filtered by UTC days, inclusively, and by times', async () => {
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

  it('are filtered by a text in title, description or name', async () => {
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

describe('cash machines (listAtms)', () => {
  const find = (caller: Caller, query: string) =>
    caller.v1('GET', `/v1/card/atm?latitude=45.5189&longitude=-122.6793${query}`);

  it('are paginated', async () => {
    const caller = http.caller();
    const names = (answer: Answer) => (answer.at('data') as { name: string }[]).map(({ name }) => name);
    const all = names(await find(caller, ''));
    const page = await find(caller, '&limit=3&offset=2');
    expect([page.at('total'), names(page)]).toEqual([10, all.slice(2, 5)]);
  });

  it('require an existing card', async () => {
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

describe.each([
  ['a member (submitMemberKyc, retrieveMemberKyc)', '/v1/member'],
  ['an owner (submitOwnerKyc, retrieveOwnerKyc)', '/v1/owner'],
])('the KYC of %s', (_, paths) => {
  it('is the KYC of its person', async () => {
    const caller = http.caller();
    const person = { firstName: 'Ida', lastName: 'Moss', phone: '+15555555555', email: 'ida@moss.example' };
    const details = { dateOfBirth: '1990-01-01', idType: 'ssn', idNumber: '999999999' };
    const address = {
      addressType: 'mailing',
      line1: '1 A',
      city: 'Salem',
      state: 'OR',
      country: 'US',
      postalCode: '97301',
    };
    const body = {
      businessId: caller.seed('new_business_id'),
      ownership: '50',
      person: { ...person, ...details, address },
    };
    const made = await caller.v1('POST', paths, body);
    expect(made.status, made.text).toBe(201);
    const path = `${paths}/${made.id()}/kyc`;
    expect((await caller.v1('GET', path)).at('status')).toBe('notStarted');
    const sent = await caller.v1('POST', path, { dateOfBirth: '1990-01-01' });
    expect([sent.status, sent.at('status')]).toEqual([201, 'submitted']);
    const ofPerson = await caller.v1('GET', `/v1/person/${made.at('person.id')}/kyc`);
    expect((await caller.v1('GET', path)).body).toEqual(ofPerson.body);
  });

  it('is readable, but cannot be submitted, without a person', async () => {
    const caller = http.caller();
    const id = caller.seed('business_member_id').replace(/^mem_(.{8})(.{4})(.{4})(.{4})/, 'mem-$1-$2-$3-$4-');
    expect((await caller.v1('GET', `${paths}/${id}/kyc`)).at('personId')).toBe('');
    const refused = await caller.v1('POST', `${paths}/${id}/kyc`);
    expect([refused.status, refused.at('code')]).toEqual([409, 'EC_MEMBER_INVALID_STATE']);
  });
});

it('the number of a card is returned for the key as for a token', async () => {
  const caller = http.caller();
  const path = `/v1/card/${caller.seed('card_id')}`;
  const headers = { 'sd-show-token': (await caller.v1('POST', `${path}/show-token`)).id('showToken') };
  const shown = await http.call('GET', `${path}/show`, { headers });
  expect((await caller.v1('GET', `${path}/unredact`)).body).toEqual(shown.body);
  expect((await http.call('GET', `${path}/unredact`)).status).toBe(401);
});

describe('an account that is opened with a physical card (createAccount)', () => {
  const open = (caller: Caller, person: string) => {
    const body = {
      label: 'Mine',
      acceptedTerms: true,
      createPhysicalCard: true,
      currency: 'USD',
      type: 'personalChecking',
    };
    return caller.v1('POST', '/v1/account', body, { 'sd-person-id': person });
  };

  it('has a card for its person, shipped to the address', async () => {
    const caller = http.caller();
    const person = caller.seed('person_id');
    const { id } = (await open(caller, person)).body as { id: string };
    const cards = (await caller.v1('GET', `/v1/card?accountId=${id}`)).body as {
      data: Record<string, unknown>[];
    };
    expect(cards.data).toMatchObject([{ cardType: 'physical', cardholder: { personId: person } }]);
    const { address } = (await caller.v1('GET', `/v1/person/${person}`)).body as { address: object };
    const shipping = cards.data[0]?.shipping as { shippingAddress: object };
    expect(shipping.shippingAddress).toEqual({ ...address, addressType: 'shipping' });
  });

  it('is refused without an address', async () => {
    const caller = http.caller();
    const holder = { first_name: 'Ida', last_name: 'Moss', id_number: '723450019' };
    const made = await caller.v2('POST', '/v2/accounts/sub_account_holder', {
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: {
        ...holder,
        id_type: 'ssn',
        phone: '+15035550177',
        email: 'ida@moss.example',
        date_of_birth: '1990-01-01',
      },
      verification: { status: 'pass' },
    });
    expect(made.status, made.text).toBe(201);
    const id = made.id().replace(/^sah_(.{8})(.{4})(.{4})(.{4})/, 'per-$1-$2-$3-$4-');
    const refused = await open(caller, id);
    expect([refused.status, refused.at('code')]).toEqual([400, 'EC_PERSON_DETAILS_REQUIRED']);
    expect((await caller.v1('GET', `/v1/account?personId=${id}`)).at('total')).toBe(0);
  });
});

it('a disclosure accepts the URL of the embedding frame', async () => {
  const caller = http.caller();
  const path = `/v1/business/${caller.seed('new_business_id')}/ownershipDisclosure`;
  const body = { redirectUri: 'https://app.example/signed', frameancestor: 'https://app.example' };
  const begun = await caller.v1('POST', path, body);
  expect(begun.status, begun.text).toBe(201);
  expect(begun.headers['x-sandbox-hint']).toBeUndefined();
});

it('a card in a payment accepts a type', async () => {
  const caller = http.caller();
  const order = {
    accountId: caller.seed('account_id'),
    contactId: caller.seed('vendor_contact_id'),
    amount: '2.00',
  };
  const sent = await caller.v1('POST', '/v1/send/card', { ...order, description: 'Gift', type: 'virtual' });
  expect(sent.status, sent.text).toBe(201);
});

describe('Plaid (createPlaidToken, createPlaidAccount, createProcessorContact)', () => {
  it('returns an invented token, and an invented account that ACH can debit', async () => {
    const caller = http.caller();
    const accountId = caller.seed('account_id');
    const path = `/v1/account/${accountId}`;
    const update = { plaidUpdateMode: { type: 'contact', contactId: 'con-1' } };
    const tokens = [
      await caller.v1('POST', `${path}/plaid-token`, { packageName: 'com.example.app' }),
      await caller.v1('POST', `${path}/plaid-token`, update),
    ];
    expect(tokens.map(({ status }) => status)).toEqual([201, 201]);
    expect(tokens[0]?.at('linkToken')).not.toBe(tokens[1]?.at('linkToken'));
    const body = { plaidToken: 'public-sandbox-7', plaidAccountId: 'k1' };
    const contact = await caller.v1('POST', `${path}/plaid-account`, body);
    expect(contact.body).toMatchObject({ accountId, type: 'selfAch', status: 'active' });
    const order = {
      accountId,
      contactId: contact.id(),
      amount: '20.00',
      description: 'Top-up',
      type: 'sameDay',
    };
    const pulled = await caller.v1('POST', '/v1/receive/ach', order);
    expect(pulled.status, pulled.text).toBe(201);
    const again = await caller.v1('POST', `${path}/plaid-account`, { publicToken: 'any text' });
    expect([again.status, again.at('type')]).toEqual([201, 'selfAch']);
  });

  it('creates the same sort of contact from the processor token of the bank (createProcessorContact)', async () => {
    const caller = http.caller();
    const accountId = caller.seed('account_id');
    const body = { processorToken: caller.seed('processor_token') };
    const linked = await caller.v1('POST', `/v1/account/${accountId}/processor-token`, body);
    expect(linked.status, linked.text).toBe(200);
    expect(linked.body).toMatchObject({ accountId, type: 'selfAch', ach: { verified: true }, wire: null });
    expect((await caller.v1('GET', `/v1/contact/${linked.id()}`)).body).toEqual(linked.body);
  });

  it('requires its token, and an account', async () => {
    const caller = http.caller();
    const path = `/v1/account/${caller.seed('account_id')}`;
    const refused = await caller.v1('POST', `${path}/plaid-account`, { plaidAccountId: 'k1' });
    expect([refused.status, refused.at('message')]).toEqual([
      400,
      expect.stringMatching(/^plaidToken is required/),
    ]);
    const other = await caller.v1('POST', `${path}/processor-token`, {
      processorToken: 'processor-sandbox-1',
    });
    expect([other.status, other.at('message')]).toEqual([
      400,
      'processorToken must be the one that GET /_sandbox shows, because Plaid is only imitated',
    ]);
    const nobody = '/v1/account/acc-0193a5c0-b800-7a3e-9c4d-5e6f70819203';
    expect((await caller.v1('POST', `${nobody}/plaid-token`, {})).status).toBe(404);
    expect((await caller.v1('POST', `${nobody}/plaid-account`, { plaidToken: 'x' })).status).toBe(404);
  });
});
