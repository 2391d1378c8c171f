/** The errors of both API versions: their bodies, and the exact published codes and messages. */
import { describe, expect, it } from 'vitest';
import { CASES, type Case, prepareCase, send } from '../server/http/cases.ts';
import { expectEnvelopeV1, expectEnvelopeV2 } from '../server/http/expectations.ts';
import { type Answer, type Caller, type Method, useHttp } from '../server/http/support.ts';
import { contradictions } from './rows.ts';
import { ERROR_V1 } from './v1/others.ts';
import { INVALID_V2, NOT_FOUND_V2 } from './v2/errors.ts';
import { ERROR_V2 } from './v2/others.ts';

const http = useHttp();

const ERROR = { v1: ERROR_V1, v2: ERROR_V2 };

/** The body of a refusal, as in its table and for its status. */
function expectError(apiVersion: 'v1' | 'v2', answer: Answer): void {
  expect(contradictions(answer.body, ERROR[apiVersion]), answer.text).toEqual([]);
  if (apiVersion === 'v1') expectEnvelopeV1(answer);
  else expectEnvelopeV2(answer);
}

/** The case for an operation of a table. */
function caseOf(method: string, path: string): Case {
  const found = CASES.find(({ operation }) => operation.method === method && operation.path === path);
  if (found === undefined) throw new Error(`there is no ${method} ${path}`);
  return found;
}

/** The rows of 404 responses: operation, unknown id, message. */
const MISSING = Object.entries(NOT_FOUND_V2).flatMap(([message, rows]) =>
  rows
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .map(([method = '', path = '', id = '']) => ({
      method,
      path: path.replace(/\{(\w+)\}/g, ':$1'),
      id,
      message,
    })),
);

/** An unknown id of the same kind. */
const unknown = (id: string): string =>
  `${id.slice(0, 4)}${'0'.repeat(12)}7${'0'.repeat(3)}8${'0'.repeat(15)}`;

/** Calls the example with an unknown id, in its path or its body. */
async function callMissing(caller: Caller, { method, path, id }: (typeof MISSING)[number]): Promise<Answer> {
  const entry = caseOf(method, path);
  const prepared = prepareCase(caller, entry);
  const place = path.split('/').indexOf(`:${id}`);
  if (place === -1) {
    const body = { ...prepared.body, [id]: unknown(String(prepared.body?.[id])) };
    // The field for a card holder has two names.
    if (id === 'card_holder_id') Object.assign(body, { cardholder_id: body[id] });
    return send(caller, entry.operation, { ...prepared, body });
  }
  const steps = prepared.path.split('/');
  steps[place] = unknown(steps[place] ?? '');
  return send(caller, entry.operation, { ...prepared, path: steps.join('/') });
}

describe('a 404 in v2', () => {
  it.each(MISSING.map((row) => [`${row.method} ${row.path} ${row.id}`, row] as const))(
    '%s: has the published code and message',
    async (_, row) => {
      const answer = await callMissing(http.caller(), row);
      expectError('v2', answer);
      expect({ status: answer.status, error: answer.at('error') }).toEqual({
        status: 404,
        error: { code: 'ERROR_CODE_RESOURCE_NOT_FOUND', message: row.message, field_name: '' },
      });
    },
  );

  it('has as many rows as were published', () => {
    expect(MISSING).toHaveLength(36);
  });
});

describe('a 400 in v2', () => {
  it.each(INVALID_V2.map((row) => [`${row.method} ${row.path}: ${row.message}`, row] as const))(
    '%s',
    async (_, { method, path, body, code, message, field }) => {
      const caller = http.caller();
      const entry = caseOf(method, path);
      const prepared = prepareCase(caller, entry);
      const sent = typeof body === 'string' ? body : { ...prepared.body, ...body };
      const answer = await send(caller, entry.operation, { ...prepared, body: sent });
      expectError('v2', answer);
      expect({ status: answer.status, error: answer.at('error') }).toEqual({
        status: 400,
        error: { code, message, field_name: field },
      });
    },
  );
});

describe('a call with an unknown key', () => {
  it.each(CASES.map((entry) => [entry.name, entry] as const))('%s: is 401', async (_, entry) => {
    const { method, path, tokenHeader } = entry.operation;
    const url = path.replace(/:\w+/g, 'x');
    const token = tokenHeader === undefined ? {} : { [tokenHeader]: 'card_show_test_1' };
    for (const key of [undefined, 'test_', 'live_default']) {
      const headers = { ...(key !== undefined && { 'api-key': key, 'sd-api-key': key }), ...token };
      const answer = await http.call(method as Method, url, { headers });
      expect(answer.status, answer.text).toBe(401);
      expectError(entry.apiVersion, answer);
      const { message, code } = (answer.at('error') ?? answer.body) as { message: string; code: string };
      if (entry.apiVersion === 'v2' && tokenHeader === undefined) {
        expect([code, message]).toEqual(['ERROR_CODE_UNAUTHORIZED', 'unauthorized']);
      }
    }
  });
});

describe('an error in v1', () => {
  it('for an intrabank contact with the own account has the published code and message', async () => {
    const caller = http.caller();
    const owner = { sub_account_holder_id: caller.seed('person_holder_id'), type: 'checking' };
    const own = (await caller.v2('POST', '/v2/accounts/sub_account', owner)).id();
    const answer = await caller.v1('POST', '/v1/contact', {
      accountId: caller.seed('account_id'),
      name: 'Me',
      type: 'others',
      intrabank: { accountId: own },
    });
    expectError('v1', answer);
    expect([answer.status, answer.at('code'), answer.at('message')]).toEqual([
      400,
      'EC_CONTACT_INVALID_SELF_INTRABANK_REQUEST',
      'Invalid self intrabank request',
    ]);
  });

  it('for a new name of a verified person has the published code', async () => {
    const caller = http.caller();
    const answer = await caller.v1('PATCH', `/v1/person/${caller.seed('person_id')}`, { firstName: 'Eve' });
    expectError('v1', answer);
    expect([answer.status, answer.at('code')]).toEqual([400, 'EC_PERSON_UPDATE_ERROR']);
  });
});
