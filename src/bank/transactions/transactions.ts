/**
 * One transaction of money from its first row to its last: opens a transaction on a rail, takes the steps of the rail's
 * table, and with each step writes the books, the account's three totals, the next planned step and the fact, all in
 * the caller's database transaction. Which rail, how much and whether it is allowed is decided before.
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
import { copyBalances, createTransactionBooks, ownAccount } from './books.ts';
import {
  buildReversal,
  buildTransaction,
  markSettled,
  type NewTransaction,
  type ReversalOptions,
} from './build.ts';
import { detailsAfter } from './details.ts';
import { createTransactionPlans } from './plans.ts';

export interface TransactionVerbs {
  /** Opens a transaction. Refuses: `insufficient_funds`, `amount_too_large`. */
  open(input: NewTransaction): Transaction;
  /** Refuses: `transaction_not_found`. */
  byId(id: Id): Transaction;
  /** Writes a transaction that has changed in neither its money nor its state, and publishes it as `updated`. */
  revise(transaction: Transaction): Transaction;
  /** Does what `revise` does, and plans the next step: for a transaction that had none, as a check without its images. */
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
  changeHold(
    transaction: Transaction,
    held: Cents,
    publishedAs: 'progressed' | 'updated' | 'by another row',
  ): { next: Transaction; moved: Cents };
}

interface StepOptions {
  /** The caller opens a row that publishes what moved. */
  isPublishedByCaller?: boolean;
  /** What the linked transaction's step did to this account's available balance, when that step does the books of both. */
  movedByLinked?: Cents;
  reversal?: ReversalOptions;
}

/** The machinery of all rails. */
export function createTransactions(dependencies: Dependencies): TransactionVerbs {
  const { store, ledger, sequence, clock, outbox, program } = dependencies;
  const { applyToLedger, replaceHold, contraAccountOf } = createTransactionBooks(dependencies);
  const { plan, cancelPlanned } = createTransactionPlans(dependencies);

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
  const personOf = ({ account, details }: NewTransaction): Id | '' => {
    const user = details.kind === 'card' ? store.cardHolders.byId(details.cardHolderId)?.personId : '';
    return user || (account?.createdBy ?? '');
  };

  const open = (input: NewTransaction): Transaction => {
    const { account, balance } = input;
    const now = clock.now();
    const accountId = account?.id ?? SUSPENSE;
    const before = account === null ? totalsOf(balance, 'master_account') : totalsOf(balance);
    const transaction = buildTransaction(input, personOf(input), before, sequence, now);
    const action = transaction.movedNothing ? 'none' : railOf(input.rail).opens.ledger;
    const written = applyToLedger(
      action,
      transaction,
      accountId,
      input.contraAccountId ?? program.masterAccountId,
      now,
      input.mayOverdraw ?? false,
    );
    let moved = input.moved ?? 0;
    if (written !== undefined) {
      const own = ownAccount(written, accountId);
      moved = account === null ? 0 : available(own) - before.availableBalance;
      copyBalances(transaction, written, own);
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

  const takeStep = (
    transaction: Transaction,
    event: RailEvent,
    reason: Reason | null,
    { isPublishedByCaller = false, movedByLinked, reversal }: StepOptions = {},
  ): { next: Transaction; moved: Cents; row: Transaction | undefined } => {
    const step = railStep(transaction.rail, transaction.status, event);
    const now = clock.now();
    const accountId = transaction.accountId ?? SUSPENSE;
    const next: Transaction = { ...transaction, status: step.to, updatedAt: now };
    if (reason !== null) next.reason = reason;
    // The review has happened. What was planned to follow it, if anything, is the planned outcome from now on.
    if (event === 'review' && transaction.outcome?.event === event) {
      next.outcome = transaction.outcome.afterReview ?? null;
    }
    // The outcome shows that it was declined later, and not when it was made.
    if (event === 'decline') next.outcome ??= { status: transaction.status, event, reason: next.reason };
    next.details = detailsAfter(transaction, event, next.reason, now, dependencies);

    let moved = movedByLinked ?? 0;
    if (movedByLinked !== undefined) Object.assign(next, totalsOf(ledger.balance(accountId)));
    const before = step.ledger === 'none' ? undefined : ledger.balance(accountId);
    const written = applyToLedger(
      step.ledger,
      transaction,
      accountId,
      contraAccountOf(transaction),
      now,
      true,
    );
    if (written !== undefined && before !== undefined) {
      const own = ownAccount(written, accountId);
      moved = accountId === SUSPENSE ? 0 : available(own) - available(before);
      next.holdId = null;
      if (step.ledger === 'settle' && next.masterId === '') next.masterId = sequence.id(now);
      copyBalances(next, written, own);
    }
    if (step.to === 'settled') markSettled(next, now);
    cancelPlanned(next);
    plan(next, now);
    store.transactions.change(next);
    const ownRow = step.row !== undefined && (written !== undefined || movedByLinked !== undefined);
    publish(next, 'status', ownRow || isPublishedByCaller ? 0 : moved);
    if (!ownRow) return { next, moved, row: undefined };
    const row = buildReversal(next, step, sequence, now, reversal);
    store.transactions.append(row);
    publish(row, 'created', moved);
    return { next, moved, row };
  };

  /** Both rows of a transfer within the bank are reversed together; the sender's does the books. */
  const applyToBothRows = (
    transaction: Transaction,
    linkedTransaction: Transaction,
    event: RailEvent,
    reason: Reason | null,
  ): Transaction => {
    const isSender = transaction.rail === 'intra_push' || transaction.rail === 'intra_pull';
    const [sender, receiver] = isSender ? [transaction, linkedTransaction] : [linkedTransaction, transaction];
    const sent = takeStep(sender, event, reason);
    const received = takeStep(receiver, event, reason, { movedByLinked: -sent.moved });
    return isSender ? sent.next : received.next;
  };

  /** When a master entry is returned or reversed, each part that was sub-ledgered is taken back from its account first. */
  const applyWithParts = (
    masterEntry: Transaction,
    subLedgered: readonly SubLedgered[],
    event: RailEvent,
    reason: Reason | null,
  ): Transaction => {
    railStep(masterEntry.rail, masterEntry.status, event);
    const id = sequence.id(clock.now());
    const subLedger = subLedgered.map(({ accountId, transactionId, amount }): SubLedgered => {
      const { row } = takeStep(byId(transactionId), event, reason, { reversal: { masterId: id } });
      return { accountId, transactionId: row?.id ?? '', amount };
    });
    return takeStep(masterEntry, event, reason, { reversal: { id, subLedger } }).next;
  };

  /** A part that is taken back alone is in suspense again. */
  const applyToPart = (part: Transaction, event: RailEvent, reason: Reason | null): Transaction => {
    const { next } = takeStep(part, event, reason, { reversal: { masterId: part.masterId } });
    const masterEntry = byId(part.masterId);
    const subLedger = masterEntry.subLedger?.filter(({ transactionId }) => transactionId !== part.id) ?? null;
    revise({ ...masterEntry, subLedger });
    return next;
  };

  const applyEvent: TransactionVerbs['applyEvent'] = (transaction, event, reason = null) => {
    const { details, subLedger, rail } = transaction;
    if (details.kind === 'intra' && details.partnerId !== '') {
      return applyToBothRows(transaction, byId(details.partnerId), event, reason);
    }
    if (subLedger !== null) return applyWithParts(transaction, subLedger, event, reason);
    if (railOf(rail).isPart) return applyToPart(transaction, event, reason);
    return takeStep(transaction, event, reason).next;
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
    applyEventForRow: (transaction, event) =>
      takeStep(transaction, event, null, { isPublishedByCaller: true }).moved,

    changeHold(transaction, held, publishedAs) {
      const { accountId, holdId } = transaction;
      if (accountId === null || holdId === null) throw refuse('parent_wrong', { field: 'parentId' });
      const now = clock.now();
      const before = available(ledger.balance(accountId));
      const written = replaceHold(holdId, transaction, accountId, held, now);
      const own = ownAccount(written, accountId);
      const next: Transaction = { ...transaction, holdId: written.transferId, updatedAt: now };
      copyBalances(next, written, own);
      store.transactions.change(next);
      const moved = available(own) - before;
      if (publishedAs !== 'by another row')
        publish(next, publishedAs, publishedAs === 'progressed' ? moved : 0);
      return { next, moved };
    },
  };
}
