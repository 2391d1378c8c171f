/** Logging in and out with a user's token. Decision `user-tokens` in docs/fidelity.md. */
import { describe, expect, it } from 'vitest';
import { expectRecord } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp({ strictFields: true, strictPersonHeader: true });

/** The requests of the platform's app for logging in and out. */
const REGISTRATION = { clientId: 'a1b2', idNumberLast4: '9999', refreshToken: 'r', idToken: 'i' };
const SIGN_OUT = { clientId: 'a1b2', refreshToken: 'r', phone: '+15035550100' };

const call = (way: 'register' | 'logout', headers: Record<string, string>, body: object = {}) =>
  http.call('POST', `/v1/auth/${way}`, { headers, body });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('registering a user (register)', () => {
  it('returns the token of the request, in both forms', async () => {
    const caller = http.caller();
    const person = caller.seed('person_id');
    const token = `${caller.key}:${person}`;
    const answer = await call('register', bearer(token), REGISTRATION);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({ accessToken: token, refreshRequired: false });
    expectRecord(answer, 'register', ['accessToken', 'refreshRequired']);
    const headers = { 'sd-api-key': caller.key, 'sd-person-id': person };
    expect((await call('register', headers)).at('accessToken')).toBe(token);
    // A user who is not a person of the bank yet.
    expect((await call('register', bearer(caller.key))).at('accessToken')).toBe(caller.key);
  });

  it('explains the format of a token if it contains no key', async () => {
    for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Basic eDp5' }]) {
      const answer = await call('register', headers);
      expect([answer.status, answer.at('code')]).toEqual([401, 'EC_UNAUTHORIZED']);
      expect(answer.headers['x-sandbox-hint']).toMatch(/Bearer <key>:<person id>/);
    }
    expect((await call('register', bearer('a.jwt.here'))).status).toBe(401);
  });

  it('finds no user for an unknown person', async () => {
    const caller = http.caller();
    const answer = await call('register', bearer(`${caller.key}:per-0193a5c0-b800-7a3e-9c4d-5e6f70819203`));
    expect([answer.status, answer.at('code')]).toEqual([404, 'EC_PERSON_NOT_FOUND']);
  });
});

it('logging out has no effect', async () => {
  const caller = http.caller();
  const headers = bearer(`${caller.key}:${caller.seed('person_id')}`);
  const answer = await call('logout', headers, SIGN_OUT);
  expect([answer.status, answer.body]).toEqual([200, {}]);
  expect((await http.call('GET', '/v1/person', { headers })).at('id')).toBe(caller.seed('person_id'));
  expect((await call('logout', {})).status).toBe(401);
});

describe('the token of a person', () => {
  const look = (caller: Caller, id: string) => caller.v2('GET', `/_sandbox/persons/${id}/token`);

  it('is shown for the id of either version', async () => {
    const caller = http.caller();
    const token = `${caller.key}:${caller.seed('person_id')}`;
    for (const id of ['person_id', 'person_holder_id']) {
      expect((await look(caller, caller.seed(id))).body).toEqual({ token, authorization: `Bearer ${token}` });
    }
  });

  it('does not exist for a business or an unknown id', async () => {
    const caller = http.caller();
    for (const id of [caller.seed('business_id'), 'per-0193a5c0-b800-7a3e-9c4d-5e6f70819203', 'x']) {
      const answer = await look(caller, id);
      expect([answer.status, answer.at('error.code')]).toEqual([404, 'holder_not_found']);
    }
  });

  it('of an unnamed default sandbox has its key', async () => {
    const id = (await http.call('GET', '/_sandbox')).at('seeded.person_id');
    const answer = await http.call('GET', `/_sandbox/persons/${id}/token`);
    expect(answer.at('token')).toBe(`test_default:${id}`);
  });
});
