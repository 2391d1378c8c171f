/** Persons, businesses and families in every possible state, as both versions create and format them. */
import { ADDRESS, ADDRESS_V1, type World } from '../world.ts';

const HOLDER = '/v2/accounts/sub_account_holder';

const ENTITIES = [
  'sole_proprietor',
  'single_member_llc',
  'limited_liability_company',
  'general_partnership',
  'unlisted_corporation',
  'publicly_traded_corporation',
  'association',
  'non_profit',
  'government_organization',
  'revocable_trust',
  'irrevocable_trust',
  'estate',
  'professional_association',
  'limited_partnership',
  'limited_liability_partnership',
  'professional_corporation',
];

let number = 0;
/** A unique number; its first digit determines the result of a check. */
function idNumber(first: number): string {
  number += 1;
  return `${first}${String(number).padStart(8, '0')}`;
}

export const person = (first = 5, idType = 'ssn') => ({
  first_name: 'Mara',
  middle_name: 'Jo',
  last_name: 'Quill',
  id_type: idType,
  id_number: idNumber(first),
  date_of_birth: '1988-03-14',
  phone: '+15035550123',
  email: 'mara@quill.example',
  address: ADDRESS,
});

const personOfV1 = (first = 5) => ({
  firstName: 'Mara',
  middleName: 'Jo',
  lastName: 'Quill',
  phone: '+15555555555',
  email: 'mara@quill.example',
  dateOfBirth: '1988-03-14',
  idType: 'ssn',
  idNumber: idNumber(first),
  address: ADDRESS_V1,
});

/** Possible findings of a check: a reason for everything that it examines. */
const REASONS = {
  reasons: [
    'name',
    'address',
    'dob',
    'ssn',
    'phone',
    'email',
    'watchlist',
    'fraud',
    'bank',
    'personName',
    'idv',
    'other',
  ].map((part) => ({ part, code: `X-${part}`, description: `something about the ${part}` })),
};

/** A holder of v2; its id is also that of the person or business of v1. */
async function makeHolder({ v2, seed }: World, body: object): Promise<string> {
  return (await v2('POST', HOLDER, { master_account_id: seed('master_account_id'), ...body })).id();
}

export async function persons(world: World): Promise<void> {
  const { v1, v2, control } = world;
  const look = (id: string) => world.look(id, `${HOLDER}/*`, '/v1/person/*', '/v1/person/*/kyc');
  const simulate = (id: string, event: string) => control('POST', `simulate/holders/${id}/${event}`);
  const own = (status: string) => ({ status, method: 'elsewhere', url: 'https://checks.example/1' });

  for (const idType of ['ssn', 'passport', 'other']) {
    const id = await makeHolder(world, {
      type: 'person',
      person: person(5, idType),
      verification: own('pass'),
      external_reference_id: 'p-1',
      purpose: 'Rent',
      metadata: { tier: 'pro' },
    });
    await look(id);
    await v2('POST', `${HOLDER}/${id}/idv`);
    for (const event of ['idv_review', 'idv_pass', 'idv_fail']) {
      await simulate(id, event);
      await look(id);
    }
    for (const status of ['suspended', 'activated', 'deactivated']) {
      await v2('PATCH', `${HOLDER}/${id}`, { status });
      await look(id);
    }
  }
  for (const first of [0, 1, 5]) {
    const id = await makeHolder(world, { type: 'person', person: person(first) });
    await look(id);
    await v2('POST', `${HOLDER}/${id}/kyc`);
    await look(id);
  }
  const reviewed = await makeHolder(world, { type: 'person', person: person(1) });
  await control('POST', `simulate/holders/${reviewed}/review`, REASONS);
  await look(reviewed);
  const failed = await makeHolder(world, { type: 'person', person: person(), verification: own('fail') });
  await simulate(failed, 'pass');
  await simulate(failed, 'lock');
  await look(failed);

  for (const event of ['review', 'fail', 'pass']) {
    const made = await v1('POST', '/v1/person', { ...personOfV1(), metadata: { externalId: '4' } });
    const id = made.id();
    await v1('POST', `/v1/person/${id}/idv`);
    await look(id);
    await v1('POST', `/v1/person/${id}/kyc`);
    await look(id);
    await simulate(id, event);
    await look(id);
  }
}

export async function businesses(world: World): Promise<void> {
  const { v1, v2, control } = world;
  const look = (id: string) => world.look(id, `${HOLDER}/*`, '/v1/business/*', '/v1/business/*/kyb');
  const company = (first: number, more: object = {}) => ({
    legal_name: 'Quill Press LLC',
    dba: 'Quill',
    entity_type: 'limited_liability_company',
    id_type: 'ein',
    id_number: idNumber(first),
    phone: '+15035550124',
    email: 'desk@quill.example',
    formation_date: '2015-02-28',
    address: ADDRESS,
    ...more,
  });
  const member = (first: number, idType = 'ssn', control_person = 'true') => ({
    ...person(first, idType),
    ownership: 25.5,
    designation: 'president',
    title: 'CEO',
    control_person,
  });

  for (const entity of ENTITIES) {
    const id_type = entity === 'estate' ? 'other' : 'ein';
    const business = company(5, { entity_type: entity, id_type });
    await look(await makeHolder(world, { type: 'business', business }));
  }
  for (const first of [0, 1, 5]) {
    const members = [member(first, 'passport'), member(5, 'other', 'false')];
    const business = company(first, { members });
    const id = await makeHolder(world, { type: 'business', business, metadata: { tier: 'pro' } });
    await look(id);
    await v2('POST', `${HOLDER}/${id}/kyb`);
    await look(id);
    await world.look(id, '/v1/member?businessId=*');
    await v2('PATCH', `${HOLDER}/${id}`, { status: 'deactivated' });
    await look(id);
  }

  const made = await v1(
    'POST',
    '/v1/business',
    {
      legalName: 'Alder & Sons LLC',
      entityType: 'soleProprietor',
      dba: 'Alder',
      email: 'desk@alder.example',
      idType: 'ssn',
      idNumber: idNumber(5),
      phone: '+15035550160',
      formationDate: '2018-02-18',
      website: 'alder.example',
      about: 'furniture to order',
      industry: 'manufacturing',
      naicsCode: '332710',
      address: ADDRESS_V1,
      metadata: { externalId: '7' },
    },
    { 'sd-person-id': world.seed('person_id') },
  );
  const id = made.id();
  const partner = (
    await v1('POST', '/v1/member', { businessId: id, person: personOfV1(), ownership: '40', title: 'CFO' })
  ).id('person.id');
  await v1('POST', `/v1/person/${partner}/idv`);
  await look(id);
  for (const event of ['idv_review', 'idv_pass', 'idv_fail']) {
    await control('POST', `simulate/holders/${partner}/${event}`);
    await v1('POST', `/v1/person/${partner}/idv`, { action: 'resume' });
    await look(id);
    await world.look(id, '/v1/member?businessId=*');
  }
  for (const event of ['decline', 'review']) {
    await control('POST', `simulate/holders/${partner}/${event}`, REASONS);
    await look(id);
    await world.look(id, '/v1/member?businessId=*');
    await control('POST', `simulate/holders/${id}/${event}`, REASONS);
    await look(id);
  }
  await v1('POST', `/v1/person/${partner}/kyc`);
  await look(id);
  const verification = { status: 'pass', method: 'elsewhere', url: 'https://checks.example/1' };
  const personId = await makeHolder(world, { type: 'person', person: person(), verification });
  await v1('POST', '/v1/member', { businessId: id, personId, ownership: '10' });
  await disclose(world, id);
  await v1('POST', `/v1/business/${id}/kyb`);
  await look(id);
  await world.look(id, '/v1/member?businessId=*');
  await control('POST', `simulate/holders/${id}/pass`);
  await look(id);
  await v1('PATCH', `/v1/business/${id}`, { status: 'inactive' });
  await look(id);
  for (const word of ['ein', 'otherId']) {
    const idType = { legalName: 'Elm', entityType: 'estate', idType: word, idNumber: idNumber(5) };
    await look((await v1('POST', '/v1/business', idType)).id());
  }
}

/** The disclosure of a business from its first link to its signature. */
async function disclose({ v1, caller }: World, id: string): Promise<void> {
  const path = `/v1/business/${id}/ownershipDisclosure`;
  const redirectUri = 'https://alder.example/signed';
  const { pathname, search } = new URL((await v1('POST', path, { redirectUri })).id('url'));
  await v1('GET', path);
  await v1('GET', `/v1/business/${id}`);
  const signed = await caller.v1('GET', `${pathname}${search}`);
  if (signed.status !== 302) throw new Error(`the disclosure was not signed: ${signed.status}`);
  await v1('GET', path);
  await v1('GET', `/v1/business/${id}`);
  const ways = { ach: { count: '30', amount: '9000.00' } };
  const transactions = { annual: { send: ways, receive: ways, incoming: ways } };
  await v1('PATCH', `/v1/business/${id}/projection`, { transactions });
}

export async function families({ v1, control, look, seed }: World): Promise<void> {
  const family = await v1(
    'POST',
    '/v1/family',
    {
      name: 'Quill',
      phone: '+15035550180',
      email: 'home@quill.example',
      address: ADDRESS_V1,
      metadata: { externalId: '12' },
    },
    { 'sd-person-id': seed('person_id') },
  );
  const member = { familyId: family.id(), isControlPerson: false, metadata: { externalId: '9' } };
  const made = await v1('POST', '/v1/member', { ...member, person: personOfV1() });
  const id = made.id('person.id');
  await v1('POST', `/v1/person/${id}/idv`);
  await v1('POST', `/v1/person/${id}/kyc`);
  await look(made.id(), '/v1/member/*');
  await control('POST', `simulate/holders/${id}/pass`);
  for (const status of ['inactive', 'active', 'deactivated']) {
    await v1('PATCH', `/v1/person/${id}`, { status });
    await look(made.id(), '/v1/member/*');
  }
  await v1('PATCH', `/v1/member/${made.id()}`, { title: 'aunt' });
  await v1('PATCH', `/v1/family/${family.id()}`, { name: 'Quill and Sons' });
}
