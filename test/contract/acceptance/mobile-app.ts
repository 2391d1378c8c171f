/**
 * The calls of the platform's mobile app, in its order and with the bodies that its models encode: from signing in to signing
 * out. A second person has the same kinds of records, and nothing of theirs is in any answer. mobile-app.test.ts decides the
 * check of identity by its link, test/long/mobile-app.test.ts on its page in a browser.
 */
import { expect } from 'vitest';
import { writeForm } from '../../server/http/forms.ts';
import { IS_WORKERD, startBank } from '../../server/process/support.ts';
import { makeFolder } from '../../support/folder.ts';

const KEY = 'test_app';
const HOST = 'https://app.example';
const ID = /\b[a-z]{3}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);
const ADDRESS = {
  line1: '5 Elm Street',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};

// biome-ignore lint/suspicious/noExplicitAny: the answers of many operations
type Body = any;

/** One user of the app, and every id that an answer had. */
function createUser(url: string) {
  let token = KEY;
  const ids = new Set<string>();
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(path.startsWith('http') ? path : `${url}/v1${path}`, { method, redirect: 'manual', ...init });
  const note = (text: string): void => {
    // The id of a request is of nobody.
    for (const [id] of text.matchAll(ID)) if (!id.startsWith('req-')) ids.add(id);
  };
  const call = async (method: string, path: string, body?: object, status?: number): Promise<Body> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await send(method, path, {
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    note(text);
    const expected = status === undefined ? [200, 201, 204] : [status];
    expect(expected, `${method} ${path}: ${answer.status} ${text}`).toContain(answer.status);
    return text.startsWith('{') ? JSON.parse(text) : text;
  };
  return {
    ids,
    call,
    send,
    note,
    become(person: string) {
      token = `${KEY}:${person}`;
    },
    bearer: () => ({ authorization: `Bearer ${token}` }),
    /** Looks until something is so, as the app does. */
    async wait(path: string, isSo: (body: Body) => boolean): Promise<Body> {
      for (let tries = 0; tries < 100; tries += 1) {
        const body = await call('GET', path);
        if (isSo(body)) return body;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`${path} never became so`);
    },
  };
}
type User = ReturnType<typeof createUser>;

/** Lets a check of identity pass on its page; answers the address to which the page leads back. */
export type Decide = (page: string) => Promise<string>;

/** Without a press, as tests of an app do it. */
export const decideByLink: Decide = async (page) => {
  const back = await fetch(`${page}&redirect-uri=${HOST}/idv&decision=pass`, { redirect: 'manual' });
  expect(back.status).toBe(302);
  return String(back.headers.get('location'));
};

async function signIn(
  user: User,
  { firstName, ssn, phone }: Record<string, string>,
  decide: Decide,
): Promise<string> {
  const registered = await user.call('POST', '/auth/register', { clientId: 'app' });
  expect(registered).toEqual({ accessToken: KEY, refreshRequired: false });
  const email = `${firstName}@app.example`.toLowerCase();
  const { id } = await user.call('POST', '/person', { firstName, lastName: 'Moss', phone, email });
  user.become(id);
  expect((await user.call('POST', '/auth/register', { clientId: 'app' })).accessToken).toBe(`${KEY}:${id}`);
  expect((await user.call('GET', '/person')).id).toBe(id);
  const address = { ...ADDRESS, addressType: 'mailing' };
  const details = { dateOfBirth: '1990-02-03', idType: 'ssn', idNumber: ssn, address };
  await user.call('PATCH', `/person/${id}`, { firstName, lastName: 'Moss', email, ...details });

  const { url: page } = await user.call('POST', `/person/${id}/idv`);
  expect(await decide(page)).toMatch(
    /^https?:\/\/[^/]+\/idv\?inquiry-id=idv-.*&status=completed&reference-id=per-/,
  );
  await user.call('POST', `/person/${id}/kyc`, {});
  const kyc = await user.wait(`/person/${id}/kyc`, ({ status }) => status === 'approved');
  expect(kyc.results.idv).toBe('approved');
  expect((await user.call('GET', '/account?limit=1000&offset=0')).total).toBe(0);
  expect((await user.call('GET', '/business')).total).toBe(0);
  return id;
}

async function openAccounts(
  user: User,
  ein: string,
): Promise<{ own: string; second: string; business: string }> {
  const account = { acceptedTerms: true, currency: 'USD', type: 'personalChecking' };
  const { id: own } = await user.call('POST', '/account', {
    ...account,
    label: 'Everyday',
    createPhysicalCard: true,
  });
  const { id: second } = await user.call('POST', '/account', { ...account, label: 'Savings' });
  const { id: businessId } = await user.call('POST', '/business', {
    legalName: 'Moss Tea LLC',
    entityType: 'limitedLiabilityCompany',
    idType: 'ein',
    idNumber: ein,
    email: 'tea@app.example',
    phone: '+15035550166',
    formationDate: '2019-03-04',
    address: { ...ADDRESS, addressType: 'mailing' },
  });
  const owners = await user.call('GET', `/owner?businessId=${businessId}`);
  expect(owners.total).toBe(1);
  const [{ id: owner }] = owners.data;
  const change = { businessId, ownership: '100', title: 'CEO', designation: 'CEO', isControlPerson: true };
  await user.call('PATCH', `/owner/${owner}`, change);
  expect((await user.call('GET', `/owner/${owner}/kyc`)).status).toBe('approved');

  const disclosure = `/business/${businessId}/ownershipDisclosure`;
  expect((await user.call('GET', disclosure, undefined, 404)).code).toBe('EC_BUSINESS_AGREEMENT_NOT_FOUND');
  const request = { action: 'regenerate', redirectUri: `${HOST}/signed`, frameancestor: HOST };
  const { url: page } = await user.call('POST', disclosure, request);
  expect((await user.send('GET', page)).headers.get('location')).toBe(`${HOST}/signed`);
  expect((await user.call('GET', disclosure)).signedAt).not.toBe('');
  const ways = { ach: { count: '10', amount: '1000' } };
  await user.call('PATCH', `/business/${businessId}/projection`, {
    transactions: { annual: { send: ways, receive: ways, incoming: ways } },
  });
  await user.call('POST', `/business/${businessId}/kyb`, {});
  await user.wait(`/business/${businessId}/kyb`, ({ status }) => status === 'approved');
  const { id: business } = await user.call('POST', '/account', {
    ...account,
    type: 'businessChecking',
    businessId,
    label: 'Tea',
  });
  expect((await user.call('GET', `/account?businessId=${businessId}`)).total).toBe(1);
  expect((await user.call('GET', '/account?limit=100&offset=0')).total).toBe(3);
  expect((await user.call('GET', '/business')).total).toBe(1);
  return { own, second, business };
}

async function useCards(user: User, accountId: string): Promise<void> {
  const listed = await user.call('GET', `/card?accountId=${accountId}&limit=100&offset=0`);
  expect([listed.total, listed.data[0].cardType]).toEqual([1, 'physical']);
  const [{ id: physical, last4, expiryMonth, expiryYear }] = listed.data;
  await user.call('PATCH', `/card/${physical}/activate`, { last4, expiryMonth, expiryYear });
  const card = {
    accountId,
    label: 'Online',
    cardType: 'virtual',
    limitAmount: '200',
    limitInterval: 'monthly',
    currency: 'USD',
  };
  const { id } = await user.call('POST', '/card', {
    ...card,
    billingAddress: { ...ADDRESS, addressType: 'billing' },
  });
  await user.call('PATCH', `/card/${id}`, { id, label: 'Shopping', cardStatus: 'inactive' });
  await user.call('PATCH', `/card/${id}`, { id, cardStatus: 'active' });
  const { showToken } = await user.call('POST', `/card/${id}/show-token`);
  const shown = await user.send('GET', `/card/${id}/show`, { headers: { 'sd-show-token': showToken } });
  expect(await shown.json()).toEqual(await user.call('GET', `/card/${id}/unredact`));
  const { pinToken } = await user.call('POST', `/card/${physical}/pintoken`);
  const pin = await user.send('POST', `/card/${physical}/pin`, {
    headers: { 'sd-pin-token': pinToken, 'content-type': 'application/json' },
    body: JSON.stringify({ pin: '2580', last4, expiryMonth, expiryYear }),
  });
  expect(pin.status).toBe(200);
  const near = 'limit=5&offset=0&latitude=45.5&longitude=-122.6&radius=50';
  expect((await user.call('GET', `/card/atm?cardId=${id}&${near}`)).data.length).toBeGreaterThan(0);
  const applePay = { deviceCert: 'c', nonceSignature: 's', nonce: 'n' };
  await user.call('POST', `/card/${id}/provision`, { wallet: 'applePay', applePay });
}

async function payEveryWay(
  user: User,
  accounts: { own: string; second: string },
  payee: string,
): Promise<void> {
  const accountId = accounts.own;
  await user.call('POST', `/account/${accountId}/plaid-token`, { packageName: 'com.example.app' });
  const linked = { plaidToken: 'public-sandbox-1', plaidAccountId: 'a1' };
  const { id: plaid } = await user.call('POST', `/account/${accountId}/plaid-account`, linked);
  const order = (contactId: string, more: object = {}) => ({
    accountId,
    contactId,
    amount: '10',
    description: 'Tea',
    ...more,
  });
  await user.call('POST', '/receive/ach', order(plaid, { amount: '250', type: 'nextDay' }));
  await user.call('POST', '/send/ach', order(plaid, { type: 'nextDay' }));

  const bank = { accountNumber: '123456789', routingNumber: '123206972', accountType: 'personalChecking' };
  const address = (addressType: string) => ({ address: { ...ADDRESS, addressType } });
  const texts = { email: 'pat@app.example', phone: '+15035550144' };
  const add = async (name: string, more: object): Promise<string> =>
    (await user.call('POST', '/contact', { accountId, name, ...texts, ...more })).id;
  const friend = await add('Pat', { type: 'others', intrabank: { accountId: payee } });
  const mine = await add('My savings', { intrabank: { accountId: accounts.second } });
  const other = await add('Lee', {
    type: 'others',
    ach: bank,
    wire: { domestic: { ...bank, bankName: 'Lewis and Clark Bank', ...address('wire') } },
    check: address('check'),
    card: address('card'),
  });
  expect((await user.call('GET', `/contact/${mine}`)).type).toBe('selfIntrabank');
  const { debitCardToken } = await user.call('POST', `/contact/${other}/debitcard/token`);
  const debitCard = {
    cardNumber: '4000056655665556',
    expiryMonth: '04',
    expiryYear: '2030',
    ...address('card'),
  };
  const set = await user.send('PATCH', `/contact/${other}/debitcard`, {
    headers: { 'sd-debitcard-token': debitCardToken, 'content-type': 'application/json' },
    body: JSON.stringify({ debitCard }),
  });
  expect(set.status, await set.text()).toBe(200);
  for (const type of ['others', 'selfACH']) {
    const found = await user.call('GET', `/contact?accountId=${accountId}&type=${type}&limit=100&offset=0`);
    expect(found.total, type).toBeGreaterThan(0);
  }

  await user.call('POST', '/send/intrabank', order(friend));
  await user.call('POST', '/send/intrabank', order(mine));
  await user.call('POST', '/send/ach', order(other, { type: 'sameDay' }));
  await user.call('POST', '/send/wire', order(other, { type: 'domestic' }));
  await user.call('POST', '/send/check', order(other, { type: 'physical' }));
  await user.call('POST', '/send/card', order(other, { type: 'virtual' }));
  await user.call('POST', '/receive/debitpull', order(other));

  const { id: check } = await user.call('POST', '/receive/check', order(other, { amount: '30' }));
  const side = (name: string) => ({ name, filename: `${name}.png`, contentType: 'image/png', content: PNG });
  const form = writeForm([side('front'), side('back')]);
  const uploaded = await user.send('PATCH', `/receive/check/${check}/files`, {
    headers: { ...user.bearer(), ...form.headers },
    body: new Uint8Array(form.body),
  });
  const text = await uploaded.text();
  user.note(text);
  expect(uploaded.status, text).toBeLessThan(300);
  expect((await user.call('GET', `/receive/check?accountId=${accountId}`)).total).toBe(1);
}

async function readHistory(user: User, accountId: string): Promise<void> {
  const all = await user.call('GET', `/account/${accountId}/transaction?limit=100&offset=0`);
  expect(all.total).toBeGreaterThan(5);
  const today = new Date().toISOString().slice(0, 10);
  const filtered = await user.call(
    'GET',
    `/account/${accountId}/transaction?startDate=${today}&endDate=${today}&query=tea`,
  );
  expect(filtered.total).toBeGreaterThan(0);
  expect(filtered.total).toBeLessThan(all.total);
  const [{ id }] = filtered.data;
  expect((await user.call('GET', `/account/${accountId}/transaction/${id}?export=json`)).id).toBe(id);
  const pdf = async (path: string): Promise<void> => {
    const file = await user.send('GET', path, { headers: user.bearer() });
    expect((await file.text()).slice(0, 5), path).toBe('%PDF-');
  };
  await pdf(`/account/${accountId}/transaction/${id}?export=pdf`);
  const [{ month, year }] = (await user.call('GET', `/account/${accountId}/statement`)).data;
  await pdf(`/account/${accountId}/statement/${year}/${month}?export=pdf`);
}

/** Where the bank keeps its sandboxes. */
const ALL_PLACES = ['memory', 'a file'] as const;
/** In workerd every sandbox is in a file. */
export const PLACES = IS_WORKERD ? ALL_PLACES.slice(1) : ALL_PLACES;

/** Does everything for two persons, one after the other, and compares what was seen. */
export async function runApp(place: (typeof ALL_PLACES)[number], decide: Decide): Promise<void> {
  const data = place === 'memory' ? {} : { SANDBANK_DATA: makeFolder() };
  const bank = await startBank({ SANDBANK_RAILS: 'fast', ...data });
  const summary = await (await fetch(`${bank.url}/_sandbox`, { headers: { 'api-key': KEY } })).json();
  const payee = (summary as Body).seeded.other_account_id;
  const users = [
    { firstName: 'Ida', ssn: '345670001', phone: '+15035550141', ein: '845670001' },
    { firstName: 'Una', ssn: '345670002', phone: '+15035550142', ein: '845670002' },
  ];
  const seen: Set<string>[] = [];
  for (const { ein, ...person } of users) {
    const user = createUser(bank.url);
    await signIn(user, person, decide);
    const accounts = await openAccounts(user, ein);
    await useCards(user, accounts.own);
    await payEveryWay(user, accounts, payee);
    await readHistory(user, accounts.own);
    expect(await user.call('POST', '/auth/logout', { clientId: 'app', phone: person.phone })).toEqual({});
    seen.push(user.ids);
  }
  const [first = new Set(), second = new Set()] = seen;
  expect(first.size).toBeGreaterThan(40);
  const shared = [...second].filter((id) => first.has(id) && !id.startsWith('prg-'));
  // Both pay the same account, which each of them named.
  expect(shared).toEqual([payee]);
}
