/**
 * One transaction of money from its first row to its last: opens a transaction on a rail, takes the steps of the rail's
 * table, and with each step writes the books, the account's three totals, the next planned step and the fact, all in
 * the caller's one transaction. Which rail, how much and whether it is allowed is decided before.
 * Source: decisions `return-may-overdraw` and `taken-back-payments` in docs/fidelity.md.
 */

import type { Cents } from '../../kernel/money.ts';
import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { available, SUSPENSE } from '../../ledger/ledger.ts';
import { totalsOf } from '../../model/balances.ts';
import { type Change, transactionKinds } from '../../model/facts.ts';
import { type RailEvent, railOf, railStep } from '../../model/rails/index.ts';
import type { Reason, SubLedgered, Transaction } from '../../model/records.ts';
import { transferFileOf } from '../cards/controls.ts';
import type { Dependencies } from '../dependencies.ts';
import { createTransactionBooks, ownAccount, takeTotals } from './books.ts';
import { detailsAfter } from './details.ts';
import { bookSettled, type Draft, drawReversal, drawRow, type Recording } from './drafts.ts';
import { createTransactionPlans } from './plans.ts';

export interface TransactionVerbs {
  /** Opens a transaction. Refuses: `insufficient_funds`, `amount_too_large`. */
  open(draft: Draft): Transaction;
  /** Refuses: `transaction_not_found`. */
  byId(id: Id): Transaction;
  /** Writes what is new of a transaction whose money and state are as they were. */
  revise(transaction: Transaction): Transaction;
  /** The same for one that waited, and is planned again now. */
  resume(transaction: Transaction): Transaction;
  /** Takes the step of `event`. Refuses: `illegal_step`, with the legal events. */
  applyEvent(transaction: Transaction, event: RailEvent, reason?: Reason | null): Transaction;
  /**
   * Takes the step of `event` for a row of its own that the caller opens for it, and answers what the step did to the
   * available balance: that row publishes it.
   */
  applyEventForRow(transaction: Transaction, event: RailEvent): Cents;
  /**
   * Ends the open hold, holds `held` instead and writes what else is new of the transaction. It is published as `progressed`
   * with what moved; as `updated` or not at all where another row publishes the money. Answers what it did to the available
   * balance. Refuses: `insufficient_funds`.
   */
  rehold(
    transaction: Transaction,
    held: Cents,
    publishedAs: 'progressed' | 'updated' | 'by another row',
  ): { next: Transaction; moved: Cents };
}

/** The machinery of all rails. */
export function createTransactions(dependencies: Dependencies): TransactionVerbs {
  const { store, ledger, sequence, clock, outbox, program } = dependencies;
  const { book, holdInstead, otherAccountOf } = createTransactionBooks(dependencies);
  const { plan, unplan } = createTransactionPlans(dependencies);

  const byId = (id: Id): Transaction => {
    return found(store.transactions.byId(id), 'transaction_not_found');
  };

  const publish = (transaction: Transaction, change: Change, moved: Cents): void => {
    outbox.publish({
      at: transaction.updatedAt,
      resource: 'transaction',
      resourceId: transaction.id,
      change,
      kinds: transactionKinds(transaction, change, moved),
      moved,
      record: transferFileOf(store, transaction),
    });
  };

  /**
   * Decision `v1-shown-person` in docs/fidelity.md; kept with the row, so that what is published of it later needs nothing
   * else.
   */
  const personOf = ({ account, details }: Draft): Id | '' => {
    const user = details.kind === 'card' ? store.cardHolders.byId(details.cardHolderId)?.personId : '';
    return user || (account?.createdBy ?? '');
  };

  const open = (draft: Draft): Transaction => {
    const { account, balance } = draft;
    const now = clock.now();
    const accountId = account?.id ?? SUSPENSE;
    const before = account === null ? totalsOf(balance, 'master_account') : totalsOf(balance);
    const transaction = drawRow(draft, personOf(draft), before, sequence, now);
    const action = transaction.movedNothing ? 'none' : railOf(draft.rail).opens.ledger;
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
      const own = ownAccount(written, accountId);
      moved = account === null ? 0 : available(own) - before.availableBalance;
      takeTotals(transaction, written, own);
      transaction.bookedBalance = transaction.availableBalance;
      if (action === 'hold') transaction.holdId = written.transferId;
    } else if (transaction.masterId !== '') {
      transaction.masterTotals = totalsOf(ledger.balance(program.masterAccountId), 'master_account');
    }
    plan(transaction, now);
    store.transactions.append(transaction);
    publish(transaction, 'created', moved);
    return transaction;
  };

  const take = (
    transaction: Transaction,
    event: RailEvent,
    reason: Reason | null,
    hasRow: boolean,
    movedByPartner?: Cents,
    recording?: Recording,
  ): { next: Transaction; moved: Cents; row: Transaction | undefined } => {
    const step = railStep(transaction.rail, transaction.status, event);
    const now = clock.now();
    const accountId = transaction.accountId ?? SUSPENSE;
    const next: Transaction = { ...transaction, status: step.to, updatedAt: now };
    if (reason !== null) next.reason = reason;
    // A review is decided once; what follows it may have been decided with it.
    if (event === 'review' && transaction.outcome?.event === event) {
      next.outcome = transaction.outcome.afterReview ?? null;
    }
    // What is declined after it was made says that it was.
    if (event === 'decline') next.outcome ??= { status: transaction.status, event, reason: next.reason };
    next.details = detailsAfter(transaction, event, next.reason, now, dependencies);

    let moved = movedByPartner ?? 0;
    if (movedByPartner !== undefined) Object.assign(next, totalsOf(ledger.balance(accountId)));
    const before = step.ledger === 'none' ? undefined : ledger.balance(accountId);
    const written = book(step.ledger, transaction, accountId, otherAccountOf(transaction), now, true);
    if (written !== undefined && before !== undefined) {
      const own = ownAccount(written, accountId);
      moved = accountId === SUSPENSE ? 0 : available(own) - available(before);
      next.holdId = null;
      if (step.ledger === 'settle' && next.masterId === '') next.masterId = sequence.id(now);
      takeTotals(next, written, own);
    }
    if (step.to === 'settled') bookSettled(next, now);
    unplan(next);
    plan(next, now);
    store.transactions.change(next);
    const ownRow = step.row !== undefined && (written !== undefined || movedByPartner !== undefined);
    publish(next, 'status', ownRow || hasRow ? 0 : moved);
    if (!ownRow) return { next, moved, row: undefined };
    const row = drawReversal(next, step, sequence, now, recording);
    store.transactions.append(row);
    publish(row, 'created', moved);
    return { next, moved, row };
  };

  /** Both rows of a transfer within the bank are reversed together; the sender's does the books. */
  const applyToBothRows = (
    transaction: Transaction,
    partner: Transaction,
    event: RailEvent,
    reason: Reason | null,
  ): Transaction => {
    const isOrdered = transaction.rail === 'intra_push' || transaction.rail === 'intra_pull';
    const [sender, receiver] = isOrdered ? [transaction, partner] : [partner, transaction];
    const sent = take(sender, event, reason, false);
    const received = take(receiver, event, reason, false, -sent.moved);
    return isOrdered ? sent.next : received.next;
  };

  /** What was sub-ledgered of an entry comes back with it, each part from its account, before the entry leaves. */
  const applyWithParts = (
    entry: Transaction,
    ledgered: readonly SubLedgered[],
    event: RailEvent,
    reason: Reason | null,
  ): Transaction => {
    railStep(entry.rail, entry.status, event);
    const id = sequence.id(clock.now());
    const subLedger = ledgered.map(({ accountId, transactionId, amount }): SubLedgered => {
      const { row } = take(byId(transactionId), event, reason, false, undefined, { masterId: id });
      return { accountId, transactionId: row?.id ?? '', amount };
    });
    return take(entry, event, reason, false, undefined, { id, subLedger }).next;
  };

  /** A part that is taken back alone waits on the master account again. */
  const applyToPart = (part: Transaction, event: RailEvent, reason: Reason | null): Transaction => {
    const { next } = take(part, event, reason, false, undefined, { masterId: part.masterId });
    const entry = byId(part.masterId);
    const subLedger = entry.subLedger?.filter(({ transactionId }) => transactionId !== part.id) ?? null;
    revise({ ...entry, subLedger });
    return next;
  };

  const applyEvent: TransactionVerbs['applyEvent'] = (transaction, event, reason = null) => {
    const { details, subLedger, rail } = transaction;
    if (details.kind === 'intra' && details.partnerId !== '') {
      return applyToBothRows(transaction, byId(details.partnerId), event, reason);
    }
    if (subLedger !== null) return applyWithParts(transaction, subLedger, event, reason);
    if (rail === 'sub_ledgered') return applyToPart(transaction, event, reason);
    return take(transaction, event, reason, false).next;
  };

  const revise: TransactionVerbs['revise'] = (transaction) => {
    const next = { ...transaction, updatedAt: clock.now() };
    store.transactions.change(next);
    publish(next, 'updated', 0);
    return next;
  };

  return {
    open,
    byId,
    applyEvent,
    revise,
    resume(transaction) {
      plan(transaction, clock.now());
      return revise(transaction);
    },
    applyEventForRow: (transaction, event) => take(transaction, event, null, true).moved,

    rehold(transaction, held, publishedAs) {
      const { accountId, holdId } = transaction;
      if (accountId === null || holdId === null) throw refuse('parent_wrong', { field: 'parentId' });
      const now = clock.now();
      const before = available(ledger.balance(accountId));
      const written = holdInstead(holdId, transaction, accountId, held, now);
      const own = ownAccount(written, accountId);
      const next: Transaction = { ...transaction, holdId: written.transferId, updatedAt: now };
      takeTotals(next, written, own);
      store.transactions.change(next);
      const moved = available(own) - before;
      if (publishedAs !== 'by another row')
        publish(next, publishedAs, publishedAs === 'progressed' ? moved : 0);
      return { next, moved };
    },
  };
}
