// The two published catalogues of event kinds, verbatim. Every change in the bank is published only with kinds of
// these catalogues, each at most once per fact.

import { describe, expect, test } from 'vitest';
import {
  type Change,
  type FactRecords,
  kindsOf,
  transactionKinds,
  V1_KINDS,
  V2_KINDS,
} from '../../../src/bank/model/facts.ts';
import { RAILS, type RailName, railEvents, railOf, railStep } from '../../../src/bank/model/rails/index.ts';
import type { Transaction } from '../../../src/bank/model/records.ts';
import {
  ACCOUNT_STATUSES,
  CARD_STATUSES,
  HOLDER_STATUSES,
  HOLDER_TYPES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionStatus,
  VERIFICATION_STATUSES,
} from '../../../src/bank/model/vocabulary.ts';

const PARTY = [
  'created',
  'updated',
  'status.pending_activation',
  'status.activated',
  'status.suspended',
  'status.deactivated',
  'status.locked',
];
const ACCOUNT = [
  'created',
  'updated',
  'status.open',
  'status.closed',
  'status.credit_blocked',
  'status.debit_blocked',
  'status.blocked',
  'status.locked',
];

/** Resource, its number of kinds, and their last parts. */
const V2: [string, number, string[]][] = [
  ['client', 6, PARTY.slice(1)],
  ['client_member', 7, PARTY],
  ['master_account_holder', 7, PARTY],
  ['sub_account_holder', 7, PARTY],
  ['card_holder', 7, PARTY],
  ['counterparty', 7, PARTY],
  ['master_account', 8, ACCOUNT],
  ['sub_account', 8, ACCOUNT],
  ['card', 8, ACCOUNT],
  [
    'transaction',
    13,
    [
      'created',
      'updated',
      'status.pending',
      'status.clearing',
      'status.cleared',
      'status.settled',
      'status.canceled',
      'status.in_review',
      'status.returned',
      'status.reversed',
      'status.received',
      'status.declined',
      'status.refunded',
    ],
  ],
];

const V1: [string, number, string[]][] = [
  ['account', 4, ['created', 'credit', 'debit', 'updated']],
  [
    'ach',
    9,
    [
      'auth.request',
      'originated.credit',
      'originated.debit',
      'originated.updated',
      'received.credit',
      'received.debit',
      'received.declined',
      'reversal.credit',
      'reversal.debit',
    ],
  ],
  ['business', 5, ['created', 'kyb.approved', 'kyb.declined', 'kyb.review', 'updated']],
  [
    'card',
    16,
    [
      'auth.request',
      'canceled',
      'declined',
      'deposit',
      'enriched',
      'refund',
      'replaced',
      'reversal',
      'reward.canceled',
      'reward.credit',
      'reward.pending',
      'spend',
      'spend.update',
      'updated',
      'wallet.created',
      'wallet.updated',
    ],
  ],
  ['check', 4, ['originated.credit', 'originated.debit', 'reversal.credit', 'reversal.debit']],
  ['contact', 2, ['created', 'updated']],
  ['debitcard', 1, ['chargeback']],
  ['family', 2, ['created', 'updated']],
  ['intrabank', 4, ['originated.credit', 'originated.debit', 'received.credit', 'received.debit']],
  ['member', 2, ['created', 'updated']],
  ['person', 6, ['created', 'kyc.approved', 'kyc.declined', 'kyc.review', 'kyc.updated', 'updated']],
  ['solidcard', 5, ['canceled', 'delivered', 'originated.debit', 'reversal.credit', 'topup']],
  ['transfer', 2, ['created', 'updated']],
  ['wallet', 6, ['created', 'credit', 'debit', 'transfer.created', 'transfer.updated', 'updated']],
  [
    'wire',
    5,
    ['originated.debit', 'originated.updated', 'received.credit', 'reversal.credit', 'reversal.debit'],
  ],
];

describe.each([
  ['v2', V2_KINDS, V2, 78],
  ['v1', V1_KINDS, V1, 73],
] as const)('the event kinds of %s', (_, kinds, catalogue, total) => {
  test.each(catalogue)('of %s are these %i', (resource, count, ends) => {
    const own = kinds.filter((kind) => kind.startsWith(`${resource}.`));
    expect(own).toEqual(ends.map((end) => `${resource}.${end}`));
    expect(own).toHaveLength(count);
  });

  test(`are ${total} in total, without duplicates`, () => {
    expect(kinds).toHaveLength(total);
    expect(new Set(kinds).size).toBe(total);
    expect(catalogue.reduce((sum, [, count]) => sum + count, 0)).toBe(total);
  });
});

const CHANGES: Change[] = [
  'created',
  'updated',
  'status',
  'verified',
  'replaced',
  'provisioned',
  'progressed',
];
const RAIL_NAMES = Object.keys(RAILS) as RailName[];
const known = { v1: new Set(V1_KINDS), v2: new Set(V2_KINDS) };

/** The kinds that are in no catalogue, and duplicates. */
function strangeIn(given: ReturnType<typeof kindsOf>): string[] {
  return (['v1', 'v2'] as const).flatMap((apiVersion) =>
    given[apiVersion].filter(
      (kind, place, kinds) => !known[apiVersion].has(kind) || kinds.indexOf(kind) !== place,
    ),
  );
}

const payment = (rail: RailName, status: TransactionStatus, type = railOf(rail).type) =>
  ({
    rail,
    status,
    type,
    method: railOf(rail).method ?? 'ach',
    direction: railOf(rail).direction,
  }) as Transaction;

describe('every change', () => {
  test.each(RAIL_NAMES)('of a transaction of %s has known kinds', (rail) => {
    const strange = TRANSACTION_STATUSES.flatMap((status) =>
      TRANSACTION_TYPES.flatMap((type) =>
        CHANGES.flatMap((change) =>
          [-1, 0, 1].flatMap((moved) =>
            strangeIn(transactionKinds(payment(rail, status, type), change, moved)),
          ),
        ),
      ),
    );
    expect(strange).toEqual([]);
  });

  test('of the transaction of a return has known kinds, on every rail', () => {
    const methods = RAIL_NAMES.flatMap((rail) => railOf(rail).method ?? []);
    const strange = methods.flatMap((method) =>
      (['reversal_credit', 'reversal_debit'] as const).flatMap((rail) =>
        strangeIn(transactionKinds({ ...payment(rail, 'settled'), method }, 'created', 1)),
      ),
    );
    expect(strange).toEqual([]);
  });

  test('of a holder has known kinds', () => {
    const strange = CHANGES.flatMap((change) =>
      HOLDER_STATUSES.flatMap((status) =>
        HOLDER_TYPES.flatMap((type) =>
          VERIFICATION_STATUSES.flatMap((outcome) => {
            const holder = { type, status, verification: { status: outcome } };
            return strangeIn(
              kindsOf('holder', change, { holder, members: [] } as unknown as FactRecords['holder']),
            );
          }),
        ),
      ),
    );
    expect(strange).toEqual([]);
  });

  test('of an account, a card, a card holder or a counterparty has known kinds', () => {
    const strange = CHANGES.flatMap((change) => [
      ...HOLDER_STATUSES.flatMap((status) => [
        ...strangeIn(kindsOf('counterparty', change, { status } as FactRecords['counterparty'])),
        ...strangeIn(kindsOf('card_holder', change, { status } as FactRecords['card_holder'])),
      ]),
      ...ACCOUNT_STATUSES.flatMap((status) =>
        strangeIn(kindsOf('account', change, { account: { status } } as FactRecords['account'])),
      ),
      ...CARD_STATUSES.flatMap((status) =>
        strangeIn(kindsOf('card', change, { card: { status } } as FactRecords['card'])),
      ),
    ]);
    expect(strange).toEqual([]);
  });

  test('with an unknown or duplicate kind is detected', () => {
    expect(strangeIn({ v1: ['account.closed'], v2: [] })).toEqual(['account.closed']);
    expect(strangeIn({ v1: [], v2: ['card.updated', 'card.updated'] })).toEqual(['card.updated']);
  });
});

describe('a new status', () => {
  test('of a transaction always has a kind in v2, except `originated`, which is its creation', () => {
    for (const rail of RAIL_NAMES) {
      for (const status of TRANSACTION_STATUSES) {
        for (const event of railEvents(rail, status)) {
          const { to } = railStep(rail, status, event);
          const received = to === 'originated' ? [] : [`transaction.status.${to}`];
          expect(transactionKinds(payment(rail, to), 'status', 0).v2).toEqual(received);
        }
      }
    }
  });

  test('of a card before activation is published as locked, which is its status in v2', () => {
    const record = { card: { status: 'pending_activation' } } as FactRecords['card'];
    expect(kindsOf('card', 'created', record).v2).toEqual(['card.created', 'card.status.locked']);
  });
});

test('money that moves on an account is published in v1 as a credit or a debit of the account, last', () => {
  const settled = payment('ach_pull', 'settled');
  expect(transactionKinds(settled, 'status', 1).v1.at(-1)).toBe('account.credit');
  expect(transactionKinds(settled, 'status', -1).v1.at(-1)).toBe('account.debit');
  expect(transactionKinds(settled, 'status', 0).v1).not.toContain('account.credit');
});
