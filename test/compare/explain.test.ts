// The decision that explains a difference: found in the register by operation, field and kind of difference, and none
// if no decision applies.

import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { V1_KINDS, V2_KINDS } from '../../src/bank/model/facts.ts';
import { decisionsOf, REGISTER, type RegisteredDecision, speaksOf } from '../../src/bank/model/fidelity.ts';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import type { Found } from '../../src/compare/differences.ts';
import { ASPECTS, explain, isAboutField, spokenOf } from '../../src/compare/explain.ts';
import { OPERATIONS } from '../../src/compare/operations.ts';
import { reportOf } from '../../src/compare/report.ts';
import type { Exchange } from '../../src/compare/transcript.ts';

const EVENTS = [...V2_KINDS, ...V1_KINDS].map((kind) => `event ${kind}`);
const EVERYTHING = [...OPERATIONS, ...EVENTS.map((id) => spokenOf(id))];

/** Every path of a field in a shape. */
function pathsIn(shape: unknown, path = ''): string[] {
  if (typeof shape !== 'object' || shape === null) return [];
  const { properties, items, anyOf, allOf } = shape as Record<string, unknown>;
  const branches = [anyOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [
    ...(path === '' ? [] : [path]),
    ...Object.entries(Object(properties)).flatMap(([name, inner]) =>
      pathsIn(inner, path === '' ? name : `${path}.${name}`),
    ),
    ...pathsIn(items, `${path}[]`),
    ...branches.flatMap((branch) => pathsIn(branch, path)),
  ];
}

/** Fields of refusals and envelopes, and headers. */
const OTHER_FIELDS = [
  ...[
    'request_id',
    'method',
    'error.message',
    'error.field_name',
    'requestId',
    'sysMessage',
    'env',
    'message',
  ],
  ...['eventType', 'programId', 'event_type', 'client_id', 'created_at'],
  ...['x-request-id', 'content-type', 'content-disposition', 'retry-after'],
];

const about = REGISTER.filter((row) => row.about !== undefined);

describe('a decision', () => {
  it('names only existing operations, paths and events', () => {
    const idle = about.flatMap((row) =>
      (row.about?.operations ?? [])
        .filter(
          (named) =>
            !EVERYTHING.some((one) =>
              speaksOf({ ...row, about: { operations: [named] } }, { ...one, decisions: [] }),
            ),
        )
        .map((named) => `${row.slug}: ${named}`),
    );
    expect(idle).toEqual([]);
    expect(
      about.filter((row) => !EVERYTHING.some((one) => speaksOf(row, one))).map(({ slug }) => slug),
    ).toEqual([]);
  });

  it('names only fields in the responses of its operations', () => {
    const paths = new Map(OPERATIONS.map((one) => [one.id, pathsIn(one.response)]));
    const isThere = (row: RegisteredDecision, field: string): boolean => {
      const isAbout = (path: string): boolean => isAboutField({ ...row, about: { fields: [field] } }, path);
      const own = OPERATIONS.filter((one) => speaksOf(row, one));
      // The record of an event is also the response of an operation.
      const all = own.length === 0 ? OPERATIONS : own;
      return OTHER_FIELDS.some(isAbout) || all.some(({ id }) => paths.get(id)?.some(isAbout) === true);
    };
    const unknown = about.flatMap((row) =>
      (row.about?.fields ?? [])
        .filter((field) => !isThere(row, field))
        .map((field) => `${row.slug}: ${field}`),
    );
    expect(unknown).toEqual([]);
  });

  it('names only existing kinds of differences', () => {
    const known = new Set<string>(ASPECTS);
    expect(about.flatMap((row) => (row.about?.causes ?? []).filter((cause) => !known.has(cause)))).toEqual(
      [],
    );
  });
});

const at = (cause: Found['cause'], operation: string, field = '', more: Partial<Found> = {}) => ({
  cause,
  operation,
  field,
  here: 'a',
  there: 'b',
  ...more,
});

describe('a difference', () => {
  test.each([
    ['the balance of a new account', at('value', 'createAccount', 'availableBalance'), 'opening-balance'],
    [
      'both times of closing',
      at('missing', 'v2_retrieve_sub_account', 'timestamps.deactivated_at'),
      'closed-at-names',
    ],
    [
      'one of the two names of a card holder',
      at('missing', 'v2_list_cards', 'data[].cardholder_id'),
      'card-holder-id-names',
    ],
    ['the values of has_more', at('type', 'v2_list_cards', 'has_more'), 'has-more-words'],
    ['the case of a currency', at('vocabulary', 'v2_retrieve_transaction', 'currency'), 'v2-currency-case'],
    [
      'a boolean instead of a string',
      at('type', 'v2_retrieve_card', 'controls.atm_enabled'),
      'value-strictness',
    ],
    [
      'the value of an unset field',
      at('emptiness', 'v2_retrieve_card', 'timestamps.closed_at', { here: '""', there: 'null' }),
      'unset-values',
    ],
    [
      'no attachments',
      at('emptiness', 'v2_retrieve_card', 'attachments', { here: 'null', there: '[]' }),
      'attachments-shown',
    ],
    ['the format of an id', at('format', 'createFamily', 'id'), 'id-format'],
    [
      'the status of a success',
      at('status', 'createWebhook', '', { here: '201', there: '200' }),
      'v1-success-status',
    ],
    ['the code of an error', at('error-code', 'v2_retrieve_card', 'error.code'), 'v2-error-codes'],
    [
      'the status of an error',
      at('status', 'retrieveCard', '', { here: '404', there: '400 EC_X' }),
      'v1-error-codes',
    ],
    [
      'a refusal of a field',
      at('status', 'v2_create_counterparty', '', { here: '400', there: '201', fault: 'sub_account_id' }),
      'counterparty-needs',
    ],
    [
      'the states of a wire',
      at('not-reached', 'v2_retrieve_transaction', 'status', { origin: 'v2_originate_domestic_wire' }),
      'wire-timing',
    ],
    [
      'the states of an ACH',
      at('state-order', 'v2_retrieve_transaction', 'status', { origin: 'v2_originate_ach_push' }),
      'ach-timing',
    ],
    [
      'a lost event',
      at('event-missing', 'event card.status.blocked', 'card.status.blocked'),
      'event-kinds-told',
    ],
    [
      'a repeated event',
      at('event-extra', 'event card.status.blocked', 'card.status.blocked', { here: 'once' }),
      'repeated-events',
    ],
    ['the order of events', at('event-order', 'event card.created', 'card.created'), 'delivery-order'],
    ['the id of a response', at('header', 'v2_list_cards', 'x-request-id'), 'request-id'],
  ])('in %s is explained by its decision', (_name, found, slug) => {
    expect(explain(found)?.slug).toBe(slug);
  });

  test.each([
    [
      'in a record of a list, of which only the order has a decision',
      at('emptiness', 'listProgramContacts', 'data[].label', { here: 'text' }),
    ],
    ['in a label', at('missing', 'v2_create_card', 'label')],
    [
      'in the balance, of which only the value has a decision',
      at('missing', 'createAccount', 'availableBalance'),
    ],
    ['in the balance of another record', at('value', 'v2_retrieve_card', 'available_balance')],
    ['in the states of an unknown payment', at('state-order', 'v2_retrieve_transaction', 'status')],
    [
      'in a call that only one side refuses, for one of many reasons',
      at('status', 'v2_create_counterparty', '', { here: '400', there: '201' }),
    ],
    [
      'in a refusal of a field without a decision',
      at('status', 'v2_create_counterparty', '', { here: '400', there: '201', fault: 'purpose' }),
    ],
    ['in the format of a time', at('format', 'createPerson', 'createdAt')],
  ])('%s is not explained', (_name, found) => {
    expect(explain(found)).toBeUndefined();
  });

  it('has one decision: the same field elsewhere is another difference', () => {
    const found = [
      at('value', 'createAccount', 'availableBalance'),
      at('value', 'v2_create_sub_account', 'available_balance'),
      at('value', 'retrieveAccount', 'availableBalance'),
      at('value', 'retrieveCard', 'availableBalance'),
    ].map((one) => ({ ...one, step: 'life 1' }));
    const { differences } = reportOf({ found, compared: new Map(), agreed: new Map() }, new Set(), () => '');
    expect(differences.map(({ operations, decision }) => [operations, decision?.slug ?? 'none'])).toEqual([
      [['createAccount'], 'opening-balance'],
      [['v2_create_sub_account'], 'opening-balance'],
      [['retrieveAccount'], 'outgoing-money-pending'],
      [['retrieveCard'], 'none'],
    ]);
  });

  it('is found by the operation that created a record, and by the field of a refusal', () => {
    const exchange = (step: string, over: Partial<Exchange>): Exchange => ({
      step,
      operation: 'v2_retrieve_transaction',
      request: { method: 'GET', path: '/v2/payments/transaction/txn_1' },
      answer: { status: 200, headers: {}, body: { id: 'txn_1' } },
      ...over,
    });
    const made = exchange('life 1', {
      operation: 'v2_originate_domestic_wire',
      request: { method: 'POST', path: '/v2/payments/domestic_wire/push' },
    });
    const waited = exchange('life 2', { states: ['pending', 'settled'], isReached: true });
    const never = { ...waited, states: ['pending'], isReached: false };
    const refused = exchange('life 3', {
      answer: { status: 400, headers: {}, body: { error: { code: 'E', field_name: 'type' } } },
    });
    const taken = exchange('life 3', {});
    const { found } = compareRuns(
      { exchanges: [made, waited, refused] },
      { exchanges: [made, never, taken] },
      { sameRecords: true, lateMs: 1 },
    );
    expect(found).toMatchObject([
      { cause: 'not-reached', origin: 'v2_originate_domestic_wire' },
      { cause: 'status', fault: 'type' },
    ]);
  });
});

test('the bodies of events are compared, those of one type in their order', () => {
  const wait = (labels: readonly string[]) => ({
    step: 'life 1',
    event: 'card.updated',
    about: 'crd_1',
    operation: 'v2_update_card',
    received: labels.map((label) => ({ type: 'card.updated', body: { label } })),
    isReached: true,
    afterMs: 0,
  });
  const differing = (here: readonly string[], there: readonly string[]) =>
    compareRuns(
      { exchanges: [], events: [wait(here)] },
      { exchanges: [], events: [wait(there)] },
      { sameRecords: true, lateMs: 1 },
    ).found.map(({ operation, field, here: own, there: foreign }) => [operation, field, own, foreign]);
  expect(differing(['Fuel', 'Food'], ['Fuel', 'Food'])).toEqual([]);
  expect(differing(['Fuel', 'Food'], ['Rent', 'Tax'])).toEqual([
    ['event card.updated', 'label', '"Fuel"', '"Rent"'],
    ['event card.updated', 'label', '"Food"', '"Tax"'],
  ]);
});

describe('the decisions of an operation', () => {
  it('are those that it cites and those that name it, without those of a whole version', () => {
    const operation = OPERATIONS.find(({ id }) => id === 'v2_retrieve_sub_account');
    const slugs = decisionsOf(operation ?? { id: '', path: '' }).map(({ slug }) => slug);
    expect(slugs).toContain('outgoing-money-pending');
    expect(slugs).toContain('closed-at-names');
    expect(slugs).not.toContain('unset-values');
    const wire = OPERATIONS.find(({ id }) => id === 'v2_originate_domestic_wire');
    expect(
      decisionsOf(wire ?? { id: '', path: '' })
        .map(({ slug }) => slug)
        .slice(0, 3),
    ).toEqual(wire?.decisions);
  });

  it('cite only existing decisions', () => {
    expect(readFileSync(new URL('../../data/decisions.json', import.meta.url), 'utf8')).toContain('"about"');
    for (const operation of OPERATIONS) expect(() => decisionsOf(operation)).not.toThrow();
  });
});
