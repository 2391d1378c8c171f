/** Rows of the register about persons, businesses and families, their checks, and their accounts. */
import { describe, expect } from 'vitest';
import { type Caller, useHttp } from '../../server/http/support.ts';
import {
  authorize,
  expectAnswer,
  holdRows,
  kindsReceived,
  makeBusiness,
  makeHolder,
  makePerson,
  ok,
  originate,
  receive,
  refusalOf,
  rows,
  setClock,
} from './checks.ts';

const http = useHttp({ small: true });
const HOLDERS = '/v2/accounts/sub_account_holder';
const account = (caller: Caller) => `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
const account1 = (caller: Caller) => `/v1/account/${caller.seed('account_id')}`;
const asPerson = (caller: Caller) => ({ 'sd-person-id': caller.seed('person_id') });
const person = (id_number: string, more: object = {}) => ({
  person: { first_name: 'Mara', last_name: 'Quill', id_number, ...more },
});
const kyc = (caller: Caller, id: string) => caller.v2('POST', `${HOLDERS}/${id}/kyc`);
const open = (caller: Caller, holder = caller.seed('person_holder_id')) =>
  caller.v2('POST', '/v2/accounts/sub_account', { sub_account_holder_id: holder, type: 'cash' });
const openV1 = (caller: Caller, body: object = {}) =>
  caller.v1('POST', '/v1/account', { label: 'x', acceptedTerms: true, ...body }, asPerson(caller));

const inV1Spelling = (id: string) => id.replace(/^sah_(.{8})(.{4})(.{4})(.{4})/, 'bus-$1-$2-$3-$4-');

holdRows(http, 'behaviour', {
  'shared-records': [
    'The suffix of the id is the same in both',
    async (caller) => {
      const suffix = (id: string) => id.slice(4).replaceAll('-', '');
      const sent = await ok(originate(caller));
      const [row] = await rows(caller);
      expect(suffix(String(row?.id))).toBe(suffix(sent.id()));
      const transfer = await ok(caller.v1('GET', `/v1/send/ach/${sent.id()}`));
      expect(suffix(transfer.id())).toBe(suffix(sent.id()));
      expect(suffix(caller.seed('person_holder_id'))).toBe(suffix(caller.seed('person_id')));
      expect(suffix(caller.seed('sub_account_id'))).toBe(suffix(caller.seed('account_id')));
    },
  ],
  'holder-status-changes': [
    '`open` activates, `blocked`, `credit_blocked` and `debit_blocked` suspend, `closed` deactivates; the answer has the words of the record. `pending_activation` and `locked`, which only the platform sets, change nothing if the holder already has that status, so that a client can send a record back; otherwise they are 400 in v2, 409 in v1.',
    async (caller) => {
      const path = `${HOLDERS}/${caller.seed('person_holder_id')}`;
      const seen: unknown[] = [];
      for (const status of ['blocked', 'open', 'credit_blocked', 'activated', 'debit_blocked', 'closed']) {
        seen.push((await ok(caller.v2('PATCH', path, { status }))).at('status'));
      }
      expect(seen).toEqual(['suspended', 'activated', 'suspended', 'activated', 'suspended', 'deactivated']);
      expectAnswer(await caller.v2('PATCH', path, { status: 'locked' }), 400);
      const waits = (await ok(makeHolder(caller))).id();
      expectAnswer(await caller.v2('PATCH', `${HOLDERS}/${waits}`, { status: 'open' }), 400);
      expectAnswer(await caller.v2('PATCH', `${HOLDERS}/${waits}`, { status: 'pending_activation' }), 200);

      await ok(caller.v2('POST', `${HOLDERS}/${waits}/kyc`));
      await caller.listen();
      for (const status of ['inactive', 'inactive', 'active'])
        await ok(caller.v1('PATCH', `/v1/person/${waits}`, { status }));
      expect(await kindsReceived(caller)).toEqual({
        v1: ['person.updated', 'person.updated'],
        v2: ['sub_account_holder.status.suspended', 'sub_account_holder.status.activated'],
      });
    },
  ],
  'v2-kyc-timing': [
    '`pass` activates the holder at once and stores the method and URL that were sent, `fail` leaves the holder in `pending_activation`.',
    async (caller) => {
      const check = (status: string) => ({
        verification: { status, method: 'manual', url: 'https://a.example' },
      });
      const passed = await ok(makeHolder(caller, check('pass')));
      expectAnswer(passed, 201, {
        status: 'activated',
        person: { kyc: { status: 'pass', method: 'manual' } },
      });
      expectAnswer(await makeHolder(caller, { ...person('823450001'), ...check('fail') }), 201, {
        status: 'pending_activation',
      });
    },
  ],
  'verification-digits': [
    '0 fails, 1 goes to review, 2 to 9 pass',
    async (caller) => {
      const outcomes: unknown[] = [];
      for (const number of ['023450001', '123450001', '223450001', '923450001']) {
        const { id } = (await ok(makeHolder(caller, person(number)))).body as { id: string };
        await ok(kyc(caller, id));
        outcomes.push((await ok(caller.v2('GET', `${HOLDERS}/${id}`))).at('person.kyc.status'));
      }
      expect(outcomes).toEqual(['fail', 'review', 'pass', 'pass']);
    },
  ],
  'birth-dates': [
    'a younger person is 400 on the same field',
    async (caller) => {
      const born = async (date_of_birth: string, number: string) =>
        (await ok(makeHolder(caller, person(number, { date_of_birth })))).id();
      const tooYoung = await kyc(caller, await born('2008-11-21', '723450041'));
      expect(refusalOf(tooYoung)).toBe('400 ERROR_CODE_INVALID_FIELD person.date_of_birth');
      expectAnswer(await kyc(caller, await born('2008-11-20', '723450042')), 201);
      const unborn = await makeHolder(caller, person('723450043', { date_of_birth: '2026-11-21' }));
      expect(refusalOf(unborn)).toBe('400 ERROR_CODE_INVALID_FIELD person.date_of_birth');
    },
  ],
  'document-content': [
    'A document without any field is 400 on `docType`, at its creation and in an update',
    async (caller) => {
      const path = `/v1/person/${caller.seed('person_id')}/document`;
      expect((await caller.v1('POST', path, {})).at('message')).toMatch(/^docType or another field/);
      const made = await ok(caller.v1('POST', path, { description: 'x' }));
      expectAnswer(await caller.v1('PATCH', `${path}/${made.id()}`, { description: '' }), 400);
      expectAnswer(await caller.v1('PATCH', `${path}/${made.id()}`, { name: 'y', description: '' }), 200);
    },
  ],
  'kyc-wrong-type': [
    '400 on the field `type`',
    async (caller) => {
      expect(refusalOf(await kyc(caller, caller.seed('business_holder_id')))).toBe(
        '400 ERROR_CODE_INVALID_FIELD type',
      );
      const wrong = await caller.v2('POST', `${HOLDERS}/${caller.seed('person_holder_id')}/kyb`);
      expect(refusalOf(wrong)).toBe('400 ERROR_CODE_INVALID_FIELD type');
    },
  ],
  'opening-balance': [
    'A sub account of v2 opens at 0.00, as documented. An account opened through v1 begins with 1000.00',
    async (caller) => {
      expectAnswer(await open(caller), 201, { available_balance: '0.00' });
      const opened = await openV1(caller);
      expectAnswer(opened, 201, { availableBalance: '1000.00' });
      const path = `/v1/account/${opened.id()}/transaction`;
      const { data } = (await ok(caller.v1('GET', path))).body as { data: { intrabank: { name: string } }[] };
      const programs = await ok(caller.v1('GET', `/v1/program/${String(opened.at('programId'))}`));
      expect(data[0]?.intrabank.name).toBe(programs.at('name'));
    },
  ],
  'ofac-always-passes': [
    'No: holders, card holders and counterparties pass when they are created.',
    async (caller) => {
      const made = await ok(makeHolder(caller));
      expect(made.at('ofac')).toMatchObject({
        status: 'pass',
        last_updated_at: made.at('timestamps.created_at'),
      });
    },
  ],
  'unique-id-numbers': [
    'Exempt are the numbers that v1 publishes as reusable (`099999999`, `199999999`, `999999999` and their last four)',
    async (caller) => {
      for (const number of ['099999999', '199999999', '999999999']) {
        for (const time of [1, 2])
          expect([time, (await makeHolder(caller, person(number))).status]).toEqual([time, 201]);
      }
      await ok(makeHolder(caller));
      expect(refusalOf(await makeHolder(caller))).toBe(
        '400 ERROR_CODE_RESOURCE_ALREADY_EXIST person.id_number',
      );
    },
  ],
  'verification-needs': [
    'A KYB requires the same in both versions: legal name, entity type, id number, address and one member.',
    async (caller) => {
      const { id } = (await ok(makeHolder(caller, person('', { id_number: undefined })))).body as {
        id: string;
      };
      expectAnswer(await kyc(caller, id), 201);
      expectAnswer(await caller.v2('GET', `${HOLDERS}/${id}`), 200, { status: 'activated' });
      expectAnswer(await kyc(caller, id), 201);

      const address = { line1: '9 Elm Street', city: 'Salem', state: 'OR', country: 'US' };
      const made = (await ok(makeHolder(caller, { type: 'business', business: { dba: 'Fir' } }))).id();
      const inV1 = `/v1/business/${inV1Spelling(made)}/kyb`;
      const missing: string[] = [];
      for (const business of [
        { legal_name: 'Fir LLC' },
        { entity_type: 'estate' },
        { id_number: '387654321' },
        { address },
        { members: [{ first_name: 'Mara', id_number: '999999999' }] },
      ]) {
        missing.push(refusalOf(await caller.v2('POST', `${HOLDERS}/${made}/kyb`)));
        expectAnswer(await caller.v1('POST', inV1), 400);
        await ok(caller.v2('PATCH', `${HOLDERS}/${made}`, { business }));
      }
      expect(missing).toEqual(
        ['legal_name', 'entity_type', 'id_number', 'address', 'members'].map(
          (field) => `400 ERROR_CODE_INVALID_FIELD business.${field}`,
        ),
      );
      expectAnswer(await caller.v2('POST', `${HOLDERS}/${made}/kyb`), 201, { status: 'activated' });
    },
  ],
  'account-holders': [
    'An activated holder; otherwise 400.',
    async (caller) => {
      expectAnswer(await open(caller, caller.seed('business_holder_id')), 400);
      const waits = (await ok(makePerson(caller))).id();
      const body = { label: 'x', acceptedTerms: true };
      const openFor = (id: string) => caller.v1('POST', '/v1/account', body, { 'sd-person-id': id });
      expectAnswer(await openFor(waits), 400, { code: 'EC_PERSON_NOT_VERIFIED' });
      await ok(caller.v1('PATCH', `/v1/person/${caller.seed('person_id')}`, { status: 'inactive' }));
      expectAnswer(await openFor(caller.seed('person_id')), 400, {
        code: 'EC_PERSON_NOT_ACTIVE',
        message: 'sd-person-id: an account needs an activated holder, and this one is suspended',
      });
    },
  ],
  'holder-update': [
    'The fields that are sent; an address is replaced as a whole.',
    async (caller) => {
      const address = {
        line1: '1 A',
        line2: 'b',
        city: 'C',
        state: 'OR',
        country: 'US',
        postal_code: '97103',
      };
      const made = await ok(makeHolder(caller, person('723450001', { address })));
      const changed = await ok(
        caller.v2('PATCH', `${HOLDERS}/${made.id()}`, {
          person: { last_name: 'Reed', address: { ...address, line2: undefined, city: 'D' } },
        }),
      );
      expect(changed.at('person')).toMatchObject({
        first_name: 'Mara',
        last_name: 'Reed',
        address: { line2: '', city: 'D' },
      });
    },
  ],
  'idv-life': [
    'In v1 the `action` `new` creates another check with a new id and page, and `resume` returns the current one in any state',
    async (caller) => {
      const path = `/v1/person/${caller.seed('person_id')}/idv`;
      const first = await ok(caller.v1('POST', path, {}));
      expect(first.at('status')).toBe('notStarted');
      const again = await ok(caller.v1('POST', path, { action: 'resume' }));
      expect(again.id()).toBe(first.id());
      expect((await ok(caller.v1('POST', path, { action: 'new' }))).id()).not.toBe(first.id());
      await ok(caller.v2('POST', `/_sandbox/simulate/holders/${caller.seed('person_id')}/idv_pass`));
      expectAnswer(await caller.v1('POST', path, { action: 'resume' }), 201, { status: 'approved' });
    },
  ],
  'verified-name': [
    'there the first name, last name and legal name cannot change once the verification has passed',
    async (caller) => {
      const path = caller.seed('person_id');
      const changed = await caller.v1('PATCH', `/v1/person/${path}`, { lastName: 'Other' });
      expect(refusalOf(changed)).toBe('400 EC_PERSON_UPDATE_ERROR');
      const v2 = `${HOLDERS}/${caller.seed('person_holder_id')}`;
      expectAnswer(await caller.v2('PATCH', v2, { person: { last_name: 'Other' } }), 200);
    },
  ],
  'unique-phone': [
    'In v1 yes: a person with the phone of another person is 400, except for `+15555555555`, the published exception. v2 documents no such rule and has none.',
    async (caller) => {
      const phone = '+15035550100';
      expect(refusalOf(await makePerson(caller, { phone }))).toBe('400 EC_PERSON_PHONE_EXISTS');
      expectAnswer(await makeHolder(caller, person('823450007', { phone })), 201);
      for (const idNumber of ['723450011', '723450012']) {
        expectAnswer(await makePerson(caller, { phone: '+15555555555', idNumber }), 201);
      }
    },
  ],
  'inactive-holder': [
    'A payment from an account of a suspended, deactivated or locked holder is refused with 400.',
    async (caller) => {
      await ok(caller.v2('PATCH', `${HOLDERS}/${caller.seed('person_holder_id')}`, { status: 'suspended' }));
      expectAnswer(await originate(caller), 400);
      expectAnswer(await receive(caller, 'ach_push'), 201, { transaction: { status: 'received' } });
      expectAnswer(await authorize(caller), 201, { transaction: { status: 'pending' } });
    },
  ],
  'member-ownership': [
    'Together at most 100.00 percent, in both versions; more is 400.',
    async (caller) => {
      const businessId = (await ok(makeBusiness(caller))).id();
      const add = async (ownership: string, idNumber: string) =>
        caller.v1('POST', '/v1/member', {
          businessId,
          ownership,
          title: 'CEO',
          personId: (await ok(makePerson(caller, { idNumber, phone: '+15555555555' }))).id(),
        });
      expectAnswer(await add('60', '723450031'), 201);
      expect(refusalOf(await add('40.01', '723450032'))).toBe('400 EC_MEMBER_OWNERSHIP_EXCEEDED');
      expectAnswer(await add('40', '723450033'), 201);
      const member = (ownership: string) => ({ first_name: 'Mara', last_name: 'Quill', ownership });
      const holderWith = (...members: object[]) =>
        makeHolder(caller, {
          type: 'business',
          person: undefined,
          business: { legal_name: 'Fir LLC', members },
        });
      const exceeded = '400 ERROR_CODE_INVALID_FIELD business.members.ownership';
      expect(refusalOf(await holderWith(member('60.00'), member('40.01')))).toBe(exceeded);
      const { id } = (await ok(holderWith(member('60.00'), member('40.00')))).body as { id: string };
      const own = `/v2/accounts/sub_account_holder/${id}`;
      const change = (members: object[]) => caller.v2('PATCH', own, { business: { members } });
      expect(refusalOf(await change([member('0.01')]))).toBe(exceeded);
      expectAnswer(await change([member('0.00')]), 200);
    },
  ],
  'first-member': [
    "Posting a member with that person's id updates this record and answers 201",
    async (caller) => {
      await caller.listen();
      const businessId = (await ok(makeBusiness(caller, {}, asPerson(caller)))).id();
      expect((await kindsReceived(caller)).v1).toEqual(['business.created', 'member.created']);
      const listed = () => caller.v1('GET', `/v1/member?businessId=${businessId}`);
      const [first] = (await ok(listed())).at('data') as { id: string }[];
      expect(first).toMatchObject({ title: '', ownership: '' });
      for (const ownership of ['60', '55']) {
        const sent = { businessId, personId: caller.seed('person_id'), ownership };
        expectAnswer(await caller.v1('POST', '/v1/member', sent), 201, {
          id: first?.id,
          ownership: `${ownership}.00`,
        });
      }
      expectAnswer(await listed(), 200, { total: 1 });
    },
  ],
  'member-details': [
    'A new or changed membership sends `member.created` or `member.updated`, and an update of the business',
    async (caller) => {
      const businessId = (await ok(makeBusiness(caller))).id();
      const personId = (await ok(makePerson(caller))).id();
      await caller.listen();
      const added = await ok(caller.v1('POST', '/v1/member', { businessId, personId, ownership: '10' }));
      const events = await kindsReceived(caller);
      expect([...events.v1].sort()).toEqual(['business.updated', 'member.created']);
      expect(events.v2).toEqual(['sub_account_holder.updated']);
      await ok(caller.v1('PATCH', `/v1/member/${added.id()}`, { title: 'CEO' }));
      expect((await kindsReceived(caller)).v1).toContain('member.updated');
      await ok(caller.v1('PATCH', `/v1/person/${personId}`, { email: 'new@quill.example' }));
      const shown = await ok(caller.v2('GET', `${HOLDERS}/${businessId}`));
      expect(shown.at('business.members.0.email')).toBe('new@quill.example');
    },
  ],
  'family-changes': [
    'its status is set by the platform and stays `active` here.',
    async (caller) => {
      const made = await ok(caller.v1('POST', '/v1/family', { name: 'Doe' }, asPerson(caller)));
      const path = `/v1/family/${made.id()}`;
      expectAnswer(await caller.v1('PATCH', path, { name: 'Roe', status: 'inactive' }), 200, {
        name: 'Roe',
        status: 'active',
      });
      expectAnswer(await caller.v1('GET', `/v1/family?personId=${caller.seed('person_id')}`), 200, {
        total: 1,
      });
    },
  ],
  'v1-business-fields': [
    'Legal name and entity type at the creation; a `naicsCode`, which a recent page requires, is optional.',
    async (caller) => {
      expectAnswer(await makeBusiness(caller, { entityType: undefined }), 400);
      expectAnswer(await makeBusiness(caller, { legalName: undefined }), 400);
      expectAnswer(await makeBusiness(caller), 201, { naicsCode: '' });
    },
  ],
  'account-status-changes': [
    'v2 also requires a balance of zero',
    async (caller) => {
      expectAnswer(await caller.v2('PATCH', account(caller), { status: 'closed' }), 400);
      const { id } = (await ok(open(caller))).body as { id: string };
      const change = (status: string) => caller.v2('PATCH', `/v2/accounts/sub_account/${id}`, { status });
      expectAnswer(await change('closed'), 200);
      expectAnswer(await change('closed'), 200);
      expectAnswer(await change('open'), 400);
    },
  ],
  'closing-balance': [
    'the account is `closed` at once, and the check goes to the holder of the account',
    async (caller) => {
      const path = `/v1/account/${caller.seed('account_id')}`;
      expectAnswer(await caller.v1('PATCH', path, { status: 'closed' }), 200, {
        status: 'closed',
        availableBalance: '0.00',
        pendingDebit: '5000.00',
      });
      expectAnswer(await caller.v1('GET', `${path}/transaction?subType=accountClosing`), 200, {
        data: [
          { amount: '-5000.00', physicalCheck: { contactId: '', shipping: { line1: '12 Harbor Way' } } },
        ],
      });
    },
  ],
  'account-config-changes': [
    'allows 1000 virtual and 100 physical cards',
    async (caller) => {
      expectAnswer(await caller.v1('GET', account1(caller)), 200, {
        config: {
          card: { virtual: { count: '1000' }, physical: { count: '100' } },
          fallback: { received: null },
        },
      });
    },
  ],
  'family-money': [
    'and a change of the account in v1, with any other person in `sd-person-id`, are 403 `EC_ACCOUNT_FORBIDDEN`',
    async (caller) => {
      const family = await ok(caller.v1('POST', '/v1/family', { name: 'Quill' }, asPerson(caller)));
      const account = (await ok(openV1(caller, { familyId: family.id() }))).id();
      const stranger = await ok(caller.v1('GET', `/v1/account/${caller.seed('other_sub_account_id')}`));
      const headers = { 'sd-person-id': stranger.id('personId') };
      const path = `/v1/account/${account}`;
      const change = (by: Record<string, string>) => caller.v1('PATCH', path, { label: 'Home' }, by);
      expect(refusalOf(await change(headers))).toBe('403 EC_ACCOUNT_FORBIDDEN');
      expectAnswer(await caller.v1('GET', path, undefined, headers), 200);
      expectAnswer(await change(asPerson(caller)), 200);
      expectAnswer(await change({}), 200);
    },
  ],
  'fallback-accounts': [
    'an account of another holder or a closed one is 400, and so is `enabled` without it.',
    async (caller) => {
      const fallback = await ok(openV1(caller, { type: 'fallbackAccount' }));
      const set = (id: string, cover: object) =>
        caller.v1('PATCH', `/v1/account/${id}`, { fallback: { received: { card: cover } } });
      const other = caller.seed('other_sub_account_id');
      const own = caller.seed('account_id');
      expectAnswer(await set(other, { fallbackId: fallback.id() }), 400);
      expectAnswer(await set(own, { enabled: true }), 400);
      expectAnswer(await set(own, { enabled: true, fallbackId: fallback.id() }), 200);
      expectAnswer(await set(fallback.id(), { enabled: true, fallbackId: fallback.id() }), 400);
      const path = `/v1/account/${fallback.id()}`;
      expectAnswer(await caller.v1('PATCH', path, { status: 'closed' }), 409);
      expectAnswer(
        await caller.v1('POST', '/v1/card', { accountId: fallback.id(), cardType: 'virtual' }),
        400,
      );
    },
  ],
  'master-account': [
    'It is the contra account of the sub accounts: its balance is the sum of their balances and of money in suspense. It cannot be changed through the API',
    async (caller) => {
      const master = await ok(
        caller.v2('GET', `/v2/accounts/master_account/${caller.seed('master_account_id')}`),
      );
      expect(master.at('available_balance')).toBe('7500.00');
      expectAnswer(await caller.v2('GET', '/v2/accounts/master_account'), 200, { total: 1 });
    },
  ],
  'v2-ssn': [
    'nine digits without dashes, as its field table says; any other is 400 on that `id_number`',
    async (caller) => {
      const ssn = (id_number: string) => makeHolder(caller, person(id_number, { id_type: 'ssn' }));
      expect(refusalOf(await ssn('723-45-0001'))).toBe('400 ERROR_CODE_INVALID_FIELD person.id_number');
      expect(refusalOf(await ssn('0001'))).toBe('400 ERROR_CODE_INVALID_FIELD person.id_number');
      expectAnswer(await ssn('723450001'), 201);
      expectAnswer(await makeHolder(caller, person('X 12', { id_type: 'passport' })), 201);
    },
  ],
  'account-without-number': [
    'Such an account has an empty account number and an empty routing number in both versions.',
    async (caller) => {
      await ok(caller.v2('PUT', '/_sandbox/settings', { account_numbers: 'off' }));
      const made = await ok(open(caller));
      expectAnswer(made, 201, { account_number: '', routing_number: '' });
      expectAnswer(await caller.v1('GET', `/v1/account/${made.id()}`), 200, {
        accountNumber: '',
        routingNumber: '',
      });
      const lost = await ok(
        caller.v2('POST', '/_sandbox/simulate/incoming/ach_push', {
          account_number: '9500000012312312',
          amount: '5.00',
        }),
      );
      expect(lost.at('transaction.sub_account_id')).toBe('');
    },
  ],
});

describe('on the banking calendar', () => {
  const timed = useHttp({ rails: 'calendar' });
  holdRows(timed, 'behaviour', {
    'v1-kyc-timing': [
      'Later: the response is `submitted`, the timetable decides (8 seconds with the rails `calendar`',
      async (caller) => {
        const { id } = (await ok(makePerson(caller))).body as { id: string };
        expectAnswer(await caller.v1('POST', `/v1/person/${id}/kyc`), 201, { status: 'submitted' });
        const at = async (now: string) => {
          await setClock(caller, now);
          return (await ok(caller.v1('GET', `/v1/person/${id}/kyc`))).at('status');
        };
        expect(await at('2026-11-20T18:00:07Z')).toBe('submitted');
        expect(await at('2026-11-20T18:00:08Z')).toBe('approved');
      },
    ],
    'verification-reasons': [
      'and as in its sample only `fraud` is in review: the other results are approved, and `bank` of a person is not started.',
      async (caller) => {
        const { id } = (await ok(makePerson(caller, { idNumber: '123450002' }))).body as { id: string };
        await ok(caller.v1('POST', `/v1/person/${id}/kyc`));
        await setClock(caller, '2026-11-20T18:00:08Z');
        const reviewMessage =
          'Possible fraud risk identified. Perform an enhanced verification. If possible, run identity verification (IDV).';
        expectAnswer(await caller.v1('GET', `/v1/person/${id}/kyc`), 200, {
          status: 'inReview',
          reviewCode: 'R112',
          reviewMessage,
          results: { address: 'approved', dateOfBirth: 'approved', fraud: 'inReview', bank: 'notStarted' },
          reviewReasons: { fraud: [{ code: 'R112', description: reviewMessage }], address: [], other: [] },
        });
        const said = { code: 'R1401', message: 'Call them' };
        await ok(caller.v2('POST', `/_sandbox/simulate/holders/${id}/decline`, said));
        expectAnswer(await caller.v1('GET', `/v1/person/${id}/kyc`), 200, {
          status: 'declined',
          reviewCode: 'R1401',
          reviewMessage: 'Call them',
          reviewReasons: { fraud: [], other: [{ code: 'R1401', description: 'Call them' }] },
        });
      },
    ],
    'v1-kyc-needs': [
      'An id number, a date of birth and an address; `verification-needs` describes what a KYB requires. The first missing one is 400.',
      async (caller) => {
        const bare = { idNumber: undefined, dateOfBirth: undefined, address: undefined };
        const { id } = (await ok(makePerson(caller, bare))).body as { id: string };
        const submit = () => caller.v1('POST', `/v1/person/${id}/kyc`);
        const output: unknown[] = [];
        for (const change of [{ idNumber: '723450001' }, { dateOfBirth: '1988-03-14' }]) {
          output.push((await submit()).at('message'));
          await ok(caller.v1('PATCH', `/v1/person/${id}`, change));
        }
        output.push((await submit()).at('message'));
        expect(output.map((text) => /^\w+/.exec(String(text))?.[0])).toEqual([
          'idNumber',
          'dateOfBirth',
          'address',
        ]);
      },
    ],
    'v1-kyb-not-needed': [
      'A disclosure and projections; `verification-needs` describes what it requires.',
      async (caller) => {
        const { id } = (await ok(makeBusiness(caller, {}, asPerson(caller)))).body as { id: string };
        expectAnswer(await caller.v1('POST', `/v1/business/${id}/kyb`), 201, { status: 'submitted' });
        await setClock(caller, '2026-11-20T18:00:08Z');
        expectAnswer(await caller.v1('GET', `/v1/business/${id}/kyb`), 200, { status: 'approved' });
      },
    ],
  });
});
