/**
 * Businesses of v1 over HTTP: created, read, changed, listed and verified, with their projections and the ownership
 * disclosure. Each version shows the records of the other.
 */
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../src/bank/kernel/time.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ small: true, rails: 'fast' });

const ADDRESS = {
  addressType: 'mailing',
  line1: '456 Main St',
  line2: '',
  city: 'New York',
  state: 'NY',
  country: 'US',
  postalCode: '10001',
};
const CLINIC = {
  about: 'clinic for health issues',
  address: ADDRESS,
  dba: 'Fir',
  email: 'desk@fir.example',
  entityType: 'limitedLiabilityCompany',
  formationDate: '2018-02-18',
  idNumber: '387654321',
  idType: 'ein',
  industry: 'healthServices',
  legalName: 'Fir Clinic LLC',
  naicsCode: '621111',
  phone: '+15035550190',
  website: 'fir.example',
};
const create = (caller: Caller, change: object = {}, headers = {}): Promise<Answer> =>
  caller.v1('POST', '/v1/business', { ...CLINIC, ...change }, headers);
/** A business with its first member, which a KYB requires. */
const createFor = (caller: Caller, change: object = {}): Promise<Answer> =>
  create(caller, change, { 'sd-person-id': caller.seed('person_id') });
const asHolder = (id: string): string => `sah_${id.slice('bus-'.length).replaceAll('-', '')}`;
const names = (answer: Answer): unknown =>
  (answer.at('data') as { legalName: string }[]).map(({ legalName }) => legalName);

describe('a new business (createBusiness)', () => {
  it('is created on behalf of a person, with every field of the record', async () => {
    const caller = http.caller();
    const answer = await create(caller, {}, { 'sd-person-id': caller.seed('person_id') });
    expectRecord(answer, 'createBusiness', [...Object.keys(CLINIC), 'kyb', 'disclosureStatus', 'metadata']);
    expect(answer.body).toMatchObject({
      ...CLINIC,
      disclosureStatus: 'notStarted',
      kyb: {
        businessId: answer.id(),
        status: 'notStarted',
        reviewCode: '',
        reviewMessage: '',
        results: { address: 'notStarted', bank: 'notStarted', businessName: 'notStarted' },
      },
      createdPersonId: caller.seed('person_id'),
      programId: caller.seed('program_id'),
      status: 'active',
      metadata: null,
      createdAt: '2026-11-20T18:00:00Z',
    });
    expect((await caller.v1('GET', `/v1/business/${answer.id()}`)).body).toEqual(answer.body);
  });

  it('requires a legal name and an entity type, and no person', async () => {
    const caller = http.caller();
    const made = await caller.v1('POST', '/v1/business', { legalName: 'A', entityType: 'estate' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ createdPersonId: '', idNumber: '', address: null, naicsCode: '' });
  });

  it('is a holder of v2, and publishes events in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const made = await create(caller);
    const holder = await caller.v2('GET', `/v2/accounts/sub_account_holder/${asHolder(made.id())}`);
    expect(holder.body).toMatchObject({
      type: 'business',
      status: 'pending_activation',
      business: {
        legal_name: 'Fir Clinic LLC',
        entity_type: 'limited_liability_company',
        id_number: '387654321',
        formation_date: '2018-02-18',
        address: { line1: '456 Main St', postal_code: '10001' },
        kyb: { status: 'not_started' },
        members: [],
      },
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toEqual([{ kind: 'business.created', record: made.body }]);
    expect(v2.map(({ kind }) => kind)).toContain('sub_account_holder.created');
  });

  it.each([
    [{ legalName: '' }, 'legalName'],
    [{ legalName: 'x'.repeat(101) }, 'legalName'],
    [{ entityType: 'llc' }, 'entityType'],
    [{ formationDate: '2018-02-30' }, 'formationDate'],
    [{ idNumber: '12345678' }, 'idNumber'],
    [{ idType: 'tin' }, 'idType'],
    [{ email: 'nobody' }, 'email'],
    [{ naicsCode: 'abc' }, 'naicsCode'],
    [{ about: 'x'.repeat(501) }, 'about'],
    [{ address: { ...ADDRESS, country: 'USA' } }, 'address.country'],
  ])('with %j is refused, with %s in the message', async (change, field) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const answer = await create(caller, change);
    expectRefusedV1(answer, { status: 400, code: 'EC_BUSINESS_INVALID_REQUEST' });
    expect(answer.at('message')).toContain(field);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('requires a dialable phone number and a unique id number', async () => {
    const caller = http.caller();
    expectRefusedV1(await create(caller, { phone: '5035550190' }), {
      status: 400,
      code: 'EC_BUSINESS_INVALID_PHONE',
    });
    await create(caller);
    expectRefusedV1(await create(caller), { status: 400, code: 'EC_BUSINESS_ID_NUMBER_EXISTS' });
    // The reusable number, and that of a person.
    expect((await create(caller, { idNumber: '999999999' })).status).toBe(201);
    expect((await create(caller, { idNumber: '999999999', idType: 'ssn' })).at('idType')).toBe('ssn');
    expect((await create(caller, { idNumber: '212345678' })).status).toBe(201);
  });

  it('is not created for an unknown person', async () => {
    const nobody = `per-${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`;
    expectRefusedV1(await create(http.caller(), {}, { 'sd-person-id': nobody }), {
      status: 404,
      code: 'EC_PERSON_NOT_FOUND',
    });
  });
});

describe('a business (retrieveBusiness, updateBusiness)', () => {
  it('of v2 is one of v1, with both spellings of its id', async () => {
    const caller = http.caller();
    const id = caller.seed('business_holder_id');
    const answer = await caller.v1('GET', `/v1/business/${id}`);
    expect(answer.body).toMatchObject({
      legalName: 'Birch Tools LLC',
      entityType: 'limitedLiabilityCompany',
      formationDate: '2016-05-02',
      website: '',
      createdPersonId: '',
      status: 'active',
    });
    expect(answer.id()).toMatch(/^bus-/);
    expect((await caller.v1('GET', `/v1/business/${answer.id()}`)).body).toEqual(answer.body);
  });

  it('changes in the sent fields, in both versions', async () => {
    const caller = http.caller();
    const made = await create(caller, { metadata: { a: '1', b: '2' } });
    http.clock.advance(60_000);
    await caller.listen();
    const changed = await caller.v1('PATCH', `/v1/business/${made.id()}`, {
      legalName: 'Fir Clinics LLC',
      about: '',
      // Words of a list cannot be cleared: `""` counts as not sent.
      idType: '',
      entityType: '',
      address: { ...ADDRESS, line1: '1 Oak' },
      metadata: { a: '' },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...(made.body as object),
      legalName: 'Fir Clinics LLC',
      about: '',
      address: { ...ADDRESS, line1: '1 Oak' },
      metadata: { b: '2' },
      modifiedAt: changed.at('modifiedAt'),
    });
    expect(changed.at('modifiedAt')).not.toBe(made.at('modifiedAt'));
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toEqual([{ kind: 'business.updated', record: changed.body }]);
    expect(v2[0]).toMatchObject({
      kind: 'sub_account_holder.updated',
      record: { business: { legal_name: 'Fir Clinics LLC' } },
    });
  });

  it('can be suspended, activated again and deactivated', async () => {
    const caller = http.caller();
    const id = (await createFor(caller)).id();
    const state = async (status: string) =>
      (await caller.v1('PATCH', `/v1/business/${id}`, { status })).at('status');
    // Already in this status.
    expect(await state('active')).toBe('active');
    await caller.v2('POST', `/v2/accounts/sub_account_holder/${asHolder(id)}/kyb`);
    expect(await state('inactive')).toBe('inactive');
    expect((await caller.v2('GET', `/v2/accounts/sub_account_holder/${asHolder(id)}`)).at('status')).toBe(
      'suspended',
    );
    expect(await state('active')).toBe('active');
    expect(await state('deactivated')).toBe('deactivated');
    expectRefusedV1(await caller.v1('PATCH', `/v1/business/${id}`, { status: 'active' }), {
      status: 409,
      code: 'EC_BUSINESS_INVALID_STATE',
    });
    expect((await caller.v1('PATCH', `/v1/business/${id}`, { status: 'dormant' })).status).toBe(400);
  });

  it('has a locked legal name and number after a passed KYB', async () => {
    const caller = http.caller();
    const id = (await createFor(caller)).id();
    const change = (body: object) => caller.v1('PATCH', `/v1/business/${id}`, body);
    expect((await change({ legalName: 'Fir', idNumber: '487654321' })).status).toBe(200);
    await caller.v2('POST', `/v2/accounts/sub_account_holder/${asHolder(id)}/kyb`);
    const before = digestOf(caller.sandbox);
    for (const [field, value] of [
      ['legalName', 'Oak'],
      ['idNumber', '587654321'],
    ] as const) {
      expectRefusedV1(await change({ [field]: value }), {
        status: 400,
        code: 'EC_BUSINESS_UPDATE_ERROR',
        message: field,
      });
    }
    expect(digestOf(caller.sandbox)).toBe(before);
    expect((await change({ legalName: 'Fir', dba: 'Oak' })).at('dba')).toBe('Oak');
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/kyb'],
    ['GET', '/kyb'],
    ['GET', '/projection'],
    ['GET', '/ownershipDisclosure'],
  ] as const)('is not a person and not unknown: %s %s', async (method, path) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    for (const id of [
      caller.seed('person_id'),
      caller.seed('person_holder_id'),
      `sah_${'0'.repeat(32)}`,
      'x',
    ]) {
      const body = method === 'GET' ? undefined : {};
      expectRefusedV1(await caller.v1(method, `/v1/business/${id}${path}`, body), {
        status: 404,
        code: 'EC_BUSINESS_NOT_FOUND',
        message: 'business not found',
      });
    }
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});

describe('the list of businesses (listBusinesses, listProgramBusinesses)', () => {
  it('is sorted newest first and paginated, also under the program', async () => {
    const caller = http.caller();
    await create(caller);
    await create(caller, { legalName: 'Oak LP', idNumber: '487654321', entityType: 'limitedPartnership' });
    const all = await caller.v1('GET', '/v1/business');
    expect(all.at('total')).toBe(3);
    expect(names(all)).toEqual(['Oak LP', 'Fir Clinic LLC', 'Birch Tools LLC']);
    expect(names(await caller.v1('GET', '/v1/business?limit=1&offset=1'))).toEqual(['Fir Clinic LLC']);
    const program = `/v1/program/${caller.seed('program_id')}/business`;
    expect((await caller.v1('GET', program)).body).toEqual(all.body);
    expectRefusedV1(await caller.v1('GET', `/v1/program/prg-x/business`), {
      status: 404,
      code: 'EC_PROGRAM_NOT_FOUND',
    });
  });

  it('supports every published filter', async () => {
    const caller = http.caller();
    const person = caller.seed('person_id');
    const oak = await create(
      caller,
      {
        legalName: 'Oak LP',
        idNumber: '487654321',
        entityType: 'limitedPartnership',
        email: 'oak@oak.example',
        phone: '+15035550199',
        industry: 'wood',
        metadata: { externalId: '77', team: 'north' },
      },
      { 'sd-person-id': person },
    );
    await create(caller);
    http.clock.advance(3_600_000);
    await caller.v2('POST', `/v2/accounts/sub_account_holder/${asHolder(oak.id())}/kyb`);
    for (const query of [
      `id=${oak.id()}`,
      `id=${asHolder(oak.id())}`,
      'phone=%2B15035550199',
      'email=oak@oak.example',
      `createdPersonId=${person}`,
      'idNumber=487654321',
      'kybstatus=approved',
      'entityType=limitedPartnership',
      'industry=wood',
      'query=oak',
      'externalId=77',
      'metadata.query=north',
      'status=active&kybstatus=approved',
      `modifiedStartTime=${new Date(http.clock.now()).toISOString().slice(0, 19)}Z`,
    ]) {
      expect(names(await caller.v1('GET', `/v1/business?${query}`)), query).toEqual(['Oak LP']);
    }
    for (const query of [
      'id=x',
      'createdPersonId=per-1',
      'status=dormant',
      'status=inactive',
      'query=nothing',
    ]) {
      const none = await caller.v1('GET', `/v1/business?${query}`);
      expect(none.body, query).toEqual({ total: 0, data: [] });
    }
    for (const query of ['limit=0', 'limit=x', 'status=open', 'kybstatus=ok', 'startTime=yesterday']) {
      const refused = await caller.v1('GET', `/v1/business?${query}`);
      expect(refused.status, query).toBe(400);
    }
  });
});

describe('a KYB (submitKyb)', () => {
  it('is submitted, and approved automatically', async () => {
    const caller = http.caller();
    const id = (await createFor(caller)).id();
    await caller.listen();
    const submitted = await caller.v1('POST', `/v1/business/${id}/kyb`);
    expectRecord(submitted, 'submitKyb', ['id', 'businessId', 'status', 'reviewCode', 'results.personName']);
    expect(submitted.body).toMatchObject({
      businessId: id,
      status: 'submitted',
      results: { fraud: 'notStarted' },
    });
    expect((await caller.v1('GET', `/v1/business/${id}/kyb`)).body).toEqual(submitted.body);
    http.clock.advance(1_000);
    await caller.sandbox.agenda.runDue();
    const approved = await caller.v1('GET', `/v1/business/${id}/kyb`);
    expect(approved.body).toMatchObject({
      id: submitted.id(),
      status: 'approved',
      results: { address: 'approved', bank: 'approved', businessName: 'approved', fraud: 'approved' },
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['business.kyb.approved', 'business.updated']);
    expect(v1[0]?.record).toEqual(approved.body);
    expect(v2.at(-1)).toMatchObject({ kind: 'sub_account_holder.status.activated' });
  });

  it.each([
    ['087654321', 'declined', 'business.kyb.declined'],
    ['187654321', 'inReview', 'business.kyb.review'],
  ])('of the number %s results in %s', async (idNumber, status, kind) => {
    const caller = http.caller();
    const id = (await createFor(caller, { idNumber })).id();
    await caller.listen();
    await caller.v1('POST', `/v1/business/${id}/kyb`);
    http.clock.advance(1_000);
    await caller.sandbox.agenda.runDue();
    expect((await caller.v1('GET', `/v1/business/${id}`)).at('kyb.status')).toBe(status);
    expect((await caller.receivedEvents()).v1.map((event) => event.kind)).toEqual([kind]);
  });

  it('requires the number of the business', async () => {
    const caller = http.caller();
    const id = (await createFor(caller, { idNumber: '' })).id();
    expectRefusedV1(await caller.v1('POST', `/v1/business/${id}/kyb`), {
      status: 400,
      code: 'EC_BUSINESS_DETAILS_REQUIRED',
      message: /^idNumber/,
    });
  });
});

describe('projections (updateProjection, retrieveProjection)', () => {
  const TRANSACTIONS = {
    annual: {
      send: { ach: { count: '30', amount: '1000.00' }, internationalAch: { count: '0', amount: '0.00' } },
      receive: { ach: { count: '20', amount: '2000.00' } },
      incoming: null,
    },
  };

  it('are null at first, then the sent ones', async () => {
    const caller = http.caller();
    const path = `/v1/business/${(await create(caller)).id()}/projection`;
    expect((await caller.v1('GET', path)).body).toEqual({ transactions: null });
    const { send, receive } = TRANSACTIONS.annual;
    const sent = await caller.v1('PATCH', path, { transactions: { annual: { send, receive } } });
    expect([sent.status, sent.body]).toEqual([200, { transactions: TRANSACTIONS }]);
    expect((await caller.v1('GET', path)).body).toEqual(sent.body);
  });

  it.each([
    ['no amount', { annual: { send: { ach: { count: '1', amount: '1.5' } } } }],
    ['no count', { annual: { send: { ach: { count: 'many', amount: '1.00' } } } }],
    ['half a method', { annual: { send: { ach: { count: '1' } } } }],
    ['a method with an odd name', { annual: { send: { 'a b': { count: '1', amount: '1.00' } } } }],
    ['another year', {}],
  ])('with %s are refused', async (_, transactions) => {
    const caller = http.caller();
    const path = `/v1/business/${(await createFor(caller)).id()}/projection`;
    expectRefusedV1(await caller.v1('PATCH', path, { transactions }), {
      status: 400,
      code: 'EC_BUSINESS_INVALID_REQUEST',
    });
    expect((await caller.v1('GET', path)).at('transactions')).toBeNull();
  });

  it('are final after the decision on the KYB', async () => {
    const caller = http.caller();
    const id = (await createFor(caller)).id();
    await caller.v2('POST', `/v2/accounts/sub_account_holder/${asHolder(id)}/kyb`);
    const answer = await caller.v1('PATCH', `/v1/business/${id}/projection`, {
      transactions: { annual: { send: { ach: { count: '1', amount: '1.00' } } } },
    });
    expectRefusedV1(answer, { status: 400, code: 'EC_BUSINESS_PROJECTION_LOCKED' });
  });
});

describe('an ownership disclosure (generateDisclosure, retrieveDisclosure)', () => {
  const REDIRECT = 'https://client.example/signed?case=7';
  const begin = (caller: Caller, id: string, body: object = {}) =>
    caller.v1('POST', `/v1/business/${id}/ownershipDisclosure`, { redirectUri: REDIRECT, ...body });
  const look = (caller: Caller, id: string) => caller.v1('GET', `/v1/business/${id}/ownershipDisclosure`);
  const open = (url: string, method: 'GET' | 'POST' = 'GET') =>
    http.call(method, url.replace(/^https?:\/\/[^/]+/, ''));

  it('starts with a link, which stays the same until it expires or another is requested', async () => {
    const caller = http.caller();
    const id = (await create(caller)).id();
    expectRefusedV1(await look(caller, id), { status: 404, code: 'EC_BUSINESS_AGREEMENT_NOT_FOUND' });
    const first = await begin(caller, id);
    expectRecord(first, 'generateDisclosure', ['businessId', 'url', 'status', 'redirectUri', 'expiresAt']);
    expect(first.body).toMatchObject({
      businessId: id,
      status: 'pending',
      redirectUri: REDIRECT,
      signedAt: '',
    });
    expect((await caller.v1('GET', `/v1/business/${id}`)).at('disclosureStatus')).toBe('pending');
    http.clock.advance(299_000);
    expect((await begin(caller, id)).at('url')).toBe(first.at('url'));
    expect((await look(caller, id)).at('url')).toBe(first.at('url'));
    const second = await begin(caller, id, { action: 'regenerate' });
    expect(second.at('url')).not.toBe(first.at('url'));
    http.clock.advance(301_000);
    expect((await look(caller, id)).body).toMatchObject({ status: 'pending', url: '', expiresAt: '' });
    expect((await begin(caller, id)).at('url')).not.toBe(second.at('url'));
  });

  it('is signed once by opening the link, which redirects', async () => {
    const caller = http.caller();
    const id = (await create(caller)).id();
    const url = (await begin(caller, id)).id('url');
    await caller.listen();
    for (const _ of [1, 2]) {
      const opened = await open(url);
      expect([opened.status, opened.headers.location]).toEqual([302, REDIRECT]);
    }
    expect((await look(caller, id)).body).toMatchObject({
      status: 'completed',
      url: '',
      redirectUri: REDIRECT,
      signedAt: formatInstant(http.clock.now()),
    });
    const business = await caller.v1('GET', `/v1/business/${id}`);
    expect(business.at('disclosureStatus')).toBe('completed');
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toEqual([{ kind: 'business.updated', record: business.body }]);
    expect(v2.map(({ kind }) => kind)).toEqual(['sub_account_holder.updated']);
    // A signature is final.
    expect((await begin(caller, id)).body).toMatchObject({ status: 'completed', url: '' });
    expect((await begin(caller, id, { action: 'regenerate' })).at('status')).toBe('pending');
  });

  it.each(['app://done', 'javascript:alert(1)', 'done', '//x', 'https://'])(
    'links to a plain page if %s is not a web address',
    async (redirectUri) => {
      const caller = http.caller();
      const id = (await create(caller)).id();
      const opened = await open((await begin(caller, id, { redirectUri })).id('url'));
      expect(opened.status).toBe(200);
      expect(opened.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(opened.headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
      expect(opened.headers['content-security-policy']).toMatch(
        /^default-src 'none'; .*frame-ancestors 'none'$/,
      );
      expect(opened.headers.location).toBeUndefined();
      expect(opened.text).toContain('is signed');
      expect((await look(caller, id)).at('status')).toBe('completed');
    },
  );

  it('redirects to any web address, whatever it contains', async () => {
    const caller = http.caller();
    const id = (await create(caller)).id();
    const redirectUri = 'https://client.example/ä\r\nx-injected: 1';
    const opened = await open((await begin(caller, id, { redirectUri })).id('url'));
    expect(opened.status).toBe(302);
    expect(opened.headers['x-injected']).toBeUndefined();
    expect(opened.headers.location).toMatch(/^https:\/\/client\.example\/%C3%A4x-injected:/);
  });

  it('cannot be signed with an expired, replaced or invented link', async () => {
    const caller = http.caller();
    const id = (await create(caller)).id();
    const first = (await begin(caller, id)).id('url');
    const second = (await begin(caller, id, { action: 'regenerate' })).id('url');
    const other = (await begin(caller, (await create(caller, { idNumber: '487654321' })).id())).id('url');
    const outcome = async (url: string): Promise<unknown[]> => {
      const answer = await open(url);
      return [answer.status, answer.at('code')];
    };
    expect(await outcome(first)).toEqual([410, 'EC_BUSINESS_LINK_EXPIRED']);
    const seal = (url: string): string => url.slice(url.indexOf('?'));
    for (const url of [
      second.replace('generation=2', 'generation=3'),
      second.replace('generation=2', 'generation=x'),
      second.replace(/signature=.*/, 'signature=0'),
      second.replace(/expires=\d+/, 'expires=99999999999'),
      second.replace(/\?.*/, ''),
      second.replace(seal(second), seal(other)),
      second.replace(caller.sandbox.name, 'nobody'),
      `${second}&generation=2`,
    ]) {
      expect(await outcome(url), url).toEqual([404, 'EC_BUSINESS_LINK_NOT_FOUND']);
    }
    http.clock.advance(300_000);
    expect(await outcome(second)).toEqual([410, 'EC_BUSINESS_LINK_EXPIRED']);
    expect((await look(caller, id)).at('status')).toBe('pending');
  });

  it('is not signed by a HEAD request', async () => {
    const caller = http.caller();
    const id = (await create(caller)).id();
    const url = (await begin(caller, id)).id('url').replace(/^https?:\/\/[^/]+/, '');
    expect((await http.app.server.inject({ method: 'HEAD', url })).statusCode).toBe(404);
    expect((await look(caller, id)).at('status')).toBe('pending');
  });

  it('requires a URL, and has one action', async () => {
    const caller = http.caller();
    const path = `/v1/business/${(await create(caller)).id()}/ownershipDisclosure`;
    for (const body of [{}, { redirectUri: '' }, { redirectUri: REDIRECT, action: 'sign' }]) {
      expectRefusedV1(await caller.v1('POST', path, body), {
        status: 400,
        code: 'EC_BUSINESS_INVALID_REQUEST',
      });
    }
  });
});

describe('the industry codes (listNaicsCodes)', () => {
  it('are numbers, below their sectors, each once', async () => {
    const answer = await http.caller().v1('GET', '/v1/business/naicscode');
    expectRecord(answer, 'listNaicsCodes', ['total', 'data']);
    const data = answer.at('data') as Sector[];
    expect([answer.at('total'), data.length]).toEqual([20, 20]);
    const industries = data.flatMap((sector) => sector.industries);
    const national = industries.flatMap((industry) => industry.nationalIndustries);
    for (const { total, industries: own } of data) expect(total).toBe(own.length);
    for (const { total, nationalIndustries: own } of industries) expect(total).toBe(own.length);
    const all = [...data, ...industries, ...national];
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
    expect(all.filter(({ code, name }) => !Number.isInteger(code) || name === '')).toEqual([]);
    const beginsWith = ({ code }: Named, digits: number, prefixes: number[]) =>
      String(code).length === digits && prefixes.some((prefix) => String(code).startsWith(String(prefix)));
    // Three sectors have several codes, and use the first.
    const SPANS: Record<number, number[]> = { 31: [31, 32, 33], 44: [44, 45], 48: [48, 49] };
    for (const { code, industries: own } of data) {
      const prefixes = SPANS[code] ?? [code];
      expect(own.filter((industry) => !beginsWith(industry, 5, prefixes))).toEqual([]);
    }
    for (const { code, nationalIndustries: own } of industries) {
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter((one) => !beginsWith(one, 6, [code]))).toEqual([]);
    }
    expect(data.find(({ code }) => code === 54)?.industries).toContainEqual({
      code: 54151,
      name: 'Computer Systems Design and Related Services',
      total: 2,
      nationalIndustries: [
        { code: 541511, name: 'Custom Computer Programming Services' },
        { code: 541512, name: 'Computer Systems Design Services' },
      ],
    });
    expect(data.find(({ code }) => code === 31)?.industries).toContainEqual({
      code: 31212,
      name: 'Breweries',
      total: 1,
      nationalIndustries: [{ code: 312120, name: 'Breweries' }],
    });
  });

  it('are accepted for a business', async () => {
    const data = (await http.caller().v1('GET', '/v1/business/naicscode')).at('data') as Sector[];
    const codes = data.flatMap(({ code, industries }) => [
      code,
      ...industries.flatMap((industry) => [
        industry.code,
        ...industry.nationalIndustries.map((national) => national.code),
      ]),
    ]);
    const caller = http.caller();
    for (const [place, code] of codes.entries()) {
      const idNumber = `9${String(place).padStart(8, '0')}`;
      const made = await create(caller, { naicsCode: String(code), idNumber });
      expect([made.status, made.at('naicsCode')]).toEqual([201, String(code)]);
    }
  });
});

interface Named {
  code: number;
  name: string;
}

interface Sector extends Named {
  total: number;
  industries: (Named & { total: number; nationalIndustries: Named[] })[];
}
