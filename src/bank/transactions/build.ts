/**
 * Builds the records of transactions before they are written: the one that is opened, and the one that records a step which
 * takes it back. Nothing here touches the ledger or the database.
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

/** A transaction that is to be opened. */
export interface NewTransaction {
  /** Given when another row has to name the transaction before it exists. */
  id?: Id;
  rail: RailName;
  /** `null` for money that came for the program and names no sub account: it is in suspense. */
  account: Account | null;
  /** Of the account, or of the master account. */
  balance: Balance;
  amount: Cents;
  /** The client's own, when it gave one. */
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
  /** The ledger account on the other side, when it is not the master account. */
  contraAccountId?: Id;
  outcome?: PlannedOutcome | null;
  reason?: Reason | null;
  /** Refused at once: recorded, nothing moved. */
  declined?: Reason;
  /** Opens without a hold on a rail that holds: the payment is going to be declined or returned. */
  opensWithoutHold?: boolean;
  /** Is posted or held even if the account has too little. */
  mayOverdraw?: boolean;
  /** Instead of the rail's own. */
  type?: TransactionType;
  method?: TransactionMethod;
  masterId?: Id | '';
  /** What another row's transfer did to this account's available balance, when this row has none of its own. */
  moved?: Cents;
}

/** Builds the record of a new transaction: the person whom v1 shows it with, and the balances of its account before it. */
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
  /** Incoming money has its entry in the master account from the start. Outgoing money gets one when it settles. */
  const masterIdOf = (): Id | '' => {
    // In suspense, the transaction is the entry of the master account itself.
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

/** Marks a transaction as settled, and as booked now if it was not booked when it was made. A booking is never changed. */
export function markSettled(transaction: Transaction, now: Instant): void {
  transaction.settledAt = now;
  if (transaction.bookedAt !== null) return;
  transaction.bookedAt = now;
  transaction.bookedBalance = transaction.availableBalance;
  transaction.movedNothing = false;
}

/** What a caller has decided about a reversal before it is built. */
export interface ReversalOptions {
  id?: Id;
  masterId?: Id;
  subLedger?: SubLedgered[];
}

/** Builds the row that records a step which takes a transaction back: a return, a reversal, a late decline, a cancellation. */
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
  // The end of a hold posts nothing, so the master account has no entry of it. In suspense the row is that entry itself.
  const hasEntry = railOf(original.rail).contra === 'master' && (isUnallocated || step.ledger === 'undo');
  const masterIdOf = (): Id | '' => {
    if (!hasEntry) return '';
    return isUnallocated ? id : sequence.id(now);
  };
  return {
    ...original,
    id,
    rail: isCredit ? 'reversal_credit' : 'reversal_debit',
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
    // The reversal is booked only if the original was: otherwise nothing has to leave the account again.
    bookedAt: original.bookedAt === null ? null : now,
    bookedBalance: original.availableBalance,
    createdAt: now,
    updatedAt: now,
    settledAt: now,
  };
}

/** Nothing was given for a reversal. */
function ofReversal(details: RailDetails): RailDetails {
  if (details.kind !== 'ach') return details;
  const { fallbackId: _, ...known } = details;
  return known;
}
