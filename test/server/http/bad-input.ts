/**
 * Any input to any operation gets a response of the interface: never a failure of the server, an error always in the
 * version's format, and no change after an error. The values of fast-check are the same in every run. Each change runs
 * a small part of them and of the lists of values, for a quarter of the operations, which changes every day; `SANDBANK_FUZZ_RUNS`, which `SANDBANK_TEST_WHOLE` sets, adds more
 * and all of the lists, `SANDBANK_TEST_SEED` selects others.
 */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { V1_OPERATIONS } from '../../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../../src/bank/api/v2/index.ts';
import { FUZZ_RUNS, partOfToday, TEST_SEED } from '../../support/runs.ts';
import { CASES, type Case, callCase, fieldsOf, prepareCase, send, WITH_BODY } from './cases.ts';
import { digestOf, isSameState, stateOf } from './digest.ts';
import { expectEnvelopeV1, expectEnvelopeV2, expectRefusedV2, problemsWith } from './expectations.ts';
import { type Answer, type Caller, type Method, useHttp } from './support.ts';

const LIMIT_BYTES = 1_048_576;
const USUAL_SEED = 20_261_120;
const IS_LONG = FUZZ_RUNS !== undefined;
const ALL_OPERATIONS = [...V2_OPERATIONS, ...V1_OPERATIONS];
const IS_MALFORMED = { v1: /^EC_[A-Z]+_INVALID_REQUEST$/, v2: /^ERROR_CODE_INVALID_REQUEST_BODY$/ };
const BODY_METHODS = new Set(['POST', 'PATCH']);

const codeOf = (answer: Answer): unknown => answer.at('code') ?? answer.at('error.code');

function expectEnvelope({ apiVersion }: Pick<Case, 'apiVersion'>, answer: Answer): void {
  if (apiVersion === 'v1') expectEnvelopeV1(answer);
  else expectEnvelopeV2(answer);
}

/** A valid call of one operation, and a client that sends any input and checks the response. */
async function prepareProbe(caller: Caller, entry: Case) {
  const prepared = prepareCase(caller, entry);
  let before = stateOf(caller.sandbox);
  const probe = async (body: string, headers?: Record<string, string>): Promise<Answer> => {
    const answer = await send(caller, entry.operation, {
      path: prepared.path,
      body,
      headers: { ...prepared.headers, ...headers },
    });
    const about = `${answer.status} ${answer.text.slice(0, 300)} to ${body.slice(0, 300)}`;
    expect(answer.status, about).toBeLessThan(500);
    const after = stateOf(caller.sandbox);
    if (answer.status >= 400) {
      expectEnvelope(entry, answer);
      expect(isSameState(before, after), `nothing changes: ${about}`).toBe(true);
      return answer;
    }
    if (entry.operation.response !== undefined) {
      expect(problemsWith(entry.operation.response, answer.body), about).toEqual([]);
    }
    before = after;
    return answer;
  };
  return { path: prepared.path, headers: prepared.headers, body: prepared.body ?? {}, probe };
}

/**
 * Tests the responses to bad input in one version; each has a test file of its own, so that they run in parallel.
 */
export function describeBadInput(apiVersion: Case['apiVersion']): void {
  if (IS_LONG) vi.setConfig({ testTimeout: 900_000 });
  const http = useHttp();
  const ofApiVersion = ({ apiVersion: its }: Case): boolean => its === apiVersion;
  const eachCase = partOfToday(CASES.filter(ofApiVersion), 4).map((entry) => [entry.title, entry] as const);
  const eachWithBody = eachCase.filter(([, entry]) => WITH_BODY.includes(entry));
  const eachTakingBodies = eachCase.filter(
    ([, { operation }]) => BODY_METHODS.has(operation.method) && operation.files === undefined,
  );

  describe('the cases', () => {
    it('have a body if the operation has one', () => {
      expect(CASES.map(({ operation }) => operation)).toEqual(ALL_OPERATIONS);
      expect(WITH_BODY.map(({ operation }) => operation.id).sort()).toEqual(
        ALL_OPERATIONS.filter(({ body }) => body !== undefined)
          .map(({ id }) => id)
          .sort(),
      );
    });

    it.each(eachCase)('%s: succeeds unchanged', async (_, entry) => {
      const answer = await callCase(http.caller(), entry);
      expect(answer.status, answer.text).toBe(entry.operation.status);
      expect(answer.headers['x-sandbox-hint']).toBeUndefined();
    });
  });

  /**
   * Any one field of these is sufficient, which no schema says: decisions `document-content` and `plaid-links`.
   */
  const NEEDS_ANY_FIELD = new Set([
    'createPersonDocument',
    'createBusinessDocument',
    'createPlaidAccount',
    'v2_update_card',
  ]);

  describe('a body', () => {
    it.each(eachTakingBodies)('%s: that is not JSON is 400', async (_, entry) => {
      const { probe } = await prepareProbe(http.caller(), entry);
      for (const body of [
        '{',
        '}',
        '{"a":}',
        "{'a':1}",
        '{"a":1}{',
        '{"a":1,}',
        'undefined',
        'NaN',
        '\ufeff{}',
        '\0',
        '"x',
        '{"a":"\n"}',
      ]) {
        const answer = await probe(body);
        expect(answer.status, body).toBe(400);
        expect(codeOf(answer)).toMatch(IS_MALFORMED[entry.apiVersion]);
      }
    });

    it.each(eachWithBody)('%s: that is not an object is 400', async (_, entry) => {
      const { probe } = await prepareProbe(http.caller(), entry);
      for (const body of ['[]', '[{}]', '""', '"x"', '0', '12.5', 'true', 'false', 'null', '1e400']) {
        expect((await probe(body)).status, body).toBe(400);
      }
    });

    it.each(eachWithBody)('%s: that is empty is an empty object', async (_, entry) => {
      // A field, or one of several.
      const { required = [], allOf } = (entry.operation.body ?? {}) as {
        required?: string[];
        allOf?: object;
      };
      const needsSome = required.length > 0 || allOf !== undefined || NEEDS_ANY_FIELD.has(entry.operation.id);
      const status = needsSome ? 400 : entry.operation.status;
      const caller = http.caller();
      const { probe, path, headers } = await prepareProbe(caller, entry);
      for (const body of ['', '{}']) expect((await probe(body)).status).toBe(status);
      const withoutBody = await send(caller, entry.operation, { path, headers, body: undefined });
      expect(withoutBody.status).toBe(status);
    });

    it.each(eachWithBody)('%s: without a required field is 400 and names it', async (_, entry) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      for (const field of (entry.operation.body?.required as string[] | undefined) ?? []) {
        const { [field]: _, ...rest } = body;
        const answer = await probe(JSON.stringify(rest));
        expect(answer.status).toBe(400);
        if (entry.apiVersion === 'v2') expect(answer.at('error.field_name')).toBe(field);
        else expect(answer.at('message')).toContain(field);
      }
    });

    it.each(eachTakingBodies)('%s: with another content type is 415', async (_, entry) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      for (const type of [
        'text/plain',
        'text/html',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/merge-patch+json',
        'application/octet-stream',
        'json',
        '',
        '*/*',
      ]) {
        const answer = await probe(JSON.stringify(body), { 'content-type': type });
        expect(answer.status, type).toBe(415);
      }
    });

    it.each(eachWithBody)('%s: may have a charset', async (_, entry) => {
      const answer = await callCase(http.caller(), entry, {
        'content-type': 'application/json; charset=UTF-8',
      });
      expect(answer.status).toBe(entry.operation.status);
    });

    it.each(eachTakingBodies)('%s: of 1 MiB is accepted, of one byte more is 413', async (_, entry) => {
      const { probe } = await prepareProbe(http.caller(), entry);
      const whole = (bytes: number) => `{"x":"${'x'.repeat(bytes - '{"x":""}'.length)}"}`;
      expect((await probe(whole(LIMIT_BYTES))).status).not.toBe(413);
      expect((await probe(whole(LIMIT_BYTES + 1))).status).toBe(413);
      expect((await probe(' '.repeat(LIMIT_BYTES + 1))).status).toBe(413);
    });

    it.each(eachTakingBodies)('%s: may be nested to any depth', async (_, entry) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      const known = Object.keys(body);
      for (const depth of [100, IS_LONG ? 100_000 : 20_000]) {
        await probe(`${'['.repeat(depth)}${']'.repeat(depth)}`);
        await probe(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
        if (known.length === 0) continue;
        const inEach = (value: string) => `{${known.map((field) => `"${field}":${value}`).join(',')}}`;
        const share = Math.floor(depth / known.length);
        await probe(inEach(`${'['.repeat(share)}${']'.repeat(share)}`));
        await probe(inEach(`${'{"a":'.repeat(share)}1${'}'.repeat(share)}`));
      }
    });

    it.each(eachWithBody)('%s: may have fields with names of Object.prototype', async (_, entry) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
      const known = JSON.stringify(body).slice(1, -1);
      const extra = names.map((name) => `"${name}":{"label":"x","amount":"1.00","polluted":true}`).join(',');
      const answer = await probe(`{${known},${extra}}`);
      expect(answer.status, answer.text).toBe(entry.operation.status);
      expect(answer.headers['x-sandbox-hint']).toContain('__proto__, constructor, prototype, toString');
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });
  });

  /** Every field of a body: its path, for `put`. */
  function placesIn(value: unknown, path: string[] = []): string[][] {
    const own = path.length === 0 ? [] : [path];
    if (value === null || typeof value !== 'object') return own;
    return [...own, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
  }

  const HOLE = 'd1c1a5d4-the-hole';

  /** The body's JSON with one field replaced by other JSON. */
  function withJson(body: unknown, [step = '', ...rest]: string[], json: string): string {
    const replace = (value: unknown, key: string, more: string[]): unknown => {
      const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
        ? [...value]
        : { ...(value as Record<string, unknown>) };
      const slot = copy as Record<string, unknown>;
      const [next, ...others] = more;
      slot[key] = next === undefined ? HOLE : replace(slot[key], next, others);
      return copy;
    };
    return JSON.stringify(replace(body, step, rest)).replace(`"${HOLE}"`, () => json);
  }

  const VALUES = [
    'null',
    'true',
    '0',
    '-1',
    '12.5',
    '1e400',
    '-1e400',
    '123456789012345678901234567890',
    '1e-400',
    '""',
    '" "',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u202e\\u2066\\ufeff"',
    '"👩‍👩‍👧‍👦é́Ω≈ç"',
    '"\\r\\nx-injected: 1"',
    '"\' OR 1=1; DROP TABLE cards; --"',
    `"${'x'.repeat(2001)}"`,
    '{}',
    '[]',
    '[[]]',
    '{"__proto__":{"a":"b"}}',
    '{"constructor":"x"}',
    '"__proto__"',
    '"constructor"',
    '"sub_00000000000000000000000000000000"',
    '"acc-00000000-0000-0000-0000-000000000000"',
  ];

  /** v1 accepts them, as on its page about test credits. */
  const DOLLARS = ['"1"', '"200"'];
  const NO_AMOUNTS = [
    '"1e5"',
    '" 1.00"',
    '"1.00 "',
    '"1.00\\n"',
    '"01.00"',
    '"-1.00"',
    '"+1.00"',
    '"0.00"',
    '"0.000"',
    '"99999999999999.00"',
    '"1,000.00"',
    '"1.0"',
    '".50"',
    '"1."',
    '"0x10.00"',
    '"١٢.٠٠"',
    '"１.００"',
    '"NaN"',
    '"Infinity"',
    '"$1.00"',
    '""',
    '12.5',
    '1',
    '0',
    '1e5',
    'null',
    'true',
    '["1.00"]',
    '{"amount":"1.00"}',
  ];

  describe('a value', () => {
    it.each(eachWithBody)('%s: of any type in any field is accepted or refused', async (_, entry) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      for (const [turn, place] of placesIn(body).entries()) {
        // Each field gets a part of the values, and the next field the next ones; the long tests try all.
        const share = IS_LONG ? 1 : place.length === 1 ? 10 : 40;
        const values = VALUES.filter((_, row) => (row + turn) % share === 0);
        for (const value of values) await probe(withJson(body, place, value));
      }
    });

    it.each(eachWithBody)('%s: with half of a surrogate pair is 400', async (_, entry) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      for (const place of placesIn(body).slice(0, IS_LONG ? undefined : 2)) {
        const answer = await probe(withJson(body, place, '"Ada \\ud83d"'));
        expect(answer.status).toBe(400);
        expect(answer.text).toContain('half of a surrogate pair');
      }
    });

    it.each(eachWithBody)('%s: may be as long as a body may be', async (_, entry) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      for (const field of Object.keys(body)) {
        const answer = await probe(withJson(body, [field], `"${'9'.repeat(500_000)}"`));
        // An id that is too long is unknown.
        expect(field.endsWith('Id') ? [400, 404] : [400], field).toContain(answer.status);
      }
    });

    const withAmount = eachWithBody.filter(([, entry]) => fieldsOf(entry).includes('amount'));
    it.each(withAmount)('%s: that is not an amount is refused as an amount', async (_, entry) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      for (const value of entry.apiVersion === 'v1' ? NO_AMOUNTS : [...NO_AMOUNTS, ...DOLLARS]) {
        const answer = await probe(withJson(body, ['amount'], value));
        expect(answer.status, value).toBe(400);
        if (entry.apiVersion === 'v2') expect(answer.at('error.field_name')).toBe('amount');
        else expect(answer.at('message')).toContain('amount');
      }
    });

    const enums = eachWithBody.flatMap(([name, entry]) =>
      ['type', 'status', 'txnType', 'authMethod', 'events', 'same_day']
        .filter((field) => fieldsOf(entry).includes(field))
        .map((field) => [`${name}: ${field}`, entry, field] as const),
    );
    it.each(enums)('%s must be in the enum', async (_, entry, field) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      const list = field === 'events';
      // An empty value of an optional field counts as absent.
      const isOptional = entry.operation.body?.required?.includes(field) !== true && !list;
      for (const word of [
        'nonsense',
        'OPEN',
        ' ',
        '__proto__',
        'constructor',
        'toString',
        ...(isOptional ? [] : ['']),
      ]) {
        const value = JSON.stringify(list ? [word] : word);
        expect((await probe(withJson(body, [field], value))).status, word).toBe(400);
      }
    });
  });

  describe('a call', () => {
    it.each(eachCase)('%s: without a key or with an unknown one is 401', async (_, entry) => {
      const caller = http.caller();
      const { path, body } = prepareCase(caller, entry);
      const before = digestOf(caller.sandbox);
      const header = entry.apiVersion === 'v1' ? 'sd-api-key' : 'api-key';
      const other = entry.apiVersion === 'v1' ? 'api-key' : 'sd-api-key';
      const { method } = entry.operation;
      const keys = [
        '',
        ' ',
        'x',
        'test_',
        'live_x',
        'TEST_x',
        `test_${'x'.repeat(65)}`,
        'test_../../x',
        'test__proto__ ',
      ];
      const calls = [
        http.call(method, path, { body }),
        http.call(method, path, { body, headers: { [other]: caller.key } }),
        ...keys.map((key) => http.call(method, path, { headers: { [header]: key } })),
        http.call(method, path, { body: '{', headers: { [header]: 'x' } }),
      ];
      for (const answer of await Promise.all(calls)) {
        expect(answer.status).toBe(401);
        expectEnvelope(entry, answer);
        expect(codeOf(answer)).toBe(
          entry.apiVersion === 'v1' ? 'EC_UNAUTHORIZED' : 'ERROR_CODE_UNAUTHORIZED',
        );
      }
      expect(digestOf(caller.sandbox)).toBe(before);
    });

    it.each(eachCase)('%s: with another method is 405 and lists the allowed ones', async (_, entry) => {
      const caller = http.caller();
      const { path } = prepareCase(caller, entry);
      const known = ALL_OPERATIONS.filter((operation) => operation.path === entry.operation.path).map(
        ({ method }) => method as string,
      );
      // Another operation may treat the literal segment as an id, which is then unknown.
      const taken = ALL_OPERATIONS.filter(({ path: other }) =>
        new RegExp(`^${other.replace(/:\w+/g, '[^/]+')}$`).test(entry.operation.path),
      ).map(({ method }) => method as string);
      // Operations with a token are called by pages, whose browsers send a preflight request.
      if (entry.operation.tokenHeader !== undefined) taken.push('OPTIONS');
      const before = digestOf(caller.sandbox);
      for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']) {
        if (taken.includes(method)) continue;
        const answer = await (entry.apiVersion === 'v1' ? caller.v1 : caller.v2)(method as Method, path);
        expect(answer.status, method).toBe(405);
        expectEnvelope(entry, answer);
        expect(answer.headers.allow?.split(', ').sort()).toEqual([...new Set(known)].sort());
      }
      expect(digestOf(caller.sandbox)).toBe(before);
    });

    it.each([apiVersion])('to an unknown path of %s is 404', async (apiVersion) => {
      const caller = http.caller();
      const call = apiVersion === 'v1' ? caller.v1 : caller.v2;
      const good = apiVersion === 'v1' ? '/v1/card/x/test' : '/v2/payments/ach/pull';
      const paths = [
        '',
        '/',
        '/nope',
        '/webhooks',
        '/webhook/1/2/3',
        '//webhook',
        '/__proto__',
        '/%00',
        '/a%20b',
      ];
      for (const path of [
        ...paths.map((it) => `/${apiVersion}${it}`),
        `${good}//`,
        good.toUpperCase().replace(/^.../, `/${apiVersion}`),
      ]) {
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
          const answer = await call(method, path);
          expect(answer.status, `${method} ${path}`).toBe(404);
          expectEnvelope({ apiVersion }, answer);
        }
      }
    });

    it.each([apiVersion])('to %s with a malformed or endless URL is 404', async (apiVersion) => {
      const caller = http.caller();
      const call = apiVersion === 'v1' ? caller.v1 : caller.v2;
      const path = apiVersion === 'v1' ? '/v1/account' : '/v2/issuing/card';
      for (const id of ['%', '%E0%A4%A', '%zz', 'a%', '%c3%28', 'x'.repeat(101), 'x'.repeat(10_000)]) {
        const answer = await call('GET', `${path}/${id}`);
        expect(answer.status, id.slice(0, 20)).toBe(404);
        expectEnvelope({ apiVersion }, answer);
      }
      const listed = await caller.v2('GET', '/v2/webhook?limit=%E0%A4%A');
      expectRefusedV2(listed, { status: 400, code: 'ERROR_CODE_INVALID_FIELD', field: 'limit' });
    });

    it('outside of both versions gets their addresses', async () => {
      for (const path of ['/v3/x', '/V2/webhook', '/favicon.ico']) {
        const answer = await http.call('GET', path);
        expect(answer.status).toBe(404);
        expect(answer.text).toContain('/v2 and /v1');
      }
    });
  });

  describe('random input', () => {
    const settings = (runs: number) => ({ numRuns: FUZZ_RUNS ?? runs, seed: TEST_SEED ?? USUAL_SEED });
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('1.00', '0.01', '9999999999999.99', '2026-11-25', '9999-12-31', 'true', '+15035550100'),
    );

    it.each(eachTakingBodies)('%s: any JSON gets a valid response', async (_, entry) => {
      const { probe } = await prepareProbe(http.caller(), entry);
      await fc.assert(
        fc.asyncProperty(fc.json({ maxDepth: 4 }), async (json) => {
          await probe(json);
        }),
        settings(4),
      );
    });

    it.each(eachWithBody)(
      '%s: a valid body with one replaced value gets a valid response',
      async (_, entry) => {
        const { probe, body } = await prepareProbe(http.caller(), entry);
        await fc.assert(
          fc.asyncProperty(fc.constantFrom(...placesIn(body)), anything, async (place, value) => {
            await probe(withJson(body, place, JSON.stringify(value)));
          }),
          settings(5),
        );
      },
    );

    it.each(eachWithBody)('%s: a valid body without some fields gets a valid response', async (_, entry) => {
      const { probe, body } = await prepareProbe(http.caller(), entry);
      await fc.assert(
        fc.asyncProperty(fc.subarray(Object.keys(body)), async (names) => {
          await probe(JSON.stringify(Object.fromEntries(names.map((name) => [name, body[name]]))));
        }),
        settings(3),
      );
    });

    it.each(eachCase.filter(([, { operation }]) => operation.path.includes(':')))(
      '%s: any id gets a valid response',
      async (_, entry) => {
        const caller = http.caller();
        const { path: own, ...rest } = prepareCase(caller, entry);
        const id = /[a-z]{3}[-_][0-9a-f-]{32,36}/.exec(own)?.[0] ?? '';
        const before = digestOf(caller.sandbox);
        await fc.assert(
          fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), async (text) => {
            fc.pre(!['.', '..'].includes(text));
            const path = own.replace(id, () => encodeURIComponent(text));
            const answer = await send(caller, entry.operation, { ...rest, path });
            expect(answer.status, text).toBe(404);
            expectEnvelope(entry, answer);
          }),
          settings(4),
        );
        expect(digestOf(caller.sandbox)).toBe(before);
      },
    );
  });
}
