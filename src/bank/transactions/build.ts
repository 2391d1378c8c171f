/**
 * The rows of a transaction before they are written: the one that is opened, from what is decided about it, and the one that
 * records a step which takes it back. Nothing here touches the books or the database.
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

/** What is to be opened. */
export interface NewTransaction {
  /** When another row has to name it before it is made. */
  id?: Id;
  rail: RailName;
  /** `null` for money that came for the program and names no sub account: it waits on the master account. */
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
  /** The account on the other side of the books, when it is not the master account. */
  contraAccountId?: Id;
  outcome?: PlannedOutcome | null;
  reason?: Reason | null;
  /** Refused at once: recorded, nothing moved. */
  declined?: Reason;
  /** Opens with nothing held, because there is nothing to hold. */
  opensWithoutHold?: boolean;
  /** Is booked whatever the account has. */
  mayOverdraw?: boolean;
  /** Instead of the rail's own. */
  type?: TransactionType;
  method?: TransactionMethod;
  masterId?: Id | '';
  /** What another row's transfer did to this account's available balance, when this row has none of its own. */
  moved?: Cents;
}

/** The record of a draft with the person whom it is shown with, and the figures of its account as they are before it. */
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
    // What comes from outside is in the master account's books first; what goes out gets there at settlement.
    masterId:
      input.masterId ??
      // What waits on the master account is the master account's own entry.
      (account === null ? id : isExternal && rail.message === 'incoming' ? sequence.id(now) : ''),
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

/** Books a row whose money is there. What was booked when it was made stays as it was, whatever happens to it later. */
export function markSettled(transaction: Transaction, now: Instant): void {
  transaction.settledAt = now;
  if (transaction.bookedAt !== null) return;
  transaction.bookedAt = now;
  transaction.bookedBalance = transaction.availableBalance;
  transaction.movedNothing = false;
}

/** What is known of the row that will record a step before that row is made. */
export interface ReversalOptions {
  id?: Id;
  masterId?: Id;
  subLedger?: SubLedgered[];
}

/** The row of a step that is recorded on its own: a return, a reversal, a late decline, a cancellation. */
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
  // What only ends a hold has no entry in the master account, unless it is all there is.
  const hasEntry = railOf(original.rail).contra === 'master' && (isUnallocated || step.ledger === 'undo');
  return {
    ...original,
    id,
    rail: isCredit ? 'reversal_credit' : 'reversal_debit',
    status: 'settled',
    direction: isCredit ? 'credit' : 'debit',
    type: step.row ?? 'return',
    message: original.message === 'incoming' ? 'outgoing' : 'incoming',
    description: `Reversal for - ${original.description}`,
    parentId: original.id,
    outcome: null,
    masterId: options?.masterId ?? (hasEntry ? (isUnallocated ? id : sequence.id(now)) : ''),
    masterTotals: hasEntry ? original.masterTotals : null,
    subLedger: options?.subLedger ?? null,
    movedNothing: false,
    // Of a payment that was never booked there is nothing that its reversal could take out of the account again.
    bookedAt: original.bookedAt === null ? null : now,
    bookedBalance: original.availableBalance,
    createdAt: now,
    updatedAt: now,
    settledAt: now,
  };
}
