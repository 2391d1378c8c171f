/**
 * The steps of a transaction, as the table of its rail has them. A transaction that is linked to others takes its step together
 * with them: both rows of a transfer within the bank, a master entry with its parts.
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
  /** The caller opens a row that publishes what moved. */
  isPublishedByCaller?: boolean;
  /** What the linked transaction's step did to this account's available balance, when that step does the books of both. */
  movedByLinked?: Cents;
  reversal?: ReversalOptions;
}

interface TransactionSteps {
  /** Takes the step of `event` for this row alone: what it moved, and the row that records it, if it has one. */
  takeStep(
    transaction: Transaction,
    event: RailEvent,
    reason: Reason | null,
    options?: StepOptions,
  ): { next: Transaction; moved: Cents; row: Transaction | undefined };
  /** Takes the step of `event`, with the rows that are linked. Refuses: `illegal_step`. */
  applyEvent(transaction: Transaction, event: RailEvent, reason?: Reason | null): Transaction;
}

/** What steps are taken with. */
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
    if (step.to === 'settled') markSettled(next, now);
    plans.cancelPlanned(next);
    plans.plan(next, now);
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
