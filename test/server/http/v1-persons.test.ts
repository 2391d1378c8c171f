/**
 * Persons of v1: created, listed, changed, verified. A check is submitted and decided eight seconds later; a person
 * is a holder of v2 and vice versa. Decisions `person-header`, `shared-records`, `holder-status-changes`,
 * `v1-kyc-timing`, `person-list-or-self`, `v1-kyc-needs`, `idv-life`, `verified-name`, `unique-phone`,
 * `v1-person-fields` and `unmatched-filters` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { IDV, KYC, PERSON as PERSON_RECORD } from '../../contract/v1/people.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const PATH = '/v1/person';
const HOLDERS = '/v2/accounts/sub_account_holder';
const ADDRESS = {
  addressType: 'mailing',
  line1: '9 Elm Street',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};
const LEAST = { firstName: 'Mara', lastName: 'Quill', phone: '+15035550123', email: 'mara@quill.example' };
const PERSON = {
  ...LEAST,
  middleName: 'J',
  dateOfBirth: '1988-03-14',
  idType: 'otherId',
  idNumber: '723450001',
  address: ADDRESS,
  metadata: { externalId: '41' },
};
const NOT_STARTED = {
  idv: 'notStarted',
  address: 'notStarted',
  dateOfBirth: 'notStarted',
  fraud: 'notStarted',
  bank: 'notStarted',
};

const http = useHttp({ small: true, rails: 'calendar' });
const make = (caller: Caller, change: object = {}): Promise<Answer> =>
  caller.v1('POST', PATH, { ...PERSON, ...change });
const wait = async ({ sandbox }: Caller, ms: number): Promise<void> => {
  http.clock.advance(ms);
  await sandbox.agenda.runDue();
};
/** The id of a person in v2's format. */
const inV2 = (id: string): string => `sah_${id.slice(4).replaceAll('-', '')}`;

describe('a new person (createPerson)', () => {
  it('has every field of the record, and a KYC that has not started', async () => {
    const caller = http.caller();
    const answer = await make(caller);
    expectRecord(answer, 'createPerson', PERSON_RECORD);
    expect(answer.body).toMatchObject({
      ...PERSON,
      id: expect.stringMatching(/^per-/),
      phoneVerified: true,
      emailVerified: false,
      kyc: { personId: answer.id(), status: 'notStarted', results: NOT_STARTED },
      programId: caller.seed('program_id'),
      status: 'active',
      language: 'en',
    });
  });

  it('requires only names, phone and email', async () => {
    const caller = http.caller();
    const answer = await caller.v1('POST', PATH, LEAST);
    expectRecord(answer, 'createPerson', PERSON_RECORD);
    expect(answer.body).toMatchObject({
      dateOfBirth: '',
      idType: '',
      idNumber: '',
      address: null,
      metadata: null,
    });
  });

  it('is a holder of v2, and publishes events in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const id = (await make(caller)).id();
    const holder = await caller.v2('GET', `${HOLDERS}/${inV2(id)}`);
    expect(holder.body).toMatchObject({
      type: 'person',
      person: { first_name: 'Mara', id_type: 'other', kyc: { status: 'not_started' } },
      status: 'pending_activation',
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toMatchObject([{ kind: 'person.created', record: { id, kyc: { status: 'notStarted' } } }]);
    expect(v2.map(({ kind }) => kind)).toEqual([
      'sub_account_holder.created',
      'sub_account_holder.status.pending_activation',
    ]);
  });

  it('may be created in v2', async () => {
    const caller = http.caller();
    const made = await caller.v2('POST', HOLDERS, {
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: { first_name: 'Ada', last_name: 'Birch' },
    });
    const answer = await caller.v1('GET', `${PATH}/${made.id()}`);
    expect(answer.body).toMatchObject({ firstName: 'Ada', phone: '', kyc: { status: 'notStarted' } });
    expect(inV2(answer.id())).toBe(made.id());
  });

  it.each([
    ['firstName', { firstName: undefined }],
    ['firstName', { firstName: '' }],
    ['lastName', { lastName: 'x'.repeat(101) }],
    ['phone', { phone: undefined }],
    ['email', { email: undefined }],
    ['email', { email: 'nobody' }],
    ['dateOfBirth', { dateOfBirth: '1990-02-30' }],
    ['idType', { idType: 'other' }],
    ['idNumber', { idNumber: '12345' }],
    ['line1', { address: { ...ADDRESS, line1: '' } }],
    ['country', { address: { ...ADDRESS, country: 'USA' } }],
    ['metadata', { metadata: { a: 1 } }],
  ])('without a valid %s is refused: %o', async (field, change) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await make(caller, change), {
      status: 400,
      code: 'EC_PERSON_INVALID_REQUEST',
      message: new RegExp(field),
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('has a unique phone number in E.164, except for the shared test number', async () => {
    const caller = http.caller();
    expectRefusedV1(await make(caller, { phone: '5035550123' }), {
      status: 400,
      code: 'EC_PERSON_INVALID_PHONE',
    });
    expect((await make(caller)).status).toBe(201);
    const other = { idNumber: '723450002' };
    expectRefusedV1(await make(caller, other), { status: 400, code: 'EC_PERSON_PHONE_EXISTS' });
    for (const idNumber of ['723450003', '723450004']) {
      expect((await make(caller, { idNumber, phone: '+15555555555' })).status).toBe(201);
    }
  });

  it('has a unique id number, except for the published ones', async () => {
    const caller = http.caller();
    const phone = '+15555555555';
    await make(caller, { phone });
    expectRefusedV1(await make(caller, { phone }), { status: 400, code: 'EC_PERSON_ID_NUMBER_EXISTS' });
    for (const idNumber of ['9999', '9999', '1999', '0999', '099999999', '099999999']) {
      expect((await make(caller, { phone, idNumber })).status).toBe(201);
    }
  });
});

describe('the list of persons (listPersons, listProgramPersons)', () => {
  it('is sorted newest first, and contains no business', async () => {
    const caller = http.caller();
    const first = (await make(caller)).id();
    const second = (await make(caller, { idNumber: '', phone: '+15555555555' })).id();
    const answer = await caller.v1('GET', PATH);
    expectRecord(answer, 'listPersons', ['total', 'data']);
    const ids = (answer.at('data') as { id: string }[]).map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual([second, first]);
    expect(answer.at('total')).toBe(ids.length);
    expect(ids).toContain(caller.seed('person_id'));
    expect(ids.every((id) => id.startsWith('per-'))).toBe(true);
    const next = await caller.v1('GET', `${PATH}?limit=1&offset=1`);
    expect([next.at('data.0.id'), next.at('total')]).toEqual([first, ids.length]);
  });

  it('is also available under the program', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    const path = `/v1/program/${caller.seed('program_id')}/person`;
    const all = await caller.v1('GET', path, undefined, { 'sd-person-id': id });
    expect(all.body).toEqual((await caller.v1('GET', PATH)).body);
    expectRefusedV1(await caller.v1('GET', `/v1/program/prg-${id.slice(4)}/person`), {
      status: 404,
      code: 'EC_PROGRAM_NOT_FOUND',
    });
  });

  it('contains one person if the call is made on behalf of a person', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    const answer = await caller.v1('GET', PATH, undefined, { 'sd-person-id': id });
    expectRecord(answer, 'listPersons', PERSON_RECORD);
    expect(answer.body).toEqual((await caller.v1('GET', `${PATH}/${id}`)).body);
  });

  it.each([
    ['id', (id: string) => `id=${id}`],
    ['id of v2', (id: string) => `id=${inV2(id)}`],
    ['phone', () => 'phone=%2B15035550123'],
    ['email', () => 'email=mara@quill.example'],
    ['id number', () => 'idNumber=723450001'],
    ['external id', () => 'externalId=41'],
    ['metadata', () => 'metadata.query=externalid'],
    ['name', () => 'query=RA%20QUI'],
    ['KYC', () => 'kycstatus=notStarted&status=active'],
    ['times', () => 'startTime=2026-11-20T18:00:00Z&query=quill&modifiedEndTime=2036-01-01T00:00:00Z'],
  ])('is filtered by %s', async (_, query) => {
    const caller = http.caller();
    await make(caller, {
      ...LEAST,
      idNumber: '999999999',
      phone: '+15035550199',
      email: 'x@x.example',
      lastName: 'Xu',
      metadata: { k: 'v' },
    });
    await caller.v1('POST', `${PATH}/${(await caller.v1('GET', PATH)).id('data.0.id')}/kyc`);
    const id = (await make(caller)).id();
    const answer = await caller.v1('GET', `${PATH}?${query(id)}`);
    expect((answer.at('data') as { id: string }[]).map((found) => found.id)).toEqual([id]);
    expect(answer.at('total')).toBe(1);
  });

  it('is empty if a filter matches nothing', async () => {
    const caller = http.caller();
    for (const query of [
      'id=per-none',
      'phone=1',
      'status=deactivated',
      `id=${caller.seed('business_holder_id')}`,
    ]) {
      expect((await caller.v1('GET', `${PATH}?${query}`)).body).toEqual({ total: 0, data: [] });
    }
    for (const query of ['status=open', 'limit=0', 'startTime=yesterday', 'kycstatus=done']) {
      expectRefusedV1(await caller.v1('GET', `${PATH}?${query}`), {
        status: 400,
        code: 'EC_PERSON_INVALID_REQUEST',
      });
    }
  });

  it('is 404 for the id of a business or an unknown one', async () => {
    const caller = http.caller();
    const business = caller.seed('business_holder_id');
    for (const id of ['per-00000000-0000-7000-8000-000000000000', 'nobody', business]) {
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['GET', '/kyc'],
        ['POST', '/kyc'],
        ['POST', '/idv'],
      ] as const) {
        const answer = await caller.v1(method, `${PATH}/${id}${path}`);
        expectRefusedV1(answer, { status: 404, code: 'EC_PERSON_NOT_FOUND' });
      }
    }
  });
});

describe('a change (updatePerson)', () => {
  it('affects only the sent fields, and publishes an event', async () => {
    const caller = http.caller();
    const made = await make(caller);
    await caller.listen();
    http.clock.advance(2_000);
    const answer = await caller.v1('PATCH', `${PATH}/${made.id()}`, { email: 'new@quill.example' });
    expectRecord(answer, 'updatePerson', PERSON_RECORD);
    expect(answer.body).toEqual({
      ...(made.body as object),
      email: 'new@quill.example',
      modifiedAt: expect.not.stringMatching(made.id('modifiedAt')),
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toEqual([{ kind: 'person.updated', record: answer.body }]);
    expect(v2.map(({ kind }) => kind)).toEqual(['sub_account_holder.updated']);
  });

  it('accepts a record as it was read', async () => {
    const caller = http.caller();
    const made = await make(caller);
    const answer = await caller.v1('PATCH', `${PATH}/${made.id()}`, made.body);
    expect(answer.status).toBe(200);
    expect({ ...(answer.body as object), modifiedAt: '' }).toEqual({
      ...(made.body as object),
      modifiedAt: '',
    });
  });

  it('clears optional fields', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    const nothing = { middleName: '', dateOfBirth: '', idNumber: '', address: null };
    // A word of a list cannot be cleared: `""` counts as not sent.
    const { idType } = (await caller.v1('GET', `${PATH}/${id}`)).body as { idType: string };
    expect(idType).not.toBe('');
    const cleared = await caller.v1('PATCH', `${PATH}/${id}`, { ...nothing, idType: '' });
    expect(cleared.body).toMatchObject({ ...nothing, idType });
    // A phone cannot be empty: an empty one was not set by a client that sends every field.
    const { phone } = (await caller.v1('GET', `${PATH}/${id}`)).body as { phone: string };
    expect((await caller.v1('PATCH', `${PATH}/${id}`, { phone: '' })).at('phone')).toBe(phone);
  });

  it('does not affect a verified name', async () => {
    const caller = http.caller();
    const id = caller.seed('person_id');
    const { firstName } = (await caller.v1('GET', `${PATH}/${id}`)).body as { firstName: string };
    expectRefusedV1(await caller.v1('PATCH', `${PATH}/${id}`, { firstName: 'Ida' }), {
      status: 400,
      code: 'EC_PERSON_UPDATE_ERROR',
      message: /firstName/,
    });
    expect((await caller.v1('PATCH', `${PATH}/${id}`, { firstName, middleName: 'Z' })).status).toBe(200);
    // v2 has no such rule, and its changes also apply here.
    await caller.v2('PATCH', `${HOLDERS}/${inV2(id)}`, { person: { first_name: 'Ida' } });
    expect((await caller.v1('GET', `${PATH}/${id}`)).at('firstName')).toBe('Ida');
  });

  it('suspends, activates again and deactivates', async () => {
    const caller = http.caller();
    const id = caller.seed('person_id');
    const to = (status: string) => caller.v1('PATCH', `${PATH}/${id}`, { status });
    expect((await to('inactive')).at('status')).toBe('inactive');
    expect((await caller.v2('GET', `${HOLDERS}/${inV2(id)}`)).at('status')).toBe('suspended');
    expect((await to('active')).at('status')).toBe('active');
    expect((await to('deactivated')).at('status')).toBe('deactivated');
    expectRefusedV1(await to('active'), { status: 409, code: 'EC_PERSON_INVALID_STATE' });
  });

  it('has no effect if an unverified person is already active', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    expect((await caller.v1('PATCH', `${PATH}/${id}`, { status: 'active' })).at('status')).toBe('active');
    expect((await caller.v2('GET', `${HOLDERS}/${inV2(id)}`)).at('status')).toBe('pending_activation');
  });
});

describe('a KYC (submitPersonKyc)', () => {
  it('is submitted, and approved eight seconds later', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    await caller.listen();
    const submitted = await caller.v1('POST', `${PATH}/${id}/kyc`);
    expectRecord(submitted, 'submitPersonKyc', KYC);
    expect(submitted.body).toMatchObject({ personId: id, status: 'submitted', results: NOT_STARTED });
    const again = await caller.v1('POST', `${PATH}/${id}/kyc`);
    expect([again.status, again.body]).toEqual([201, submitted.body]);
    await wait(caller, 7_999);
    expect((await caller.v1('GET', `${PATH}/${id}/kyc`)).body).toEqual(submitted.body);
    expect((await caller.v2('GET', `${HOLDERS}/${inV2(id)}`)).at('person.kyc.status')).toBe('review');
    await wait(caller, 1);
    const approved = await caller.v1('GET', `${PATH}/${id}/kyc`);
    expect(approved.body).toMatchObject({
      id: submitted.id(),
      status: 'approved',
      results: {
        ...NOT_STARTED,
        address: 'approved',
        dateOfBirth: 'approved',
        fraud: 'approved',
        bank: 'approved',
      },
    });
    expect((await caller.v1('GET', `${PATH}/${id}`)).at('kyc')).toEqual(approved.body);
    expect((await caller.v2('GET', `${HOLDERS}/${inV2(id)}`)).at('status')).toBe('activated');
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toMatchObject([
      { kind: 'person.kyc.updated', record: submitted.body },
      { kind: 'person.kyc.approved', record: approved.body },
      { kind: 'person.kyc.updated', record: approved.body },
      { kind: 'person.updated', record: { id, kyc: approved.body } },
    ]);
    expect(v2.map(({ kind }) => kind)).toEqual([
      'sub_account_holder.updated',
      'sub_account_holder.updated',
      'sub_account_holder.status.activated',
    ]);
  });

  it.each([
    ['199999999', 'inReview', 'person.kyc.review'],
    ['099999999', 'declined', 'person.kyc.declined'],
    ['0999', 'declined', 'person.kyc.declined'],
  ])('of the number %s results in %s, and may be submitted again', async (idNumber, status, kind) => {
    const caller = http.caller();
    const id = (await make(caller, { idNumber })).id();
    await caller.v1('POST', `${PATH}/${id}/kyc`);
    await caller.listen();
    await wait(caller, 8_000);
    expect((await caller.v1('GET', `${PATH}/${id}/kyc`)).at('status')).toBe(status);
    expect((await caller.receivedEvents()).v1.map((event) => event.kind)).toEqual([
      kind,
      'person.kyc.updated',
    ]);
    await caller.v1('PATCH', `${PATH}/${id}`, { idNumber: '999999999' });
    expect((await caller.v1('POST', `${PATH}/${id}/kyc`)).at('status')).toBe('submitted');
    await wait(caller, 8_000);
    const approved = await caller.v1('POST', `${PATH}/${id}/kyc`);
    expect([approved.status, approved.at('status')]).toEqual([201, 'approved']);
  });

  it.each(['idNumber', 'dateOfBirth', 'address'])('requires the %s', async (field) => {
    const caller = http.caller();
    const id = (await make(caller, { [field]: undefined })).id();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await caller.v1('POST', `${PATH}/${id}/kyc`), {
      status: 400,
      code: 'EC_PERSON_DETAILS_REQUIRED',
      message: new RegExp(`^${field} is not set`),
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('is listed in the timers of the sandbox, is explained, and can be decided early', async () => {
    const caller = http.caller();
    const id = inV2((await make(caller)).id());
    await caller.v1('POST', `${PATH}/${id}/kyc`);
    const timers = (await caller.v2('GET', '/_sandbox/timers')).at('timers') as { subject: string }[];
    expect(timers.find(({ subject }) => subject === id)).toMatchObject({
      kind: 'step',
      does: 'KYC of a person: decided by the id number',
    });
    expect((await caller.v2('GET', `/_sandbox/explain/${id}`)).at('next_step.event')).toBe('decide');
    await caller.v2('POST', `/_sandbox/simulate/holders/${id}/fail`);
    expect((await caller.v2('GET', '/_sandbox/timers')).at('timers')).toEqual([]);
    await wait(caller, 8_000);
    expect((await caller.v1('GET', `${PATH}/${id}/kyc`)).at('status')).toBe('declined');
  });

  it('is decided while the clock advances', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    await caller.v1('POST', `${PATH}/${id}/kyc`);
    const moved = await caller.v2('POST', '/_sandbox/clock/advance', { by: 'PT1H' });
    expect(moved.at('quiescent')).toBe(true);
    expect((moved.at('events') as { type: string }[]).map(({ type }) => type)).toContain(
      'person.kyc.approved',
    );
    const kyc = await caller.v1('GET', `${PATH}/${id}/kyc`);
    expect(kyc.at('status')).toBe('approved');
    expect(Date.parse(kyc.id('modifiedAt')) - Date.parse(kyc.id('createdAt'))).toBe(8_000);
  });
});

describe('an identity document (submitPersonIdv)', () => {
  it('has a URL for the person, and is not started until it is decided', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    await caller.listen();
    const answer = await caller.v1('POST', `${PATH}/${id}/idv`);
    expectRecord(answer, 'submitPersonIdv', ['id', 'url', 'status', 'createdAt', 'modifiedAt']);
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^idv-/),
      url: expect.stringMatching(/\/_sandbox\/checks\/[^?]+\?signature=/),
      status: 'notStarted',
    });
    expect((await caller.v2('GET', `${HOLDERS}/${inV2(id)}`)).at('person.idv')).toMatchObject({
      status: 'review',
      url: expect.stringMatching(/\/_sandbox\/checks\/[^?]+\/idv_[0-9a-f]+\?signature=/),
    });
    const again = await caller.v1('POST', `${PATH}/${id}/idv`);
    expect(again.body).toEqual(answer.body);
    await caller.v2('POST', `/_sandbox/simulate/holders/${inV2(id)}/idv_pass`);
    const kyc = await caller.v1('GET', `${PATH}/${id}/kyc`);
    expect(kyc.body).toMatchObject({ status: 'notStarted', results: { ...NOT_STARTED, idv: 'approved' } });
    expect((await caller.receivedEvents()).v1).toMatchObject([
      { kind: 'person.kyc.updated', record: { results: NOT_STARTED } },
      { kind: 'person.kyc.updated', record: kyc.body },
    ]);
  });

  it('is resumed unchanged, or started again', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    const submit = (body?: object) => caller.v1('POST', `${PATH}/${id}/idv`, body);
    const decide = (outcome: string) =>
      caller.v2('POST', `/_sandbox/simulate/holders/${inV2(id)}/idv_${outcome}`);
    const inHolder = async () => (await caller.v2('GET', `${HOLDERS}/${inV2(id)}`)).at('person.idv');
    const first = await submit({ action: 'resume' });
    expectRecord(first, 'submitPersonIdv', IDV);
    expect(first.at('status')).toBe('notStarted');
    await caller.listen();
    http.clock.advance(1000);
    expect((await submit({ action: 'resume' })).body).toEqual(first.body);
    expect((await caller.receivedEvents()).v1).toEqual([]);
    const second = await submit({ action: 'new' });
    expectRecord(second, 'submitPersonIdv', IDV);
    expect(second.body).toMatchObject({ status: 'notStarted', createdAt: second.at('modifiedAt') });
    expect(second.at('id')).not.toBe(first.at('id'));
    expect(second.at('url')).not.toBe(first.at('url'));
    expect(second.at('createdAt')).not.toBe(first.at('createdAt'));
    expect(await inHolder()).toMatchObject({
      id: second.id().replace('idv-', 'idv_').replaceAll('-', ''),
      status: 'review',
      url: expect.stringContaining(second.id('url').slice(second.id('url').indexOf('?'))),
    });
    expect((await submit()).body).toEqual(second.body);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['person.kyc.updated']);
    expect(v2.map(({ kind }) => kind)).toEqual(['sub_account_holder.updated']);
    for (const [outcome, status] of [
      ['review', 'inReview'],
      ['fail', 'declined'],
      ['pass', 'approved'],
    ] as const) {
      await decide(outcome);
      const ended = await submit({ action: 'resume' });
      expect(ended.body).toMatchObject({ id: second.id(), status });
    }
    expect((await submit()).at('status')).toBe('approved');
    const third = await submit({ action: 'new' });
    expect(third.at('status')).toBe('notStarted');
    expect(third.at('id')).not.toBe(second.at('id'));
    expect((await caller.v1('GET', `${PATH}/${id}/kyc`)).at('results.idv')).toBe('notStarted');
    http.clock.advance(-1000);
  });

  it('is refused with another action', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    const before = digestOf(caller.sandbox);
    for (const action of ['restart', 'New', 1]) {
      const answer = await caller.v1('POST', `${PATH}/${id}/idv`, { action });
      const message = /^action /;
      expectRefusedV1(answer, { status: 400, code: 'EC_PERSON_INVALID_REQUEST', message });
    }
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});
