/**
 * POST /v2/accounts/sub_account_holder: the created persons and businesses, the effect of their verification, and the
 * refusals. Decisions `value-strictness`, `unset-values`, `id-format`, `shared-records`, `holder-status-changes`,
 * `v2-kyc-timing` and `metadata-changes` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { SUB_ACCOUNT_HOLDER } from '../../contract/v2/holders.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const PATH = '/v2/accounts/sub_account_holder';
const ADDRESS = {
  line1: '1 Quay Street',
  line2: '',
  city: 'Astoria',
  state: 'OR',
  country: 'US',
  postal_code: '97103',
};
const PERSON = {
  first_name: 'Mara',
  last_name: 'Quill',
  id_type: 'ssn',
  id_number: '723450001',
  date_of_birth: '1988-03-14',
  phone: '+15035550123',
  email: 'mara@quill.example',
  address: ADDRESS,
};
const MEMBER = {
  ...PERSON,
  middle_name: 'J',
  id_number: '723450002',
  title: 'CEO',
  designation: 'president',
};
const BUSINESS = {
  legal_name: 'Quill Press LLC',
  dba: 'Quill',
  entity_type: 'limited_liability_company',
  id_type: 'ein',
  id_number: '823450003',
  phone: '+15035550124',
  email: 'desk@quill.example',
  formation_date: '2015-02-28',
  address: ADDRESS,
};
const VERIFIED = { status: 'pass', method: 'alloy', url: 'https://alloy.example/1' };

const http = useHttp();
const person = (caller: Caller, change: object = {}) => ({
  master_account_id: caller.seed('master_account_id'),
  type: 'person',
  person: PERSON,
  ...change,
});
const business = (caller: Caller, change: object = {}) => ({
  master_account_id: caller.seed('master_account_id'),
  type: 'business',
  business: BUSINESS,
  ...change,
});

describe('a person (v2_create_sub_account_holder)', () => {
  it('is created with every field of the record', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, person(caller));
    expectRecord(answer, 'v2_create_sub_account_holder', SUB_ACCOUNT_HOLDER);
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^sah_[0-9a-f]{32}$/),
      client_id: caller.seed('client_id'),
      master_account_holder_id: caller.seed('master_account_holder_id'),
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: { ...PERSON, middle_name: '' },
      business: null,
      ofac: { status: 'pass', last_updated_at: '2026-11-20T18:00:00Z' },
      external_reference_id: '',
      purpose: '',
      attachments: null,
      metadata: null,
      timestamps: {
        created_at: '2026-11-20T18:00:00Z',
        updated_at: '2026-11-20T18:00:00Z',
        deactivated_at: '',
      },
    });
  });

  it('waits for its verification', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, person(caller));
    expect(answer.at('status')).toBe('pending_activation');
    expect(answer.at('person.kyc')).toMatchObject({
      id: expect.stringMatching(/^kyc_[0-9a-f]{32}$/),
      status: 'not_started',
      details: { name: { status: '', reasons: null } },
    });
    expect(answer.at('person.idv')).toMatchObject({ status: 'not_started', url: '', reasons: null });
  });

  it('is activated immediately by a verification that passed elsewhere', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, person(caller, { verification: VERIFIED }));
    expectRecord(answer, 'v2_create_sub_account_holder', SUB_ACCOUNT_HOLDER);
    expect(answer.at('status')).toBe('activated');
    expect(answer.at('person.kyc')).toMatchObject({
      ...VERIFIED,
      details: { ssn: { status: 'pass', reasons: null }, fraud: { status: 'pass', reasons: null } },
    });
  });

  it('remains pending after a verification that failed elsewhere', async () => {
    const caller = http.caller();
    const verification = { ...VERIFIED, status: 'fail' };
    const answer = await caller.v2('POST', PATH, person(caller, { verification }));
    expect(answer.at('status')).toBe('pending_activation');
    expect(answer.at('person.kyc')).toMatchObject(verification);
  });

  it('exists in both versions afterwards', async () => {
    const caller = http.caller();
    await caller.listen();
    const made = await caller.v2('POST', PATH, person(caller, { verification: VERIFIED }));
    const read = await caller.v2('GET', `${PATH}/${made.id()}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(made.body);

    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual([
      'person.created',
      'person.kyc.approved',
      'person.kyc.updated',
    ]);
    expect(v2.map(({ kind }) => kind)).toEqual([
      'sub_account_holder.created',
      'sub_account_holder.status.activated',
      'sub_account_holder.updated',
    ]);
    expect(v1[0]?.record).toMatchObject({
      firstName: 'Mara',
      lastName: 'Quill',
      idType: 'ssn',
      idNumber: '723450001',
      dateOfBirth: '1988-03-14',
      address: { addressType: 'mailing', line1: '1 Quay Street', postalCode: '97103' },
      kyc: { status: 'approved' },
      status: 'active',
    });
    const personId = String(v1[0]?.record.id);
    expect(personId.replaceAll('-', '')).toBe(made.id().replace('sah_', 'per'));
    expect((await caller.v1('POST', `/v1/person/${personId}/document`, { name: 'x' })).status).toBe(201);
  });

  it('keeps references, purpose and metadata, without pairs with an empty value', async () => {
    const caller = http.caller();
    const own = { external_reference_id: 'crm-1', purpose: 'Savings' };
    const metadata = { team: 'north', gone: '' };
    const made = await caller.v2('POST', PATH, person(caller, { ...own, metadata }));
    expect((await caller.v2('GET', `${PATH}/${made.id()}`)).body).toMatchObject({
      ...own,
      metadata: { team: 'north' },
    });
    expect(made.at('metadata')).toEqual({ team: 'north' });
  });

  it('needs only the required fields', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, person(caller, { person: { first_name: 'Uma' } }));
    expectRecord(answer, 'v2_create_sub_account_holder', SUB_ACCOUNT_HOLDER);
    expect(answer.at('person')).toMatchObject({
      first_name: 'Uma',
      last_name: '',
      id_number: '',
      address: null,
    });
  });

  it('belongs to a master account, whose id may have the format of v1', async () => {
    const caller = http.caller();
    const hex = caller.seed('master_account_id').slice('mas_'.length);
    const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const answer = await caller.v2('POST', PATH, person(caller, { master_account_id: `mas-${uuid}` }));
    expect(answer.status).toBe(201);
    expect(answer.at('master_account_id')).toBe(caller.seed('master_account_id'));
  });
});

describe('a business (v2_create_sub_account_holder)', () => {
  it('is created with its members and every field of the record', async () => {
    const caller = http.caller();
    const members = [
      { ...MEMBER, ownership: '60.5', control_person: 'true' },
      { ...MEMBER, id_number: '723450004', ownership: 39.5, control_person: false },
    ];
    const answer = await caller.v2('POST', PATH, business(caller, { business: { ...BUSINESS, members } }));
    expectRecord(answer, 'v2_create_sub_account_holder', SUB_ACCOUNT_HOLDER);
    expect(answer.body).toMatchObject({
      type: 'business',
      person: null,
      status: 'pending_activation',
      business: {
        ...BUSINESS,
        kyb: {
          id: expect.stringMatching(/^kyb_/),
          status: 'not_started',
          details: { name: { reason: null } },
        },
        members: [
          { ...MEMBER, id: expect.stringMatching(/^mem_/), ownership: '60.50', control_person: 'true' },
          { ownership: '39.50', control_person: 'false', kyc: { status: 'not_started' } },
        ],
      },
    });
    expect((await caller.v2('GET', `${PATH}/${answer.id()}`)).body).toEqual(answer.body);
  });

  it('without members has none', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, business(caller));
    expectRecord(answer, 'v2_create_sub_account_holder', []);
    expect(answer.at('business.members')).toEqual([]);
  });

  it('publishes events in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const made = await caller.v2('POST', PATH, business(caller, { verification: VERIFIED }));
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['business.created', 'business.kyb.approved']);
    expect(v1[0]?.record).toMatchObject({
      id: expect.stringMatching(/^bus-/),
      legalName: 'Quill Press LLC',
      entityType: 'limitedLiabilityCompany',
      status: 'active',
    });
    expect(v2[0]).toEqual({ kind: 'sub_account_holder.created', record: made.body });
  });
});

describe('an id number', () => {
  it('belongs to one holder of a type', async () => {
    const caller = http.caller();
    await caller.v2('POST', PATH, person(caller));
    const again = await caller.v2('POST', PATH, person(caller));
    expectRefusedV2(again, {
      status: 400,
      code: 'ERROR_CODE_RESOURCE_ALREADY_EXIST',
      field: 'person.id_number',
    });
    const asBusiness = business(caller, { business: { ...BUSINESS, id_number: PERSON.id_number } });
    expect((await caller.v2('POST', PATH, asBusiness)).status).toBe(201);
  });

  it.each(['099999999', '199999999', '999999999', '0999', '1999', '9999'])(
    '%s may be used by any number of holders',
    async (id_number) => {
      const caller = http.caller();
      const id_type = id_number.length === 9 ? 'ssn' : 'other';
      const body = person(caller, { person: { ...PERSON, id_type, id_number } });
      expect((await caller.v2('POST', PATH, body)).status).toBe(201);
      expect((await caller.v2('POST', PATH, body)).status).toBe(201);
    },
  );
});

describe('an error (v2_create_sub_account_holder)', () => {
  const over20 = Object.fromEntries(Array.from({ length: 21 }, (_, place) => [`key${place}`, 'x']));
  const withPerson = (change: object) => ({ person: { ...PERSON, ...change } });
  const withBusiness = (change: object) => ({
    type: 'business',
    person: undefined,
    business: { ...BUSINESS, ...change },
  });
  const invalid = (field: string, code = 'INVALID_FIELD') => ({
    status: 400,
    code: `ERROR_CODE_${code}`,
    field,
  });

  it.each([
    ['no type', { type: undefined }, invalid('type')],
    ['an unknown type', { type: 'company' }, invalid('type')],
    ['a type that is not a string', { type: 1 }, invalid('type')],
    [
      'no master account',
      { master_account_id: undefined },
      invalid('master_account_id', 'REQUIRED_FIELD_MISSING'),
    ],
    ['no person', { person: undefined }, invalid('person')],
    ['a person that is null', { person: null }, invalid('person')],
    ['a person that is a list', { person: [] }, invalid('person')],
    ['a business without its object', { type: 'business' }, invalid('business')],
    ['a name that is a number', withPerson({ first_name: 1 }), invalid('person.first_name')],
    [
      'a name that is too long',
      withPerson({ last_name: 'x'.repeat(2001) }),
      invalid('person.last_name', 'MAX_ALLOWED_LENGTH_EXCEEDED'),
    ],
    ['an unknown id type', withPerson({ id_type: 'ein' }), invalid('person.id_type')],
    ['an invalid date', withPerson({ date_of_birth: '2026-02-29' }), invalid('person.date_of_birth')],
    [
      'a date in another format',
      withPerson({ date_of_birth: '14/03/1988' }),
      invalid('person.date_of_birth'),
    ],
    [
      'a state in full',
      withPerson({ address: { ...ADDRESS, state: 'Oregon' } }),
      invalid('person.address.state'),
    ],
    [
      'a country in three letters',
      withPerson({ address: { ...ADDRESS, country: 'USA' } }),
      invalid('person.address.country'),
    ],
    ['an unknown entity type', withBusiness({ entity_type: 'club' }), invalid('business.entity_type')],
    [
      'an ownership above 100',
      withBusiness({ members: [{ ownership: 100.01 }] }),
      invalid('business.members.ownership'),
    ],
    [
      'an ownership below 0',
      withBusiness({ members: [{ ownership: '-1' }] }),
      invalid('business.members.ownership'),
    ],
    [
      'an ownership as text',
      withBusiness({ members: [{ ownership: 'half' }] }),
      invalid('business.members.ownership'),
    ],
    ['members that are not a list', withBusiness({ members: {} }), invalid('business.members')],
    [
      'two members with one number',
      withBusiness({ members: [MEMBER, MEMBER] }),
      invalid('business.members.id_number', 'RESOURCE_ALREADY_EXIST'),
    ],
    [
      'a control person that is not a boolean',
      withBusiness({ members: [{ control_person: 'maybe' }] }),
      invalid('business.members.control_person'),
    ],
    ['an unknown verification', { verification: { status: 'review' } }, invalid('verification.status')],
    [
      'a verification without an outcome',
      { verification: { method: 'own' } },
      invalid('verification.status', 'REQUIRED_FIELD_MISSING'),
    ],
    ['metadata with a number', { metadata: { a: 1 } }, invalid('metadata')],
    ['metadata with 21 keys', { metadata: over20 }, invalid('metadata')],
    ['metadata of more than 4 KB', { metadata: { a: 'x'.repeat(4096) } }, invalid('metadata')],
    ['metadata that is a list', { metadata: [] }, invalid('metadata')],
    [
      'a phone number as text',
      withPerson({ phone: 'home' }),
      { status: 400, code: 'ERROR_CODE_INVALID_PHONE', field: 'phone' },
    ],
    [
      'a phone without +',
      withPerson({ phone: '15035550123' }),
      { status: 400, code: 'ERROR_CODE_INVALID_PHONE', field: 'phone' },
    ],
    [
      'a phone number that is too long',
      withPerson({ phone: '+1503555012345678' }),
      { status: 400, code: 'ERROR_CODE_INVALID_PHONE', field: 'phone' },
    ],
    [
      'an unknown master account',
      { master_account_id: `mas_${'0'.repeat(32)}` },
      { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' },
    ],
    [
      'a malformed master account id',
      { master_account_id: 'mine' },
      { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' },
    ],
  ])('%s', async (_, change, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await caller.v2('POST', PATH, person(caller, change)), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('has the published message, if one is published', async () => {
    const caller = http.caller();
    const noType = await caller.v2('POST', PATH, person(caller, { type: undefined }));
    expect(noType.at('error.message')).toBe('no type specified!');
    const noMaster = await caller.v2(
      'POST',
      PATH,
      person(caller, { master_account_id: `mas_${'0'.repeat(32)}` }),
    );
    expect(noMaster.at('error.message')).toBe('cannot find account by id in qldb');
    const noPhone = await caller.v2('POST', PATH, person(caller, withPerson({ phone: '5' })));
    expect(noPhone.at('error.message')).toBe('invalid phone');
  });
});
