/**
 * The status of a transaction in v1. v1 has two kinds of rails. On some, a payment is complete when it is created:
 * the later steps are between the banks, and a return is a separate transaction. On the others it is pending until
 * the money has arrived. A payment has two statuses: one as a transfer (the client's request) and one as a
 * transaction. Both are tables, so that the same rows determine the status of a record and filter lists.
 * Source: the states of transfers and transactions of the platform's v1 reference; decisions
 * `uncaptured-authorization`, `v1-payment-status` and `rows-add-up` in docs/fidelity.md.
 */

import { TRANSACTION_FILTERS, type TransactionCondition } from '../../../model/filters.ts';
import { RAIL_NAMES, type RailName, railOf } from '../../../model/rails/index.ts';
import type { Transaction } from '../../../model/records.ts';
import { TRANSACTION_STATUSES as BANK_STATUSES, type TransactionStatus } from '../../../model/vocabulary.ts';

export const TRANSFER_STATUSES = [
  'completed',
  'pending',
  'declined',
  'settled',
  'approved',
  'waitingForFiles',
  'canceled',
  'refund',
  'returned',
] as const;
export const TRANSACTION_STATUSES = ['pending', 'settled', 'canceled', 'declined', 'returned'] as const;

type TransferStatus = (typeof TRANSFER_STATUSES)[number];
type V1TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** A property of a transaction, which can be checked for a record and used as a filter. */
type Trait = { readonly field: keyof typeof TRANSACTION_FILTERS } & (
  | { readonly is: number }
  | { readonly oneOf: readonly string[] }
  | { readonly isSet: true }
  | { readonly isNull: true }
);
/** A status and its required properties: exactly one case of a table matches each transaction. */
type Case<S> = readonly [status: S, ...Trait[]];

const inState = (...oneOf: TransactionStatus[]): Trait => ({ field: 'status', oneOf });
const onRails = (oneOf: readonly RailName[]): Trait => ({ field: 'rail', oneOf });

/** Rails whose payments are pending first: incoming money, and wires, which a person approves. */
const WAITING = RAIL_NAMES.filter((rail) => railOf(rail).booked === 'when_settled');
const MADE_AT_ONCE = RAIL_NAMES.filter((rail) => railOf(rail).booked === 'when_made');
const WAITS = onRails(WAITING);
const IS_DONE = onRails(MADE_AT_ONCE);

/** The meaning of each state of the bank in v1; a new state does not compile until it is in this table. */
const MEANINGS = {
  originated: ['under way'],
  pending: ['under way'],
  clearing: ['under way'],
  cleared: ['under way'],
  received: ['under way'],
  settled: ['done'],
  returned: ['undone', 'done'],
  reversed: ['undone', 'done'],
  refunded: ['done'],
  declined: ['undone', 'declined'],
  canceled: ['canceled'],
  in_review: ['in review'],
} as const satisfies Record<TransactionStatus, readonly string[]>;
type Meaning = (typeof MEANINGS)[TransactionStatus][number];

const meaning = (...wanted: Meaning[]): Trait =>
  inState(...BANK_STATUSES.filter((status) => MEANINGS[status].some((one: Meaning) => wanted.includes(one))));
const UNDER_WAY = meaning('under way');
const UNDONE = meaning('undone');
const DECLINED = meaning('declined');
const CANCELED = meaning('canceled');
const IN_REVIEW = meaning('in review');
const SETTLED: Trait = { field: 'settledAt', isSet: true };
const NEVER_SETTLED: Trait = { field: 'settledAt', isNull: true };
/**
 * Declined at its creation, or received in order to be returned. A payment that is declined later was booked, and a
 * reversal undoes it.
 */
const MOVED_NOTHING: Trait = { field: 'movedNothing', is: 1 };
const MOVED: Trait = { field: 'movedNothing', is: 0 };
const WITHOUT_FILES: Trait = { field: 'awaitsImages', is: 1 };
const WITH_FILES: Trait = { field: 'awaitsImages', is: 0 };

const TRANSFERS: readonly Case<TransferStatus>[] = [
  ['pending', IN_REVIEW],
  ['canceled', CANCELED],
  ['declined', IS_DONE, DECLINED, MOVED_NOTHING],
  ['completed', IS_DONE, DECLINED, MOVED],
  ['completed', IS_DONE, meaning('under way', 'done')],
  ['pending', onRails(WAITING.filter((rail) => rail !== 'check_deposit')), UNDER_WAY],
  ['waitingForFiles', onRails(['check_deposit']), UNDER_WAY, WITHOUT_FILES],
  ['pending', onRails(['check_deposit']), UNDER_WAY, WITH_FILES],
  ['completed', WAITS, inState('settled')],
  ['declined', WAITS, UNDONE],
];

/**
 * The entries of an account that are not declined add up to its available balance and pending credits (decision
 * `rows-add-up`).
 */
const TRANSACTIONS: readonly Case<V1TransactionStatus>[] = [
  ['declined', MOVED_NOTHING],
  ['pending', MOVED, IN_REVIEW],
  ['canceled', MOVED, CANCELED],
  ['settled', MOVED, IS_DONE, meaning('under way', 'done', 'declined')],
  ['pending', MOVED, WAITS, UNDER_WAY],
  ['canceled', MOVED, WAITS, UNDONE, NEVER_SETTLED],
  // A payment that failed after the money had arrived is undone by a separate reversal.
  ['settled', MOVED, WAITS, inState('settled', 'returned', 'reversed'), SETTLED],
];

function fieldOf(transaction: Transaction, filter: Trait['field']): unknown {
  let value: unknown = transaction;
  for (const name of TRANSACTION_FILTERS[filter].split('.')) value = (value as Record<string, unknown>)[name];
  return typeof value === 'boolean' ? Number(value) : value;
}

function has(transaction: Transaction, trait: Trait): boolean {
  const value = fieldOf(transaction, trait.field);
  if ('oneOf' in trait) return trait.oneOf.includes(value as string);
  if ('is' in trait) return value === trait.is;
  return 'isSet' in trait ? value !== null : value === null;
}

function statusOf<S>(cases: readonly Case<S>[], transaction: Transaction): S {
  const fitting = cases.find(([, ...traits]) => traits.every((trait) => has(transaction, trait)));
  if (fitting !== undefined) return fitting[0];
  const { rail, status } = transaction;
  throw new Error(`v1 has no status for a transaction of ${rail} that is ${status}: add a case`);
}

function conditionFor<S>(cases: readonly Case<S>[], status: S): TransactionCondition {
  return { anyOf: cases.filter(([own]) => own === status).map(([, ...traits]) => traits) };
}

/** The status of a payment as a transfer. */
export function transferStatus(transaction: Transaction): TransferStatus {
  return statusOf(TRANSFERS, transaction);
}

/** The status of a payment as an entry of its account. */
export function transactionStatus(transaction: Transaction): V1TransactionStatus {
  return statusOf(TRANSACTIONS, transaction);
}

/** The filter for payments with this status as transfers. */
export function transferStatusFilter(status: TransferStatus): TransactionCondition {
  return conditionFor(TRANSFERS, status);
}

/** The filter for payments with this status as entries. */
export function transactionStatusFilter(status: V1TransactionStatus): TransactionCondition {
  return conditionFor(TRANSACTIONS, status);
}
