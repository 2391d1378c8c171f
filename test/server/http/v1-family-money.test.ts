/**
 * The persons who can move the money of a family in v1. Every writing operation is in one of the two tables below, so
 * a new operation needs a row in one of them. Decision `family-money` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { V1_OPERATIONS } from '../../../src/bank/api/v1/index.ts';
import { digestOf } from './digest.ts';
import { expectRefusedV1 } from './expectations.ts';
import { writeForm } from './forms.ts';
import { type Answer, type Caller, useHttp } from './support.ts';
import { ADDRESS, giveRails, ORDERS } from './v1-orders.ts';

const http = useHttp();
const as = (personId: string) => ({ 'sd-person-id': personId });
const ok = async (pending: Promise<Answer>): Promise<Answer> => {
  const answer = await pending;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};

/** A family of two with an account, and a contact of the account with every rail. */
interface Home {
  holder: string;
  other: string;
  accountId: string;
  contactId: string;
}

type Request = (headers: Record<string, string>) => Promise<Answer>;
/** Creates what the request requires, and returns the request. */
type Prepare = (caller: Caller, home: Home) => Request | Promise<Request>;

const orderTo =
  (path: string, more: object = {}): Prepare =>
  (caller, { accountId, contactId }) =>
  (headers) =>
    caller.v1('POST', path, { accountId, contactId, amount: '10.00', description: 'Rent', ...more }, headers);

const uploadImages: Prepare = async (caller, home) => {
  const order = await orderTo('/v1/receive/check')(caller, home);
  const deposit = await ok(order(as(home.holder)));
  const image = { filename: 'side.png', contentType: 'image/png', content: 'a side' };
  const form = writeForm(['front', 'back'].map((name) => ({ name, ...image })));
  const path = `/v1/receive/check/${deposit.id()}/files`;
  return (headers) => caller.v1('PATCH', path, form.body, { ...form.headers, ...headers });
};

const submitBatch: Prepare = (caller, { accountId, contactId }) => {
  const row = { sequence: '1', api: 'send', title: 'Rent', description: 'Rent', amount: '10.00' };
  const body = { data: [{ ...row, accountId, contactId }] };
  return (headers) => caller.v1('POST', '/v1/batch/intrabank', body, headers);
};

/** Operations that move the money of an account or manage it, by method and path. */
const HOLDER_ONLY: Readonly<Record<string, Prepare>> = {
  ...Object.fromEntries(ORDERS.map(({ path, more }) => [`POST ${path}`, orderTo(path, more)])),
  'POST /v1/send/card': orderTo('/v1/send/card'),
  'PATCH /v1/receive/check/:transferId/files': uploadImages,
  'POST /v1/batch/intrabank': submitBatch,
  'PATCH /v1/account/:accountId':
    (caller, { accountId }) =>
    (headers) =>
      caller.v1('PATCH', `/v1/account/${accountId}`, { label: 'Home' }, headers),
};

/** Operations that any member may use, or that ignore the person header, by the first words of their path. */
const OTHERS = [
  '/v1/auth/',
  '/v1/person',
  '/v1/owner',
  '/v1/business',
  '/v1/family',
  '/v1/member',
  '/v1/contact',
  '/v1/webhook',
  // A card for a member is issued in that member's name.
  '/v1/card',
];
const OTHER_WRITES = [
  'POST /v1/account',
  // Payments that another bank sends or pulls.
  'POST /v1/account/:accountId/test/ach',
  'POST /v1/account/:accountId/plaid-token',
  'POST /v1/account/:accountId/plaid-account',
  'POST /v1/account/:accountId/processor-token',
  'POST /v1/wallet',
  // Only the texts of a transfer.
  ...[...ORDERS.map(({ path }) => path), '/v1/send/card'].map((path) => `PATCH ${path}/:transferId`),
  'PATCH /v1/account/:accountId/transaction/:transactionId',
];

async function person(caller: Caller, phone: string): Promise<string> {
  const body = { firstName: 'Mara', lastName: 'Quill', phone, email: 'mara@quill.example' };
  const id = (await ok(caller.v1('POST', '/v1/person', body))).id();
  await ok(caller.v2('POST', `/_sandbox/simulate/holders/${id}/pass`));
  return id;
}

async function settle(caller: Caller): Promise<Home> {
  const holder = await person(caller, '+15035550123');
  const other = await person(caller, '+15035550124');
  const familyId = (await ok(caller.v1('POST', '/v1/family', { name: 'Quill' }, as(holder)))).id();
  await ok(caller.v1('POST', '/v1/member', { familyId, personId: other }));
  const opened = await ok(caller.v1('POST', '/v1/account', { familyId, acceptedTerms: true }, as(holder)));
  const ach = { accountNumber: '5500112244', routingNumber: '121042882', accountType: 'businessChecking' };
  const contact = { accountId: opened.id(), name: 'Harbor Supplies', ach };
  const contactId = (await ok(caller.v1('POST', '/v1/contact', contact))).id();
  await giveRails(caller, contactId);
  await ok(caller.v1('PATCH', `/v1/contact/${contactId}`, { card: { address: ADDRESS } }));
  return { holder, other, accountId: opened.id(), contactId };
}

describe('the account of a family', () => {
  it('can be used with the operations of this table, and no others of v1', () => {
    const writes = V1_OPERATIONS.filter(({ method }) => method !== 'GET');
    const named = writes.map(({ method, path }) => `${method} ${path}`);
    const unnamed = named.filter(
      (name) =>
        HOLDER_ONLY[name] === undefined &&
        !OTHER_WRITES.includes(name) &&
        !OTHERS.some((path) => name.split(' ')[1]?.startsWith(path)),
    );
    expect(unnamed).toEqual([]);
    const refusing = writes.filter(({ refuses }) => refuses?.includes('not_account_holder'));
    expect(refusing.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      Object.keys(HOLDER_ONLY).sort(),
    );
  });

  it.each(Object.entries(HOLDER_ONLY))(
    'accepts %s only from its holder and from the program',
    async (_, prepare) => {
      const caller = http.caller();
      const home = await settle(caller);
      const request = await prepare(caller, home);
      const before = digestOf(caller.sandbox);
      expectRefusedV1(await request(as(home.other)), { status: 403, code: 'EC_ACCOUNT_FORBIDDEN' });
      expect(digestOf(caller.sandbox)).toBe(before);
      await ok(request(as(home.holder)));
      await ok((await prepare(caller, home))({}));
    },
  );

  it('can be read by a member, who gets a card with the own header and spends with it', async () => {
    const caller = http.caller();
    const { other, accountId } = await settle(caller);
    const path = `/v1/account/${accountId}`;
    for (const one of [path, `${path}/transaction`, `${path}/statement`, `/v1/card?accountId=${accountId}`]) {
      await ok(caller.v1('GET', one, undefined, as(other)));
    }
    const order = { accountId, cardType: 'virtual', limitAmount: '50.00', limitInterval: 'monthly' };
    const card = await ok(caller.v1('POST', '/v1/card', order, as(other)));
    expect(card.at('cardholder.personId')).toBe(other);
    const spent = await ok(caller.v1('POST', `/v1/card/${card.id()}/test`, { amount: '4.00' }, as(other)));
    expect(spent.at('status')).toBe('approved');
    expect((await caller.v1('GET', path)).at('availableBalance')).toBe('996.00');
    await ok(caller.v1('DELETE', `/v1/card/${card.id()}`, undefined, as(other)));
  });
});
