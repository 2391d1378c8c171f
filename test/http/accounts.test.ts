/**
 * Accounts of both generations: opened in one and read in the other, found by the filters of either, changed and closed,
 * and the master account beside them. Rows 43, 150 to 152 and 157 to 159 of the decisions.
 */
import { describe, expect, it } from 'vitest';
import { createAccount } from '../../src/http/v1/routes/create-account.ts';
import { listAccounts } from '../../src/http/v1/routes/list-accounts.ts';
import { updateAccount } from '../../src/http/v1/routes/update-account.ts';
import { createSubAccount } from '../../src/http/v2/routes/create-sub-account.ts';
import { retrieveMasterAccount } from '../../src/http/v2/routes/retrieve-master-account.ts';
import { updateSubAccount } from '../../src/http/v2/routes/update-sub-account.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1, expectRefusedV2, problemsWith } from './expectations.ts';
import { type Answer, type Caller, type Heard, useHttp } from './support.ts';

const http = useHttp();

const kindsOf = (events: Heard[]): string[] => events.map(({ kind }) => kind);
const bare = (id: string): string => id.slice(4).replaceAll('-', '');
const ids = (answer: Answer): string[] => (answer.at('data') as { id: string }[]).map(({ id }) => bare(id));

const SUB_ACCOUNT = [
  ...['id', 'client_id', 'master_account_holder_id', 'master_account_id', 'sub_account_holder_id'],
  ...['sub_account_holder_name', 'label', 'type', 'account_number', 'routing_number', 'sponsor_bank'],
  ...['available_balance', 'pending_credits', 'pending_debits', 'currency', 'external_reference_id'],
  ...['purpose', 'attachments', 'metadata', 'status'],
  ...['timestamps.created_at', 'timestamps.updated_at', 'timestamps.closed_at'],
];
const MASTER_ACCOUNT = SUB_ACCOUNT.filter(
  (field) => !/^(sub_account_holder|master_account_id|type$)/.test(field),
);

const forPerson = (caller: Caller) => ({ 'sd-person-id': caller.seed('person_id') });

/** Opens an account of the person by v1. */
const openV1 = (caller: Caller, body: object = {}) =>
  caller.v1('POST', '/v1/account', body, forPerson(caller));

describe('an account that v2 opens', () => {
  it('begins at 0.00, is told, and is the same in v1', async () => {
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
    expectRecord(answer, createSubAccount, SUB_ACCOUNT);
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
    const heard = await caller.heard();
    expect(kindsOf(heard.v2)).toEqual(['sub_account.created', 'sub_account.status.open']);
    expect(kindsOf(heard.v1)).toEqual(['account.created']);
  });

  it('needs a holder who has passed verification', async () => {
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
      code: 'ERROR_CODE_INVALID_FIELD',
      field: 'sub_account_holder_id',
      message: /pending_activation.*submit its KYC or KYB first/,
    });
    expectRefusedV2(await open(caller.seed('business_holder_id')), {
      status: 400,
      code: 'ERROR_CODE_INVALID_FIELD',
      field: 'sub_account_holder_id',
    });
    expectRefusedV2(await open(`sah_${'0'.repeat(32)}`), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find account holder by client id in qldb',
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('needs its holder and its type', async () => {
    const caller = http.caller();
    const person = { sub_account_holder_id: caller.seed('person_holder_id') };
    const refused = (body: object, field: string) =>
      caller.v2('POST', '/v2/accounts/sub_account', body).then((answer) => {
        expectRefusedV2(answer, { status: 400, code: 'ERROR_CODE_INVALID_FIELD', field });
      });
    await refused(person, 'type');
    await refused({ type: 'cash' }, 'sub_account_holder_id');
    await refused({ ...person, type: 'savings' }, 'type');
  });
});

describe('an account that v1 opens', () => {
  it('begins with 1000.00, which is a transaction in both generations', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await openV1(caller, { label: 'Savings', acceptedTerms: true, type: 'personalChecking' });
    expect(answer.status, answer.text).toBe(201);
    expect(problemsWith(createAccount.response, answer.body)).toEqual([]);
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
    const heard = await caller.heard();
    expect(kindsOf(heard.v1)).toEqual(['account.created', 'account.credit']);
    expect(heard.v1.map(({ record }) => record.availableBalance ?? record.balance)).toEqual([
      '0.00',
      '1000.00',
    ]);
  });

  it('belongs to the business that is named, once that is verified', async () => {
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
        'type is businessChecking or cardAccount for an account of this owner; personalChecking is not',
    });
  });

  it('belongs to the family that is named, and v2 sees it as that of the person', async () => {
    const caller = http.caller();
    const family = await caller.v1('POST', '/v1/family', { name: 'Lovegood' }, forPerson(caller));
    const answer = await openV1(caller, { familyId: family.id() });
    expect(answer.body).toMatchObject({ familyId: family.id(), businessId: '', type: 'personalChecking' });
    const v2 = await caller.v2('GET', `/v2/accounts/sub_account/${answer.id()}`);
    expect(v2.at('sub_account_holder_id')).toBe(caller.seed('person_holder_id'));
    const rows = await caller.v1('GET', `/v1/account/${answer.id()}/transaction`);
    expect([rows.at('data.0.familyId'), rows.at('data.0.personId')]).toEqual([family.id(), '']);
    const found = await caller.v1('GET', `/v1/account?familyId=${family.id()}`);
    expect(ids(found)).toEqual([bare(answer.id())]);
    const own = await caller.v1('GET', `/v1/account?personId=${caller.seed('person_id')}`);
    expect(ids(own)).toEqual([bare(caller.seed('account_id'))]);
    expectRefusedV1(await openV1(caller, { familyId: `fam-${caller.seed('person_id').slice(4)}` }), {
      status: 404,
      code: 'EC_FAMILY_NOT_FOUND',
    });
  });

  it.each<[string, object, string | RegExp]>([
    ['whose terms were not accepted', { acceptedTerms: false }, /acceptedTerms must be true/],
    ['of the platform’s own', { type: 'fundingAccount' }, /fundingAccount is not/],
    ['of a business, for a person', { type: 'businessChecking' }, /businessChecking is not/],
    [
      'of two owners',
      { businessId: 'bus-1', familyId: 'fam-1' },
      /familyId and businessId cannot both be sent/,
    ],
    ['of a longer label than there may be', { label: 'x'.repeat(101) }, /label/],
  ])('is none %s', async (_, body, message) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const answer = await openV1(caller, body);
    expectRefusedV1(answer, { status: 400, code: 'EC_ACCOUNT_INVALID_REQUEST', message });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('needs somebody to belong to', async () => {
    expectRefusedV1(await http.caller().v1('POST', '/v1/account', { label: 'x' }), {
      status: 400,
      code: 'EC_PERSON_ID_HEADER_REQUIRED',
    });
  });
});

describe('the lists', () => {
  it('of v2 are found by holder, master account, reference and status of either vocabulary', async () => {
    const caller = http.caller();
    const holder = caller.seed('person_holder_id');
    const own = bare(caller.seed('sub_account_id'));
    const other = bare(caller.seed('other_sub_account_id'));
    await caller.v2('PATCH', `/v2/accounts/sub_account/sub_${own}`, {
      status: 'debit_blocked',
      external_reference_id: 'r-7',
    });
    const fresh = await caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: holder,
      type: 'cash',
    });
    await caller.v2('PATCH', `/v2/accounts/sub_account/${fresh.id()}`, { status: 'closed' });
    const gone = bare(fresh.id());
    const find = async (query: string) => {
      const answer = await caller.v2('GET', `/v2/accounts/sub_account?${query}`);
      expect(answer.at('total')).toBe(ids(answer).length);
      return ids(answer);
    };
    expect(await find('')).toEqual([gone, other, own]);
    expect(await find(`sub_account_holder_id=${holder}`)).toEqual([gone, own]);
    expect(await find(`sub_account_holder_id=sah_${own}`)).toEqual([]);
    expect(await find('sub_account_holder_id=nonsense')).toEqual([]);
    expect(await find(`master_account_id=${caller.seed('master_account_id')}`)).toEqual([gone, other, own]);
    expect(await find(`master_account_id=mas_${own}`)).toEqual([]);
    expect(await find('external_reference_id=r-7')).toEqual([own]);
    expect(await find('status=open')).toEqual([other]);
    expect(await find('status=activated')).toEqual([other]);
    expect(await find('status=debit_blocked')).toEqual([own]);
    expect(await find('status=suspended')).toEqual([own]);
    expect(await find('status=deactivated')).toEqual([gone]);
    expect(await find('status=pending_activation')).toEqual([]);
    expect((await caller.v2('GET', '/v2/accounts/sub_account?status=nonsense')).status).toBe(400);
  });

  it('of v2 run by cursors', async () => {
    const caller = http.caller();
    const first = await caller.v2('GET', '/v2/accounts/sub_account?limit=1');
    expect([ids(first), first.at('total'), first.at('has_more')]).toEqual([
      [bare(caller.seed('other_sub_account_id'))],
      2,
      'true',
    ]);
    const next = await caller.v2(
      'GET',
      `/v2/accounts/sub_account?limit=1&starting_after=${first.id('starting_after')}`,
    );
    expect([ids(next), next.at('has_more')]).toEqual([[bare(caller.seed('sub_account_id'))], 'false']);
  });

  it('of v1 are found by owner, status, type, id, metadata and time', async () => {
    const caller = http.caller();
    const own = bare(caller.seed('account_id'));
    const other = bare(caller.seed('other_sub_account_id'));
    http.clock.advance(60_000);
    const fresh = await openV1(caller, { type: 'cardAccount', metadata: { externalId: 'e-1' } });
    const card = bare(fresh.id());
    const find = async (query: string) => {
      const answer = await caller.v1('GET', `/v1/account?${query}`);
      expect(answer.status, answer.text).toBe(200);
      expect(problemsWith(listAccounts.response, answer.body)).toEqual([]);
      return ids(answer);
    };
    expect(await find('')).toEqual([card, other, own]);
    expect(await find('limit=1&offset=1')).toEqual([other]);
    expect(await find(`personId=${caller.seed('person_id')}`)).toEqual([card, own]);
    expect(await find(`businessId=${caller.seed('business_holder_id')}`)).toEqual([]);
    expect(await find('personId=nobody')).toEqual([]);
    expect(await find('familyId=nobody')).toEqual([]);
    expect(await find(`id=${caller.seed('account_id')}`)).toEqual([own]);
    expect(await find('type=cardAccount')).toEqual([card]);
    expect(await find('type=personalChecking')).toEqual([other, own]);
    expect(await find('type=businessChecking')).toEqual([]);
    expect(await find('type=fundingAccount')).toEqual([]);
    expect(await find('externalId=e-1')).toEqual([card]);
    expect(await find(`startTime=${fresh.id('createdAt')}`)).toEqual([card]);
    expect(await find('status=active')).toEqual([card, other, own]);
    await caller.sandbox.commit(() => caller.sandbox.bank.accounts.lock(own));
    await caller.v1('PATCH', `/v1/account/${fresh.id()}`, { status: 'blocked' });
    expect(await find('status=blocked')).toEqual([card, own]);
    expect((await caller.v1('GET', '/v1/account?limit=101')).status).toBe(400);
  });

  it('of a program are those of its accounts', async () => {
    const caller = http.caller();
    const programId = caller.seed('program_id');
    const all = await caller.v1('GET', `/v1/program/${programId}/account`);
    expect(all.body).toEqual((await caller.v1('GET', '/v1/account')).body);
    const none = await caller.v1('GET', `/v1/program/${programId}/account?status=closed`);
    expect(none.body).toEqual({ total: 0, data: [] });
    const strange = await caller.v1('GET', `/v1/program/prg-${caller.seed('person_id').slice(4)}/account`);
    expectRefusedV1(strange, { status: 404, code: 'EC_PROGRAM_NOT_FOUND' });
  });
});

describe('a change', () => {
  it('by v2 is seen in v1 and told in both', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await caller.v2('PATCH', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`, {
      label: 'Rent',
      purpose: 'Housing',
      external_reference_id: 'x-2',
      metadata: { a: '1' },
      status: 'credit_blocked',
    });
    expectRecord(answer, updateSubAccount, SUB_ACCOUNT);
    expect(answer.body).toMatchObject({
      label: 'Rent',
      purpose: 'Housing',
      external_reference_id: 'x-2',
      metadata: { a: '1' },
      status: 'credit_blocked',
      available_balance: '5000.00',
    });
    const v1 = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    expect(v1.body).toMatchObject({ label: 'Rent', metadata: { a: '1' }, status: 'creditBlocked' });
    const heard = await caller.heard();
    expect(kindsOf(heard.v2)).toEqual(['sub_account.updated', 'sub_account.status.credit_blocked']);
    expect(kindsOf(heard.v1)).toEqual(['account.updated', 'account.updated']);
  });

  it('by v1 of the configuration keeps what it leaves out, and shows it over the program’s', async () => {
    const caller = http.caller();
    const path = `/v1/account/${caller.seed('account_id')}`;
    const before = (await caller.v1('GET', path)).at('config') as Record<string, Record<string, unknown>>;
    await caller.v1('PATCH', path, {
      config: {
        send: { wire: { enabled: false }, ach: { sameDay: false } },
        limits: { send: { daily: '2000.00', ach: { monthly: '50.00' } } },
        card: { physical: { count: '3' } },
        incoming: { achPull: { blockedOriginators: ['Gray'] } },
      },
    });
    const answer = await caller.v1('PATCH', path, { config: { limits: { send: { monthly: '9000.00' } } } });
    expect(answer.status, answer.text).toBe(200);
    expect(problemsWith(updateAccount.response, answer.body)).toEqual([]);
    const sendLimits = before.limits?.send as object;
    expect(answer.at('config')).toEqual({
      ...before,
      send: { ...before.send, wire: { enabled: false }, ach: { enabled: true, sameDay: false } },
      limits: {
        ...before.limits,
        send: {
          ...sendLimits,
          daily: '2000.00',
          monthly: '9000.00',
          ach: { daily: '', monthly: '50.00' },
        },
      },
      card: { ...before.card, physical: { enabled: true, count: '3' } },
      incoming: { achPull: { enabled: true, allowedOriginators: [], blockedOriginators: ['Gray'] } },
    });
    // What was read may be sent back.
    const same = await caller.v1('PATCH', path, { config: answer.at('config') });
    expect(same.at('config')).toEqual(answer.at('config'));
    const lifted = await caller.v1('PATCH', path, { config: { limits: { send: { daily: '' } } } });
    expect(lifted.at('config.limits.send.daily')).toBe('');
  });

  it.each<[string, object, RegExp]>([
    ['a limit that is no amount', { limits: { send: { daily: '5' } } }, /daily/],
    ['a count that is no number', { card: { virtual: { count: '-1' } } }, /count/],
    ['a switch that is no boolean', { send: { ach: { enabled: 'true' } } }, /enabled/],
    ['a blank originator', { incoming: { achPull: { allowedOriginators: [' '] } } }, /allowedOriginators/],
    ['another account to stand in', { fallback: { received: { accountId: 'acc-1' } } }, /no other account/],
  ])('of the configuration refuses %s', async (_, config, message) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const answer = await caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, { config });
    expectRefusedV1(answer, { status: 400, code: 'EC_ACCOUNT_INVALID_REQUEST', message });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('closes only what is empty, and for good', async () => {
    const caller = http.caller();
    const path = `/v1/account/${caller.seed('account_id')}`;
    const v2Path = `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
    expectRefusedV1(await caller.v1('PATCH', path, { status: 'closed' }), {
      status: 409,
      code: 'EC_ACCOUNT_NOT_EMPTY',
      message: /5000\.00 available.*it closes when all three are 0\.00/,
    });
    expectRefusedV2(await caller.v2('PATCH', v2Path, { status: 'closed' }), {
      status: 409,
      code: 'ERROR_CODE_INVALID_STATE',
      field: 'status',
    });
    const fresh = await caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: caller.seed('person_holder_id'),
      type: 'cash',
    });
    const closed = await caller.v1('PATCH', `/v1/account/${fresh.id()}`, { status: 'closed' });
    expect([closed.status, closed.at('status')]).toEqual([200, 'closed']);
    const seen = await caller.v2('GET', `/v2/accounts/sub_account/${fresh.id()}`);
    expect(seen.at('timestamps.closed_at')).toMatch(/^\d{4}-/);
    const again = await caller.v2('PATCH', `/v2/accounts/sub_account/${fresh.id()}`, { status: 'open' });
    expectRefusedV2(again, { status: 409, code: 'ERROR_CODE_INVALID_STATE' });
  });

  it('of an account that nobody has is 404', async () => {
    const caller = http.caller();
    expectRefusedV2(await caller.v2('PATCH', '/v2/accounts/sub_account/sub_x', { label: 'x' }), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find account by id in qldb',
    });
    expectRefusedV1(await caller.v1('PATCH', '/v1/account/acc-x', { label: 'x' }), {
      status: 404,
      code: 'EC_ACCOUNT_NOT_FOUND',
    });
  });
});

describe('a limit', () => {
  it('that v1 sets refuses its payments and declines those of v2', async () => {
    const caller = http.caller();
    await caller.listen();
    await caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, {
      config: { limits: { receive: { ach: { daily: '40.00' } } } },
    });
    const before = digestOf(caller.sandbox);
    const refused = await caller.v1('POST', '/v1/receive/ach', {
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      amount: '41.20',
      description: 'Dues',
    });
    expectRefusedV1(refused, {
      status: 400,
      code: 'EC_TRANSFER_LIMIT_EXCEEDED',
      message: 'amount: 41.20 is more than is left of limits.receive.ach.daily: 0.00 of 40.00 is used',
    });
    expect(digestOf(caller.sandbox)).toBe(before);
    await caller.heard();
    const declined = await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '41.20',
      description: 'Dues',
    });
    expect([declined.status, declined.at('status')]).toEqual([201, 'declined']);
    const heard = await caller.heard();
    expect(kindsOf(heard.v2)).toEqual(['transaction.created', 'transaction.status.declined']);
    expect(heard.v1).toEqual([]);
    const why = await caller.v2('GET', `/_sandbox/explain/${declined.id()}`);
    expect(why.body).toMatchObject({
      reason: { code: 'transferLimitExceeded' },
      decisions: [{ source: 'control', name: 'limits.receive.ach.daily' }],
    });
  });

  it('of a way that is switched off says so', async () => {
    const caller = http.caller();
    await caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, {
      config: { receive: { ach: { enabled: false } } },
    });
    const refused = await caller.v1('POST', '/v1/receive/ach', {
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      amount: '1.00',
      description: 'Dues',
    });
    expectRefusedV1(refused, {
      status: 400,
      code: 'EC_TRANSFER_NOT_ENABLED',
      message: /the account has receive\.ach switched off/,
    });
  });
});

describe('the master account', () => {
  it('has what all sub accounts have', async () => {
    const caller = http.caller();
    const path = `/v2/accounts/master_account/${caller.seed('master_account_id')}`;
    const before = await caller.v2('GET', path);
    expectRecord(before, retrieveMasterAccount, MASTER_ACCOUNT);
    expect(before.body).toMatchObject({
      id: caller.seed('master_account_id'),
      label: 'Operating FBO',
      available_balance: '7500.00',
      pending_credits: '0.00',
      pending_debits: '0.00',
      status: 'open',
    });
    await openV1(caller);
    await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '62.40',
      description: 'Dues',
    });
    const after = await caller.v2('GET', path);
    expect([after.at('available_balance'), after.at('pending_credits')]).toEqual(['8500.00', '62.40']);
  });

  it('is the only one of the list, where the filters fit', async () => {
    const caller = http.caller();
    const id = caller.seed('master_account_id');
    const find = async (query: string) => ids(await caller.v2('GET', `/v2/accounts/master_account?${query}`));
    const holder = (await caller.v2('GET', `/v2/accounts/master_account/${id}`)).id(
      'master_account_holder_id',
    );
    expect(await find('')).toEqual([bare(id)]);
    expect(await find(`master_account_holder_id=${holder}&status=open&limit=1`)).toEqual([bare(id)]);
    expect(await find('status=closed')).toEqual([]);
    expect(await find(`master_account_holder_id=mah_${bare(id)}`)).toEqual([]);
    expect((await caller.v2('GET', '/v2/accounts/master_account?limit=0')).status).toBe(400);
    expectRefusedV2(await caller.v2('GET', `/v2/accounts/master_account/mas_${'0'.repeat(32)}`), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find account by id in qldb',
    });
  });
});
