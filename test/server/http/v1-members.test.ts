/** Families and members of v1 over HTTP, by both paths of members. Each version shows the members of the other. */
import { describe, expect, it } from 'vitest';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ small: true, rails: 'fast' });

const HOME = {
  addressType: 'mailing',
  line1: '1 Broadway',
  line2: '',
  city: 'Los Gatos',
  state: 'CA',
  country: 'US',
  postalCode: '95030',
};
const JANE = {
  firstName: 'Jane',
  lastName: 'Fir',
  phone: '+15035550195',
  email: 'jane@fir.example',
  dateOfBirth: '1974-04-22',
  idType: 'ssn',
  idNumber: '287654321',
  address: HOME,
};
const NOBODY = `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`;

const makeBusiness = async (caller: Caller): Promise<string> =>
  (
    await caller.v1('POST', '/v1/business', {
      legalName: 'Fir Clinic LLC',
      entityType: 'limitedLiabilityCompany',
      idType: 'ein',
      idNumber: '387654321',
      address: HOME,
    })
  ).id();
const makeFamily = (caller: Caller, body: object = {}, headers = {}): Promise<Answer> =>
  caller.v1('POST', '/v1/family', { name: 'Doe Fam', ...body }, headers);
const addMember = (caller: Caller, body: object): Promise<Answer> => caller.v1('POST', '/v1/member', body);
const asHolder = (id: string): string => `sah_${id.slice('bus-'.length).replaceAll('-', '')}`;
const ids = (answer: Answer): unknown => (answer.at('data') as { id: string }[]).map(({ id }) => id);

describe('a family (createFamily, updateFamily)', () => {
  it('is created on behalf of a person, with every field of the record, and publishes an event', async () => {
    const caller = http.caller();
    await caller.listen();
    const made = await makeFamily(
      caller,
      { email: 'home@doe.example', phone: '+15555555555', address: HOME, metadata: { a: '1' } },
      { 'sd-person-id': caller.seed('person_id') },
    );
    expectRecord(made, 'createFamily', [
      'id',
      'name',
      'phone',
      'email',
      'address.line1',
      'createdPersonId',
      'status',
    ]);
    expect(made.body).toMatchObject({
      name: 'Doe Fam',
      email: 'home@doe.example',
      phone: '+15555555555',
      address: HOME,
      createdPersonId: caller.seed('person_id'),
      programId: caller.seed('program_id'),
      status: 'active',
      metadata: { a: '1' },
    });
    expect(made.id()).toMatch(/^fam-/);
    expect((await caller.v1('GET', `/v1/family/${made.id()}`)).body).toEqual(made.body);
    expect(await caller.receivedEvents()).toEqual({
      v1: [{ kind: 'family.created', record: made.body }],
      v2: [],
    });
  });

  it('changes in the sent fields, but not in its status', async () => {
    const caller = http.caller();
    const made = await makeFamily(caller, { address: HOME });
    await caller.listen();
    const changed = await caller.v1('PATCH', `/v1/family/${made.id()}`, {
      name: 'Roe Fam',
      address: null,
      status: 'inactive',
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ id: made.id(), name: 'Roe Fam', address: null, status: 'active' });
    expect(changed.headers['x-sandbox-hint']).toContain('status');
    expect((await caller.receivedEvents()).v1).toEqual([{ kind: 'family.updated', record: changed.body }]);
  });

  it('is refused without a name, and for an unknown id', async () => {
    const caller = http.caller();
    const refused = { status: 400, code: 'EC_FAMILY_INVALID_REQUEST' };
    expectRefusedV1(await caller.v1('POST', '/v1/family', {}), { ...refused, message: /name/ });
    expectRefusedV1(await makeFamily(caller, { email: 'x' }), { ...refused, message: /email/ });
    for (const method of ['GET', 'PATCH'] as const) {
      for (const id of [`fam-${NOBODY}`, 'fam-1', caller.seed('person_id')]) {
        const answer = await caller.v1(method, `/v1/family/${id}`, method === 'GET' ? undefined : {});
        expectRefusedV1(answer, { status: 404, code: 'EC_FAMILY_NOT_FOUND', message: 'family not found' });
      }
    }
  });

  it('supports every published filter, also under the program', async () => {
    const caller = http.caller();
    const person = caller.seed('person_id');
    const first = await makeFamily(caller, { phone: '+15035550181', email: 'a@doe.example' });
    const second = await makeFamily(caller, {}, { 'sd-person-id': person });
    const all = await caller.v1('GET', '/v1/family');
    expect(ids(all)).toEqual([second.id(), first.id()]);
    expect((await caller.v1('GET', `/v1/program/${caller.seed('program_id')}/family`)).body).toEqual(
      all.body,
    );
    for (const [query, found] of [
      [`id=${first.id()}`, [first.id()]],
      ['phone=%2B15035550181', [first.id()]],
      ['email=a@doe.example', [first.id()]],
      [`personId=${person}`, [second.id()]],
      ['status=active&limit=1', [second.id()]],
      ['status=deactivated', []],
      ['personId=nobody', []],
    ] as const) {
      expect(ids(await caller.v1('GET', `/v1/family?${query}`)), query).toEqual(found);
    }
    await addMember(caller, { familyId: first.id(), personId: person });
    expect((await caller.v1('GET', `/v1/family?personId=${person}`)).at('total')).toBe(2);
  });
});

describe('a member (createMember, updateMember)', () => {
  it('of a business may be created with a new person', async () => {
    const caller = http.caller();
    const businessId = await makeBusiness(caller);
    const made = await addMember(caller, {
      businessId,
      person: JANE,
      ownership: '50',
      title: 'manager',
      isControlPerson: true,
      metadata: { a: '1' },
    });
    expectRecord(made, 'createMember', [
      'id',
      'businessId',
      'familyId',
      'isControlPerson',
      'person.kyc.status',
    ]);
    expect(made.body).toMatchObject({
      businessId,
      familyId: '',
      isControlPerson: true,
      ownership: '50.00',
      title: 'manager',
      person: { ...JANE, kyc: { status: 'notStarted' }, status: 'active' },
      metadata: { a: '1' },
    });
    const person = await caller.v1('GET', `/v1/person/${made.id('person.id')}`);
    expect(person.body).toEqual(made.at('person'));
    expect((await caller.v1('GET', `/v1/member/${made.id()}`)).body).toEqual(made.body);
  });

  it('is one of v2’s business, and publishes events in both versions', async () => {
    const caller = http.caller();
    const businessId = await makeBusiness(caller);
    await caller.listen();
    const made = await addMember(caller, {
      businessId,
      person: JANE,
      ownership: '50',
      isControlPerson: true,
    });
    const holder = await caller.v2('GET', `/v2/accounts/sub_account_holder/${asHolder(businessId)}`);
    expect(holder.at('business.members')).toMatchObject([
      {
        id: made.id().replaceAll('-', '').replace('mem', 'mem_'),
        first_name: 'Jane',
        ownership: '50.00',
        control_person: 'true',
        kyc: { status: 'not_started' },
      },
    ]);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['person.created', 'member.created', 'business.updated']);
    expect(v1[1]?.record).toEqual(made.body);
    expect(v2.at(-1)).toEqual({ kind: 'sub_account_holder.updated', record: holder.body });
  });

  it('of a family is an existing person, as published', async () => {
    const caller = http.caller();
    const familyId = (await makeFamily(caller)).id();
    const made = await addMember(caller, { familyId, businessId: '', personId: caller.seed('person_id') });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      businessId: '',
      familyId,
      isControlPerson: false,
      ownership: '0.00',
      title: '',
      metadata: null,
      person: { id: caller.seed('person_id'), firstName: 'Ada' },
    });
  });

  it('that v2 created has a person without an id', async () => {
    const caller = http.caller();
    const list = await caller.v1('GET', `/v1/member?businessId=${caller.seed('business_holder_id')}`);
    expect(list.body).toMatchObject({
      total: 2,
      data: [
        { title: 'COO', ownership: '40.00', isControlPerson: false, person: { id: '', firstName: 'Dev' } },
        {
          title: 'CEO',
          ownership: '60.00',
          isControlPerson: true,
          person: {
            id: '',
            firstName: 'Cora',
            kyc: { personId: '', status: 'notStarted' },
            status: 'active',
          },
        },
      ],
    });
    const changed = await caller.v1('PATCH', `/v1/member/${list.id('data.0.id')}`, { title: 'CTO' });
    expect(changed.body).toMatchObject({ title: 'CTO', ownership: '40.00' });
    const holder = await caller.v2(
      'GET',
      `/v2/accounts/sub_account_holder/${caller.seed('business_holder_id')}`,
    );
    expect(holder.at('business.members.1.title')).toBe('CTO');
  });

  it('changes in the sent fields, and publishes an event', async () => {
    const caller = http.caller();
    const made = await addMember(caller, {
      businessId: await makeBusiness(caller),
      person: JANE,
      ownership: '50',
    });
    await caller.listen();
    const changed = await caller.v1('PATCH', `/v1/member/${made.id()}`, {
      ownership: '25.5',
      isControlPerson: true,
      metadata: { a: '1' },
    });
    expect(changed.body).toEqual({
      ...(made.body as object),
      ownership: '25.50',
      isControlPerson: true,
      metadata: { a: '1' },
      modifiedAt: changed.at('modifiedAt'),
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['member.updated', 'business.updated']);
    expect(v1[0]?.record).toEqual(changed.body);
    expect(v2).toMatchObject([
      { kind: 'sub_account_holder.updated', record: { business: { members: [{ ownership: '25.50' }] } } },
    ]);
  });

  it('is the same person in v1 and v2, and changes in both', async () => {
    const caller = http.caller();
    const businessId = await makeBusiness(caller);
    const holderPath = `/v2/accounts/sub_account_holder/${asHolder(businessId)}`;
    const made = await addMember(caller, { businessId, person: JANE });
    const person = `/v1/person/${made.id('person.id')}`;
    await caller.v1('PATCH', person, { email: 'jane@oak.example' });
    expect((await caller.v2('GET', holderPath)).at('business.members.0.email')).toBe('jane@oak.example');
    const changed = await caller.v2('PATCH', holderPath, {
      business: { members: [{ id: made.id(), phone: '+15035550196' }] },
    });
    expect(changed.at('business.members.0.phone')).toBe('+15035550196');
    expect((await caller.v1('GET', person)).at('phone')).toBe('+15035550196');
    expect((await caller.v1('GET', `/v1/member/${made.id()}`)).at('person.phone')).toBe('+15035550196');
  });

  it('is checked with its business, as a person', async () => {
    const caller = http.caller();
    const businessId = await makeBusiness(caller);
    const made = await addMember(caller, { businessId, person: JANE });
    await caller.listen();
    await caller.v1('POST', `/v1/business/${businessId}/kyb`);
    http.clock.advance(1_000);
    await caller.sandbox.agenda.runDue();
    expect((await caller.v1('GET', `/v1/business/${businessId}`)).at('kyb.status')).toBe('approved');
    const person = await caller.v1('GET', `/v1/person/${made.id('person.id')}`);
    expect(person.at('kyc.status')).toBe('approved');
    expect((await caller.receivedEvents()).v1.map(({ kind }) => kind)).toEqual([
      'person.kyc.approved',
      'person.kyc.updated',
      'person.updated',
      'business.kyb.approved',
      'business.updated',
    ]);
  });

  it.each([
    [{}, 400, 'EC_MEMBER_INVALID_REQUEST', 'businessId or familyId is required'],
    [{ businessId: 'B' }, 400, 'EC_MEMBER_INVALID_REQUEST', 'personId or person is required'],
    [{ businessId: '', personId: 'P' }, 400, 'EC_MEMBER_INVALID_REQUEST', 'businessId or familyId'],
    [{ businessId: 'B', familyId: 'F', personId: 'P' }, 400, 'EC_MEMBER_INVALID_REQUEST', 'not both'],
    [{ businessId: 'B', personId: 'P', person: JANE }, 400, 'EC_MEMBER_INVALID_REQUEST', 'not both'],
    [{ businessId: 'B', person: null }, 400, 'EC_MEMBER_INVALID_REQUEST', 'personId or person'],
    [{ businessId: 'B', person: { title: 'x' } }, 400, 'EC_MEMBER_INVALID_REQUEST', 'person.firstName'],
    [{ businessId: `bus-${NOBODY}`, personId: 'P' }, 404, 'EC_BUSINESS_NOT_FOUND', 'business not found'],
    [{ businessId: 'P', personId: 'P' }, 404, 'EC_BUSINESS_NOT_FOUND', 'business not found'],
    [{ familyId: `fam-${NOBODY}`, personId: 'P' }, 404, 'EC_FAMILY_NOT_FOUND', 'family not found'],
    [{ businessId: 'B', personId: `per-${NOBODY}` }, 404, 'EC_PERSON_NOT_FOUND', 'person not found'],
    [{ businessId: 'B', personId: 'B' }, 404, 'EC_PERSON_NOT_FOUND', 'person not found'],
    [{ businessId: 'B', personId: 'P', ownership: '101' }, 400, 'EC_MEMBER_INVALID_REQUEST', 'ownership'],
    [{ businessId: 'B', personId: 'P', ownership: 50 }, 400, 'EC_MEMBER_INVALID_REQUEST', 'ownership'],
    [
      { businessId: 'B', personId: 'P', isControlPerson: 'true' },
      400,
      'EC_MEMBER_INVALID_REQUEST',
      'isControl',
    ],
    [
      { businessId: 'B', person: { ...JANE, idNumber: '212345678' } },
      400,
      'EC_PERSON_ID_NUMBER_EXISTS',
      'idNumber',
    ],
    [{ businessId: 'B', person: { ...JANE, phone: '+15035550100' } }, 400, 'EC_PERSON_PHONE_EXISTS', 'phone'],
  ])('sent as %j is %i %s', async (body: Record<string, unknown>, status, code, message) => {
    const caller = http.caller();
    const named: Record<string, string> = {
      B: await makeBusiness(caller),
      F: (await makeFamily(caller)).id(),
      P: caller.seed('person_id'),
    };
    const filled = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, named[String(value)] ?? value]),
    );
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await addMember(caller, filled), { status, code });
    expect((await addMember(caller, filled)).at('message')).toContain(message);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('owns at most the remaining share, and joins once', async () => {
    const caller = http.caller();
    const businessId = await makeBusiness(caller);
    const personId = caller.seed('person_id');
    const first = await addMember(caller, { businessId, person: JANE, ownership: '60' });
    expectRefusedV1(await addMember(caller, { businessId, personId, ownership: '40.01' }), {
      status: 400,
      code: 'EC_MEMBER_OWNERSHIP_EXCEEDED',
      message: /^ownership/,
    });
    expect((await addMember(caller, { businessId, personId, ownership: '40' })).status).toBe(201);
    expectRefusedV1(await caller.v1('PATCH', `/v1/member/${first.id()}`, { ownership: '61' }), {
      status: 400,
      code: 'EC_MEMBER_OWNERSHIP_EXCEEDED',
    });
    expectRefusedV1(await addMember(caller, { businessId, personId }), {
      status: 400,
      code: 'EC_MEMBER_EXISTS',
    });
  });
});

describe('the list of members (listMembers, listProgramMembers)', () => {
  it('supports every published filter, also under the program', async () => {
    const caller = http.caller();
    const businessId = await makeBusiness(caller);
    const personId = caller.seed('person_id');
    const familyId = (await makeFamily(caller)).id();
    const jane = await addMember(caller, {
      businessId,
      person: JANE,
      ownership: '60',
      isControlPerson: true,
    });
    const ada = await addMember(caller, { businessId, personId, ownership: '30' });
    const home = await addMember(caller, { familyId, personId });
    const all = await caller.v1('GET', '/v1/member');
    expect(all.at('total')).toBe(5);
    expect((await caller.v1('GET', `/v1/program/${caller.seed('program_id')}/member`)).body).toEqual(
      all.body,
    );
    for (const [query, found] of [
      [`businessId=${businessId}`, [ada.id(), jane.id()]],
      [`familyId=${familyId}`, [home.id()]],
      [`personId=${personId}`, [home.id(), ada.id()]],
      [`id=${jane.id()}`, [jane.id()]],
      [`businessId=${businessId}&isControlPerson=true`, [jane.id()]],
      [`businessId=${businessId}&isControlPerson=false`, [ada.id()]],
      [`businessId=${businessId}&minOwnership=31`, [jane.id()]],
      [`businessId=${businessId}&maxOwnership=30`, [ada.id()]],
      ['limit=1', [home.id()]],
      ['personId=nobody', []],
    ] as const) {
      expect(ids(await caller.v1('GET', `/v1/member?${query}`)), query).toEqual(found);
    }
    for (const query of ['isControlPerson=yes', 'minOwnership=a', 'offset=-1']) {
      expect((await caller.v1('GET', `/v1/member?${query}`)).status, query).toBe(400);
    }
  });

  it('are also available on the older path', async () => {
    const caller = http.caller();
    const businessId = await makeBusiness(caller);
    const made = await caller.v1('POST', '/v1/owner', { businessId, person: JANE, ownership: '50' });
    expect(made.status).toBe(201);
    const [owner, member] = [`/v1/owner/${made.id()}`, `/v1/member/${made.id()}`];
    expect((await caller.v1('GET', owner)).body).toEqual((await caller.v1('GET', member)).body);
    expect((await caller.v1('PATCH', owner, { title: 'CFO' })).at('title')).toBe('CFO');
    expect((await caller.v1('GET', member)).at('title')).toBe('CFO');
    const list = `?businessId=${businessId}`;
    expect((await caller.v1('GET', `/v1/owner${list}`)).body).toEqual(
      (await caller.v1('GET', `/v1/member${list}`)).body,
    );
    for (const path of ['/v1/owner/mem-1', '/v1/member/mem-1', `/v1/owner/mem-${NOBODY}`]) {
      expectRefusedV1(await caller.v1('GET', path), {
        status: 404,
        code: 'EC_MEMBER_NOT_FOUND',
        message: 'member not found',
      });
    }
    expectRefusedV1(await caller.v1('POST', '/v1/owner', {}), {
      status: 400,
      code: 'EC_MEMBER_INVALID_REQUEST',
    });
  });
});

describe('the event log', () => {
  it('finds the events of a family and of a member by their ids, and the coverage counts their kinds', async () => {
    const caller = http.caller();
    const family = await makeFamily(caller);
    const member = await addMember(caller, { familyId: family.id(), personId: caller.seed('person_id') });
    const control = (path: string) =>
      http.call('GET', `/_sandbox${path}`, { headers: { 'api-key': caller.key } });
    for (const [made, resource] of [
      [family, 'family'],
      [member, 'member'],
    ] as const) {
      expect((await control(`/events?resource=${made.id()}`)).at('events')).toMatchObject([
        { type: `${resource}.created`, api_version: 'v1', resource, resource_id: made.id(), data: made.body },
      ]);
    }
    const coverage = await control('/coverage');
    expect(coverage.at('event_types_v1.counts')).toMatchObject({ 'family.created': 1, 'member.created': 1 });
  });
});

describe('the person who creates a business', () => {
  const found = async (caller: Caller, headers = { 'sd-person-id': caller.seed('person_id') }) => {
    const body = {
      legalName: 'Fir Clinic LLC',
      entityType: 'limitedLiabilityCompany',
      idNumber: '387654321',
    };
    return caller.v1('POST', '/v1/business', body, headers);
  };

  it('is its first member, in every list and in the events of both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const business = await found(caller);
    const events = await caller.receivedEvents();
    expect(events.v1.map(({ kind }) => kind)).toEqual(['business.created', 'member.created']);
    expect(events.v2.map(({ kind }) => kind)).toEqual([
      'sub_account_holder.created',
      'sub_account_holder.status.pending_activation',
    ]);

    const listed = await caller.v1('GET', `/v1/member?businessId=${business.id()}`);
    expect(listed.at('total')).toBe(1);
    expect(listed.at('data.0')).toMatchObject({
      businessId: business.id(),
      person: { id: caller.seed('person_id'), firstName: 'Ada' },
      title: '',
      ownership: '',
      isControlPerson: false,
      createdAt: business.at('createdAt'),
    });
    expect(events.v1[1]?.record).toEqual(listed.at('data.0'));
    const holder = await caller.v2('GET', `/v2/accounts/sub_account_holder/${asHolder(business.id())}`);
    expect(holder.body).toMatchObject({ business: { members: [{ first_name: 'Ada', ownership: '0.00' }] } });
    expect(events.v2[0]?.record).toEqual(holder.body);
    expect((await caller.v1('GET', '/v1/owner')).at('data.0.id')).toBe(listed.at('data.0.id'));
    // A value that is set stays set, and zero is not the same as none.
    const member = `/v1/member/${listed.id('data.0.id')}`;
    expect((await caller.v1('PATCH', member, { title: 'CEO' })).body).toMatchObject({
      title: 'CEO',
      ownership: '',
    });
    expect((await caller.v1('PATCH', member, { ownership: '0' })).at('ownership')).toBe('0.00');
    expect(
      (await caller.v1('GET', `/v1/member?businessId=${business.id()}&minOwnership=0`)).at('total'),
    ).toBe(1);
  });

  it('remains one member if the person is also sent as a member, which changes the record', async () => {
    const caller = http.caller();
    const businessId = (await found(caller)).id();
    const first = (await caller.v1('GET', `/v1/member?businessId=${businessId}`)).at('data.0.id');
    await caller.listen();
    const sent = { businessId, personId: caller.seed('person_id'), ownership: '60', title: 'CEO' };
    const changed = await addMember(caller, { ...sent, isControlPerson: true, metadata: { a: '1' } });
    expect(changed.status, changed.text).toBe(201);
    expect(changed.body).toMatchObject({
      id: first,
      title: 'CEO',
      ownership: '60.00',
      isControlPerson: true,
      metadata: { a: '1' },
    });
    expect((await caller.receivedEvents()).v1.map(({ kind }) => kind)).toEqual([
      'member.updated',
      'business.updated',
    ]);
    expect((await addMember(caller, { ...sent, ownership: '25' })).body).toMatchObject({
      id: first,
      ownership: '25.00',
    });
    expect((await caller.v1('GET', `/v1/member?businessId=${businessId}`)).at('total')).toBe(1);
    expectRefusedV1(await addMember(caller, { ...sent, ownership: '101' }), {
      status: 400,
      code: 'EC_MEMBER_INVALID_REQUEST',
      message: /ownership/,
    });
  });

  it('is unknown if the request has no person', async () => {
    const caller = http.caller();
    const businessId = await makeBusiness(caller);
    expect((await caller.v1('GET', `/v1/member?businessId=${businessId}`)).at('total')).toBe(0);
  });
});
