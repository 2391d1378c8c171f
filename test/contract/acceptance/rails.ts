/**
 * The rails that both generations have, row by row, with what a payment on one is called in each of its states; and how a
 * payment and the entries of an account are read in both.
 */
import { expect } from 'vitest';
import type { Caller } from '../../server/http/support.ts';
import { dashed, expectSame, type Pair, TRANSACTION } from './pairs.ts';
import { ok } from './things.ts';

/** The statuses of one payment: as a transfer and as a transaction of v1, and in v2. */
export type Statuses = readonly [transfer: string, transaction: string, v2: string];

export interface Rail {
  /** The order in each API version. */
  readonly v1: readonly [path: string, more?: object];
  readonly v2: readonly [path: string, more?: object];
  readonly opened: Statuses;
  /** What happens then, and what it is called afterwards. */
  readonly course: readonly (readonly [event: string, Statuses])[];
}

const SETTLED: Statuses = ['completed', 'settled', 'settled'];
const IMAGE = 'aGFsZiBhIGNoZWNr';

/** The rails that both generations have, row by row. */
export const RAILS: Readonly<Record<string, Rail>> = {
  'intra account push': {
    v1: ['send/intrabank'],
    v2: ['intra_account/push'],
    opened: SETTLED,
    course: [['reverse', ['completed', 'settled', 'reversed']]],
  },
  'intra account pull': {
    v1: ['receive/intrabank'],
    v2: ['intra_account/pull'],
    opened: SETTLED,
    course: [['reverse', ['completed', 'settled', 'reversed']]],
  },
  'ACH push': {
    v1: ['send/ach'],
    v2: ['ach/push'],
    opened: ['completed', 'settled', 'originated'],
    course: [
      ['submit', ['completed', 'settled', 'pending']],
      ['send', ['completed', 'settled', 'clearing']],
      ['clear', ['completed', 'settled', 'cleared']],
      ['settle', SETTLED],
      ['return', ['completed', 'settled', 'returned']],
    ],
  },
  'ACH pull': {
    v1: ['receive/ach'],
    v2: ['ach/pull'],
    opened: ['pending', 'pending', 'originated'],
    course: [
      ['submit', ['pending', 'pending', 'pending']],
      ['review', ['pending', 'pending', 'in_review']],
      ['approve', ['pending', 'pending', 'pending']],
      ['settle', SETTLED],
      ['return', ['declined', 'settled', 'returned']],
    ],
  },
  'domestic wire': {
    v1: ['send/wire', { type: 'domestic' }],
    v2: ['domestic_wire/push'],
    opened: ['pending', 'pending', 'originated'],
    course: [
      ['clear', ['pending', 'pending', 'cleared']],
      ['return', ['declined', 'canceled', 'returned']],
    ],
  },
  'international wire': {
    v1: ['send/wire', { type: 'international' }],
    v2: ['international_wire/push'],
    opened: ['pending', 'pending', 'originated'],
    course: [['settle', SETTLED]],
  },
  'check that is sent': {
    v1: ['send/check'],
    v2: ['check/send'],
    opened: ['completed', 'settled', 'originated'],
    course: [['cancel', ['canceled', 'canceled', 'canceled']]],
  },
  'check that is deposited': {
    v1: ['receive/check'],
    v2: ['check/deposit', { image: { front: IMAGE, back: IMAGE } }],
    opened: ['waitingForFiles', 'pending', 'originated'],
    course: [['settle', SETTLED]],
  },
  'debit card pull': {
    v1: ['receive/debitpull'],
    v2: ['debitcard/pull'],
    opened: ['pending', 'pending', 'originated'],
    course: [['settle', SETTLED]],
  },
};

/** A payment as each API version shows it: the entry, and what was ordered. */
export async function payment(caller: Caller, rail: Rail, id: string): Promise<{ entry: Pair; order: Pair }> {
  const v2 = (await ok(caller.v2('GET', `/v2/payments/transaction/${id}`))).body;
  const account = `/v1/account/${caller.seed('account_id')}/transaction/${id}`;
  const transfer = `/v1/${rail.v1[0]}/tra-${dashed(id.slice(4))}`;
  return {
    entry: { v1: (await ok(caller.v1('GET', account))).body, v2 },
    order: { v1: (await ok(caller.v1('GET', transfer))).body, v2 },
  };
}

/** Every entry of the account is in both lists, in the same order and the same; answers v1's. */
export async function expectSameEntries(caller: Caller): Promise<Record<string, unknown>[]> {
  const v1 = await ok(caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction?limit=100`));
  const path = `/v2/payments/transaction?sub_account_id=${caller.seed('sub_account_id')}&limit=100`;
  const v2 = await ok(caller.v2('GET', path));
  expect(v1.at('total')).toBe(v2.at('total'));
  const entries = v1.at('data') as Record<string, unknown>[];
  for (const [at, entry] of entries.entries()) {
    const pair = { v1: entry, v2: v2.at(`data.${at}`) };
    // v1 describes a purchase and a reversal in words of its own.
    const own = entry.subType === 'originated';
    expectSame(
      pair,
      TRANSACTION.filter(([field]) => own || field !== 'description'),
    );
  }
  return entries;
}
