/**
 * Payments: the transactions of sub accounts and their entries in the master account. `originations.ts`,
 * `incoming.ts` and `sub-ledger.ts` create them; this file retrieves, lists and changes them.
 * Source: decisions `two-ledgers-shown`, `master-account-incoming`, `sub-ledgering` and `v2-transaction-filters` in
 * docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { type Column, type Condition, on } from '../../model/conditions.ts';
import { onColumns, TRANSACTION_FILTERS, type TransactionCondition } from '../../model/filters.ts';
import type { IncomingRail, OrderedRail, RailEvent } from '../../model/rails/index.ts';
import type { Reason, Transaction } from '../../model/records.ts';
import type { OffsetWindow, Page, Window } from '../../store/lists.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Fallbacks } from '../accounts/fallbacks.ts';
import type { Counterparties } from '../counterparties/counterparties.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Incoming, Leg, TransactionChange } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import type { RealTime } from '../real-time.ts';
import type { Outcomes } from '../transactions/outcomes.ts';
import type { TakeStep } from '../transactions/steps.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import { type CheckDeposits, createCheckDeposits } from './check-deposits.ts';
import { createIncomings, type Incomings } from './incoming.ts';
import { createPaymentNotes } from './notes.ts';
import { createOriginations, type Originations } from './originations.ts';
import { createSubLedger, type SubLedger } from './sub-ledger.ts';

export interface Payments extends Originations, Incomings, SubLedger, Pick<CheckDeposits, 'depositImages'> {
  /** Refuses: `transaction_not_found`. */
  byId(id: Id): Transaction;
  /**
   * Receives a payment and decides it during the same request: it settles, is returned, or is in review. Refuses as
   * `receive` does.
   */
  receiveAtOnce(rail: IncomingRail, input: Incoming): Transaction;
  /** An origination on one of these rails. Refuses: `transfer_not_found`. */
  ordered(id: Id, rails: readonly OrderedRail[]): Transaction;
  /** A transfer whose transaction matches `fits`. Refuses: `transfer_not_found`. */
  transfer(id: Id, fits: (transaction: Transaction) => boolean): Transaction;
  /** A transaction by its own id or by that of its entry in the master account. Refuses: `transaction_not_found`. */
  legById(id: Id): Leg;
  /** A page of the transactions that match the conditions. */
  list(where: readonly TransactionCondition[], window: Window): Page<Transaction>;
  /** The same for entries in the master account, in the order of their ids. */
  inMaster(where: readonly TransactionCondition[], window: Window): Page<Transaction>;
  /** A page of one account's transactions; its cost does not depend on their number. Refuses: `account_not_found`. */
  ofAccount(accountId: Id, window: Window): Page<Transaction>;
  /**
   * A page of an account's transactions, or of all with `''`, without declined card payments; ordered by `createdAt`
   * or `movedAt`. Refuses: `account_not_found`.
   */
  entries(
    accountId: Id | '',
    where: readonly TransactionCondition[],
    window: OffsetWindow,
  ): Page<Transaction>;
  /** One of them. Refuses: `account_not_found`, `transaction_not_found`. */
  entry(accountId: Id, id: Id): Transaction;
  /**
   * Changes the client's fields of a transaction; in a payment within the bank the other side keeps its texts.
   * Refuses: `transaction_not_found`, `metadata_too_large`.
   */
  change(id: Id, change: TransactionChange): Transaction;
  /** Applies `event` of its rail to a transaction. Refuses: `transaction_not_found`, `illegal_step` with the legal events. */
  applyEvent(id: Id, event: RailEvent, reason?: Reason): Transaction;
}

/** It has an entry in the master account. */
type OnTransaction = Condition<Column<Transaction>>;

const IN_MASTER = on('masterTotals', { isSet: true });

/** The verbs of payments. */
export function createPayments(
  dependencies: Dependencies,
  accounts: Accounts,
  fallbacks: Fallbacks,
  counterparties: Counterparties,
  transactions: TransactionVerbs,
  outcomes: Outcomes,
  realTime: RealTime,
  takeStep: TakeStep,
): Payments {
  const { store } = dependencies;
  const notes = createPaymentNotes(dependencies, transactions);
  const deposits = createCheckDeposits(dependencies, transactions);
  const incomings = createIncomings(dependencies, {
    accounts,
    fallbacks,
    transactions,
    outcomes,
    realTime,
    notes,
  });

  const entryOf = (masterId: Id): Transaction => {
    const [found] = store.transactions.inMaster.all([on('masterId', { is: masterId }), IN_MASTER]);
    if (found === undefined) throw refuse('transaction_not_found');
    return found;
  };

  /** The transactions of a holder are those of its accounts, whose lists are numbered. */
  const byAccounts = (condition: OnTransaction): OnTransaction => {
    if (!('field' in condition) || condition.field !== 'holderId' || !('is' in condition)) return condition;
    const ids = store.accounts.list.all([on('holderId', { is: condition.is })]).map(({ id }) => id);
    const [only, ...others] = ids;
    return only !== undefined && others.length === 0
      ? on('accountId', { is: only })
      : on('accountId', { oneOf: ids });
  };

  const transfer: Payments['transfer'] = (id, fits) => {
    const found = store.transactions.byId(id);
    if (found === undefined || !fits(found)) throw refuse('transfer_not_found');
    return found;
  };

  return {
    ...createOriginations(dependencies, {
      accounts,
      counterparties,
      transactions,
      outcomes,
      notes,
      deposits,
    }),
    ...incomings,
    ...createSubLedger(dependencies, accounts, transactions, entryOf),
    depositImages: deposits.depositImages,
    byId: transactions.byId,

    receiveAtOnce(rail, input) {
      const received = incomings.receive(rail, { ...input, atOnce: true });
      const { status, outcome } = received;
      if (status !== 'received') return received;
      const isDecided = outcome !== null && outcome.at === undefined && outcome.status === status;
      return transactions.applyEvent(
        received,
        isDecided ? outcome.event : 'settle',
        isDecided ? outcome.reason : null,
      );
    },

    ordered: (id, rails) => transfer(id, ({ rail }) => rails.some((one) => one === rail)),
    transfer,

    legById(id) {
      const own = store.transactions.byId(id);
      if (own === undefined) return { transaction: entryOf(id), ledger: 'master_account' };
      return { transaction: own, ledger: own.accountId === null ? 'master_account' : 'sub_account' };
    },

    list(where, window) {
      const conditions = onColumns(TRANSACTION_FILTERS, where).map(byAccounts);
      const [first] = conditions;
      const isOne =
        first !== undefined &&
        isAccount(first) &&
        conditions.every((other) => isAccount(other) && other.is === first.is);
      return isOne
        ? store.transactions.ofAccount(first.is, window)
        : store.transactions.list.page(conditions, window);
    },

    inMaster: (where, window) =>
      store.transactions.inMaster.page([...onColumns(TRANSACTION_FILTERS, where), IN_MASTER], window),

    ofAccount: (accountId, window) =>
      store.transactions.ofAccount(accounts.byId(accountId).account.id, window),

    entries: (accountId, where, window) =>
      store.transactions.entries(
        accountId && accounts.byId(accountId).account.id,
        onColumns(TRANSACTION_FILTERS, where),
        window,
      ),

    entry(accountId, id) {
      accounts.byId(accountId);
      const found = transactions.byId(id);
      const isRefused = found.method === 'card_issuing' && found.status === 'declined';
      if (found.accountId !== accountId || isRefused) throw refuse('transaction_not_found');
      return found;
    },

    change(id, { title, description, metadata }) {
      const present = transactions.byId(id);
      const { details } = present;
      const describes = description !== undefined && details.kind === 'card';
      return transactions.revise({
        ...present,
        title: title ?? present.title,
        description: description ?? present.description,
        details: describes ? { ...details, described: true } : details,
        metadata: mergeMetadata(present.metadata, metadata),
      });
    },

    applyEvent: (id, event, reason) => takeStep(transactions.byId(id), event, reason ?? null),
  };
}

function isAccount(condition: OnTransaction): condition is { field: 'accountId'; is: Id } {
  return 'field' in condition && condition.field === 'accountId' && 'is' in condition;
}
