// Planted differences: a proxy in front of a second bank changes one value. The comparison must report it with its
// cause, its field and the decision that explains it, and no difference with another cause.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Mutation, type PassingAnswer, type Platform, startPlatform } from '../compare/support.ts';
import { compareBanks, linesOf, startWorld, type World } from '../compare/world.ts';

type Fields = Record<string, unknown>;

/** Calls with every object in a body. */
function each(value: unknown, change: (object: Fields) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) change(value as Fields);
  for (const inner of Object.values(value)) each(inner, change);
}

/** Changes the successful responses to matching paths. */
function onSuccess(path: RegExp, change: (answer: PassingAnswer) => void): Mutation {
  return {
    answer(answer) {
      if (path.test(answer.path) && answer.status < 400) change(answer);
    },
  };
}

const inObjects = (path: RegExp, change: (object: Fields) => void): Mutation =>
  onSuccess(path, ({ body }) => each(body, change));

const HTTP_CARD = /^\/v2\/issuing\/card(\/|\?|$)/;
const PAYMENTS = /^\/v2\/payments\//;
const TRANSACTION = /^\/v2\/payments\/transaction\/txn_/;
let held: { event: Fields; type: string } | undefined;

interface Mutant {
  readonly name: string;
  readonly scenario: string;
  readonly mutation: Mutation;
  /** The cause and the field. */
  readonly named: string;
  /** The slug of the decision that explains it, or `none`; for each, if several differences are found. */
  readonly decision: string | readonly string[];
  readonly withEvents?: true;
  readonly lateMs?: number;
  readonly patienceMs?: number;
}

const MUTANTS: readonly Mutant[] = [
  {
    name: 'a field is missing',
    scenario: 'v2_create_card',
    mutation: inObjects(HTTP_CARD, (object) => delete object.label),
    named: 'missing label',
    decision: 'none',
  },
  {
    name: 'another balance of a new account',
    scenario: 'createAccount',
    mutation: onSuccess(/^\/v1\/account$/, ({ body }) => {
      body.availableBalance = '500.00';
    }),
    named: 'value availableBalance',
    decision: 'opening-balance',
  },
  {
    name: 'a boolean in place of has_more',
    scenario: 'v2_list_cards',
    mutation: onSuccess(/^\/v2\/issuing\/card\?/, ({ body }) => {
      body.has_more = body.has_more === 'true';
    }),
    named: 'type has_more',
    decision: 'has-more-words',
  },
  {
    name: 'a call that is refused for a field',
    scenario: 'v2_create_counterparty',
    mutation: {
      refuse({ method, path }) {
        if (method !== 'POST' || path !== '/v2/payments/counterparty') return undefined;
        const error = {
          code: 'ERROR_CODE_INVALID_FIELD',
          message: 'it is needed',
          field_name: 'sub_account_id',
        };
        return { status: 400, headers: { 'content-type': 'application/json' }, body: { error } };
      },
    },
    named: 'status ',
    decision: 'counterparty-needs',
  },
  {
    name: 'a field more',
    scenario: 'v2_create_card',
    mutation: inObjects(HTTP_CARD, (object) => {
      if ('last4' in object) object.network = 'visa';
    }),
    named: 'extra network',
    decision: 'none',
  },
  {
    name: 'a number in place of a text',
    scenario: 'v2_originate_ach_pull',
    mutation: inObjects(PAYMENTS, (object) => {
      if (typeof object.amount === 'string') object.amount = Number(object.amount);
    }),
    named: 'type amount',
    decision: 'none',
  },
  {
    name: 'a boolean in place of a flag',
    scenario: 'v2_create_card',
    mutation: inObjects(HTTP_CARD, (object) => {
      if ('atm_enabled' in object) object.atm_enabled = object.atm_enabled === 'true';
    }),
    named: 'type atm_enabled',
    decision: 'value-strictness',
  },
  {
    name: 'null in place of an empty text',
    scenario: 'v2_create_card',
    mutation: inObjects(/^\/v2\/issuing/, (object) => {
      if (object.closed_at === '') object.closed_at = null;
    }),
    named: 'emptiness closed_at',
    decision: 'unset-values',
  },
  {
    name: 'an empty list in place of null',
    scenario: 'v2_retrieve_card',
    mutation: inObjects(HTTP_CARD, (object) => {
      if (object.attachments === null) object.attachments = [];
    }),
    named: 'emptiness attachments',
    decision: 'attachments-shown',
  },
  {
    name: 'another order of states',
    scenario: 'v2_life_ach',
    mutation: inObjects(TRANSACTION, (object) => {
      const swapped: Fields = { pending: 'clearing', clearing: 'pending' };
      object.status = swapped[String(object.status)] ?? object.status;
    }),
    named: 'state-order status',
    decision: 'ach-timing',
  },
  {
    name: 'a state that is never reached',
    scenario: 'v2_life_wire',
    mutation: inObjects(TRANSACTION, (object) => {
      if (object.status === 'settled') object.status = 'pending';
    }),
    named: 'not-reached status',
    // The account that pays the wire is credited by an ACH.
    decision: ['ach-timing', 'wire-timing'],
    patienceMs: 1_000,
  },
  {
    name: 'different error code',
    scenario: 'v2_refusals',
    mutation: {
      answer({ body, status }) {
        if (status === 404) body.error.code = 'ERROR_CODE_NOT_FOUND';
      },
    },
    named: 'error-code code',
    decision: 'v2-error-codes',
  },
  {
    name: 'another status of an error',
    scenario: 'v1_refusals',
    mutation: {
      answer(answer) {
        if (answer.status === 404) answer.status = 400;
      },
    },
    named: 'status ',
    decision: 'v1-error-codes',
  },
  {
    name: 'another status of success',
    scenario: 'createWebhook',
    mutation: {
      answer(answer) {
        if (answer.status === 201 && answer.path === '/v1/webhook') answer.status = 200;
      },
    },
    named: 'status ',
    decision: 'v1-success-status',
  },
  {
    name: 'another rounding',
    scenario: 'v2_life_wire',
    mutation: inObjects(/^\/v2\/accounts\/sub_account\/sub_/, (object) => {
      if ('available_balance' in object) {
        object.available_balance = (Number(object.available_balance) + 0.01).toFixed(2);
      }
    }),
    named: 'rounding available_balance',
    decision: 'none',
  },
  {
    name: 'a header is missing',
    scenario: 'v2_list_webhook_events',
    mutation: {
      answer({ headers }) {
        delete headers['x-request-id'];
      },
    },
    named: 'header x-request-id',
    decision: 'request-id',
  },
  {
    name: 'another media type',
    scenario: 'listWebhookEvents',
    mutation: {
      answer({ headers }) {
        headers['content-type'] = 'application/json';
      },
    },
    named: 'header content-type',
    decision: 'none',
  },
  {
    name: 'another order of a list',
    scenario: 'v2_life_ach',
    mutation: onSuccess(/^\/v2\/payments\/transaction\?/, ({ body }) => body.data.reverse()),
    named: 'order data',
    decision: 'list-paging',
  },
  {
    name: 'a record that is not in the list',
    scenario: 'v2_life_webhook',
    mutation: onSuccess(/^\/v2\/webhook\?/, ({ body }) => body.data.shift()),
    named: 'items data',
    decision: 'none',
  },
  {
    name: 'a word that is not documented',
    scenario: 'v2_create_sub_account',
    mutation: inObjects(/^\/v2\/accounts\/sub_account(\/|\?|$)/, (object) => {
      if (object.status === 'open') object.status = 'opened';
    }),
    named: 'vocabulary status',
    decision: 'account-status-changes',
  },
  {
    name: 'another documented word',
    scenario: 'createCard',
    mutation: inObjects(/^\/v1\/card$/, (object) => {
      if (object.cardStatus === 'pendingActivation') object.cardStatus = 'active';
    }),
    named: 'value cardStatus',
    decision: 'card-status-changes',
  },
  {
    name: 'a time with milliseconds',
    scenario: 'createPerson',
    mutation: inObjects(/^\/v1\/person$/, (object) => {
      if (typeof object.createdAt === 'string') object.createdAt = object.createdAt.replace('Z', '.000Z');
    }),
    named: 'format createdAt',
    decision: 'none',
  },
  {
    name: 'an amount without its cents',
    scenario: 'createAccount',
    mutation: inObjects(/^\/v1\/account$/, (object) => {
      if (object.availableBalance === '1000.00') object.availableBalance = '1000.0';
    }),
    named: 'format availableBalance',
    decision: 'none',
  },
  {
    name: 'another prefix of an id',
    scenario: 'createFamily',
    mutation: onSuccess(/^\/v1\/family$/, ({ body }) => {
      body.id = String(body.id).replace('fam-', 'fml-');
    }),
    named: 'format id',
    decision: 'id-format',
  },
  {
    name: 'the id of another record',
    scenario: 'retrieveCard',
    mutation: onSuccess(/^\/v1\/card\/crd-/, ({ body }) => {
      body.accountId = 'acc-01a2131c-5cf5-7000-bd9c-2f42bbedb3a0';
    }),
    named: 'relation accountId',
    decision: 'none',
  },
  {
    name: 'an event comes late',
    scenario: 'v2_life_card',
    withEvents: true,
    lateMs: 500,
    mutation: {
      event: (event) => ({ events: [event], afterMs: event.type === 'card.status.closed' ? 1_500 : 0 }),
    },
    named: 'event-late card.status.closed',
    decision: 'none',
  },
  {
    name: 'an event is lost',
    scenario: 'v2_life_card',
    withEvents: true,
    mutation: { event: (event) => ({ events: event.type === 'card.status.blocked' ? [] : [event] }) },
    named: 'event-missing card.status.blocked',
    decision: 'event-kinds-told',
  },
  {
    name: 'an event comes twice',
    scenario: 'v2_life_card',
    withEvents: true,
    mutation: {
      event: (event) => ({ events: event.type === 'card.status.blocked' ? [event, event] : [event] }),
    },
    named: 'event-extra card.status.blocked',
    decision: 'repeated-events',
  },
  {
    name: 'events in another order',
    scenario: 'v2_life_card',
    withEvents: true,
    mutation: {
      event(event) {
        if (event.type === 'card.created') {
          held = { type: event.type, event: event.body as Fields };
          return { events: [] };
        }
        const events =
          held === undefined || event.type !== 'card.status.blocked'
            ? [event]
            : [event, { type: held.type, body: held.event }];
        return { events };
      },
    },
    named: 'event-order card.status.closed',
    decision: 'delivery-order',
  },
  {
    name: 'an event without a field',
    scenario: 'v2_life_card',
    withEvents: true,
    mutation: {
      event(event) {
        if (event.type.startsWith('card.status')) delete event.body.data.product;
        return { events: [event] };
      },
    },
    named: 'missing product',
    decision: 'none',
  },
];

describe('a planted difference', () => {
  let world: World;
  let platform: Platform;

  beforeAll(async () => {
    world = await startWorld();
    platform = await startPlatform(world.there.url);
  });
  afterAll(async () => {
    await platform.close();
    await world[Symbol.asyncDispose]();
  });

  test.each(MUTANTS)('$name: is found and named', async (mutant) => {
    const {
      scenario,
      mutation,
      named,
      decision,
      withEvents = false,
      lateMs = 10_000,
      patienceMs = 3_000,
    } = mutant;
    platform.mutate(mutation);
    const { report } = await compareBanks(world, {
      only: (name) => name === scenario,
      url: platform.url,
      withEvents,
      lateMs,
      patienceMs,
    });
    const lines = linesOf(report);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !line.startsWith(`${named}`))).toEqual([]);
    expect(new Set(report.differences.map((one) => one.decision?.slug ?? 'none'))).toEqual(
      new Set([decision].flat()),
    );
  });
});
