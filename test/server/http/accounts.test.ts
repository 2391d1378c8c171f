/**
 * Accounts of both versions, opened in one and read in the other. Decisions `opening-balance`,
 * `account-creation-credit`, `v2-sub-accounts` and `v1-account-owner` of the decisions.
 */
import { describe, expect, it } from 'vitest';
import { ACCOUNT_V1 } from '../../contract/v1/account.ts';
import { SUB_ACCOUNT } from '../../contract/v2/accounts.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, type ReceivedEvent, useHttp } from './support.ts';

const http = useHttp();

const kindsOf = (events: ReceivedEvent[]): string[] => events.map(({ kind }) => kind);
const bare = (id: string): string => id.slice(4).replaceAll('-', '');
const ids = (answer: Answer): string[] => (answer.at('data') as { id: string }[]).map(({ id }) => bare(id));

const forPerson = (caller: Caller) => ({ 'sd-person-id': caller.seed('person_id') });

/** Opens an account of the person in v1. */
const openV1 = (caller: Caller, body: object = {}) =>
  caller.v1('POST', '/v1/account', body, forPerson(caller));

describe('an account opened in v2 (v2_create_sub_account)', () => {
  it('starts at 0.00, publishes an event, and is the same in v1', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: caller.seed('person_holder_id'),
      type: 'checking',
      label: 'Payroll',
      external_reference_id: 'x-1',
      purpose: 'Wages',
      metadata: { team: 'north' },
    });
    expectRecord(answer, 'v2_create_sub_account', SUB_ACCOUNT);
    expect(answer.body).toMatchObject({
      sub_account_holder_id: caller.seed('person_holder_id'),
      sub_account_holder_name: 'Ada Lovegood',
      master_account_id: caller.seed('master_account_id'),
      label: 'Payroll',
      type: 'checking',
      available_balance: '0.00',
      external_reference_id: 'x-1',
      purpose: 'Wages',
      metadata: { team: 'north' },
      status: 'open',
    });
    const v1 = await caller.v1('GET', `/v1/account/${answer.id()}`);
    expect(v1.body).toMatchObject({
      label: 'Payroll',
      type: 'personalChecking',
      availableBalance: '0.00',
      accountNumber: answer.at('account_number'),
      createdPersonId: caller.seed('person_id'),
      metadata: { team: 'north' },
      status: 'active',
    });
    const received = await caller.receivedEvents();
    expect(kindsOf(received.v2)).toEqual(['sub_account.created', 'sub_account.status.open']);
    expect(kindsOf(received.v1)).toEqual(['account.created']);
  });

  it('requires a verified holder', async () => {
    const caller = http.caller();
    const holder = await caller.v2('POST', '/v2/accounts/sub_account_holder', {
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: { first_name: 'Mara', last_name: 'Quill', id_number: '012345678' },
    });
    const before = digestOf(caller.sandbox);
    const open = (holderId: string) =>
      caller.v2('POST', '/v2/accounts/sub_account', { sub_account_holder_id: holderId, type: 'cash' });
    expectRefusedV2(await open(holder.id()), {
      status: 400,
      code: 'ERROR_CODE_ACCOUNT_CREATION_NOT_ALLOWED',
      field: 'sub_account_holder_id',
      message: /pending_activation: its KYC or KYB must pass first$/,
    });
    expectRefusedV2(await open(caller.seed('business_holder_id')), {
      status: 400,
      code: 'ERROR_CODE_ACCOUNT_CREATION_NOT_ALLOWED',
      field: 'sub_account_holder_id',
    });
    expectRefusedV2(await open(`sah_${'0'.repeat(32)}`), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find account holder by client id in qldb',
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('requires a holder and a type', async () => {
    const caller = http.caller();
    const person = { sub_account_holder_id: caller.seed('person_holder_id') };
    const refused = (body: object, field: string, code = 'REQUIRED_FIELD_MISSING') =>
      caller.v2('POST', '/v2/accounts/sub_account', body).then((answer) => {
        expectRefusedV2(answer, { status: 400, code: `ERROR_CODE_${code}`, field });
      });
    await refused(person, 'type');
    await refused({ type: 'cash' }, 'sub_account_holder_id');
    await refused({ ...person, type: 'savings' }, 'type', 'INVALID_FIELD');
  });
});

describe('an account opened in v1 (createAccount)', () => {
  it('starts with 1000.00, as a transaction in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await openV1(caller, { label: 'Savings', acceptedTerms: true, type: 'personalChecking' });
    expectRecord(answer, 'createAccount', ACCOUNT_V1);
    expect(answer.body).toMatchObject({
      label: 'Savings',
      type: 'personalChecking',
      status: 'active',
      businessId: '',
      familyId: '',
      availableBalance: '1000.00',
      createdPersonId: caller.seed('person_id'),
    });
    const id = answer.id();
    const v2 = await caller.v2('GET', `/v2/accounts/sub_account/${id}`);
    expect(v2.body).toMatchObject({
      available_balance: '1000.00',
      sub_account_holder_id: caller.seed('person_holder_id'),
      type: 'checking',
    });
    const rows = await caller.v1('GET', `/v1/account/${id}/transaction`);
    expect(rows.body).toMatchObject({
      total: 1,
      data: [
        {
          subType: 'accountCreationCredit',
          txnType: 'credit',
          amount: '1000.00',
          balance: '1000.00',
          transferType: 'intrabank',
          status: 'settled',
          title: 'Account Opened',
          description: 'Account Opened',
        },
      ],
    });
    const made = await caller.v2('GET', `/v2/payments/transaction/${rows.id('data.0.id')}`);
    expect(made.body).toMatchObject({
      method: 'intra_account',
      type: 'push',
      message: 'incoming',
      direction: 'credit',
      status: 'settled',
      amount: '1000.00',
      available_balance: '1000.00',
      reconciliation: {
        status: 'reconciled',
        master_account: [{ id: caller.seed('master_account_id'), amount: '1000.00' }],
      },
    });
    const received = await caller.receivedEvents();
    expect(kindsOf(received.v1)).toEqual(['account.created', 'account.credit']);
    expect(received.v1.map(({ record }) => record.availableBalance ?? record.balance)).toEqual([
      '0.00',
      '1000.00',
    ]);
  });

  it('belongs to the business in the request, if it is verified', async () => {
    const caller = http.caller();
    const businessId = `bus-${caller.seed('person_id').slice(4)}`;
    const own = caller.seed('business_holder_id');
    const open = (body: object) => caller.v1('POST', '/v1/account', body);
    expectRefusedV1(await open({ businessId: own }), { status: 400, code: 'EC_BUSINESS_NOT_VERIFIED' });
    expectRefusedV1(await open({ businessId }), { status: 404, code: 'EC_BUSINESS_NOT_FOUND' });
    await caller.v2('POST', `/v2/accounts/sub_account_holder/${own}/kyb`);
    const answer = await open({ businessId: own, type: 'cardAccount' });
    expect(answer.body).toMatchObject({ type: 'cardAccount', availableBalance: '1000.00' });
    expect(bare(answer.id('businessId'))).toBe(bare(own));
    expectRefusedV1(await open({ businessId: own, type: 'personalChecking' }), {
      status: 400,
      code: 'EC_ACCOUNT_INVALID_REQUEST',
      message:
        'type of an account of this owner must be one of businessChecking, cardAccount, clearingAccount, fallbackAccount, fundingAccount; got personalChecking',
    });
  });

  it('belongs to the family in the request, and in v2 to the person', async () => {
    const caller = http.caller();
    const family = await caller.v1('POST', '/v1/family', { name: 'Lovegood' }, forPerson(caller));
    const answer = await openV1(caller, { familyId: family.id() });
    expect(answer.body).toMatchObject({ familyId: family.id(), businessId: '', type: 'personalChecking' });
    const v2 = await caller.v2('GET', `/v2/accounts/sub_account/${answer.id()}`);
    expect(v2.at('sub_account_holder_id')).toBe(caller.seed('person_holder_id'));
    const rows = await caller.v1('GET', `/v1/account/${answer.id()}/transaction`);
    const opener = caller.seed('person_id');
    expect(answer.at('personId')).toBe(opener);
    expect([rows.at('data.0.familyId'), rows.at('data.0.personId')]).toEqual([family.id(), opener]);
    const found = await caller.v1('GET', `/v1/account?familyId=${family.id()}`);
    expect(ids(found)).toEqual([bare(answer.id())]);
    const opened = await caller.v1('GET', `/v1/account?personId=${opener}`);
    expect(ids(opened)).toEqual([bare(answer.id()), bare(caller.seed('account_id'))]);
    expectRefusedV1(await openV1(caller, { familyId: `fam-${caller.seed('person_id').slice(4)}` }), {
      status: 404,
      code: 'EC_FAMILY_NOT_FOUND',
    });
  });

  it.each<[string, object, string | RegExp]>([
    ['without accepted terms', { acceptedTerms: false }, /acceptedTerms must be true/],
    ['of a business, with a person', { type: 'businessChecking' }, /got businessChecking/],
    [
      'with two owners',
      { businessId: 'bus-1', familyId: 'fam-1' },
      /familyId and businessId cannot both be sent/,
    ],
    ['with a label that is too long', { label: 'x'.repeat(101) }, /label/],
  ])('is none %s', async (_, body, message) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const answer = await openV1(caller, body);
    expectRefusedV1(answer, { status: 400, code: 'EC_ACCOUNT_INVALID_REQUEST', message });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('requires an owner', async () => {
    expectRefusedV1(await http.caller().v1('POST', '/v1/account', { label: 'x' }), {
      status: 400,
      code: 'EC_PERSON_ID_HEADER_REQUIRED',
    });
  });
});
