/**
 * Opens transactions on a rail and changes their holds; `rail-steps.ts` executes the steps of the rail's table. Each
 * writes the ledger transfer, the account's three totals, the next scheduled step and the fact, in the caller's
 * database transaction. The callers check whether a payment is allowed.
 */
import type { Cents } from '../../kernel/money.ts';
import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { available, SUSPENSE } from '../../ledger/ledger.ts';
import { totalsOf } from '../../model/balances.ts';
import { type Change, transactionKinds } from '../../model/facts.ts';
import { type RailEvent, railOf } from '../../model/rails/index.ts';
import type { Reason, Transaction } from '../../model/records.ts';
import { transactionWithCard } from '../cards/controls.ts';
import type { Dependencies } from '../dependencies.ts';
import { copyBalances, createTransactionBooks, ownAccount } from './books.ts';
import { buildTransaction, type NewTransaction } from './build.ts';
import { createTransactionPlans } from './plans.ts';
import { createTransactionSteps } from './rail-steps.ts';

export interface TransactionVerbs {
  /** Opens a transaction. Refuses: `insufficient_funds`, `amount_too_large`. */
  open(input: NewTransaction): Transaction;
  /** Refuses: `transaction_not_found`. */
  byId(id: Id): Transaction;
  /** Writes a transaction whose money and status have not changed, and publishes it as `updated`. */
  revise(transaction: Transaction): Transaction;
  /**
   * Does the same as `revise`, and schedules the next step: for a transaction that waited, like a check without
   * images.
   */
  resume(transaction: Transaction): Transaction;
  /** Executes the step of `event`. Refuses: `illegal_step`, with the legal events. */
  applyEvent(transaction: Transaction, event: RailEvent, reason?: Reason | null): Transaction;
  /**
   * Executes the step of `event`, for which the caller opens a separate transaction, and returns the change of the
   * available balance, which that transaction publishes.
   */
  applyEventForRow(transaction: Transaction, event: RailEvent): Cents;
  /**
   * Replaces the open hold by a hold of `held`, and writes the other changes of the transaction. It is published as
   * `progressed` with the moved amount, or as `updated` or not at all if another transaction publishes the money.
   * Returns the change of the available balance. Refuses: `insufficient_funds`.
   */
  changeHold(
    transaction: Transaction,
    held: Cents,
    publishedAs: 'progressed' | 'updated' | 'by another row',
  ): { next: Transaction; moved: Cents };
}

/** Creates the verbs of transactions. */
export function createTransactions(dependencies: Dependencies): TransactionVerbs {
  const { store, ledger, sequence, clock, outbox, program } = dependencies;
  const books = createTransactionBooks(dependencies);
  const plans = createTransactionPlans(dependencies);

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
      record: transactionWithCard(store, transaction),
    });
  };

  /**
   * Decision `v1-shown-person` in docs/fidelity.md; stored with the transaction, so that later facts need no other
   * record.
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
    const written = books.applyToLedger(
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
    plans.plan(transaction, now);
    store.transactions.append(transaction);
    publish(transaction, 'created', moved);
    return transaction;
  };

  const revise: TransactionVerbs['revise'] = (transaction) => {
    const next = { ...transaction, updatedAt: clock.now() };
    store.transactions.change(next);
    publish(next, 'updated', 0);
    return next;
  };

  const { takeStep, applyEvent } = createTransactionSteps(dependencies, {
    books,
    plans,
    byId,
    publish,
    revise,
  });

  return {
    open,
    byId,
    applyEvent,
    revise,
    resume(transaction) {
      plans.plan(transaction, clock.now());
      return revise(transaction);
    },
    applyEventForRow: (transaction, event) =>
      takeStep(transaction, event, null, { isPublishedByCaller: true }).moved,

    changeHold(transaction, held, publishedAs) {
      const { accountId, holdId } = transaction;
      if (accountId === null || holdId === null) throw refuse('parent_wrong', { field: 'parentId' });
      const now = clock.now();
      const before = available(ledger.balance(accountId));
      const written = books.replaceHold(holdId, transaction, accountId, held, now);
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
