/**
 * A simulation uses every sent field: a record or an event shows it, or the request is refused because of it. The
 * fields come from the schemas of the operations, so a new field needs a value here.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { V1_OPERATIONS } from '../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../src/bank/api/v2/index.ts';
import { RAIL_EVENTS } from '../../src/bank/model/vocabulary.ts';
import { AUTHORIZATION_EVENTS } from '../../src/bank/verbs/cards/purchases.ts';
import { CARD_EVENTS, HOLDER_EVENTS } from '../../src/bank/verbs/simulation/records.ts';
import { CONTROL_OPERATIONS } from '../../src/sandboxes/control/index.ts';
import { INCOMING_RAILS } from '../../src/sandboxes/control/simulations/fields.ts';
import {
  authorize,
  makeHolder,
  onHold,
  originate,
  payee,
  receive,
  simulate,
} from '../reference/register/checks.ts';
import { type Answer, type Caller, useHttp, valueAt } from '../server/http/support.ts';

const http = useHttp({ small: true });

type Body = Record<string, unknown>;

/** One way to call an operation: its preconditions, and the path and body to which one field is added. */
interface Way {
  operation: string;
  name: string;
  /** The only tested field, if the call without it is refused. */
  only?: string;
  prepare(caller: Caller): Promise<{ path: string; body: Body; parent?: string }>;
}

const SIMULATIONS = [...V1_OPERATIONS, ...V2_OPERATIONS, ...CONTROL_OPERATIONS].filter(
  ({ method, path }) => method === 'POST' && /\/simulate\/|\/test(\/ach)?$/.test(path),
);

/**
 * The fields of a body, with those of nested objects and lists of objects: `merchant.name`, `reasons.0.code`.
 */
function fieldsOf(schema: TSchema, before = ''): string[] {
  return Object.entries((schema.properties ?? {}) as Record<string, TSchema>).flatMap(([name, field]) => {
    const inner = fieldsOf(field, `${before}${name}.`);
    const items = field.items === undefined ? [] : fieldsOf(field.items as TSchema, `${before}${name}.0.`);
    return inner.length + items.length > 0 ? [...inner, ...items] : [`${before}${name}`];
  });
}

type Value = unknown | ((caller: Caller, parent: string) => unknown);

const PLACE = { city: 'Ashford', country: 'CA', postal_code: '88776', state: 'OR' };

/** The value of each field, by its path or its name. A text with quinces must occur in the results. */
const VALUES: Readonly<Record<string, Value>> = {
  ...PLACE,
  account_id: (caller: Caller) => caller.seed('other_account_id'),
  account_number: async (caller: Caller) =>
    (await caller.v1('GET', `/v1/account/${caller.seed('other_account_id')}`)).id('accountNumber'),
  amount: '3.25',
  atm: true,
  bank_name: 'Quince Savings Bank',
  card_id: (caller: Caller) => caller.seed('physical_card_id'),
  category: 'Quince Shops',
  code: 'QUINCE-7',
  counterparty_name: 'Quince Orchard',
  counterparty_routing_number: '121042882',
  description: 'Quince harvest',
  eta: '2026-12-24',
  final: false,
  id: 'QUINCE-2',
  identifier_code: 'COBADEFFXXX',
  late: true,
  line1: '7 Quince Row',
  line2: 'Quince Loft',
  master_account_id: `mas_${'0'.repeat(32)}`,
  mcc: '5942',
  merchantCategory: 'Quince Shops',
  merchantCategoryCode: '5942',
  merchantCity: 'Ashford',
  merchantCountry: 'CA',
  merchantId: 'QUINCE-2',
  merchantName: 'Quince Stand',
  merchantState: 'OR',
  message: 'The quince was not ripe',
  name: 'Quince Orchard',
  number: 'QUINCE-1',
  parent_transaction_id: (_: Caller, parent: string) => parent,
  parentTxnId: (_: Caller, parent: string) => parent,
  postalCode: '88776',
  provider: 'Quince Express',
  reason: 'quinceReason',
  'reasons.0.code': 'QUINCE-8',
  'reasons.0.description': 'A quince is no pear',
  return_code: 'R08',
  routing_number: '121042882',
  senderName: 'Quince Orchard',
  senderRoutingNumber: '121042882',
  sub_account_id: (caller: Caller) => caller.seed('other_sub_account_id'),
  url: 'https://quince.example/1',
};

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const givenValue = (field: string): Value => VALUES[field] ?? VALUES[lastOf(field)];

/** The schema of a field at its path. */
function schemaAt(schema: TSchema, field: string): TSchema {
  let found = schema;
  for (const step of field.split('.')) found = step === '0' ? found.items : found.properties[step];
  return found;
}

/** The possible values of a field: all values of an enum except the present one, until one is accepted. */
async function valuesOf(
  schema: TSchema,
  field: string,
  body: Body,
  caller: Caller,
  parent: string,
): Promise<unknown[]> {
  const words: unknown[] | undefined = schemaAt(schema, field).enum;
  if (words !== undefined) return words.filter((word) => word !== '' && word !== valueAt(body, field));
  const value = givenValue(field);
  return [typeof value === 'function' ? await value(caller, parent) : value];
}

const held = async (caller: Caller, amount = '20.00') =>
  (await authorize(caller, amount)).id('transaction.id');

const captured = async (caller: Caller): Promise<string> => {
  const id = await held(caller);
  await onHold(caller, id, 'capture');
  return id;
};

const disputed = async (caller: Caller): Promise<string> => {
  const id = await captured(caller);
  await onHold(caller, id, 'dispute');
  return id;
};

type Make = (caller: Caller) => Promise<string>;

const cardTest = (name: string, body: Body, parent?: Make): Way => ({
  operation: 'testCard',
  name,
  async prepare(caller) {
    const [own, other] = [await parent?.(caller), await held(caller)];
    const path = `/v1/card/${caller.seed('card_id')}/test`;
    return { path, body: { amount: '7.00', ...body, ...(own && { parentTxnId: own }) }, parent: other };
  },
});

const cardSimulation = (type: string, status: string, parent?: Make): Way => ({
  operation: 'v2_simulate_incoming_card_issuing',
  name: `${type} ${status}`,
  async prepare(caller) {
    const [own, other] = [await parent?.(caller), await held(caller)];
    const body = { card_id: caller.seed('virtual_card_id'), amount: '7.00', type, status };
    const path = '/v2/simulate/incoming/card_issuing';
    return { path, body: { ...body, ...(own && { parent_transaction_id: own }) }, parent: other };
  },
});

const incoming = (operation: string, path: string): Way[] =>
  [{ sub_account_id: 'sub_account_id' }, { master_account_id: 'master_account_id' }].map((target) => ({
    operation,
    name: `${path} to ${Object.keys(target)}`,
    prepare: async (caller) => {
      const [[field, seed]] = Object.entries(target) as [[string, string]];
      return { path, body: { amount: '7.00', [field]: caller.seed(seed) } };
    },
  }));

const received =
  (rail: string, ...events: string[]): Make =>
  async (caller) => {
    const id = (await receive(caller, rail)).id('transaction.id');
    for (const event of events) await simulate(caller, id, event);
    return id;
  };

const ordered =
  (path: string, ...events: string[]): Make =>
  async (caller) => {
    const id = (await originate(caller, {}, path)).id();
    for (const event of events) await simulate(caller, id, event);
    return id;
  };

const pulledFromCard: Make = async (caller) => {
  const body = { counterparty_id: await payee(caller) };
  const id = (await originate(caller, body, 'debitcard/pull')).id();
  await simulate(caller, id, 'settle');
  return id;
};

/** A payment for each event of a rail, in a state that accepts the event. */
const BEFORE: Readonly<Record<(typeof RAIL_EVENTS)[number], readonly Make[]>> = {
  submit: [ordered('ach/push')],
  send: [ordered('ach/push', 'submit')],
  clear: [ordered('ach/push', 'submit', 'send')],
  settle: [received('rtp'), received('ach_pull')],
  return: [received('ach_push', 'settle'), ordered('ach/push', 'settle')],
  reverse: [ordered('ach/push', 'settle')],
  cancel: [ordered('ach/push')],
  review: [ordered('ach/push'), received('ach_push')],
  approve: [ordered('ach/push', 'review')],
  decline: [ordered('ach/push', 'review'), received('ach_pull')],
  expire: [held],
  refund: [captured],
  dispute: [captured],
  win_dispute: [disputed],
  lose_dispute: [disputed],
  charge_back: [pulledFromCard],
};

const BEFORE_DISPUTE: Readonly<Record<string, Make>> = {
  dispute: captured,
  win_dispute: disputed,
  lose_dispute: disputed,
};

const holderOf = async (caller: Caller): Promise<string> => {
  const made = await makeHolder(caller);
  return made.id();
};

const at = (
  operation: string,
  name: string,
  path: (id: string) => string,
  make: Make,
  body: Body = {},
  only?: string,
): Way => ({
  operation,
  name,
  ...(only !== undefined && { only }),
  prepare: async (caller) => ({ path: path(await make(caller)), body }),
});

const seeded =
  (name: string): Make =>
  async (caller) =>
    caller.seed(name);

const LONG_AFTER_MS = 20 * 86_400_000;

/** Waits until the windows of returns and reversals are over. */
const old =
  (make: Make): Make =>
  async (caller) => {
    const id = await make(caller);
    http.clock.advance(LONG_AFTER_MS);
    return id;
  };

const WAYS: readonly Way[] = [
  cardTest('auth', { txnType: 'auth' }),
  cardTest('authUpdate', { txnType: 'authUpdate' }, held),
  cardTest('partial reversal', { txnType: 'reversal' }, held),
  cardTest('reversal', { txnType: 'reversal', amount: '20.00' }, held),
  cardTest('refund', { txnType: 'refund' }),
  cardTest('refund of a purchase', { txnType: 'refund' }, captured),
  at('testAch', 'credit', (id) => `/v1/account/${id}/test/ach`, seeded('account_id'), {
    amount: '7.00',
    txnType: 'credit',
  }),
  ...incoming('v2_simulate_incoming_ach_push', '/v2/simulate/incoming/ach/push'),
  ...incoming('v2_simulate_incoming_ach_pull', '/v2/simulate/incoming/ach/pull'),
  ...incoming('v2_simulate_incoming_domestic_wire', '/v2/simulate/incoming/domestic_wire'),
  ...incoming('v2_simulate_incoming_international_wire', '/v2/simulate/incoming/international_wire'),
  cardSimulation('auth', 'pending'),
  cardSimulation('auth', 'settled'),
  cardSimulation('adjust', 'settled', held),
  cardSimulation('reverse', 'settled', held),
  cardSimulation('refund', 'settled', captured),
  cardSimulation('refund', 'pending', captured),
  ...RAIL_EVENTS.flatMap((event) =>
    BEFORE[event].flatMap((make, place) =>
      [make, ...(event === 'return' || event === 'reverse' ? [old(make)] : [])].map((state, age) =>
        at(
          'sandbox_simulate_transaction',
          `${event} ${place}${age === 0 ? '' : ' after a long time'}`,
          (id) => `/_sandbox/simulate/transactions/${id}/${event}`,
          state,
          {},
          age === 0 ? undefined : 'late',
        ),
      ),
    ),
  ),
  ...Object.keys(INCOMING_RAILS).flatMap((rail) =>
    // The form of an account's id is independent of the rail.
    (rail === 'ach_push' ? ['sub_account_id', 'account_id', 'account_number'] : ['sub_account_id']).map(
      (target): Way => ({
        operation: 'sandbox_simulate_incoming',
        name: `${rail} to ${target}`,
        prepare: async (caller) => ({
          path: `/_sandbox/simulate/incoming/${rail}`,
          body: {
            amount: '7.00',
            [target]: target === 'account_number' ? '999900001111' : caller.seed(target),
            ...(rail === 'international_wire' && { sender: { identifier_code: 'DEUTDEFF500' } }),
          },
        }),
      }),
    ),
  ),
  at(
    'sandbox_simulate_card_authorization',
    'authorize',
    (id) => `/_sandbox/simulate/cards/${id}/authorize`,
    seeded('virtual_card_id'),
    { amount: '7.00' },
  ),
  at(
    'sandbox_simulate_card_refund',
    'refund',
    (id) => `/_sandbox/simulate/cards/${id}/refund`,
    seeded('virtual_card_id'),
    { amount: '7.00' },
  ),
  ...AUTHORIZATION_EVENTS.map((event) =>
    at(
      'sandbox_simulate_authorization',
      event,
      (id) => `/_sandbox/simulate/authorizations/${id}/${event}`,
      event === 'refund' ? captured : (BEFORE_DISPUTE[event] ?? held),
      event === 'expire' || event in BEFORE_DISPUTE ? {} : { amount: '7.00' },
    ),
  ),
  ...HOLDER_EVENTS.map((event) =>
    at(
      'sandbox_simulate_holder',
      event,
      (id) => `/_sandbox/simulate/holders/${id}/${event}`,
      async (caller) => {
        if (event.startsWith('idv_')) {
          const id = caller.seed('person_id');
          await caller.v1('POST', `/v1/person/${id}/idv`);
          return id;
        }
        const id = await holderOf(caller);
        if (event === 'unlock') await caller.v2('POST', `/_sandbox/simulate/holders/${id}/lock`, {});
        return id;
      },
    ),
  ),
  ...CARD_EVENTS.map((event) =>
    at(
      'sandbox_simulate_card',
      event,
      (id) => `/_sandbox/simulate/cards/${id}/${event}`,
      async (caller) => {
        const id = caller.seed('physical_card_id');
        const before = { unlock: 'lock', deliver: 'ship' }[event as string];
        if (before !== undefined) await caller.v2('POST', `/_sandbox/simulate/cards/${id}/${before}`, {});
        return id;
      },
    ),
  ),
];

/** Sets the field at a path like `reasons.0.code` in a copy of the body. */
function withField(body: Body, path: string, value: unknown): Body {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...body, [first]: value };
  if (rest[0] !== '0')
    return { ...body, [first]: withField((body[first] ?? {}) as Body, rest.join('.'), value) };
  const reason = { code: 'R112', ...((body[first] as Body[] | undefined)?.[0] ?? {}) };
  return { ...body, [first]: [withField(reason, rest.slice(1).join('.'), value)] };
}

const send = (caller: Caller, path: string, body: Body): Promise<Answer> =>
  path.startsWith('/v1') ? caller.v1('POST', path, body) : caller.v2('POST', path, body);

/**
 * All visible effects of a call: its response, the events of both versions, and v1's transactions of the account.
 */
async function seenOf(caller: Caller, path: string, body: Body): Promise<{ answer: Answer; text: string }> {
  const answer = await send(caller, path, body);
  const events = await caller.receivedEvents();
  const entries = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction?limit=5`);
  return { answer, text: JSON.stringify([answer.status, answer.body, events, entries.body]) };
}

/** Fields without a visible effect, by operation, field and way, each with the reason. */
const NOT_SHOWN: readonly (readonly [operation: string, field: string, way: RegExp, why: string])[] = [
  [
    'sandbox_simulate_transaction',
    'late',
    /^re(turn|verse) \d$/,
    'it permits what comes after a window, and within the window there is nothing to permit',
  ],
  [
    'sandbox_simulate_incoming',
    'sender.bank_name',
    /^domestic_wire/,
    'the platform does not name the bank of who sent a wire: decision `v2-other-bank`',
  ],
];

const isNotShown = (way: Way, field: string): boolean =>
  NOT_SHOWN.some(
    ([operation, name, ways]) => operation === way.operation && name === field && ways.test(way.name),
  );

/**
 * Sends the call from the same state without the field and with it; returns the fields that change nothing.
 */
async function ignoredBy(way: Way, schema: TSchema, taken: Set<string>): Promise<string[]> {
  const caller = http.caller();
  await caller.listen();
  const { path, body, parent = '' } = await way.prepare(caller);
  await caller.receivedEvents();
  const image = caller.sandbox.image();
  const plain = await seenOf(caller, path, body);
  if (way.only === undefined) expect(plain.answer.status, plain.answer.text).toBeLessThan(300);
  const ignored: string[] = [];
  for (const field of way.only === undefined ? fieldsOf(schema) : [way.only]) {
    for (const value of await valuesOf(schema, field, body, caller, parent)) {
      caller.sandbox.replaceWith(image);
      const { answer, text } = await seenOf(caller, path, withField(body, field, value));
      const isTaken = answer.status < 300;
      const mustBeFound = isTaken && /quince/i.test(`${value}`);
      if (isTaken) taken.add(field);
      if (text === plain.text || (mustBeFound && !text.includes(`${value}`))) ignored.push(field);
      if (isTaken) break;
    }
  }
  return ignored;
}

describe('a simulation', () => {
  it('is called at least once, with a value for each of its fields', () => {
    const simulated = SIMULATIONS.filter(({ body }) => body !== undefined);
    expect(simulated.map(({ id }) => id).sort()).toEqual(
      [...new Set(WAYS.map(({ operation }) => operation))].sort(),
    );
    const without = simulated.flatMap(({ body }) =>
      fieldsOf(body as TSchema).filter(
        (field) => schemaAt(body as TSchema, field).enum === undefined && givenValue(field) === undefined,
      ),
    );
    expect(without).toEqual([]);
    expect(
      fieldsOf(
        Type.Object({
          a: Type.Object({ b: Type.String() }),
          c: Type.Array(Type.Object({ d: Type.String() })),
        }),
      ),
    ).toEqual(['a.b', 'c.0.d']);
  });

  it.each([...new Set(WAYS.map(({ operation }) => operation))])(
    '%s has an effect for every field that it accepts',
    async (id) => {
      const { body: schema } = SIMULATIONS.find((operation) => operation.id === id) as { body: TSchema };
      const taken = new Set<string>();
      const found: string[] = [];
      const excused = new Set<string>();
      for (const way of WAYS.filter(({ operation }) => operation === id)) {
        for (const field of await ignoredBy(way, schema, taken)) {
          if (isNotShown(way, field)) excused.add(field);
          else found.push(`${way.name}: ${field}`);
        }
      }
      expect(found, 'what changes nothing').toEqual([]);
      expect([...excused].sort()).toEqual(
        NOT_SHOWN.filter(([operation]) => operation === id).map(([, field]) => field),
      );
      // A field that is refused in every way would also have no effect; only another master account is always
      // refused.
      const refused = fieldsOf(schema).filter((field) => !taken.has(field));
      expect(refused).toEqual(fieldsOf(schema).filter((field) => field === 'master_account_id'));
    },
  );
});
