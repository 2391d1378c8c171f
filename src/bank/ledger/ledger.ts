/**
 * The double-entry ledger. Money moves only by transfers between two ledger accounts. A transfer is written once and
 * never changed. A hold is a transfer that is resolved exactly once. The four counters of an account are a cache of its
 * transfers, which the audit computes again. Only this module writes these tables.
 *
 * A master account is an asset, which debits increase; sub accounts and suspense are liabilities, which credits increase.
 */

import { type Cents, MAX_CENTS } from '../kernel/money.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { totalsOf } from '../model/balances.ts';
import { ledgerAccounts, transfers } from '../model/tables.ts';
import { cachesOf } from '../store/cache.ts';
import { eq, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { prepareInsert, prepareRows, prepareUpdate } from '../store/rows.ts';
import { prepareRead } from '../store/statement.ts';

export type LedgerAccount = typeof ledgerAccounts.$inferSelect;
export type Transfer = typeof transfers.$inferSelect;
type LedgerKind = LedgerAccount['kind'];

/**
 * The suspense account contains unallocated money, which arrived for the program but for no sub account, until it is
 * sub-ledgered.
 */
export const SUSPENSE: Id = 'suspense';

/** The amount and accounts, the transaction, and whether the debited account may be overdrawn. */
export interface TransferInput {
  debit: Id;
  credit: Id;
  amount: Cents;
  transactionId: Id;
  at: Instant;
  /** A property of the transaction: for example, the return of money that was already spent must still post. */
  mayOverdraw: boolean;
}

/** A written transfer with both accounts after it. */
export interface Written {
  transferId: number;
  amount: Cents;
  debit: LedgerAccount;
  credit: LedgerAccount;
}

/** The transaction that resolves a hold, and the time. */
interface Resolution {
  transactionId: Id;
  at: Instant;
}

export interface Ledger {
  /** Opens an account with zero balances. */
  open(id: Id, kind: LedgerKind): void;
  /** The counters of an existing account. */
  balance(id: Id): LedgerAccount;
  /** Posts a transfer. Refuses: `insufficient_funds`, `amount_too_large`. */
  post(transfer: TransferInput): Written;
  /** Reserves money until it is settled or released. Refuses as `post` does. */
  hold(transfer: TransferInput): Written;
  /**
   * Converts a hold to a posting of `amount` (default and maximum: the whole hold) and releases the rest. It needs no
   * additional money, so insufficient funds never prevent it. Refuses: `hold_resolved`.
   */
  settle(holdId: number, resolution: Resolution, amount?: Cents): Written;
  /** Ends a hold without moving money. Refuses: `hold_resolved`. */
  release(holdId: number, resolution: Resolution): Written;
  /** A hold that is still open. */
  openHold(holdId: number): Transfer;
  /** Defers the writing of counters to `writeCounters`, which runs once before the commit of a group. */
  deferCounters(): void;
  /** Writes the deferred counters and ends the deferral. */
  writeCounters(): void;
}

/** The available balance of the account, in cents. */
export function available(account: LedgerAccount): Cents {
  return totalsOf(account, account.kind).availableBalance;
}

type Deltas = Omit<LedgerAccount, 'id' | 'kind'>;

const deltas = (change: Partial<Deltas>): Deltas => ({
  debitsPending: 0,
  debitsPosted: 0,
  creditsPending: 0,
  creditsPosted: 0,
  ...change,
});

const prepareStatements = (db: Db) => ({
  insertAccount: prepareInsert(db, ledgerAccounts),
  readAccount: prepareRead(db, ledgerAccounts, (select) =>
    select.from(ledgerAccounts).where(eq(ledgerAccounts.id, sql.placeholder('id'))),
  ),
  writeAccount: prepareUpdate(db, ledgerAccounts, 'id', ['kind']),
  insertTransfer: prepareRows(db, transfers, { numberedBy: 'id' }),
  readTransfer: prepareRead(db, transfers, (select) =>
    select.from(transfers).where(eq(transfers.id, sql.placeholder('id'))),
  ),
  readResolution: prepareRead(db, { id: transfers.id }, (select) =>
    select.from(transfers).where(eq(transfers.holdId, sql.placeholder('holdId'))),
  ),
});

/** Opens the ledger of a database. */
export function createLedger(db: Db): Ledger {
  const { insertAccount, readAccount, writeAccount, insertTransfer, readTransfer, readResolution } =
    prepareStatements(db);
  const known = cachesOf(db.$client).named<Id, LedgerAccount>('ledger_accounts');
  /** Accounts whose counters are not written yet; `null` if they are written at once. */
  let unwritten: Set<Id> | null = null;

  const balance = (id: Id): LedgerAccount => {
    const present = known.get(id);
    if (present !== undefined) return present;
    const account = readAccount.get({ id });
    if (account === undefined) throw new Error(`no ledger account ${id}`);
    return known.set(id, Object.freeze(account));
  };

  /** The counters of an account after a change. */
  const changed = (id: Id, change: Deltas): LedgerAccount => {
    const before = balance(id);
    const after: LedgerAccount = Object.freeze({
      id,
      kind: before.kind,
      debitsPending: before.debitsPending + change.debitsPending,
      debitsPosted: before.debitsPosted + change.debitsPosted,
      creditsPending: before.creditsPending + change.creditsPending,
      creditsPosted: before.creditsPosted + change.creditsPosted,
    });
    if (!isExact(after)) throw refuse('amount_too_large', { field: 'amount' });
    return after;
  };

  const keep = (account: LedgerAccount): void => {
    known.set(account.id, account);
    if (unwritten === null) writeAccount.run(account);
    else unwritten.add(account.id);
  };

  /** Writes a transfer, its two entries and the counters of both accounts; all transfers go through this function. */
  const write = (
    kind: Transfer['kind'],
    transfer: TransferInput,
    holdId: number | null,
    debitChange: Deltas,
    creditChange: Deltas,
  ): Written => {
    const debit = changed(transfer.debit, debitChange);
    if (!transfer.mayOverdraw && debit.kind !== 'master_account' && available(debit) < 0) {
      throw refuse('insufficient_funds', { field: 'amount' });
    }
    const credit = changed(transfer.credit, creditChange);
    keep(debit);
    keep(credit);
    const transferId = insertTransfer.add({
      kind,
      debitAccount: transfer.debit,
      creditAccount: transfer.credit,
      amount: transfer.amount,
      holdId,
      transactionId: transfer.transactionId,
      debitAvailableAfter: available(debit),
      creditAvailableAfter: available(credit),
      at: transfer.at,
    });
    return { transferId, amount: transfer.amount, debit, credit };
  };

  const openHold = (holdId: number): Transfer => {
    const hold = readTransfer.get({ id: holdId });
    if (hold?.kind !== 'hold') throw new Error(`transfer ${holdId} is not a hold`);
    if (readResolution.get({ holdId }) !== undefined) throw refuse('hold_resolved');
    return hold;
  };

  const resolve = (
    kind: 'settle' | 'release',
    holdId: number,
    by: Resolution,
    wanted: Cents | undefined,
  ): Written => {
    const hold = openHold(holdId);
    const posted = wanted ?? hold.amount;
    if (posted > hold.amount) throw new Error(`hold ${holdId} is smaller than ${posted}`);
    return write(
      kind,
      {
        debit: hold.debitAccount,
        credit: hold.creditAccount,
        amount: kind === 'settle' ? posted : hold.amount,
        transactionId: by.transactionId,
        at: by.at,
        mayOverdraw: true,
      },
      holdId,
      deltas({ debitsPending: -hold.amount, debitsPosted: posted }),
      deltas({ creditsPending: -hold.amount, creditsPosted: posted }),
    );
  };

  return {
    open(id, kind) {
      known.remove(id);
      insertAccount.run({ id, kind, ...deltas({}) });
    },
    balance,
    deferCounters() {
      unwritten = new Set();
    },
    writeCounters() {
      for (const id of unwritten ?? []) {
        const account = known.get(id);
        // An account whose opening was rolled back does not exist.
        if (account !== undefined) writeAccount.run(account);
      }
      unwritten = null;
    },
    post: (transfer) =>
      write(
        'post',
        checked(transfer),
        null,
        deltas({ debitsPosted: transfer.amount }),
        deltas({ creditsPosted: transfer.amount }),
      ),
    hold: (transfer) =>
      write(
        'hold',
        checked(transfer),
        null,
        deltas({ debitsPending: transfer.amount }),
        deltas({ creditsPending: transfer.amount }),
      ),
    settle: (holdId, by, amount) => resolve('settle', holdId, by, amount),
    release: (holdId, by) => resolve('release', holdId, by, 0),
    openHold,
  };
}

function checked(transfer: TransferInput): TransferInput {
  const { amount, debit, credit } = transfer;
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > MAX_CENTS) {
    throw refuse('amount_invalid', { field: 'amount' });
  }
  if (debit === credit) throw new Error('a transfer needs two accounts');
  return transfer;
}

/**
 * Whether all counters are exact as doubles, including after pending amounts are posted; the table has the same
 * check.
 */
function isExact({ debitsPending, debitsPosted, creditsPending, creditsPosted }: Deltas): boolean {
  return (
    Math.min(debitsPending, debitsPosted, creditsPending, creditsPosted) >= 0 &&
    debitsPending + debitsPosted <= Number.MAX_SAFE_INTEGER &&
    creditsPending + creditsPosted <= Number.MAX_SAFE_INTEGER
  );
}
