/**
 * One movement of money from its first row to its last: opens a transaction on a rail, takes the steps of the rail's
 * table, and with each step writes the books, the account's three totals, the next planned step and the fact, all in
 * the caller's one transaction. Which rail, how much and whether it is allowed is decided before.
 */
import type { Cents } from '../kernel/money.ts';
import { refuse } from '../kernel/refusal.ts';
import { type Id, type Sequence, UPPER_ALPHANUMERIC } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import {
  available,
  type LedgerAccount,
  type Movement,
  SUSPENSE,
  totalsOf,
  type Written,
} from '../ledger/ledger.ts';
import { type Change, transactionKinds } from '../model/facts.ts';
import {
  type LedgerAction,
  type RailEvent,
  type RailName,
  type RailStep,
  railEvents,
  railOf,
  railStep,
} from '../model/rails.ts';
import type {
  Account,
  Balance,
  Metadata,
  OtherSide,
  PlannedOutcome,
  RailDetails,
  Reason,
  Transaction,
} from '../model/records.ts';
import { dueAt, isSameDay } from '../model/timetable.ts';
import type {
  Direction,
  TransactionMethod,
  TransactionStatus,
  TransactionType,
} from '../model/vocabulary.ts';
import type { AgendaItem } from '../store/store.ts';
import type { Parts } from './parts.ts';

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
  title: string;
  description: string;
  otherSide: OtherSide | null;
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

export interface Movements {
  /** Opens a transaction. Refuses: `insufficient_funds`, `amount_too_large`. */
  open(draft: Draft): Transaction;
  /** Refuses: `transaction_not_found`. */
  byId(id: Id): Transaction;
  /** Takes the step of `event`. Refuses: `illegal_step`, with the legal events. */
  happen(transaction: Transaction, event: RailEvent, reason?: Reason | null): Transaction;
  /**
   * Takes the step of `event` for a row of its own that the caller opens beside it, and answers what the step did to the
   * available balance: that row tells of it.
   */
  happenBeside(transaction: Transaction, event: RailEvent): Cents;
  /**
   * Ends the open hold and holds `amount` instead; with `beside`, another row tells of it. Answers what that did to the
   * available balance. Refuses: `insufficient_funds`.
   */
  rehold(transaction: Transaction, amount: Cents, beside?: 'beside'): { next: Transaction; moved: Cents };
}

const TRACE_DIGITS = 5;
const WIRE_REFERENCE_LENGTH = 9;
const RETURN_CODE = /^R\d\d$/;
const NO_ACH = { sameDay: false, effectiveDate: '' };

/** The machinery of all rails. */
export function createMovements(parts: Parts): Movements {
  const { store, ledger, sequence, clock, outbox, program, rails } = parts;

  const byId = (id: Id): Transaction => {
    const transaction = store.transactions.byId(id);
    if (transaction === undefined) throw refuse('transaction_not_found');
    return transaction;
  };

  const publish = (transaction: Transaction, change: Change, moved: Cents): void => {
    outbox.publish({
      at: transaction.updatedAt,
      resource: 'transaction',
      resourceId: transaction.id,
      change,
      kinds: transactionKinds(transaction, change, moved),
      record: transaction,
    });
  };

  const plan = (transaction: Transaction, now: Instant): void => {
    const next = nextStep(transaction, now);
    if (next === null) return;
    transaction.dueAt = next.dueAt;
    store.agenda.add({ ...next, subjectId: transaction.id, task: 'transaction' });
  };

  /** What the bank will do by itself: what was decided for this transaction, or what its rail's timetable says. */
  const nextStep = (transaction: Transaction, now: Instant): Pick<AgendaItem, 'dueAt' | 'event'> | null => {
    const { outcome, details, rail, status } = transaction;
    const usual = railOf(rail).timetable[status];
    let due: Instant | null = null;
    if (usual !== undefined) {
      const ach =
        details.kind === 'ach'
          ? // What asked for the same day too late goes as an ordinary one of the next.
            { ...details, sameDay: isSameDay(transaction.createdAt, details.sameDay) }
          : NO_ACH;
      due = dueAt(usual.when, rails, now, ach);
    }
    if (outcome?.at !== undefined && railEvents(rail, status).includes(outcome.event)) {
      const at = Math.max(now, outcome.at);
      if (due === null || at <= due) return { dueAt: at, event: outcome.event };
    }
    if (usual === undefined || due === null) return null;
    const deviates = outcome !== null && outcome.at === undefined && outcome.status === status;
    return { dueAt: due, event: deviates ? outcome.event : usual.event };
  };

  const unplan = (transaction: Transaction): void => {
    if (transaction.dueAt === null) return;
    store.agenda.remove(transaction.dueAt, transaction.id);
    transaction.dueAt = null;
  };

  const sides = (accountId: Id, direction: Direction, other: Id): Pick<Movement, 'debit' | 'credit'> =>
    direction === 'credit' ? { debit: other, credit: accountId } : { debit: accountId, credit: other };

  /** Does what a step does to the books; `undefined` when it does nothing. */
  const book = (
    action: LedgerAction,
    transaction: Transaction,
    accountId: Id,
    other: Id,
    at: Instant,
    holdOrPostMayOverdraw: boolean,
  ): Written | undefined => {
    const { id, amount, direction, holdId } = transaction;
    const forward = { ...sides(accountId, direction, other), amount, transactionId: id, at };
    switch (action) {
      case 'hold':
        return ledger.hold({ ...forward, mayOverdraw: holdOrPostMayOverdraw });
      case 'post':
        return ledger.post({ ...forward, mayOverdraw: holdOrPostMayOverdraw });
      case 'settle':
        // Without a hold (an incoming debit beyond the balance, settled all the same) the posting stands alone.
        return holdId === null
          ? ledger.post({ ...forward, mayOverdraw: true })
          : ledger.settle(holdId, { transactionId: id, at });
      case 'release':
        return holdId === null ? undefined : ledger.release(holdId, { transactionId: id, at });
      case 'undo':
        return ledger.post({
          debit: forward.credit,
          credit: forward.debit,
          amount,
          transactionId: id,
          at,
          mayOverdraw: true,
        });
      case 'none':
        return undefined;
    }
  };

  const ownSide = (written: Written, accountId: Id): LedgerAccount =>
    written.debit.id === accountId ? written.debit : written.credit;

  /** The figures of both sides after a transfer: the account's own, and those of the master account's entry if it has one. */
  const takeTotals = (transaction: Transaction, written: Written, own: LedgerAccount): void => {
    const other = own === written.debit ? written.credit : written.debit;
    const master = other.kind === 'master_account' ? totalsOf(other, other.kind) : null;
    if (transaction.masterId !== '') transaction.masterTotals = master;
    Object.assign(transaction, own.kind === 'suspense' && master !== null ? master : totalsOf(own));
  };

  const open = (draft: Draft): Transaction => {
    const { account, balance, amount, declined } = draft;
    const rail = railOf(draft.rail);
    const now = clock.now();
    const id = draft.id ?? sequence.id(now);
    const accountId = account?.id ?? SUSPENSE;
    const before = account === null ? totalsOf(balance, 'master_account') : totalsOf(balance);
    const action = declined !== undefined || draft.holdless === true ? 'none' : rail.opens.ledger;
    const status: TransactionStatus = declined === undefined ? rail.opens.status : 'declined';
    const external = rail.against === 'master' && declined === undefined && rail.method !== null;
    const transaction: Transaction = {
      id,
      accountId: account?.id ?? null,
      holderId: account?.holderId ?? null,
      holderType: account?.holderType ?? null,
      familyId: account?.familyId ?? '',
      rail: draft.rail,
      status,
      amount,
      direction: rail.direction,
      method: draft.method ?? rail.method ?? 'ach',
      type: draft.type ?? rail.type,
      message: rail.message,
      title: draft.title,
      description: draft.description,
      ...before,
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
      dueAt: null,
      createdAt: now,
      updatedAt: now,
      settledAt: status === 'settled' ? now : null,
    };
    const written = book(
      action,
      transaction,
      accountId,
      draft.against ?? program.masterAccountId,
      now,
      draft.mayOverdraw ?? false,
    );
    let moved = draft.moved ?? 0;
    if (written !== undefined) {
      const own = ownSide(written, accountId);
      moved = account === null ? 0 : available(own) - before.availableBalance;
      takeTotals(transaction, written, own);
      if (action === 'hold') transaction.holdId = written.transferId;
    }
    plan(transaction, now);
    store.transactions.append(transaction);
    publish(transaction, 'created', moved);
    return transaction;
  };

  /** The row of a step that is recorded on its own: a return, a reversal, a late decline, a cancellation. */
  const openReversal = (original: Transaction, step: RailStep, moved: Cents): void => {
    const credit = original.direction === 'debit';
    const now = clock.now();
    const row: Transaction = {
      ...original,
      id: sequence.id(now),
      rail: credit ? 'reversal_credit' : 'reversal_debit',
      status: 'settled',
      direction: credit ? 'credit' : 'debit',
      type: step.row ?? 'return',
      message: original.message === 'incoming' ? 'outgoing' : 'incoming',
      description: `Reversal for - ${original.description}`,
      parentId: original.id,
      outcome: null,
      masterId: step.ledger === 'undo' ? sequence.id(now) : '',
      masterTotals: step.ledger === 'undo' ? original.masterTotals : null,
      createdAt: now,
      updatedAt: now,
      settledAt: now,
    };
    store.transactions.append(row);
    publish(row, 'created', moved);
  };

  const take = (
    transaction: Transaction,
    event: RailEvent,
    reason: Reason | null,
    beside: boolean,
    movedByPartner?: Cents,
  ): { next: Transaction; moved: Cents } => {
    const step = railStep(transaction.rail, transaction.status, event);
    const now = clock.now();
    const accountId = transaction.accountId ?? SUSPENSE;
    const next: Transaction = { ...transaction, status: step.to, updatedAt: now };
    if (reason !== null) next.reason = reason;
    // A review is decided once; what follows it may have been decided with it.
    if (event === 'review' && transaction.outcome?.event === event) {
      next.outcome = transaction.outcome.afterReview ?? null;
    }
    next.details = newDetails(transaction, event, next.reason, now);

    let moved = movedByPartner ?? 0;
    if (movedByPartner !== undefined) Object.assign(next, totalsOf(ledger.balance(accountId)));
    const before = step.ledger === 'none' ? undefined : ledger.balance(accountId);
    const written = book(step.ledger, transaction, accountId, otherAccountOf(transaction), now, true);
    if (written !== undefined && before !== undefined) {
      const own = ownSide(written, accountId);
      moved = accountId === SUSPENSE ? 0 : available(own) - available(before);
      next.holdId = null;
      if (step.ledger === 'settle' && next.masterId === '') next.masterId = sequence.id(now);
      takeTotals(next, written, own);
    }
    if (step.to === 'settled') next.settledAt = now;
    unplan(next);
    plan(next, now);
    store.transactions.change(next);
    const ownRow = step.row !== undefined && (written !== undefined || movedByPartner !== undefined);
    publish(next, 'status', ownRow || beside ? 0 : moved);
    if (ownRow) openReversal(next, step, moved);
    return { next, moved };
  };

  /** Where the other leg of a payment is booked: the master account, or the other party's sub account. */
  const otherAccountOf = (transaction: Transaction): Id => {
    if (railOf(transaction.rail).against === 'master') return program.masterAccountId;
    // As it was when the payment was made: the counterparty may have changed since.
    const other = store.accounts.idOfNumber(transaction.otherSide?.accountNumber ?? '');
    if (other === undefined) throw refuse('intra_account_unknown');
    return other;
  };

  const newDetails = (
    { details, otherSide }: Transaction,
    event: RailEvent,
    reason: Reason | null,
    now: Instant,
  ): RailDetails => {
    if (details.kind === 'ach') {
      if (event === 'clear' && details.traceNumber === '') {
        return { ...details, traceNumber: traceNumber(otherSide) };
      }
      if (event === 'return' && reason !== null && RETURN_CODE.test(reason.code)) {
        return { ...details, returnCode: reason.code };
      }
    }
    if (details.kind === 'wire' && event === 'clear') return wireReferences(sequence);
    if (details.kind === 'check' && event === 'clear') return { ...details, cashed: true };
    if (details.kind === 'card' && event === 'settle') return { ...details, networkSettlementAt: now };
    return details;
  };

  const traceNumber = (otherSide: OtherSide | null): string =>
    (otherSide?.routingNumber || program.routingNumber) + sequence.digits(TRACE_DIGITS);

  /** Both rows of a transfer within the bank are reversed together; the sender's does the books. */
  const happen: Movements['happen'] = (transaction, event, reason = null) => {
    const { details, rail } = transaction;
    if (details.kind !== 'intra' || details.partnerId === '')
      return take(transaction, event, reason, false).next;
    const partner = byId(details.partnerId);
    const asked = rail === 'intra_push' || rail === 'intra_pull';
    const [sender, receiver] = asked ? [transaction, partner] : [partner, transaction];
    const sent = take(sender, event, reason, false);
    const received = take(receiver, event, reason, false, -sent.moved);
    return asked ? sent.next : received.next;
  };

  return {
    open,
    byId,
    happen,
    happenBeside: (transaction, event) => take(transaction, event, null, true).moved,

    rehold(transaction, amount, beside) {
      const { id, accountId, holdId, direction } = transaction;
      if (accountId === null || holdId === null) throw refuse('parent_wrong', { field: 'parentId' });
      const now = clock.now();
      const before = available(ledger.balance(accountId));
      ledger.release(holdId, { transactionId: id, at: now });
      const written = ledger.hold({
        ...sides(accountId, direction, program.masterAccountId),
        amount,
        transactionId: id,
        at: now,
        // Holding less than before needs nothing new, whatever else has happened to the account.
        mayOverdraw: amount <= transaction.amount,
      });
      const own = ownSide(written, accountId);
      const next: Transaction = {
        ...transaction,
        ...totalsOf(own),
        amount,
        holdId: written.transferId,
        updatedAt: now,
      };
      store.transactions.change(next);
      const moved = available(own) - before;
      if (beside === undefined) publish(next, 'progressed', moved);
      return { next, moved };
    },
  };
}

/** The references that Fedwire gives a payment, as sandboxes of the platform show them: nine random characters. */
export function wireReferences(sequence: Sequence): RailDetails {
  return {
    kind: 'wire',
    imad: sequence.text(WIRE_REFERENCE_LENGTH, UPPER_ALPHANUMERIC),
    omad: sequence.text(WIRE_REFERENCE_LENGTH, UPPER_ALPHANUMERIC),
  };
}
