/**
 * Executes the steps of a rail's table. Linked transactions take their steps together: both transactions of a payment
 * within the bank, a master entry with its parts.
 * Source: decisions `return-may-overdraw` and `taken-back-payments` in docs/fidelity.md.
 */
import type { Cents } from '../../kernel/money.ts';
import type { Id } from '../../kernel/sequence.ts';
import { available, SUSPENSE } from '../../ledger/ledger.ts';
import { totalsOf } from '../../model/balances.ts';
import type { Change } from '../../model/facts.ts';
import { type RailEvent, railOf, railStep } from '../../model/rails/index.ts';
import type { Reason, SubLedgered, Transaction } from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import { copyBalances, type createTransactionBooks, ownAccount } from './books.ts';
import { buildReversal, markSettled, type ReversalOptions } from './build.ts';
import { detailsAfter } from './details.ts';
import type { createTransactionPlans } from './plans.ts';

interface StepOptions {
  /** The caller opens a transaction that publishes the moved amount. */
  isPublishedByCaller?: boolean;
  /**
   * The change of this account's available balance by the linked transaction's step, if that step has the ledger
   * transfer.
   */
  movedByLinked?: Cents;
  reversal?: ReversalOptions;
}

interface TransactionSteps {
  /**
   * Executes the step of `event` for this transaction alone: returns the moved amount, and the transaction that
   * records the step, if any.
   */
  takeStep(
    transaction: Transaction,
    event: RailEvent,
    reason: Reason | null,
    options?: StepOptions,
  ): { next: Transaction; moved: Cents; row: Transaction | undefined };
  /** Executes the step of `event`, together with linked transactions. Refuses: `illegal_step`. */
  applyEvent(transaction: Transaction, event: RailEvent, reason?: Reason | null): Transaction;
}

/** The dependencies of steps. */
interface StepParts {
  books: ReturnType<typeof createTransactionBooks>;
  plans: ReturnType<typeof createTransactionPlans>;
  byId(id: Id): Transaction;
  publish(transaction: Transaction, change: Change, moved: Cents): void;
  revise(transaction: Transaction): Transaction;
}

export function createTransactionSteps(
  dependencies: Dependencies,
  { books, plans, byId, publish, revise }: StepParts,
): TransactionSteps {
  const { store, ledger, sequence, clock } = dependencies;

  const takeStep: TransactionSteps['takeStep'] = (
    transaction,
    event,
    reason,
    { isPublishedByCaller = false, movedByLinked, reversal } = {},
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the parts of a step, in the order in which they depend on one another
  ) => {
    const step = railStep(transaction.rail, transaction.status, event);
    const now = clock.now();
    const accountId = transaction.accountId ?? SUSPENSE;
    const next: Transaction = { ...transaction, status: step.to, updatedAt: now };
    if (reason !== null) next.reason = reason;
    // The planned outcome that follows this one.
    const { outcome } = transaction;
    if (outcome?.event === event && (event === 'review' || outcome.next !== undefined)) {
      next.outcome = outcome.next ?? null;
    }
    // The outcome shows that it was declined later, not at its creation.
    if (event === 'decline') next.outcome ??= { status: transaction.status, event, reason: next.reason };
    next.details = detailsAfter(transaction, event, next.reason, now, dependencies);

    let moved = movedByLinked ?? 0;
    if (movedByLinked !== undefined) Object.assign(next, totalsOf(ledger.balance(accountId)));
    const before = step.ledger === 'none' ? undefined : ledger.balance(accountId);
    const written = books.applyToLedger(
      step.ledger,
      transaction,
      accountId,
      books.contraAccountOf(transaction),
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
    const isNewStatus = step.to !== transaction.status;
    if (isNewStatus && step.to === 'settled') markSettled(next, now);
    plans.cancelPlanned(next);
    plans.plan(next, now);
    store.transactions.change(next);
    const ownRow = step.row !== undefined && (written !== undefined || movedByLinked !== undefined);
    publish(next, isNewStatus ? 'status' : 'updated', ownRow || isPublishedByCaller ? 0 : moved);
    if (!ownRow) return { next, moved, row: undefined };
    const row = buildReversal(next, step, sequence, now, reversal);
    store.transactions.append(row);
    publish(row, 'created', moved);
    return { next, moved, row };
  };

  /** Both transactions of a payment within the bank are reversed together; the sender's has the ledger transfer. */
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

  /** When a master entry is returned or reversed, its sub-ledgered parts are returned first. */
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

  /** A part that is returned alone is in suspense again. */
  const applyToPart = (part: Transaction, event: RailEvent, reason: Reason | null): Transaction => {
    const { next } = takeStep(part, event, reason, { reversal: { masterId: part.masterId } });
    const masterEntry = byId(part.masterId);
    const subLedger = masterEntry.subLedger?.filter(({ transactionId }) => transactionId !== part.id) ?? null;
    revise({ ...masterEntry, subLedger });
    return next;
  };

  const applyEvent: TransactionSteps['applyEvent'] = (transaction, event, reason = null) => {
    const { details, subLedger, rail } = transaction;
    if (details.kind === 'intra' && details.partnerId !== '') {
      return applyToBothRows(transaction, byId(details.partnerId), event, reason);
    }
    if (subLedger !== null) return applyWithParts(transaction, subLedger, event, reason);
    if (railOf(rail).isPart) return applyToPart(transaction, event, reason);
    return takeStep(transaction, event, reason).next;
  };

  return { takeStep, applyEvent };
}
