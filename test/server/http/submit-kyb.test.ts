/**
 * POST /v2/accounts/sub_account_holder/{id}/kyb: checks a business and its members at once; the first digits of their
 * numbers determine the results. Decisions `empty-body`, `v2-kyc-timing`, `verification-digits` and `kyc-wrong-type`
 * in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { SUB_ACCOUNT_HOLDER } from '../../contract/v2/holders.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const HOLDERS = '/v2/accounts/sub_account_holder';
const http = useHttp();
const kyb = (caller: Caller, id: string) => caller.v2('POST', `${HOLDERS}/${id}/kyb`);

async function makeBusiness(
  caller: Caller,
  idNumber: string,
  memberNumbers: string[] = ['999999999'],
): Promise<string> {
  const made = await caller.v2('POST', HOLDERS, {
    master_account_id: caller.seed('master_account_id'),
    type: 'business',
    business: {
      legal_name: 'Slate Works LP',
      entity_type: 'limited_partnership',
      id_type: 'ein',
      id_number: idNumber,
      address: { line1: '2 Quarry Road', city: 'Barre', state: 'VT', country: 'US', postal_code: '05641' },
      members: memberNumbers.map((id_number) => ({ first_name: 'Uma', last_name: 'Slate', id_number })),
    },
  });
  return made.id();
}

describe('a KYB (v2_submit_kyb)', () => {
  it('that passes activates the business and completes the checks of its members', async () => {
    const caller = http.caller();
    const id = caller.seed('business_holder_id');
    expect((await caller.v2('GET', `${HOLDERS}/${id}`)).at('status')).toBe('pending_activation');

    const answer = await kyb(caller, id);
    expectRecord(answer, 'v2_submit_kyb', SUB_ACCOUNT_HOLDER);
    const passed = { status: 'pass', reasons: null };
    expect(answer.body).toMatchObject({
      id,
      type: 'business',
      person: null,
      status: 'activated',
      business: {
        legal_name: 'Birch Tools LLC',
        kyb: {
          status: 'pass',
          details: {
            name: { status: 'pass', reason: null },
            address: { status: 'pass', reason: null },
            watchlist: { status: 'pass', reason: null },
            fraud: { status: 'pass', reason: null },
          },
        },
        members: [
          {
            first_name: 'Cora',
            ownership: '60.00',
            control_person: 'true',
            kyc: { status: 'pass', details: { ssn: passed, dob: passed } },
            idv: { status: 'not_started' },
          },
          { first_name: 'Dev', ownership: '40.00', control_person: 'false', kyc: { status: 'pass' } },
        ],
      },
    });
    expect((await caller.v2('GET', `${HOLDERS}/${id}`)).body).toEqual(answer.body);
  });

  it('publishes events in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await kyb(caller, caller.seed('business_holder_id'));
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['business.kyb.approved', 'business.updated']);
    expect(v1[0]?.record).toMatchObject({
      businessId: expect.stringMatching(/^bus-/),
      status: 'approved',
      results: { address: 'approved', businessName: 'approved', fraud: 'approved' },
    });
    expect(v1[1]?.record).toMatchObject({ legalName: 'Birch Tools LLC', kyb: { status: 'approved' } });
    expect(v2).toEqual([
      { kind: 'sub_account_holder.updated', record: answer.body },
      { kind: 'sub_account_holder.status.activated', record: answer.body },
    ]);
  });

  it.each([
    ['811111111', ['999999999'], 'pass', 'activated', 'business.kyb.approved'],
    ['211111111', ['211111112', '911111113'], 'pass', 'activated', 'business.kyb.approved'],
    ['111111111', ['999999999'], 'review', 'pending_activation', 'business.kyb.review'],
    ['011111111', ['999999999'], 'fail', 'pending_activation', 'business.kyb.declined'],
    ['811111111', ['211111112', '111111113'], 'review', 'pending_activation', 'business.kyb.review'],
    ['811111111', ['111111112', '011111113'], 'fail', 'pending_activation', 'business.kyb.declined'],
    ['011111111', ['211111112'], 'fail', 'pending_activation', 'business.kyb.declined'],
  ])('of %s with members %j results in %s', async (idNumber, members, outcome, status, kind) => {
    const caller = http.caller();
    const id = await makeBusiness(caller, idNumber, members);
    await caller.listen();
    const answer = await kyb(caller, id);
    expect(answer.status).toBe(201);
    expect(answer.at('business.kyb.status')).toBe(outcome);
    expect(answer.at('business.kyb.details.name.status')).toBe('pass');
    expect(answer.at('business.kyb.details.fraud.status')).toBe(outcome);
    expect(answer.at('status')).toBe(status);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map((event) => event.kind)).toContain(kind);
    expect(v2.map((event) => event.kind).includes('sub_account_holder.status.activated')).toBe(
      status === 'activated',
    );
  });

  it('gives every member the result of its own number', async () => {
    const caller = http.caller();
    const id = await makeBusiness(caller, '811111111', ['211111112', '111111113', '011111114']);
    const answer = await kyb(caller, id);
    const outcomes = [0, 1, 2].map((place) => answer.at(`business.members.${place}.kyc.status`));
    expect(outcomes).toEqual(['pass', 'review', 'fail']);
  });

  it('of an activated business does not change its status', async () => {
    const caller = http.caller();
    const id = caller.seed('business_holder_id');
    await kyb(caller, id);
    await caller.listen();
    const again = await kyb(caller, id);
    expect({ status: again.status, state: again.at('status') }).toEqual({ status: 201, state: 'activated' });
    expect((await caller.receivedEvents()).v2.map(({ kind }) => kind)).toEqual([
      'sub_account_holder.updated',
    ]);
  });

  it('updates the time of the last change', async () => {
    const caller = http.caller();
    http.clock.advance(90_000);
    const answer = await kyb(caller, caller.seed('business_holder_id'));
    expect(answer.at('timestamps.created_at')).toBe('2026-11-20T18:00:00Z');
    expect(answer.at('timestamps.updated_at')).toBe('2026-11-20T18:01:30Z');
  });

  it('accepts an empty JSON body, and an id in the format of v1', async () => {
    const caller = http.caller();
    const hex = caller.seed('business_holder_id').slice('sah_'.length);
    const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const headers = { 'content-type': 'application/json' };
    const answer = await caller.v2('POST', `${HOLDERS}/bus-${uuid}/kyb`, '', headers);
    expect(answer.status).toBe(201);
    expect(answer.id()).toBe(caller.seed('business_holder_id'));
  });

  it('is refused for a person', async () => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await kyb(caller, caller.seed('person_holder_id')), {
      status: 400,
      code: 'ERROR_CODE_INVALID_FIELD',
      field: 'type',
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each([`sah_${'0'.repeat(32)}`, 'sah_1', 'nobody', `cli_${'0'.repeat(32)}`, '__proto__'])(
    'of %s is 404',
    async (id) => {
      const caller = http.caller();
      expectRefusedV2(await kyb(caller, id), { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' });
    },
  );
});
