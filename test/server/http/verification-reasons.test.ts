/**
 * Why a check of identity is in review or declined: in the records and events of both versions, for persons, businesses
 * and members, by the magic numbers and by the simulations. Decision `verification-reasons` in docs/fidelity.md.
 */
import { describe, expect, it, test } from 'vitest';
import { VERIFICATION_REASONS } from '../../../src/bank/model/verification-reasons.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp({ small: true, rails: 'fast' });
const HOLDERS = '/v2/accounts/sub_account_holder';
const R112 =
  'Possible fraud risk identified. Perform an enhanced verification. If possible, run identity verification (IDV).';
const NO_REASONS = { idv: [], address: [], dateOfBirth: [], fraud: [], bank: [], other: [] };
const NO_BUSINESS_REASONS = {
  address: [],
  bank: [],
  businessName: [],
  fraud: [],
  personName: [],
  other: [],
};
const ADDRESS = {
  addressType: 'mailing',
  line1: '9 Elm Street',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};
const PASSED = { status: 'pass', reasons: null };

const asHolder = (id: string) => `sah_${id.slice(4).replaceAll('-', '')}`;

const makePerson = async (caller: Caller, idNumber: string): Promise<string> => {
  const made = await caller.v1('POST', '/v1/person', {
    firstName: 'Mara',
    lastName: 'Quill',
    phone: '+15555555555',
    email: 'mara@quill.example',
    dateOfBirth: '1988-03-14',
    idType: 'ssn',
    idNumber,
    address: ADDRESS,
  });
  expect(made.status, made.text).toBe(201);
  return made.id();
};

const makeBusiness = async (caller: Caller, idNumber: string, personId: string): Promise<string> => {
  const business = {
    legalName: 'Fir Clinic LLC',
    entityType: 'limitedLiabilityCompany',
    idType: 'ein',
    idNumber,
    address: ADDRESS,
  };
  const made = await caller.v1('POST', '/v1/business', business, { 'sd-person-id': personId });
  expect(made.status, made.text).toBe(201);
  return made.id();
};

/** Submits a check of v1 and runs the timetable until it is decided. */
const submit = async (caller: Caller, path: string) => {
  expect((await caller.v1('POST', path)).status).toBe(201);
  const done = await caller.v2('POST', '/_sandbox/clock/advance', { by: 'PT1M' });
  expect(done.status, done.text).toBe(200);
};

const simulate = (caller: Caller, id: string, event: string, body?: object) =>
  caller.v2('POST', `/_sandbox/simulate/holders/${id}/${event}`, body);

const holderOf = async (caller: Caller, id: string) => caller.v2('GET', `${HOLDERS}/${asHolder(id)}`);

describe('the magic numbers of a person', () => {
  test.each([
    ['199999999', 'inReview', 'review', 'R112', R112],
    [
      '099999999',
      'declined',
      'declined',
      'SB100',
      'The risk of fraud is too high. The verification is declined.',
    ],
  ])('%s result in %s with a reason, in v1', async (number, status, event, code, message) => {
    const caller = http.caller();
    const id = await makePerson(caller, number);
    await caller.listen();
    await submit(caller, `/v1/person/${id}/kyc`);
    const kyc = await caller.v1('GET', `/v1/person/${id}/kyc`);
    expect(kyc.body).toMatchObject({
      status,
      reviewCode: code,
      reviewMessage: message,
      results: {
        idv: 'notStarted',
        address: 'approved',
        dateOfBirth: 'approved',
        fraud: status,
        bank: 'notStarted',
      },
      reviewReasons: { ...NO_REASONS, fraud: [{ code, description: message }] },
    });
    expect((await caller.v1('GET', `/v1/person/${id}`)).at('kyc')).toEqual(kyc.body);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toContainEqual({ kind: `person.kyc.${event}`, record: kyc.body });
    const holder = await holderOf(caller, id);
    expect(holder.at('person.kyc.details.fraud.reasons')).toEqual([{ code, description: message }]);
    expect(v2.at(-1)?.record).toEqual(holder.body);
  });

  test.each([
    ['199999999', 'review', 'R112'],
    ['099999999', 'fail', 'SB100'],
  ])('%s result in %s with a reason, in v2', async (id_number, status, code) => {
    const caller = http.caller();
    const made = await caller.v2('POST', HOLDERS, {
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: { first_name: 'Mara', last_name: 'Quill', id_number },
    });
    const checked = await caller.v2('POST', `${HOLDERS}/${made.id()}/kyc`);
    expect(checked.at('person.kyc')).toMatchObject({
      status,
      details: {
        name: PASSED,
        address: PASSED,
        dob: PASSED,
        ssn: PASSED,
        phone: PASSED,
        email: PASSED,
        watchlist: PASSED,
        fraud: { status, reasons: [{ code, description: expect.stringMatching(/fraud/) }] },
      },
    });
  });

  it('have no reason after the check is submitted again or passes', async () => {
    const caller = http.caller();
    const id = await makePerson(caller, '199999999');
    await submit(caller, `/v1/person/${id}/kyc`);
    const none = { reviewCode: '', reviewMessage: '', reviewReasons: NO_REASONS };
    expect((await caller.v1('POST', `/v1/person/${id}/kyc`)).body).toMatchObject({
      status: 'submitted',
      ...none,
    });
    await simulate(caller, id, 'pass');
    expect((await caller.v1('GET', `/v1/person/${id}/kyc`)).body).toMatchObject({
      status: 'approved',
      ...none,
      results: { address: 'approved', bank: 'approved' },
    });
    await simulate(caller, id, 'review');
    const own = { verification: { status: 'pass', method: 'own', url: '' } };
    const changed = await caller.v2('PATCH', `${HOLDERS}/${asHolder(id)}`, own);
    expect(changed.at('person.kyc.details.fraud')).toEqual(PASSED);
  });
});

describe('the magic numbers of a business', () => {
  test.each([
    ['187654321', 'inReview', 'review', 'R112'],
    ['087654321', 'declined', 'declined', 'SB100'],
  ])('%s result in %s with a reason', async (number, status, event, code) => {
    const caller = http.caller();
    const id = await makeBusiness(caller, number, caller.seed('person_id'));
    await caller.listen();
    await submit(caller, `/v1/business/${id}/kyb`);
    const kyb = await caller.v1('GET', `/v1/business/${id}/kyb`);
    const reason = { code, description: kyb.at('reviewMessage') };
    expect(kyb.body).toMatchObject({
      status,
      reviewCode: code,
      reviewMessage: expect.stringMatching(/fraud/),
      results: {
        address: 'approved',
        bank: 'approved',
        businessName: 'approved',
        fraud: status,
        personName: 'approved',
      },
      reviewReasons: { ...NO_BUSINESS_REASONS, fraud: [reason] },
    });
    expect((await caller.v1('GET', `/v1/business/${id}`)).at('kyb')).toEqual(kyb.body);
    const { v1 } = await caller.receivedEvents();
    expect(v1.at(-1)).toEqual({ kind: `business.kyb.${event}`, record: kyb.body });
    expect((await holderOf(caller, id)).at('business.kyb.details')).toMatchObject({
      name: { status: 'pass', reason: null },
      fraud: { reason: [reason] },
    });
  });

  test.each([
    ['199999999', 'inReview', 'SB101'],
    ['099999999', 'declined', 'SB102'],
  ])('%s of a member are the reason of the business', async (number, status, code) => {
    const caller = http.caller();
    const personId = await makePerson(caller, number);
    const id = await makeBusiness(caller, '387654321', personId);
    await submit(caller, `/v1/business/${id}/kyb`);
    expect((await caller.v1('GET', `/v1/business/${id}/kyb`)).body).toMatchObject({
      status,
      reviewCode: code,
      results: { fraud: 'approved', businessName: 'approved', personName: status },
      reviewReasons: { fraud: [], personName: [{ code, description: expect.stringMatching(/member/) }] },
    });
    expect((await caller.v1('GET', `/v1/person/${personId}/kyc`)).at('results.fraud')).toBe(status);
    const holder = await holderOf(caller, id);
    expect(holder.at('business.members.0.kyc.details.fraud.reasons')).toHaveLength(1);
  });
});

describe('a simulated result of a check', () => {
  const SAID = {
    code: 'R112',
    message: 'Ask for a passport.',
    reasons: [
      { part: 'address', code: 'A1', description: 'Another street' },
      { code: 'R1401' },
      { part: 'dob', code: 'D1', description: 'Another day' },
      { part: 'bank', code: 'B1' },
    ],
  };

  test.each([
    ['review', 'inReview', 'review'],
    ['fail', 'declined', 'fail'],
    ['decline', 'declined', 'fail'],
  ])('%s returns the sent code, message and reasons', async (event, inV1, inV2) => {
    const caller = http.caller();
    const id = caller.seed('person_id');
    const answer = await simulate(caller, id, event, SAID);
    expect(answer.status, answer.text).toBe(200);
    expect((await caller.v1('GET', `/v1/person/${id}/kyc`)).body).toMatchObject({
      status: inV1,
      reviewCode: 'R112',
      reviewMessage: 'Ask for a passport.',
      results: { address: inV1, dateOfBirth: inV1, fraud: 'approved', bank: inV1 },
      reviewReasons: {
        ...NO_REASONS,
        address: [{ code: 'A1', description: 'Another street' }],
        dateOfBirth: [{ code: 'D1', description: 'Another day' }],
        bank: [{ code: 'B1', description: '' }],
        other: [{ code: 'R1401', description: 'Phone number mismatch' }],
      },
    });
    expect(answer.at('holder.person.kyc.details')).toEqual({
      name: PASSED,
      ssn: PASSED,
      email: PASSED,
      watchlist: PASSED,
      address: { status: inV2, reasons: [{ code: 'A1', description: 'Another street' }] },
      dob: { status: inV2, reasons: [{ code: 'D1', description: 'Another day' }] },
      phone: { status: inV2, reasons: [{ code: 'R1401', description: 'Phone number mismatch' }] },
      fraud: { status: inV2, reasons: [{ code: 'B1', description: '' }] },
    });
    const why = await caller.v2('GET', `/_sandbox/explain/${id}`);
    expect(why.text).toContain('R112');
  });

  it('accepts only a code, with the text and the check from the list', async () => {
    const caller = http.caller();
    const id = caller.seed('business_id');
    await simulate(caller, id, 'fail', { code: 'SB104' });
    const kyb = await caller.v1('GET', `/v1/business/${id}/kyb`);
    const description = VERIFICATION_REASONS.find(({ code }) => code === 'SB104')?.description;
    expect(kyb.body).toMatchObject({
      reviewCode: 'SB104',
      reviewMessage: description,
      results: { address: 'declined', fraud: 'approved' },
      reviewReasons: { ...NO_BUSINESS_REASONS, address: [{ code: 'SB104', description }] },
    });
  });

  it('accepts only reasons, whose first one is the code', async () => {
    const caller = http.caller();
    const id = caller.seed('person_id');
    await simulate(caller, id, 'review', { reasons: [{ code: 'Q1', description: 'Odd' }] });
    expect((await caller.v1('GET', `/v1/person/${id}/kyc`)).body).toMatchObject({
      reviewCode: 'Q1',
      reviewMessage: 'Odd',
      results: { fraud: 'inReview' },
      reviewReasons: { ...NO_REASONS, fraud: [{ code: 'Q1', description: 'Odd' }] },
    });
    await simulate(caller, id, 'review', { message: 'Wait' });
    expect((await caller.v1('GET', `/v1/person/${id}/kyc`)).body).toMatchObject({
      reviewCode: 'R112',
      reviewMessage: 'Wait',
    });
  });

  it("passes with reasons, as in the platform's sample", async () => {
    const caller = http.caller();
    const id = caller.seed('person_id');
    await simulate(caller, id, 'pass', { reasons: [{ code: 'R1401' }] });
    expect((await caller.v1('GET', `/v1/person/${id}/kyc`)).body).toMatchObject({
      status: 'approved',
      reviewCode: '',
      reviewMessage: '',
      results: { idv: 'notStarted', address: 'approved', fraud: 'approved', bank: 'approved' },
      reviewReasons: { ...NO_REASONS, other: [{ code: 'R1401', description: 'Phone number mismatch' }] },
    });
  });

  it('of an identity document has its own reasons', async () => {
    const caller = http.caller();
    const id = caller.seed('person_id');
    await caller.v1('POST', `/v1/person/${id}/idv`);
    const said = { code: 'I1', message: 'Blurred' };
    const answer = await simulate(caller, id, 'idv_fail', said);
    const reasons = [{ code: 'I1', description: 'Blurred' }];
    expect(answer.at('holder.person.idv')).toMatchObject({ status: 'fail', reasons });
    expect((await caller.v1('GET', `/v1/person/${id}/kyc`)).body).toMatchObject({
      status: 'approved',
      reviewCode: '',
      results: { idv: 'declined', fraud: 'approved' },
      reviewReasons: { ...NO_REASONS, idv: reasons },
    });
    await simulate(caller, id, 'idv_review');
    expect((await holderOf(caller, id)).at('person.idv.reasons.0.code')).toBe('SB103');
    await simulate(caller, id, 'idv_pass');
    expect((await holderOf(caller, id)).at('person.idv.reasons')).toBeNull();
  });

  test.each([
    [
      'lock',
      { code: 'R112' },
      /code applies only to the events review, fail, idv_review, idv_fail, not to lock/,
    ],
    ['pass', { message: 'x' }, /message applies only to the events review/],
    ['idv_pass', { reasons: [{ code: 'x' }] }, /reasons applies only to the events pass, review/],
    ['idv_fail', { reasons: [{ code: 'x', part: 'fraud' }] }, /reasons of idv_fail are about idv/],
    ['review', { reasons: [{ code: 'x', part: 'shoes' }] }, /part must be one of name, address/],
    ['review', { reason: 'R112' }, /does not accept reason/],
    ['review', { reasons: [{ code: 'x', why: 'y' }] }, /does not accept reasons\[\]\.why/],
    ['deny', {}, /there is no event "deny" here/],
  ])('%s refuses %j, and changes nothing', async (event, body, message) => {
    const caller = http.caller();
    const id = caller.seed('person_id');
    await caller.v1('POST', `/v1/person/${id}/idv`);
    const before = (await holderOf(caller, id)).body;
    const answer = await simulate(caller, id, event, body);
    expect([answer.status, answer.at('error.message')]).toEqual([400, expect.stringMatching(message)]);
    expect((await holderOf(caller, id)).body).toEqual(before);
  });
});

it('lists its reasons, with their sources', async () => {
  const caller = http.caller();
  const listed = (await caller.v2('GET', '/_sandbox/verification_reasons')).at('verification_reasons');
  expect(listed).toContainEqual({
    code: 'R112',
    description: R112,
    part: 'fraud',
    evidence: 'documented',
    page: 'KYC In Review Codes, of the v1 guides',
  });
  expect(listed).toContainEqual(expect.objectContaining({ code: 'SB100', evidence: 'ours', page: '' }));
  expect(listed).toHaveLength(VERIFICATION_REASONS.length);
});
