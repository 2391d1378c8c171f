/** The check of all responses in these tests finds undocumented responses. */
import { describe, expect, it } from 'vitest';
import { undocumented } from '../server/http/documented.ts';
import { useHttp } from '../server/http/support.ts';

const http = useHttp({ small: true });
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

describe('a response', () => {
  const retrieved = async () => {
    const caller = http.caller();
    const path = `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
    return { path, answer: await caller.v2('GET', path) };
  };

  it('is documented', async () => {
    const { path, answer } = await retrieved();
    expect(undocumented('GET', path, answer)).toBeUndefined();
  });

  it.each([
    ['another status', { status: 201 }, /status 201/],
    ['another type', { headers: { 'content-type': 'text/csv' }, body: undefined }, /content of text\/csv/],
    ['another field', { body: { more: 1 } }, /must have required property|must NOT have additional/],
  ])('with %s is not documented', async (_, change, problem) => {
    const { path, answer } = await retrieved();
    expect(undocumented('GET', path, { ...answer, ...change })).toMatch(problem);
  });

  const refusal = (field_name: string, code = 'ERROR_CODE_INVALID_FIELD') => ({
    request_id: 'req_1',
    client_id: 'cli_1',
    method: 'POST',
    status: 400,
    error: { code, message: 'wrong', field_name },
    created_at: '2026-11-20T18:00:00Z',
  });

  it.each([
    ['', undefined],
    ['person.id_number', undefined],
    ['business.members.id_number', undefined],
    ['id_number', /names id_number/],
    ['person.ownership', /names person.ownership/],
  ])('that refuses the field "%s" is documented only with the whole path', (field, problem) => {
    const given = { status: 400, headers: JSON_TYPE, body: refusal(field) };
    const found = undocumented('POST', '/v2/accounts/sub_account_holder', given);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
  });

  it('with a code that its operation does not have is not documented', () => {
    const given = { status: 400, headers: JSON_TYPE, body: refusal('', 'ERROR_CODE_UNHEARD_OF') };
    expect(undocumented('POST', '/v2/accounts/sub_account_holder', given)).toMatch(/UNHEARD_OF/);
  });
});
