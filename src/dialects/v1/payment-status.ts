/**
 * What v1 says of a payment's progress. It knows two kinds of rail: those whose payments are done when they are made
 * (the steps that follow are the banks' affair, and a return is a movement of its own), and those whose payments wait
 * until the money is there. The same movement has two statuses: as a transfer (the client's order) and as a transaction.
 * Which is which is a table, so that a list can be asked for a status by the same rows that spell it.
 * Source: the platform's v1 reference, states of transfers and transactions; row 38 of docs/fidelity.md.
 */
import { RAILS, type RailName } from '../../model/rails.ts';
import type { Transaction } from '../../model/records.ts';
import type { TransactionStatus } from '../../model/vocabulary.ts';
import type { Condition } from '../../store/lists.ts';
import { SUB_TYPES } from './vocabulary.ts';

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

/** What a movement is, in a form that one record and a list of them can be asked for. */
type Trait = { readonly field: string } & (
  | { readonly is: number }
  | { readonly oneOf: readonly string[] }
  | { readonly isSet: true }
  | { readonly isNull: true }
);
/** A status, and all that a movement must be to have it: of a table's cases one is true of each movement. */
type Case<S> = readonly [status: S, ...Trait[]];

const inState = (...oneOf: TransactionStatus[]): Trait => ({ field: 'status', oneOf });
const onRails = (oneOf: readonly RailName[]): Trait => ({ field: 'rail', oneOf });

/** Rails whose payments wait: money on its way in, and the wires, which a person releases. */
const WAITING: readonly RailName[] = [
  'ach_pull',
  'domestic_wire',
  'international_wire',
  'domestic_wire_received',
  'international_wire_received',
  'rtp_push',
  'fednow_push',
  'rtp_received',
  'fednow_received',
  'debit_card_push',
  'debit_card_pull',
];
/** What another bank sends or asks for by ACH is refused without a word of the client's. */
const FROM_ACH: readonly RailName[] = ['ach_received_push', 'ach_received_pull'];
const OTHERS = (Object.keys(RAILS) as RailName[]).filter(
  (rail) => ![...WAITING, ...FROM_ACH, 'check_deposit'].includes(rail),
);
const ORDERED = onRails(OTHERS.filter((rail) => SUB_TYPES[rail] === 'originated'));
const RECORDED = onRails(OTHERS.filter((rail) => SUB_TYPES[rail] !== 'originated'));
const WAITS = onRails([...WAITING, 'check_deposit']);

const UNDER_WAY = inState('originated', 'pending', 'clearing', 'cleared', 'received');
const UNDONE = inState('declined', 'returned', 'reversed');
const MADE_AND_OVER = inState('settled', 'returned', 'reversed', 'refunded');
const DECLINED = inState('declined');
const CANCELED = inState('canceled');
const SETTLED: Trait = { field: 'settledAt', isSet: true };
const NEVER_SETTLED: Trait = { field: 'settledAt', isNull: true };
/** Declined when it was made. What is declined later was decided later, and a reversal of its own tells of it. */
const AT_ONCE: Trait = { field: 'outcome', isNull: true };
const LATER: Trait = { field: 'outcome', isSet: true };
const WITHOUT_FILES: Trait = { field: 'details.awaitsImages', is: 1 };
const WITH_FILES: Trait = { field: 'details.awaitsImages', is: 0 };

const TRANSFERS: readonly Case<TransferStatus>[] = [
  ['pending', inState('in_review')],
  ['canceled', CANCELED],
  ['declined', ORDERED, DECLINED, AT_ONCE],
  ['completed', ORDERED, DECLINED, LATER],
  ['completed', ORDERED, UNDER_WAY],
  ['completed', ORDERED, MADE_AND_OVER],
  ['pending', onRails(WAITING), UNDER_WAY],
  ['waitingForFiles', onRails(['check_deposit']), UNDER_WAY, WITHOUT_FILES],
  ['pending', onRails(['check_deposit']), UNDER_WAY, WITH_FILES],
  ['completed', WAITS, inState('settled')],
  ['declined', WAITS, UNDONE],
];

const TRANSACTIONS: readonly Case<V1TransactionStatus>[] = [
  ['pending', inState('in_review')],
  ['canceled', CANCELED],
  ['declined', ORDERED, DECLINED, AT_ONCE],
  ['settled', ORDERED, DECLINED, LATER],
  ['settled', ORDERED, UNDER_WAY],
  ['settled', ORDERED, MADE_AND_OVER],
  ['declined', RECORDED, DECLINED],
  ['settled', RECORDED, UNDER_WAY],
  ['settled', RECORDED, MADE_AND_OVER],
  ['pending', WAITS, UNDER_WAY],
  ['canceled', WAITS, UNDONE, NEVER_SETTLED],
  // What went wrong after the money was there is told by a reversal of its own.
  ['settled', WAITS, inState('settled', 'returned', 'reversed'), SETTLED],
  ['pending', onRails(['ach_received_push']), UNDER_WAY],
  ['settled', onRails(['ach_received_pull']), UNDER_WAY],
  ['declined', onRails(FROM_ACH), UNDONE, NEVER_SETTLED],
  ['settled', onRails(FROM_ACH), inState('settled', 'returned', 'reversed'), SETTLED],
];

function fieldOf(transaction: Transaction, field: string): unknown {
  let value: unknown = transaction;
  for (const name of field.split('.')) value = (value as Record<string, unknown>)[name];
  return typeof value === 'boolean' ? Number(value) : value;
}

function has(transaction: Transaction, trait: Trait): boolean {
  const value = fieldOf(transaction, trait.field);
  if ('oneOf' in trait) return trait.oneOf.includes(value as string);
  if ('is' in trait) return value === trait.is;
  return 'isSet' in trait ? value !== null : value === null;
}

function caseOf<S>(cases: readonly Case<S>[], transaction: Transaction): S | undefined {
  return cases.find(([, ...traits]) => traits.every((trait) => has(transaction, trait)))?.[0];
}

function conditionFor<S>(cases: readonly Case<S>[], status: S): Condition {
  return { anyOf: cases.filter(([own]) => own === status).map(([, ...traits]) => traits) };
}

/** The status of the transfer that a movement carries out. */
export function transferStatus(transaction: Transaction): TransferStatus {
  return caseOf(TRANSFERS, transaction) ?? 'pending';
}

/** The status of a movement as an entry of its account. */
export function transactionStatus(transaction: Transaction): V1TransactionStatus {
  return caseOf(TRANSACTIONS, transaction) ?? 'pending';
}

/** What a movement is whose transfer has this status. */
export function transfersThatAre(status: TransferStatus): Condition {
  return conditionFor(TRANSFERS, status);
}

/** What a movement is whose entry has this status. */
export function transactionsThatAre(status: V1TransactionStatus): Condition {
  return conditionFor(TRANSACTIONS, status);
}
