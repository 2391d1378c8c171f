/**
 * POST /v2/accounts/sub_account_holder/{id}/kyc: checks a person at once, by the first digit of its number.
 * Decisions `v2-kyc-timing`, `verification-digits` and `kyc-wrong-type` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { SUB_ACCOUNT_HOLDER } from '../../contract/v2/holders.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const HOLDERS = '/v2/accounts/sub_account_holder';
const http = useHttp();

async function makePerson(caller: Caller, idNumber: string): Promise<string> {
  const made = await caller.v2('POST', HOLDERS, {
    master_account_id: caller.seed('master_account_id'),
    type: 'person',
    person: { first_name: 'Ivo', last_name: 'Reed', id_type: 'ssn', id_number: idNumber },
  });
  return made.id();
}

describe('a KYC (v2_submit_kyc)', () => {
  it.each([
    ['211111111', 'pass', 'activated', ['person.kyc.approved', 'person.kyc.updated', 'person.updated']],
    ['111111111', 'review', 'pending_activation', ['person.kyc.review', 'person.kyc.updated']],
    ['011111111', 'fail', 'pending_activation', ['person.kyc.declined', 'person.kyc.updated']],
  ])('of %s results in %s', async (idNumber, outcome, status, kinds) => {
    const caller = http.caller();
    const id = await makePerson(caller, idNumber);
    await caller.listen();
    const answer = await caller.v2('POST', `${HOLDERS}/${id}/kyc`);
    expectRecord(answer, 'v2_submit_kyc', SUB_ACCOUNT_HOLDER);
    expect(answer.body).toMatchObject({ id, status, person: { kyc: { status: outcome } } });
    expect((await caller.v2('GET', `${HOLDERS}/${id}`)).body).toEqual(answer.body);
    expect((await caller.receivedEvents()).v1.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('is refused for a business', async () => {
    const caller = http.caller();
    expectRefusedV2(await caller.v2('POST', `${HOLDERS}/${caller.seed('business_holder_id')}/kyc`), {
      status: 400,
      code: 'ERROR_CODE_INVALID_FIELD',
      field: 'type',
    });
  });

  it('of an unknown holder is 404', async () => {
    const caller = http.caller();
    expectRefusedV2(await caller.v2('POST', `${HOLDERS}/sah_${'0'.repeat(32)}/kyc`), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
    });
  });
});
