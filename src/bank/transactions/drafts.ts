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
export interface Draft {
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
  against?: Id;
  outcome?: PlannedOutcome | null;
  reason?: Reason | null;
  /** Refused at once: recorded, nothing moved. */
  declined?: Reason;
  /** Opens with nothing held, because there is nothing to hold. */
  holdless?: boolean;
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
export function drawRow(
  draft: Draft,
  personId: Id | '',
  before: Totals,
  sequence: Sequence,
  now: Instant,
): Transaction {
  const { account, declined } = draft;
  const rail = railOf(draft.rail);
  const id = draft.id ?? sequence.id(now);
  const status = declined === undefined ? rail.opens.status : 'declined';
  const external = rail.against === 'master' && declined === undefined && rail.method !== null;
  const movedNothing = declined !== undefined || draft.holdless === true;
  return {
    id,
    accountId: account?.id ?? null,
    holderId: account?.holderId ?? null,
    holderType: account?.holderType ?? null,
    familyId: account?.familyId ?? '',
    personId,
    rail: draft.rail,
    status,
    amount: draft.amount,
    direction: rail.direction,
    method: draft.method ?? rail.method ?? 'ach',
    type: draft.type ?? rail.type,
    message: rail.message,
    title: draft.title ?? '',
    description: draft.description,
    availableBalance: before.availableBalance,
    pendingCredits: before.pendingCredits,
    pendingDebits: before.pendingDebits,
    counterpartyId: draft.counterpartyId ?? '',
    otherSide: draft.otherSide,
    details: draft.details,
    cardId: draft.cardId ?? '',
    parentId: draft.parentId ?? '',
    externalReferenceId: draft.externalReferenceId ?? '',
    purpose: draft.purpose ?? '',
    metadata: draft.metadata ?? null,
    reason: declined ?? draft.reason ?? null,
    outcome: draft.outcome ?? null,
    holdId: null,
    // What comes from outside is in the master account's books first; what goes out gets there at settlement.
    masterId:
      draft.masterId ??
      // What waits on the master account is the master account's own entry.
      (account === null ? id : external && rail.message === 'incoming' ? sequence.id(now) : ''),
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
export function bookSettled(transaction: Transaction, now: Instant): void {
  transaction.settledAt = now;
  if (transaction.bookedAt !== null) return;
  transaction.bookedAt = now;
  transaction.bookedBalance = transaction.availableBalance;
  transaction.movedNothing = false;
}

/** What is known of the row that will record a step before that row is made. */
export interface Recording {
  id?: Id;
  masterId?: Id;
  subLedger?: SubLedgered[];
}

/** The row of a step that is recorded on its own: a return, a reversal, a late decline, a cancellation. */
export function drawReversal(
  original: Transaction,
  step: RailStep,
  sequence: Sequence,
  now: Instant,
  recording: Recording | undefined,
): Transaction {
  const credit = original.direction === 'debit';
  const id = recording?.id ?? sequence.id(now);
  const isUnallocated = original.accountId === null;
  // What only ends a hold has no entry in the master account, unless it is all there is.
  const hasEntry = railOf(original.rail).against === 'master' && (isUnallocated || step.ledger === 'undo');
  return {
    ...original,
    id,
    rail: credit ? 'reversal_credit' : 'reversal_debit',
    status: 'settled',
    direction: credit ? 'credit' : 'debit',
    type: step.row ?? 'return',
    message: original.message === 'incoming' ? 'outgoing' : 'incoming',
    description: `Reversal for - ${original.description}`,
    parentId: original.id,
    outcome: null,
    masterId: recording?.masterId ?? (hasEntry ? (isUnallocated ? id : sequence.id(now)) : ''),
    masterTotals: hasEntry ? original.masterTotals : null,
    subLedger: recording?.subLedger ?? null,
    movedNothing: false,
    // Of a payment that was never booked there is nothing that its reversal could take out of the account again.
    bookedAt: original.bookedAt === null ? null : now,
    bookedBalance: original.availableBalance,
    createdAt: now,
    updatedAt: now,
    settledAt: now,
  };
}
