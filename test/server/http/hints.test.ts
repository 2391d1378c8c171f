/**
 * An unknown field of a body is ignored and named in a header, so that typing errors are found; with strict fields it
 * is refused. A setting makes v1 require its person header. Decisions `person-header` and `unknown-fields` in
 * docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { sqliteError, watchSqlite } from '../../support/failing-sqlite.ts';
import { CASES, type Case, callCase, prepareCase, send, WITH_BODY } from './cases.ts';
import { digestOf } from './digest.ts';
import { expectRefusedV1, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const eachWithBody = WITH_BODY.map((entry) => [entry.title, entry] as const);
const hint = (answer: Answer) => answer.headers['x-sandbox-hint'];

describe('an unknown field', () => {
  const http = useHttp();
  const patch = (caller: Caller, body: unknown) =>
    caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, body);

  it.each(eachWithBody)('of %s is ignored and reported', async (_, entry) => {
    const caller = http.caller();
    const prepared = prepareCase(caller, entry);
    const body = { ...prepared.body, amout: '1.00', Label: 'x' };
    const answer = await send(caller, entry.operation, { ...prepared, body });
    expect(answer.status).toBe(entry.operation.status);
    expect(hint(answer)).toMatch(/ignored.*: amout, Label$/);
  });

  it.each(eachWithBody)('that does not exist needs no hint in %s', async (_, entry) => {
    expect(hint(await callCase(http.caller(), entry))).toBeUndefined();
  });

  it('is reported with its path', async () => {
    const caller = http.caller();
    const answer = await patch(caller, {
      controls: { limit: { per: 'daily', period: 'daily' }, allowed: { mcc: [] }, atm: true },
    });
    expect(answer.status).toBe(200);
    expect(hint(answer)).toContain('controls.limit.per, controls.allowed.mcc, controls.atm');
    expect(answer.at('controls.limit.period')).toBe('daily');
  });

  it('is reported in the items of a list', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', '/v2/accounts/sub_account_holder', {
      master_account_id: caller.seed('master_account_id'),
      type: 'business',
      business: { members: [{ first_name: 'Uma', age: 7 }] },
    });
    expect({ status: answer.status, hint: hint(answer) }).toEqual({
      status: 201,
      hint: expect.stringContaining('business.members[].age'),
    });
  });

  it('is reported in an object that may also be null', async () => {
    const caller = http.caller();
    const answer = await caller.v1('PATCH', `/v1/contact/${caller.seed('contact_id')}`, {
      wire: { domestic: null, local: 'x' },
    });
    expect(hint(answer)).toContain('wire.local');
  });

  // One operation of each version and method: queries are checked in one place.
  const byMethod = Object.groupBy(CASES, ({ apiVersion, operation }) => `${apiVersion} ${operation.method}`);
  const oneOfEach = Object.values(byMethod).flatMap((entries = []) => entries.slice(0, 1));
  it.each(oneOfEach.map((entry) => [entry.title, entry] as const))(
    'in the query of %s is ignored and reported',
    async (_, entry) => {
      const caller = http.caller();
      const prepared = prepareCase(caller, entry);
      const path = `${prepared.path}${prepared.path.includes('?') ? '&' : '?'}limt=3`;
      const answer = await send(caller, entry.operation, { ...prepared, path });
      expect(answer.status, answer.text).toBe(entry.operation.status);
      expect(hint(answer)).toMatch(/ignored.*: limt$/);
    },
  );

  it("in a query may be a client's metadata pair, if the list supports that", async () => {
    const caller = http.caller();
    const list = `/v1/account/${caller.seed('account_id')}/transaction`;
    expect(hint(await caller.v1('GET', `${list}?metadata.anything=goes`))).toBeUndefined();
    expect(hint(await caller.v1('GET', '/v1/contact?metadata.anything=goes'))).toContain('metadata.anything');
  });

  it('that the platform shows in a request but determines itself needs no hint', async () => {
    const caller = http.caller();
    const person = { first_name: 'Uma', kyc: { status: 'pass' }, idv: null };
    const answer = await caller.v2('PATCH', `/v2/issuing/card_holder/${caller.seed('card_holder_id')}`, {
      person,
    });
    expect({ status: answer.status, hint: hint(answer) }).toEqual({ status: 200, hint: undefined });
    expect(answer.at('person.first_name')).toBe('Uma');
  });

  it('may be anything in metadata', async () => {
    expect(hint(await patch(http.caller(), { metadata: { anything: 'goes' } }))).toBeUndefined();
  });

  it('is reported without characters that a header cannot contain', async () => {
    const answer = await patch(http.caller(), '{"label":"Fuel","näme\\r\\nx-injected: 1":1,"\\u0000":2}');
    expect(answer.status).toBe(200);
    expect(hint(answer)).toContain('n?me??x-injected: 1, ?');
    expect(answer.headers['x-injected']).toBeUndefined();
  });

  it('is reported in a header of limited length, even with thousands of others', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, place) => [`field_${place}`, 1]));
    const answer = await patch(http.caller(), { label: 'Fuel', ...many });
    expect(answer.status).toBe(200);
    expect(hint(answer)).toContain('field_0, field_1, ');
    expect(hint(answer)?.length).toBeLessThan(2000);
  });
});

describe('with strict fields', () => {
  const http = useHttp({ strictFields: true });

  it.each(eachWithBody)('an unknown field of %s is refused', async (_, entry) => {
    const caller = http.caller();
    const prepared = prepareCase(caller, entry);
    const before = digestOf(caller.sandbox);
    const body = { ...prepared.body, amout: '1.00', other: 1 };
    const answer = await send(caller, entry.operation, { ...prepared, body });
    if (entry.apiVersion === 'v2') {
      expectRefusedV2(answer, {
        status: 400,
        code: 'ERROR_CODE_INVALID_FIELD',
        field: 'amout',
        message: /amout, other/,
      });
    } else {
      expectRefusedV1(answer, {
        status: 400,
        code: expect.stringMatching(/^EC_[A-Z]+_UNKNOWN_FIELD$/) as unknown as string,
        message: /amout, other/,
      });
    }
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each(eachWithBody)('%s accepts a body of known fields', async (_, entry) => {
    expect((await callCase(http.caller(), entry)).status).toBe(entry.operation.status);
  });

  it('an unknown query parameter is refused', async () => {
    const caller = http.caller();
    const card = caller.seed('card_id');
    expectRefusedV2(await caller.v2('GET', '/v2/issuing/card?limt=3'), {
      status: 400,
      code: 'ERROR_CODE_INVALID_FIELD',
      field: 'limt',
      message: /limt/,
    });
    expectRefusedV1(await caller.v1('GET', `/v1/card/${card}?expand=1`), {
      status: 400,
      code: 'EC_CARD_UNKNOWN_FIELD',
      message: /expand/,
    });
    expect((await caller.v2('GET', '/v2/issuing/card?limit=3')).status).toBe(200);
  });

  /** For a record that is read and changed under one path. */
  const changed = CASES.filter(
    ({ operation: { method, path } }) => method === 'PATCH' && !path.endsWith('files'),
  );
  const readBack = changed.filter(({ operation: { path } }) =>
    CASES.some(({ operation }) => operation.method === 'GET' && operation.path === path),
  );
  /** An update of a card that changes nothing is refused. */
  const REFUSES_UNCHANGED = 'v2_update_card';

  it.each(readBack.map((entry) => [entry.title, entry] as const))(
    '%s accepts the record as it was read, and does not change it',
    async (_, entry) => {
      const caller = http.caller();
      const prepared = prepareCase(caller, entry);
      const { path, headers } = prepared;
      // Projections exist after they were sent.
      if (path.endsWith('/projection')) await send(caller, entry.operation, prepared);
      const read = { ...entry.operation, method: 'GET' as const };
      const before = await send(caller, read, { path, headers, body: undefined });
      const answer = await send(caller, entry.operation, { path, headers, body: before.body });
      expect(answer.status, answer.text).toBe(entry.operation.id === REFUSES_UNCHANGED ? 400 : 200);
      const after = await send(caller, read, { path, headers, body: undefined });
      expect(after.body).toEqual(before.body);
    },
  );

  it('a field with a name of Object.prototype is unknown like any other', async () => {
    const caller = http.caller();
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const answer = await caller.v2(
        'PATCH',
        `/v2/issuing/card/${caller.seed('virtual_card_id')}`,
        `{"${name}":{"label":"x"}}`,
      );
      expect(answer.status, name).toBe(400);
    }
  });
});

describe('with a strict person header', () => {
  const http = useHttp({ strictPersonHeader: true });
  const inV1 = CASES.filter(({ apiVersion }) => apiVersion === 'v1');
  /**
   * The operations about webhooks, for creating a person, for logging in and out, and those with a token, which have
   * no person.
   */
  const isExempt = ({ operation: { method, path, tokenHeader } }: Case) =>
    path.startsWith('/v1/webhook') ||
    path.startsWith('/v1/auth/') ||
    tokenHeader !== undefined ||
    (path === '/v1/person' && method === 'POST');

  it.each(inV1.filter((entry) => !isExempt(entry)).map((entry) => [entry.title, entry] as const))(
    '%s requires the person header',
    async (_, entry) => {
      const caller = http.caller();
      // An example may have a person; an empty header has none.
      const answer = await callCase(caller, entry, { 'sd-person-id': '' });
      expectRefusedV1(answer, { status: 400, code: 'EC_PERSON_ID_HEADER_REQUIRED' });
      expect(answer.body).toMatchObject({
        message: 'person id missing in header',
        sysMessage: 'personId_missing',
      });
      const headers = { 'sd-person-id': caller.seed('person_id') };
      expect((await callCase(caller, entry, headers)).status).toBe(entry.operation.status);
    },
  );

  it.each(inV1.filter(isExempt).map((entry) => [entry.title, entry] as const))(
    '%s does not require it',
    async (_, entry) => {
      expect((await callCase(http.caller(), entry)).status).toBe(entry.operation.status);
    },
  );

  it('v2 has no such header', async () => {
    const caller = http.caller();
    expect((await caller.v2('GET', '/v2/webhook')).status).toBe(200);
  });
});

describe('a hint of an operation', () => {
  const http = useHttp();

  it('occurs once, even if the commit is repeated because waiting rows could not be written', async () => {
    const caller = http.caller();
    const path = `/v1/card/${caller.seed('card_id')}`;
    const limited = await caller.v1('PATCH', path, { limitAmount: '1.00', limitInterval: 'daily' });
    expect(limited.status).toBe(200);
    const buy = () => caller.v1('POST', `${path}/test`, { amount: '2.00' });
    let attempts = 0;
    const end = watchSqlite(({ sql }) => {
      if (!sql.startsWith('insert into "transactions"')) return;
      attempts += 1;
      if (attempts === 1) throw sqliteError('SQLITE_CONSTRAINT_CHECK');
    });
    const again = await buy();
    end();
    expect([attempts, again.status]).toEqual([2, 200]);
    expect(String(hint(again)).split('outside the card test')).toHaveLength(2);
  });
});

describe('a path that is not served names the nearest operation', () => {
  const http = useHttp();

  it.each([
    ['v2', 'GET', '/v2/account/sub_acount', 'GET /v2/accounts/sub_account'],
    ['v2', 'POST', '/v2/payments/ach_pull', 'POST /v2/payments/ach/pull'],
    [
      'v2',
      'PATCH',
      '/v2/issuing/cards/crd_0193a5c0b8007a3e9c4d5e6f70819203',
      'PATCH /v2/issuing/card/{card_id}',
    ],
    ['v1', 'GET', '/v1/accounts/acc-0193a5c0-b800-7a3e-9c4d-5e6f70819203', 'GET /v1/account/{accountId}'],
    ['v1', 'POST', '/v1/persons/undefined/kyc', 'POST /v1/person/{personId}/kyc'],
  ] as const)('in %s: %s %s', async (apiVersion, method, path, nearest) => {
    const answer = await http.caller()[apiVersion](method, path);
    expect([answer.status, hint(answer)]).toEqual([404, `the nearest operation is ${nearest}`]);
  });

  it('in the control plane, with the methods of its path', async () => {
    for (const [method, path, nearest] of [
      ['POST', '/_sandbox/clocks/advance', 'POST /_sandbox/clock/advance'],
      ['PATCH', '/_sandbox/setings', 'GET, PUT /_sandbox/settings'],
    ] as const) {
      const answer = await http.call(method, path);
      expect([answer.status, answer.at('error.hint')]).toEqual([404, `the nearest operation is ${nearest}`]);
    }
  });

  it('is found for a path of any length', async () => {
    const answer = await http.caller().v2('GET', `/v2/${'x'.repeat(8000)}`);
    expect([answer.status, hint(answer)]).toEqual([
      404,
      expect.stringContaining('the nearest operation is GET'),
    ]);
  });
});
