/**
 * Existing sub account holders of v2: the list, the change with its nested merge, and the identity document.
 * Decisions `list-paging`, `holder-status-changes`, `kyc-wrong-type`, `holder-update`, `idv-life`, `verified-name`,
 * `inactive-holder` and `unmatched-filters` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { SUB_ACCOUNT_HOLDER } from '../../contract/v2/holders.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const PATH = '/v2/accounts/sub_account_holder';
const NOBODY = `sah_${'0'.repeat(32)}`;
const ADDRESS = { line1: '1 Quay Street', city: 'Astoria', state: 'OR', country: 'US', postal_code: '97103' };
const INVALID = { status: 400, code: 'ERROR_CODE_INVALID_FIELD' };
const UPDATE = 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED';

const http = useHttp();

const make = (caller: Caller, change: object = {}): Promise<Answer> =>
  caller.v2('POST', PATH, {
    master_account_id: caller.seed('master_account_id'),
    type: 'person',
    person: { first_name: 'Mara', last_name: 'Quill', id_number: '723450001', address: ADDRESS },
    ...change,
  });
const makeBusiness = (caller: Caller): Promise<Answer> =>
  make(caller, {
    type: 'business',
    business: {
      legal_name: 'Quill Press LLC',
      id_number: '823450003',
      members: [
        { first_name: 'Ada', last_name: 'Birch', id_number: '723450002', ownership: 60, title: 'CEO' },
        { first_name: 'Ben', last_name: 'Birch', id_number: '723450004', ownership: 40 },
      ],
    },
  });
const change = (caller: Caller, id: string, body: object) => caller.v2('PATCH', `${PATH}/${id}`, body);
const idsOf = (answer: Answer) => (answer.at('data') as { id: string }[]).map(({ id }) => id);

describe('the list (v2_list_sub_account_holders)', () => {
  it('contains all holders, newest first, paginated', async () => {
    const caller = http.caller();
    const made = [await make(caller), await makeBusiness(caller)].map((answer) => answer.id()).reverse();
    const all = await caller.v2('GET', PATH);
    expectRecord(all, 'v2_list_sub_account_holders', [
      'total',
      'data',
      'has_more',
      'starting_after',
      'ending_before',
    ]);
    expect(idsOf(all).slice(0, 2)).toEqual(made);
    expect(all.at('total')).toBe(idsOf(all).length);
    expect(all.at('data.0')).toEqual((await caller.v2('GET', `${PATH}/${made[0]}`)).body);
    const first = await caller.v2('GET', `${PATH}?limit=1`);
    const next = await caller.v2('GET', `${PATH}?limit=1&starting_after=${first.id('starting_after')}`);
    expect([idsOf(first), idsOf(next), next.at('has_more')]).toEqual([[made[0]], [made[1]], 'true']);
  });

  it('is filtered by reference, sub account and master account', async () => {
    const caller = http.caller();
    const id = (await make(caller, { external_reference_id: 'crm-7' })).id();
    expect(idsOf(await caller.v2('GET', `${PATH}?external_reference_id=crm-7`))).toEqual([id]);
    const account = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('account_id')}`);
    for (const name of ['sub_account_id', 'account_id']) {
      const ofAccount = await caller.v2('GET', `${PATH}?sub_account_id=${caller.seed(name)}`);
      expect(idsOf(ofAccount)).toEqual([account.id('sub_account_holder_id')]);
    }
    const whole = await caller.v2('GET', `${PATH}?master_account_id=${caller.seed('master_account_id')}`);
    expect(whole.body).toEqual((await caller.v2('GET', PATH)).body);
  });

  it('is empty if a filter matches nothing', async () => {
    const caller = http.caller();
    for (const query of [
      'external_reference_id=none',
      `sub_account_id=sub_${'0'.repeat(32)}`,
      'sub_account_id=nonsense',
      `master_account_id=mas_${'0'.repeat(32)}`,
    ]) {
      expect((await caller.v2('GET', `${PATH}?${query}`)).body).toEqual({
        total: 0,
        data: [],
        has_more: 'false',
        starting_after: '',
        ending_before: '',
      });
    }
    expectRefusedV2(await caller.v2('GET', `${PATH}?limit=101`), { ...INVALID, field: 'limit' });
  });
});

describe('a change (v2_update_sub_account_holder)', () => {
  it('merges the sent fields into the person, and replaces an address as a whole', async () => {
    const caller = http.caller();
    const made = await make(caller, { metadata: { a: '1', b: '2' } });
    await caller.listen();
    const answer = await change(caller, made.id(), {
      person: { first_name: 'Ida', address: { line1: '2 Pier' } },
      metadata: { a: '', c: '3' },
    });
    expectRecord(answer, 'v2_update_sub_account_holder', SUB_ACCOUNT_HOLDER);
    expect(answer.at('person')).toEqual({
      ...(made.at('person') as object),
      first_name: 'Ida',
      address: { line1: '2 Pier', line2: '', city: '', state: '', country: '', postal_code: '' },
    });
    expect(answer.at('metadata')).toEqual({ b: '2', c: '3' });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2).toEqual([{ kind: 'sub_account_holder.updated', record: answer.body }]);
    expect(v1).toMatchObject([{ kind: 'person.updated', record: { firstName: 'Ida' } }]);
  });

  it('changes an existing member, adds a new one, and keeps the others', async () => {
    const caller = http.caller();
    const made = await makeBusiness(caller);
    const [first, second] = made.at('business.members') as { id: string }[];
    const answer = await change(caller, made.id(), {
      business: {
        dba: 'Quill',
        members: [
          { id: second?.id, title: 'COO', ownership: '25.50' },
          { first_name: 'Cy', id_number: '723450005', control_person: 'true' },
        ],
      },
    });
    expectRecord(answer, 'v2_update_sub_account_holder', SUB_ACCOUNT_HOLDER);
    expect(answer.at('business')).toMatchObject({
      legal_name: 'Quill Press LLC',
      dba: 'Quill',
      members: [
        first,
        { ...second, title: 'COO', ownership: '25.50' },
        { first_name: 'Cy', control_person: 'true', kyc: { status: 'not_started' } },
      ],
    });
    expect((await caller.v2('GET', `${PATH}/${made.id()}`)).body).toEqual(answer.body);
  });

  it('accepts a verification by the client, which activates', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    await caller.listen();
    const verification = { status: 'pass', method: 'alloy', url: 'https://alloy.example/7' };
    const answer = await change(caller, id, { verification });
    expect(answer.body).toMatchObject({ status: 'activated', person: { kyc: verification } });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2.map(({ kind }) => kind)).toEqual([
      'sub_account_holder.updated',
      'sub_account_holder.status.activated',
    ]);
    expect(v1[0]).toMatchObject({ kind: 'person.kyc.approved', record: { status: 'approved' } });
  });

  it('of the status stops payments and permits them again', async () => {
    const caller = http.caller();
    const id = idsOf(await caller.v2('GET', `${PATH}?sub_account_id=${caller.seed('account_id')}`))[0] ?? '';
    const pay = () =>
      caller.v2('POST', '/v2/payments/ach/pull', {
        sub_account_id: caller.seed('account_id'),
        counterparty_id: caller.seed('ach_counterparty_id'),
        amount: '1.00',
      });
    expect((await change(caller, id, { status: 'suspended' })).at('status')).toBe('suspended');
    expectRefusedV2(await pay(), {
      status: 400,
      code: 'ERROR_CODE_SUB_ACCOUNT_HOLDER_STATUS_NOT_ACTIVE',
      field: 'sub_account_id',
      message: /holder.*suspended/,
    });
    expect((await change(caller, id, { status: 'activated' })).at('status')).toBe('activated');
    expect((await pay()).status).toBe(201);
    const gone = await change(caller, id, { status: 'deactivated' });
    expect(gone.body).toMatchObject({
      status: 'deactivated',
      timestamps: { deactivated_at: '2026-11-20T18:00:00Z' },
    });
    expectRefusedV2(await change(caller, id, { status: 'activated' }), {
      status: 400,
      code: UPDATE,
    });
  });

  it.each([
    ['blocked', 'suspended'],
    ['credit_blocked', 'suspended'],
    ['debit_blocked', 'suspended'],
    ['closed', 'deactivated'],
  ])('to %s, a status of accounts in the reference, is stored as %s', async (word, status) => {
    const caller = http.caller();
    const id = (await make(caller, { verification: { status: 'pass', method: 'alloy' } })).id();
    await caller.listen();
    const answer = await change(caller, id, { status: word });
    expectRecord(answer, 'v2_update_sub_account_holder', SUB_ACCOUNT_HOLDER);
    expect(answer.at('status')).toBe(status);
    const { v2 } = await caller.receivedEvents();
    expect(v2).toContainEqual({ kind: `sub_account_holder.status.${status}`, record: answer.body });
    if (status === 'suspended') {
      expect((await change(caller, id, { status: 'open' })).at('status')).toBe('activated');
    }
  });

  it('to an unknown status is refused, with the accepted ones', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    for (const status of ['frozen', 'pending', 'Open', 7]) {
      expectRefusedV2(await change(caller, id, { status }), {
        ...INVALID,
        field: 'status',
        message: /activated, suspended, deactivated, open, blocked, credit_blocked, debit_blocked, closed/,
      });
    }
    expectRefusedV2(await change(caller, id, { status: 'open' }), {
      ...INVALID,
      code: UPDATE,
      field: 'status',
      message:
        /^the verification of the holder is not_started; the holder can be activated once it has passed$/,
    });
  });

  it('to a status that only the platform sets has no effect if it is the present one, and else is refused', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    const refused = await change(caller, id, { status: 'locked' });
    expectRefusedV2(refused, {
      status: 400,
      code: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED',
      message: /^this holder is pending_activation and cannot become locked; legal from pending_activation: /,
    });
    expect((await change(caller, id, { status: 'pending_activation' })).at('status')).toBe(
      'pending_activation',
    );
    const person = caller.seed('person_holder_id');
    await caller.v2('POST', `/_sandbox/simulate/holders/${person}/lock`, {});
    expect((await change(caller, person, { status: 'locked', purpose: 'Rent' })).body).toMatchObject({
      status: 'locked',
      purpose: 'Rent',
    });
    expect((await change(caller, person, { status: 'pending_activation' })).status).toBe(400);
  });

  it('of a name also changes the accounts', async () => {
    const caller = http.caller();
    const id = idsOf(await caller.v2('GET', `${PATH}?sub_account_id=${caller.seed('account_id')}`))[0] ?? '';
    const answer = await change(caller, id, { person: { first_name: 'Ida', last_name: 'New' } });
    expect(answer.at('person.first_name')).toBe('Ida');
    const account = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('account_id')}`);
    expect(account.at('sub_account_holder_name')).toBe('Ida New');
  });

  it.each([
    [
      'an activation without a verification',
      { status: 'activated' },
      { ...INVALID, code: UPDATE, field: 'status' },
    ],
    [
      'an id number of another holder',
      { person: { id_number: '723450002' } },
      { ...INVALID, code: 'ERROR_CODE_RESOURCE_ALREADY_EXIST', field: 'person.id_number' },
    ],
    [
      'a date that does not exist',
      { person: { date_of_birth: '2001-02-29' } },
      { ...INVALID, field: 'person.date_of_birth' },
    ],
    [
      'an invalid phone number',
      { person: { phone: '503' } },
      { ...INVALID, code: 'ERROR_CODE_INVALID_PHONE', field: 'phone' },
    ],
    [
      'a verification without an outcome',
      { verification: { method: 'own' } },
      { ...INVALID, code: 'ERROR_CODE_REQUIRED_FIELD_MISSING', field: 'verification.status' },
    ],
    ['a person that is not an object', { person: 'Ida' }, { ...INVALID, field: 'person' }],
  ])('is refused for %s', async (_, body, refusal) => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    await make(caller, { person: { first_name: 'Ada', id_number: '723450002' } });
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await change(caller, id, body), refusal);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('is refused for an unknown member, and for an unknown holder', async () => {
    const caller = http.caller();
    const id = (await makeBusiness(caller)).id();
    const missing = { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' };
    for (const member of [`mem_${'0'.repeat(32)}`, 'nobody']) {
      expectRefusedV2(await change(caller, id, { business: { members: [{ id: member }] } }), missing);
    }
    expectRefusedV2(await change(caller, NOBODY, {}), {
      ...missing,
      message: /^cannot find account holder by client id in qldb$/,
    });
    expectRefusedV2(await caller.v2('PATCH', `${PATH}/${id}`, '{'), {
      status: 400,
      code: 'ERROR_CODE_INVALID_REQUEST_BODY',
      message: /^invalid request body$/,
    });
  });
});

describe('an identity document (v2_submit_idv)', () => {
  it('is in review at a URL for the person until the control plane decides it', async () => {
    const caller = http.caller();
    const id = (await make(caller)).id();
    const answer = await caller.v2('POST', `${PATH}/${id}/idv`);
    expectRecord(answer, 'v2_submit_idv', SUB_ACCOUNT_HOLDER);
    expect(answer.at('person.idv')).toMatchObject({
      status: 'review',
      url: expect.stringMatching(/\/_sandbox\/checks\/[^?]+\?signature=/),
    });
    expect(answer.at('status')).toBe('pending_activation');
    const ended = await caller.v2('POST', `/_sandbox/simulate/holders/${id}/idv_fail`);
    expect(ended.at('holder.person.idv.status')).toBe('fail');
    const explained = await caller.v2('GET', `/_sandbox/explain/${id}`);
    expect(explained.at('figures.idv')).toBe('fail');
  });

  it('is refused for a business and an unknown id', async () => {
    const caller = http.caller();
    const id = (await makeBusiness(caller)).id();
    expectRefusedV2(await caller.v2('POST', `${PATH}/${id}/idv`), { ...INVALID, field: 'type' });
    expectRefusedV2(await caller.v2('POST', `${PATH}/${NOBODY}/idv`), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
    });
  });
});
