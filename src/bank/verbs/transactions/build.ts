/**
 * Builds the records of new transactions, and of transactions that reverse others. This file does not use the ledger
 * or the database.
 */
import type { Cents } from '../../kernel/money.ts';
import type { Id, Sequence } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import { type RailName, type RailStep, railOf } from '../../model/rails/index.ts';
import type {
  Account,
  Balance,
  CounterpartySnapshot,
  Metadata,
  PlannedOutcome,
  RailDetails,
  Reason,
  SubLedgered,
  Totals,
  Transaction,
} from '../../model/records.ts';
import type { TransactionMethod, TransactionType } from '../../model/vocabulary.ts';

/** The input for a new transaction. */
export interface NewTransaction {
  /** Set if another transaction needs the id before this one exists. */
  id?: Id;
  rail: RailName;
  /** `null` for money without a sub account, which is in suspense. */
  account: Account | null;
  /** The balance of the account, or of the master account. */
  balance: Balance;
  amount: Cents;
  /** The title of the client, if any. */
  title?: string;
  description: string;
  otherSide: CounterpartySnapshot | null;
  details: RailDetails;
  counterpartyId?: Id | '';
  cardId?: Id | '';
  parentId?: Id | '';
  externalReferenceId?: string;
  purpose?: string;
  metadata?: Metadata;
  /** The contra account, if it is not the master account. */
  contraAccountId?: Id;
  outcome?: PlannedOutcome | null;
  reason?: Reason | null;
  /** Declined at once: recorded without moving money. */
  declined?: Reason;
  /** Opens without a hold although its rail has one: the payment is going to be declined or returned. */
  opensWithoutHold?: boolean;
  /** Posts or holds even if the balance is too low. */
  mayOverdraw?: boolean;
  /** Instead of the type of the rail. */
  type?: TransactionType;
  method?: TransactionMethod;
  masterId?: Id | '';
  /** The change of this account's available balance by another transaction's transfer, if this one has no transfer. */
  moved?: Cents;
}

/** Builds the record of a new transaction, with the person that v1 shows and the balances of its account before it. */
export function buildTransaction(
  input: NewTransaction,
  personId: Id | '',
  before: Totals,
  sequence: Sequence,
  now: Instant,
): Transaction {
  const { account, declined } = input;
  const rail = railOf(input.rail);
  const id = input.id ?? sequence.id(now);
  const status = declined === undefined ? rail.opens.status : 'declined';
  const isExternal = rail.contra === 'master' && declined === undefined && rail.method !== null;
  const movedNothing = declined !== undefined || input.opensWithoutHold === true;
  /** Incoming money has its entry in the master account at once, outgoing money when it settles. */
  const masterIdOf = (): Id | '' => {
    // In suspense, the transaction is itself the entry in the master account.
    if (account === null) return id;
    return isExternal && rail.message === 'incoming' ? sequence.id(now) : '';
  };
  return {
    id,
    accountId: account?.id ?? null,
    holderId: account?.holderId ?? null,
    holderType: account?.holderType ?? null,
    familyId: account?.familyId ?? '',
    personId,
    rail: input.rail,
    status,
    amount: input.amount,
    direction: rail.direction,
    method: input.method ?? rail.method ?? 'ach',
    type: input.type ?? rail.type,
    message: rail.message,
    title: input.title ?? '',
    description: input.description,
    availableBalance: before.availableBalance,
    pendingCredits: before.pendingCredits,
    pendingDebits: before.pendingDebits,
    counterpartyId: input.counterpartyId ?? '',
    otherSide: input.otherSide,
    details: input.details,
    cardId: input.cardId ?? '',
    parentId: input.parentId ?? '',
    externalReferenceId: input.externalReferenceId ?? '',
    purpose: input.purpose ?? '',
    metadata: input.metadata ?? null,
    reason: declined ?? input.reason ?? null,
    outcome: input.outcome ?? null,
    holdId: null,
    masterId: input.masterId ?? masterIdOf(),
    masterTotals: null,
    subLedger: null,
    dueAt: null,
    movedNothing,
    bookedAt: rail.booked === 'when_made' && !movedNothing ? now : null,
    bookedBalance: before.availableBalance,
    createdAt: now,
    updatedAt: now,
    settledAt: status === 'settled' ? now : null,
  };
}

/** Marks a transaction as settled, and as booked if it was not booked at its creation. A booking never changes. */
export function markSettled(transaction: Transaction, now: Instant): void {
  transaction.settledAt = now;
  if (transaction.bookedAt !== null) return;
  transaction.bookedAt = now;
  transaction.bookedBalance = transaction.availableBalance;
  transaction.movedNothing = false;
}

/** The options of a reversal. */
export interface ReversalOptions {
  id?: Id;
  masterId?: Id;
  subLedger?: SubLedgered[];
}

/** Builds the transaction that records a return, a reversal, a late decline or a cancellation of another one. */
export function buildReversal(
  original: Transaction,
  step: RailStep,
  sequence: Sequence,
  now: Instant,
  options: ReversalOptions | undefined,
): Transaction {
  const isCredit = original.direction === 'debit';
  const id = options?.id ?? sequence.id(now);
  const isUnallocated = original.accountId === null;
  // The end of a hold posts nothing, so the master account has no entry for it. In suspense the transaction is itself
  // that entry.
  const hasEntry = railOf(original.rail).contra === 'master' && (isUnallocated || step.ledger === 'undo');
  const masterIdOf = (): Id | '' => {
    if (!hasEntry) return '';
    return isUnallocated ? id : sequence.id(now);
  };
  return {
    ...original,
    id,
    rail: step.rowRail ?? (isCredit ? 'reversal_credit' : 'reversal_debit'),
    status: 'settled',
    direction: isCredit ? 'credit' : 'debit',
    type: step.row ?? 'return',
    message: original.message === 'incoming' ? 'outgoing' : 'incoming',
    description: `Reversal for - ${original.description}`,
    details: ofReversal(original.details),
    parentId: original.id,
    outcome: null,
    masterId: options?.masterId ?? masterIdOf(),
    masterTotals: hasEntry ? original.masterTotals : null,
    subLedger: options?.subLedger ?? null,
    movedNothing: false,
    // The reversal is booked only if the original was: otherwise no booked money leaves the account.
    bookedAt: original.bookedAt === null ? null : now,
    bookedBalance: original.availableBalance,
    createdAt: now,
    updatedAt: now,
    settledAt: now,
  };
}

/** The details of a reversal have no draw. */
function ofReversal(details: RailDetails): RailDetails {
  if (details.kind !== 'ach') return details;
  const { fallbackId: _, ...known } = details;
  return known;
}
