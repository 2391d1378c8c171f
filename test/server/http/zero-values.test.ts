/**
 * Clients in typed languages send every field of their structs: a field that was not set arrives as `""`, `null` or
 * an empty object, and means "not sent". So every operation gets its example without some of its optional fields, and
 * again with zero values for those and for fields that the example does not have: the responses must be the same, and
 * so must the banks afterwards.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FUZZ_RUNS, partOfToday, propertyTimeout, TEST_SEED } from '../../support/runs.ts';
import { CASES, type Case, prepareCase, send } from './cases.ts';
import { digestOf } from './digest.ts';
import { expectRefusedV1, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

interface Shape {
  type?: string;
  enum?: readonly unknown[];
  pattern?: string;
  minLength?: number;
  nullable?: boolean;
  emptyClears?: boolean;
  anyOf?: readonly Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: readonly string[];
}
type Values = Record<string, unknown>;

/** The possible values of an unset field of a struct. */
const ZEROES = ['empty', 'null', 'nested'] as const;
type Zero = (typeof ZEROES)[number];

/**
 * How many combinations of zero values each operation gets; each needs a separate bank, so there are fewer than in
 * other tests.
 */
const DRAWS = FUZZ_RUNS === undefined ? 1 : Math.ceil(FUZZ_RUNS / 4);
const LEFT_OUT = Symbol('left out');

const branchesOf = (shape: Shape): readonly Shape[] => shape.anyOf ?? [shape];
const objectIn = (shape: Shape) => branchesOf(shape).find(({ properties }) => properties !== undefined);
const takesNull = (shape: Shape) =>
  branchesOf(shape).some(({ nullable, type }) => nullable === true || type === 'null');

const takesEmptyText = (shape: Shape) =>
  branchesOf(shape).some(({ type, enum: words, pattern, minLength = 0 }) =>
    words === undefined
      ? type === 'string' && minLength === 0 && new RegExp(pattern ?? '').test('')
      : words.includes(''),
  );

/** The zero value of one optional field; a value with a meaning in its schema is omitted. */
function zeroOf(shape: Shape, zero: Zero, isUpdate: boolean): unknown {
  const object = objectIn(shape);
  const isFree = branchesOf(shape).some(
    ({ type, properties }) => type === 'object' && properties === undefined,
  );
  const isText = branchesOf(shape).some(({ type, enum: words }) => type === 'string' || words !== undefined);
  // In an update `null` removes an object and `""` clears a text, if the schema accepts it.
  if (zero === 'null') return isUpdate && takesNull(shape) ? LEFT_OUT : null;
  if (object !== undefined) {
    if (object.emptyClears === true || zero === 'empty') return {};
    return allZero(object);
  }
  if (isFree) return {};
  if (isText) return isUpdate && takesEmptyText(shape) ? LEFT_OUT : '';
  return LEFT_OUT;
}

/** An object with a zero value for each of its fields. */
function allZero(shape: Shape): Values {
  return Object.fromEntries(
    Object.entries(shape.properties ?? {}).map(([name, inner]) => {
      const object = objectIn(inner);
      if (object !== undefined) return [name, allZero(object)];
      const branch = branchesOf(inner)[0];
      if (branch?.type === 'array') return [name, []];
      if (branch?.type === 'string' || branch?.enum !== undefined) return [name, ''];
      return [name, null];
    }),
  );
}

/**
 * The treatment of one optional field: it stays as in the example, or is absent and then has a zero value.
 */
type Draw = () => Zero | 'stays';

/**
 * A value in two forms: without some of its optional fields, and with a zero value for each field that the first
 * omits.
 */
function inTwoForms(shape: Shape, value: unknown, isUpdate: boolean, draw: Draw): [unknown, unknown] {
  const object = objectIn(shape);
  if (Array.isArray(value)) {
    const items = branchesOf(shape).find((branch) => branch.items !== undefined)?.items;
    if (items === undefined) return [value, value];
    const forms = value.map((item) => inTwoForms(items, item, isUpdate, draw));
    return [forms.map(([without]) => without), forms.map(([, zeroed]) => zeroed)];
  }
  if (object === undefined || object.emptyClears === true || typeof value !== 'object' || value === null) {
    return [value, value];
  }
  const without: Values = { ...value };
  const zeroed: Values = { ...value };
  for (const [name, inner] of Object.entries(object.properties ?? {})) {
    const isSent = Object.hasOwn(value, name);
    const isRequired = object.required?.includes(name) === true;
    const drawn = isRequired ? 'stays' : draw();
    const zero = drawn === 'stays' ? LEFT_OUT : zeroOf(inner, drawn, isUpdate);
    if (zero !== LEFT_OUT) {
      delete without[name];
      zeroed[name] = zero;
    } else if (isSent) {
      [without[name], zeroed[name]] = inTwoForms(inner, (value as Values)[name], isUpdate, draw);
    }
  }
  return [without, zeroed];
}

const http = useHttp();

/** The response of an operation to both forms of its example, each in a new bank. */
async function compare(entry: Case, draw: Draw): Promise<void> {
  const { operation } = entry;
  const callers = [http.caller(), http.caller()] as const;
  const answers: Answer[] = [];
  let forms: [unknown, unknown] | undefined;
  let queries: [unknown, unknown] | undefined;
  for (const [place, caller] of callers.entries()) {
    const prepared = prepareCase(caller, entry);
    const [path = '', search = ''] = prepared.path.split('?');
    // Both banks have the same ids, so the values for the first are valid in the second.
    queries ??= inTwoForms(
      (operation.query ?? {}) as Shape,
      Object.fromEntries(new URLSearchParams(search)),
      false,
      () => (draw() === 'stays' ? 'stays' : 'empty'),
    );
    forms ??= inTwoForms((operation.body ?? {}) as Shape, prepared.body, operation.method === 'PATCH', draw);
    const query = new URLSearchParams(queries[place] as Record<string, string>).toString();
    const sent = { ...prepared, path: query === '' ? path : `${path}?${query}`, body: forms[place] };
    answers.push(await send(caller, operation, sent));
  }
  const [expected, answer] = answers as [Answer, Answer];
  const about = JSON.stringify({ forms, queries, answer: answer.text });
  expect(answer.status, about).toBe(expected.status);
  const [plain, zeroed] = callers;
  expect(alike(answer, zeroed), about).toBe(alike(expected, plain));
  expect(digestOf(zeroed.sandbox), about).toBe(digestOf(plain.sandbox));
}

/**
 * A response without the parts that identify its sandbox: links and their signatures, and the marks of tokens.
 */
function alike({ text }: Answer, { key }: Caller): string {
  return text
    .replaceAll(key.replace('test_', ''), '')
    .replace(/signature=\w+/g, '')
    .replace(/("token": ?"\w+)[0-9a-f]{8}"/g, '$1"');
}

const eachCase = CASES.filter(
  ({ operation: { body, query } }) => body !== undefined || query !== undefined,
).map((entry) => [entry.title, entry] as const);

describe.each(partOfToday(eachCase, 3))('%s', (_, entry) => {
  it.each(ZEROES)('treats all of its optional fields with zero values (%s) as absent', async (zero) => {
    await compare(entry, () => zero);
  });

  it(
    'treats any combination of them as absent',
    async () => {
      const drawn = fc.sample(fc.infiniteStream(fc.constantFrom<Zero | 'stays'>(...ZEROES, 'stays')), {
        numRuns: DRAWS,
        seed: TEST_SEED ?? 1,
      });
      for (const draws of drawn) await compare(entry, () => draws.next().value);
    },
    propertyTimeout(10_000),
  );
});

describe('a zero value', () => {
  const counterparty = (caller: Caller, more: object) =>
    caller.v2('POST', '/v2/payments/counterparty', {
      sub_account_id: caller.seed('sub_account_id'),
      type: 'person',
      person: { first_name: 'Uma', last_name: 'Reed' },
      ...more,
    });
  const NO_ACH = { account_number: '', routing_number: '', account_type: '', bank_name: '' };

  it('creates no sub-record: a rail without fields is no rail', async () => {
    const answer = await counterparty(http.caller(), {
      ach: NO_ACH,
      rtp: { ...NO_ACH, verification_status: '' },
      check: { address: { line1: '', city: '' } },
      international_wire: { account_number: '', beneficiary_bank: { identifier_code: '', address: null } },
      debit_card: { card_number: '', pull_enabled: false, push_enabled: false },
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({
      ach: null,
      rtp: null,
      check: null,
      international_wire: null,
      debit_card: null,
    });
  });

  it('does not hide an invalid value, which is refused with the name of the field', async () => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const answer = await counterparty(caller, { ach: { ...NO_ACH, routing_number: '12' } });
    expectRefusedV2(answer, { status: 400, code: 'ERROR_CODE_INVALID_FIELD', field: 'ach.account_number' });
    const contact = await caller.v1('PATCH', `/v1/contact/${caller.seed('contact_id')}`, {
      ach: { accountNumber: '', routingNumber: '12', accountType: '', bankName: '' },
    });
    expectRefusedV1(contact, { status: 400, code: 'EC_CONTACT_INVALID_REQUEST', message: /^ach\./ });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('is treated as missing where it is required: the address of a physical card', async () => {
    const caller = http.caller();
    const nowhere = { line1: '', line2: '', city: '', state: '', country: '', postalCode: '' };
    const order = { accountId: caller.seed('account_id'), cardType: 'physical' };
    const headers = { 'sd-person-id': caller.seed('person_id') };
    const bare = await caller.v1('POST', '/v1/card', order, headers);
    const empty = await caller.v1(
      'POST',
      '/v1/card',
      { ...order, shipping: { shippingAddress: nowhere } },
      headers,
    );
    expect(bare.status).toBe(400);
    expect([empty.status, empty.at('code'), empty.at('message')]).toEqual([
      400,
      bare.at('code'),
      bare.at('message'),
    ]);
    expect(bare.at('message')).toContain('shipping');
  });

  it('of an enum is the default', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '1.00',
      same_day: '',
      description: null,
      effective_date: null,
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ description: '', ach: { same_day: 'false' } });
  });

  it('changes nothing in an update, while `null` removes an object', async () => {
    const caller = http.caller();
    const path = `/v1/contact/${caller.seed('contact_id')}`;
    const wire = {
      domestic: { accountNumber: '123', routingNumber: '122235821', accountType: 'personalChecking' },
      international: null,
    };
    expect((await caller.v1('PATCH', path, { wire })).status).toBe(200);
    const empty = { accountNumber: '', routingNumber: '', accountType: '', address: null };
    await caller.v1('PATCH', path, {
      wire: { domestic: empty, international: {} },
      ach: {},
      intrabank: { accountNumber: '' },
    });
    const stored = await caller.v1('GET', path);
    expect(stored.at('wire.domestic.accountNumber')).toBe('123');
    expect(stored.at('ach.accountNumber')).not.toBe('');
    const taken = await caller.v1('PATCH', path, { wire: { domestic: null }, ach: null });
    expect(taken.body).toMatchObject({ wire: null, ach: null });
  });

  it('in controls clears the sent fields', async () => {
    const caller = http.caller();
    const path = `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
    const limit = { period: 'daily', max_spend_amount: '20.00' };
    await caller.v2('PATCH', path, { controls: { limit, blocked: { merchants: ['X'] } } });
    const answer = await caller.v2('PATCH', path, {
      controls: { limit: { period: '', max_spend_amount: '' }, blocked: { merchants: [] } },
    });
    expect(answer.at('controls.limit')).toMatchObject({ period: '', max_spend_amount: '' });
    expect(answer.at('controls.blocked.merchants')).toEqual([]);
  });

  it('of a filter is ignored', async () => {
    const caller = http.caller();
    expect(
      (await caller.v2('GET', '/v2/payments/transaction?limit=&ledger_type=&starting_after=')).status,
    ).toBe(200);
    expect((await caller.v1('GET', '/v1/contact?status=&type=&offset=')).status).toBe(200);
  });

  it('with extreme nesting is refused quickly', async () => {
    const caller = http.caller();
    const deep = `${'{"a":'.repeat(50_000)}null${'}'.repeat(50_000)}`;
    const answer = await caller.v2('POST', '/v2/issuing/card_holder', `{"person":${deep}}`);
    expect(answer.status).toBe(400);
  });
});
