/**
 * Implausible input is refused with 400 and the name of its field in the called version, and changes nothing.
 * Decisions `birth-dates`, `ach-effective-date`, `known-places`, `document-content`, `verification-needs`, `blank-texts`
 * and `v1-person-fields` in docs/fidelity.md.
 */
import { describe, expect, it, test } from 'vitest';
import { digestOf } from './digest.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ rails: 'manual' });
const HOLDERS = '/v2/accounts/sub_account_holder';
// Tests start on 2026-11-20.
const TOMORROW = '2026-11-21';
const ALMOST_18 = '2008-11-21';
const TOO_OLD = '1906-11-19';
const JUST_18 = '2008-11-20';

const ADDRESS = { line1: '9 Elm Street', city: 'Salem', state: 'OR', country: 'US', postalCode: '97301' };
const ADDRESS_V2 = { line1: '9 Elm Street', city: 'Salem', state: 'OR', country: 'US', postal_code: '97301' };
const PERSON = {
  firstName: 'Mara',
  lastName: 'Quill',
  phone: '+15555555555',
  email: 'mara@quill.example',
  idType: 'ssn',
  idNumber: '723450001',
  dateOfBirth: '1988-03-14',
  address: ADDRESS,
};
const PERSON_V2 = { first_name: 'Mara', last_name: 'Quill', id_type: 'ssn', id_number: '723450001' };

type Send = (caller: Caller) => Promise<Answer>;

const newPerson =
  (change: object): Send =>
  (caller) =>
    caller.v1('POST', '/v1/person', { ...PERSON, ...change });
const newHolder =
  (body: object): Send =>
  (caller) =>
    caller.v2('POST', HOLDERS, { master_account_id: caller.seed('master_account_id'), ...body });
const newHolderPerson = (change: object) =>
  newHolder({ type: 'person', person: { ...PERSON_V2, ...change } });
const member = (change: object) =>
  newHolder({
    type: 'business',
    business: { legal_name: 'Fir LLC', members: [{ ...PERSON_V2, ...change }] },
  });
const inV1 =
  (
    method: 'POST' | 'PATCH',
    path: (caller: Caller) => string,
    body: object | ((caller: Caller) => object),
  ): Send =>
  (caller) =>
    caller.v1(method, path(caller), typeof body === 'function' ? body(caller) : body);
const inV2 =
  (
    method: 'POST' | 'PATCH',
    path: (caller: Caller) => string,
    body: object | ((caller: Caller) => object),
  ): Send =>
  (caller) =>
    caller.v2(method, path(caller), typeof body === 'function' ? body(caller) : body);
const at =
  (path: string, seed?: string): ((caller: Caller) => string) =>
  (caller) =>
    seed === undefined ? path : path.replace('*', caller.seed(seed));
const control = (controls: object) =>
  inV2('PATCH', at('/v2/issuing/card/*', 'virtual_card_id'), { controls });
const ach = (path: string, effective_date: string) =>
  inV2('POST', at(path), (caller) => ({
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount: '5.00',
    effective_date,
  }));
const counterparty = (more: object) =>
  inV2('POST', at('/v2/payments/counterparty'), (caller) => ({
    sub_account_id: caller.seed('sub_account_id'),
    type: 'person',
    ...more,
  }));
const contact = (more: object) =>
  inV1('POST', at('/v1/contact'), (caller) => ({
    accountId: caller.seed('account_id'),
    name: 'Mill',
    email: 'ap@mill.example',
    phone: '+15555555555',
    ...more,
  }));

const BANK_ACCOUNT = {
  accountNumber: '5500118822',
  routingNumber: '121042882',
  accountType: 'personalChecking',
};
const newBusiness = (more: object) =>
  inV1('POST', at('/v1/business'), { legalName: 'Fir LLC', entityType: 'estate', ...more });
const newMember = (person: object) =>
  inV1('POST', at('/v1/member'), (caller) => ({ businessId: caller.seed('new_business_id'), person }));
const cardTest = (merchant: object) =>
  inV1('POST', at('/v1/card/*/test', 'card_id'), { amount: '1.00', merchant });

/** Each call, and the field of its refusal: in v1 in the message, in v2 as `field_name`. */
const IMPLAUSIBLE: Readonly<Record<string, readonly [field: string, send: Send][]>> = {
  'a birth to come': [
    ['dateOfBirth', newPerson({ dateOfBirth: TOMORROW })],
    ['dateOfBirth', inV1('PATCH', at('/v1/person/*', 'person_id'), { dateOfBirth: TOMORROW })],
    [
      'dateOfBirth',
      inV1('POST', at('/v1/member'), (caller) => ({
        businessId: caller.seed('new_business_id'),
        person: { ...PERSON, dateOfBirth: TOMORROW },
      })),
    ],
    ['person.date_of_birth', newHolderPerson({ date_of_birth: TOMORROW })],
    [
      'person.date_of_birth',
      inV2('PATCH', at(`${HOLDERS}/*`, 'person_holder_id'), { person: { date_of_birth: TOMORROW } }),
    ],
    ['business.members.date_of_birth', member({ date_of_birth: TOMORROW })],
    [
      'business.members.date_of_birth',
      inV2('PATCH', at(`${HOLDERS}/*`, 'business_holder_id'), {
        business: { members: [{ ...PERSON_V2, date_of_birth: TOMORROW }] },
      }),
    ],
    [
      'person.date_of_birth',
      inV2('POST', at('/v2/issuing/card_holder'), (caller) => ({
        sub_account_id: caller.seed('sub_account_id'),
        person: { ...PERSON_V2, date_of_birth: TOMORROW },
      })),
    ],
    ['person.date_of_birth', counterparty({ person: { ...PERSON_V2, date_of_birth: TOMORROW } })],
  ],
  'a birth before any age': [
    ['dateOfBirth', newPerson({ dateOfBirth: TOO_OLD })],
    ['dateOfBirth', inV1('PATCH', at('/v1/person/*', 'person_id'), { dateOfBirth: TOO_OLD })],
    ['person.date_of_birth', newHolderPerson({ date_of_birth: TOO_OLD })],
    ['business.members.date_of_birth', member({ date_of_birth: TOO_OLD })],
    ['person.date_of_birth', counterparty({ person: { ...PERSON_V2, date_of_birth: TOO_OLD } })],
  ],
  'a formation to come': [
    [
      'formationDate',
      inV1('POST', at('/v1/business'), {
        legalName: 'Fir LLC',
        entityType: 'limitedLiabilityCompany',
        idType: 'ein',
        idNumber: '387654321',
        address: ADDRESS,
        formationDate: TOMORROW,
      }),
    ],
    ['formationDate', inV1('PATCH', at('/v1/business/*', 'business_id'), { formationDate: TOMORROW })],
    [
      'business.formation_date',
      newHolder({ type: 'business', business: { legal_name: 'Fir LLC', formation_date: TOMORROW } }),
    ],
    [
      'business.formation_date',
      inV2('PATCH', at(`${HOLDERS}/*`, 'business_holder_id'), { business: { formation_date: TOMORROW } }),
    ],
    [
      'business.formation_date',
      counterparty({ type: 'business', business: { legal_name: 'Fir LLC', formation_date: TOMORROW } }),
    ],
  ],
  'no email address': [
    ['email', newPerson({ email: 'x' })],
    ['email', contact({ email: 'x' })],
    ['person.email', newHolderPerson({ email: 'x' })],
    ['person.email', inV2('PATCH', at(`${HOLDERS}/*`, 'person_holder_id'), { person: { email: 'x' } })],
    ['business.email', newHolder({ type: 'business', business: { legal_name: 'Fir LLC', email: 'x' } })],
    ['business.members.email', member({ email: 'x' })],
    ['person.email', counterparty({ person: { ...PERSON_V2, email: 'x' } })],
    [
      'person.email',
      inV2('POST', at('/v2/issuing/card_holder'), (caller) => ({
        sub_account_id: caller.seed('sub_account_id'),
        person: { ...PERSON_V2, email: 'x' },
      })),
    ],
  ],
  'no first name in v1': [['firstName', newPerson({ firstName: '' })]],
  'an effective date beyond a year': [
    ['effective_date', ach('/v2/payments/ach/push', '2027-11-21')],
    ['effective_date', ach('/v2/payments/ach/pull', '2027-11-21')],
  ],
  'an unknown country': [
    ['address.country', newPerson({ address: { ...ADDRESS, country: 'XQ' } })],
    [
      'address.country',
      inV1('PATCH', at('/v1/business/*', 'business_id'), { address: { ...ADDRESS, country: 'XQ' } }),
    ],
    ['check.address.country', contact({ check: { address: { ...ADDRESS, country: 'zz' } } })],
    ['person.address.country', newHolderPerson({ address: { ...ADDRESS_V2, country: 'XQ' } })],
    ['business.members.address.country', member({ address: { ...ADDRESS_V2, country: 'XQ' } })],
    ['check.address.country', counterparty({ person: PERSON_V2, check: { address: { country: 'XQ' } } })],
    ['controls.allowed.countries', control({ allowed: { countries: ['US', 'XQ'] } })],
    ['controls.blocked.countries', control({ blocked: { countries: ['XQ'] } })],
    [
      'issuingCountry',
      inV1('POST', at('/v1/person/*/document', 'person_id'), { name: 'x', issuingCountry: 'XQ' }),
    ],
    ['merchant.merchantCountry', cardTest({ merchantCountry: 'XQ' })],
  ],
  'an unknown state': [
    ['address.state', newPerson({ address: { ...ADDRESS, state: 'XX' } })],
    ['address.state', newPerson({ address: { ...ADDRESS, state: 'Oregon' } })],
    ['address.state', newPerson({ address: { ...ADDRESS, state: 'OR', country: 'CA' } })],
    ['person.address.state', newHolderPerson({ address: { ...ADDRESS_V2, state: 'XX' } })],
    ['person.address.state', newHolderPerson({ address: { ...ADDRESS_V2, state: 'XX', country: '' } })],
    [
      'issuingState',
      inV1('POST', at('/v1/person/*/document', 'person_id'), {
        name: 'x',
        issuingCountry: 'US',
        issuingState: 'ZZ',
      }),
    ],
    [
      'issuingState',
      inV1(
        'PATCH',
        (caller) => `/v1/person/${caller.seed('person_id')}/document/${caller.seed('person_document_id')}`,
        { issuingState: 'ZZ' },
      ),
    ],
    ['merchant.merchantState', cardTest({ merchantState: 'ZZ' })],
  ],
  'an empty document': [
    ['docType', inV1('POST', at('/v1/person/*/document', 'person_id'), {})],
    ['docType', inV1('POST', at('/v1/person/*/document', 'person_id'), { name: '', docType: '' })],
    ['docType', inV1('POST', at('/v1/business/*/document', 'business_id'), {})],
    [
      'docType',
      inV1(
        'PATCH',
        (caller) => `/v1/person/${caller.seed('person_id')}/document/${caller.seed('person_document_id')}`,
        { name: '', description: '', docType: '' },
      ),
    ],
    ['docType', inV1('POST', at('/v1/person/*/document', 'person_id'), { name: ' ', docType: ' ' })],
  ],
  'a blank text': [
    ['firstName', newPerson({ firstName: ' ' })],
    ['lastName', newPerson({ lastName: '\t' })],
    ['idNumber', newPerson({ idType: 'passport', idNumber: '         ' })],
    ['address.line1', newPerson({ address: { ...ADDRESS, line1: ' ' } })],
    ['address.city', newPerson({ address: { ...ADDRESS, city: ' ' } })],
    ['lastName', inV1('PATCH', at('/v1/person/*', 'new_person_id'), { lastName: ' ' })],
    ['person.firstName', newMember({ ...PERSON, firstName: ' ' })],
    ['legalName', newBusiness({ legalName: ' ' })],
    ['idNumber', newBusiness({ idNumber: '         ' })],
    ['name', inV1('POST', at('/v1/family'), { name: ' ' })],
    ['name', contact({ name: ' ' })],
    ['label', contact({ label: ' ' })],
    ['ach.accountNumber', contact({ ach: { ...BANK_ACCOUNT, accountNumber: ' ' } })],
    [
      'ach.account_number',
      counterparty({ person: PERSON_V2, ach: { account_number: ' ', routing_number: '121042882' } }),
    ],
  ],
  'an impossible social security number': [
    ['idNumber', newPerson({ idNumber: 'abcdefghi' })],
    ['idNumber', newPerson({ idNumber: '1234567890' })],
    ['idNumber', newPerson({ idNumber: '12-3456789' })],
    [
      'idNumber',
      inV1('PATCH', at('/v1/person/*', 'new_person_id'), { idType: 'ssn', idNumber: 'P12345678' }),
    ],
    ['idNumber', newMember({ ...PERSON, idNumber: 'abcdefghi' })],
    ['idNumber', newBusiness({ idType: 'ssn', idNumber: 'abcdefghi' })],
    [
      'idNumber',
      inV1('PATCH', at('/v1/business/*', 'new_business_id'), { idType: 'ssn', idNumber: 'P12345678' }),
    ],
  ],
};

const named = (answer: Answer): unknown => answer.at('error.field_name') ?? answer.at('message');

describe.each(Object.entries(IMPLAUSIBLE))('%s', (_, cases) => {
  test.each(cases.map(([field, send], place) => [place, field, send] as const))(
    'is refused, in call %i by %s',
    async (_place, field, send) => {
      const caller = http.caller();
      const before = digestOf(caller.sandbox);
      const answer = await send(caller);
      expect(answer.status, answer.text).toBe(400);
      expect(named(answer)).toEqual(
        answer.at('error.field_name') === undefined ? expect.stringContaining(field) : field,
      );
      expect(digestOf(caller.sandbox)).toBe(before);
    },
  );
});

describe('a KYC', () => {
  const ages = [
    [ALMOST_18, 400],
    [JUST_18, 201],
  ] as const;

  test.each(ages)('of v1 for the birth date %s is %i', async (dateOfBirth, status) => {
    const caller = http.caller();
    const id = (await newPerson({ dateOfBirth })(caller)).id();
    const before = digestOf(caller.sandbox);
    const answer = await caller.v1('POST', `/v1/person/${id}/kyc`);
    expect(answer.status, answer.text).toBe(status);
    if (status === 201) return;
    expect(answer.at('message')).toMatch(/18 years/);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  test.each(ages)('of v2 for the birth date %s is %i', async (date_of_birth, status) => {
    const caller = http.caller();
    const id = (await newHolderPerson({ date_of_birth })(caller)).id();
    const before = digestOf(caller.sandbox);
    const answer = await caller.v2('POST', `${HOLDERS}/${id}/kyc`);
    expect(answer.status, answer.text).toBe(status);
    if (status === 201) return;
    expect(answer.at('error.field_name')).toBe('person.date_of_birth');
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('becomes possible when the clock reaches the required age', async () => {
    const caller = http.caller();
    const id = (await newPerson({ dateOfBirth: ALMOST_18 })(caller)).id();
    await caller.v2('POST', '/_sandbox/clock/advance', { by: 'P1D' });
    expect((await caller.v1('POST', `/v1/person/${id}/kyc`)).status).toBe(201);
  });
});

it('accepts values that are just plausible', async () => {
  const caller = http.caller();
  const taken: [string, Send][] = [
    ['born today', newPerson({ dateOfBirth: '2026-11-20' })],
    ['born 120 years ago', newPerson({ dateOfBirth: '1906-11-20', idNumber: '723450004' })],
    [
      'a document type of the client',
      inV1('POST', at('/v1/person/*/document', 'person_id'), { docType: 'zebra' }),
    ],
    [
      'a document of another country',
      inV1('POST', at('/v1/person/*/document', 'person_id'), {
        issuingCountry: 'DE',
        issuingState: 'Bayern',
      }),
    ],
    ['a foreign merchant', cardTest({ merchantCountry: 'DE', merchantState: 'Bayern' })],
    ['a number with dashes', newPerson({ idNumber: '723-45-0006' })],
    ['the last four digits', newPerson({ idNumber: '7234' })],
    ['a number of another document', newPerson({ idType: 'passport', idNumber: 'C01X00T47' })],
    ['no name of a person in v2', newHolderPerson({ id_number: '723450005', first_name: '' })],
    ['a year from now', ach('/v2/payments/ach/push', '2027-11-20')],
    [
      'a military address',
      newHolderPerson({ id_number: '723450003', address: { ...ADDRESS_V2, state: 'AE' } }),
    ],
    [
      'a foreign county, in lower case',
      newPerson({
        idNumber: '723450002',
        address: { ...ADDRESS, state: 'County Kerry', country: 'ie' },
      }),
    ],
    ['every known country', control({ blocked: { countries: ['DE', 'IE', 'PS'] } })],
    ['one word of a document', inV1('POST', at('/v1/person/*/document', 'person_id'), { description: 'x' })],
  ];
  for (const [what, send] of taken) {
    const answer = await send(caller);
    expect([what, answer.status < 300, answer.text]).toEqual([what, true, answer.text]);
  }
});
