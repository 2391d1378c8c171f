/**
 * The owner of an account and its transactions in v1: the business or the family, and the person who opened the
 * account or uses the card, wherever such a record is shown. Decision `v1-shown-person` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type Caller, useHttp } from './support.ts';

type Entry = Record<string, unknown>;

const http = useHttp();
const as = (personId: string) => ({ 'sd-person-id': personId });
const dataOf = (answer: Answer): Entry[] => {
  expect(answer.status, answer.text).toBe(200);
  return answer.at('data') as Entry[];
};

/** A verified person of v1. */
async function newPerson(caller: Caller, firstName: string, idNumber: string): Promise<string> {
  const email = `${firstName}@quill.example`;
  const made = await caller.v1('POST', '/v1/person', {
    firstName,
    lastName: 'Quill',
    phone: '+15555555555',
    email,
    idNumber,
    idType: 'ssn',
  });
  expect(made.status, made.text).toBe(201);
  const kyc = await caller.v2('POST', `/v2/accounts/sub_account_holder/${bare('sah_', made.id())}/kyc`);
  expect(kyc.status, kyc.text).toBe(201);
  return made.id();
}

const bare = (prefix: string, id: string): string => prefix + id.slice(4).replaceAll('-', '');

/**
 * A business that one person created, with an account that another opened and a card that a third one uses.
 */
async function openShared(caller: Caller) {
  const maker = await newPerson(caller, 'Mara', '234567801');
  const opener = await newPerson(caller, 'Olaf', '234567802');
  const user = await newPerson(caller, 'Ursa', '234567803');
  const business = await caller.v1(
    'POST',
    '/v1/business',
    {
      legalName: 'Fir Clinic LLC',
      entityType: 'limitedLiabilityCompany',
      idNumber: '387654321',
      address: { line1: '1 A', city: 'Salem', state: 'OR', country: 'US', postalCode: '97301' },
    },
    as(maker),
  );
  const businessId = business.id();
  await caller.v2('POST', `/v2/accounts/sub_account_holder/${bare('sah_', businessId)}/kyb`);
  const account = await caller.v1('POST', '/v1/account', { businessId }, as(opener));
  expect(account.status, account.text).toBe(201);
  const accountId = account.id();
  const issued = await caller.v1('POST', '/v1/card', { accountId, cardType: 'virtual' }, as(user));
  expect(issued.status, issued.text).toBe(201);
  return { maker, opener, user, businessId, account, accountId, cardId: issued.id() };
}

const ownerOf = ({ personId, businessId, familyId }: Entry) => [personId, businessId, familyId];

describe('the account of a business', () => {
  it('has the person who opened it, like its transactions, except those of a card, which have its user', async () => {
    const caller = http.caller();
    const { opener, user, businessId, account, accountId, cardId } = await openShared(caller);
    expect(ownerOf(account.body as Entry)).toEqual([opener, businessId, '']);
    expect(account.at('createdPersonId')).toBe(opener);
    await caller.listen();
    await caller.v1('POST', `/v1/account/${accountId}/test/ach`, { amount: '20.00', txnType: 'credit' });
    await caller.v1('POST', `/v1/card/${cardId}/test`, { amount: '10.00' });
    const path = `/v1/account/${accountId}/transaction`;
    const [spent, received, opening] = dataOf(await caller.v1('GET', path));
    expect(ownerOf(opening as Entry)).toEqual([opener, businessId, '']);
    expect(ownerOf(received as Entry)).toEqual([opener, businessId, '']);
    expect(ownerOf(spent as Entry)).toEqual([user, businessId, '']);
    expect((await caller.v1('GET', `${path}/${spent?.id}`)).body).toEqual(spent);
    await caller.v1('POST', `/v1/card/${cardId}/test`, {
      amount: '3.00',
      txnType: 'authUpdate',
      parentTxnId: spent?.id,
    });
    const { v1 } = await caller.receivedEvents();
    const owners = new Map(v1.map(({ kind, record }) => [kind, ownerOf(record)]));
    expect(owners.get('ach.received.credit')).toEqual([opener, businessId, '']);
    expect(owners.get('card.spend')).toEqual([user, businessId, '']);
    expect(owners.get('card.spend.update')).toEqual([user, businessId, '']);
    expect(owners.get('account.debit')).toEqual([user, businessId, '']);
    await caller.v1('PATCH', `/v1/account/${accountId}`, { label: 'Till' });
    const [changed] = (await caller.receivedEvents()).v1;
    expect([changed?.kind, ownerOf(changed?.record ?? {})]).toEqual([
      'account.updated',
      [opener, businessId, ''],
    ]);
  });

  it('is found by that person, and so are its transactions, also in the lists of the program', async () => {
    const caller = http.caller();
    const { maker, opener, user, businessId, accountId, cardId } = await openShared(caller);
    await caller.v1('POST', `/v1/card/${cardId}/test`, { amount: '10.00' });
    const program = `/v1/program/${caller.seed('program_id')}`;
    const find = async (path: string, filter: string) => {
      const answer = await caller.v1('GET', `${path}?${filter}`);
      expect(answer.at('total')).toBe(dataOf(answer).length);
      return dataOf(answer).map((entry) => entry.amount ?? entry.id);
    };
    for (const path of ['/v1/account', `${program}/account`]) {
      expect(await find(path, `personId=${opener}`)).toEqual([accountId]);
      expect(await find(path, `personId=${maker}`)).toEqual([]);
      expect(await find(path, `businessId=${businessId}`)).toEqual([accountId]);
      expect(await find(path, `businessId=${bare('sah_', caller.seed('person_id'))}`)).toEqual([]);
    }
    for (const path of [`/v1/account/${accountId}/transaction`, `${program}/transaction`]) {
      expect(await find(path, `personId=${opener}`)).toEqual(['1000.00']);
      expect(await find(path, `personId=${user}`)).toEqual(['-10.00']);
      expect(await find(path, `personId=${maker}`)).toEqual([]);
      expect(await find(path, `personId=${user}&businessId=${businessId}`)).toEqual(['-10.00']);
      expect(await find(path, `businessId=${businessId}`)).toEqual(['-10.00', '1000.00']);
      expect(await find(path, `businessId=${bare('sah_', caller.seed('person_id'))}`)).toEqual([]);
    }
  });

  it('has the person who created the business if nobody opened it, and nobody if v2 created both', async () => {
    const caller = http.caller();
    const { maker, businessId } = await openShared(caller);
    const silent = await caller.v1('POST', '/v1/account', { businessId });
    expect(ownerOf(silent.body as Entry)).toEqual([maker, businessId, '']);
    const holder = caller.seed('business_holder_id');
    await caller.v2('POST', `/v2/accounts/sub_account_holder/${holder}/kyb`);
    const made = await caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: holder,
      type: 'checking',
    });
    const seen = await caller.v1('GET', `/v1/account/${made.id()}`);
    expect(seen.body).toMatchObject({ personId: '', createdPersonId: '', familyId: '' });
  });
});

describe('the account of a person', () => {
  it('that v2 opened has that person', async () => {
    const caller = http.caller();
    const personId = caller.seed('person_id');
    const made = await caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: caller.seed('person_holder_id'),
      type: 'cash',
    });
    const account = await caller.v1('GET', `/v1/account/${made.id()}`);
    expect(ownerOf(account.body as Entry)).toEqual([personId, '', '']);
    await caller.v2('POST', '/v2/simulate/incoming/ach/push', {
      sub_account_id: made.id(),
      amount: '5.00',
    });
    const entries = dataOf(await caller.v1('GET', `/v1/account/${made.id()}/transaction`));
    expect(entries.map(ownerOf)).toEqual([[personId, '', '']]);
    const found = dataOf(await caller.v1('GET', `/v1/account?personId=${personId}`));
    expect(found.map(({ id }) => id)).toContain(account.id());
  });
});

describe('the account of a family', () => {
  it('has the person who opened it, for filters too, and the users of its cards', async () => {
    const caller = http.caller();
    const opener = await newPerson(caller, 'Olaf', '234567802');
    const user = await newPerson(caller, 'Ursa', '234567803');
    const family = await caller.v1('POST', '/v1/family', { name: 'Quill' }, as(opener));
    const account = await caller.v1('POST', '/v1/account', { familyId: family.id() }, as(opener));
    const accountId = account.id();
    expect(ownerOf(account.body as Entry)).toEqual([opener, '', family.id()]);
    const card = await caller.v1('POST', '/v1/card', { accountId, cardType: 'virtual' }, as(user));
    expect(card.body).toMatchObject({
      familyId: family.id(),
      businessId: '',
      createdPersonId: user,
      cardholder: { personId: user },
    });
    await caller.v1('POST', `/v1/card/${card.id()}/test`, { amount: '10.00' });
    const entries = dataOf(await caller.v1('GET', `/v1/account/${accountId}/transaction`));
    expect(entries.map(ownerOf)).toEqual([
      [user, '', family.id()],
      [opener, '', family.id()],
    ]);
    const found = dataOf(await caller.v1('GET', `/v1/account?personId=${opener}`));
    expect(found.map(({ id }) => id)).toEqual([accountId]);
    expect(dataOf(await caller.v1('GET', `/v1/account?personId=${user}`))).toEqual([]);
  });
});
