/**
 * What a step of a transaction does to the books: which two ledger accounts are debited and credited, and the figures that
 * the record shows of both sides afterwards.
 * Source: decisions `master-account-entry` and `intra-account-recording` in docs/fidelity.md.
 */

import type { Cents } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import { type LedgerAccount, type Movement, SUSPENSE, type Written } from '../../ledger/ledger.ts';
import { totalsOf } from '../../model/balances.ts';
import { type LedgerAction, railOf } from '../../model/rails/index.ts';
import type { Transaction } from '../../model/records.ts';
import type { Direction } from '../../model/vocabulary.ts';
import type { Dependencies } from '../dependencies.ts';

export interface TransactionBooks {
  /** Does what a step does to the books; `undefined` when it does nothing. Refuses: `insufficient_funds`, `amount_too_large`. */
  book(
    action: LedgerAction,
    transaction: Transaction,
    accountId: Id,
    other: Id,
    at: Instant,
    mayOverdraw: boolean,
  ): Written | undefined;
  /** Ends the open hold and holds `held` instead. Refuses: `insufficient_funds`. */
  holdInstead(holdId: number, transaction: Transaction, accountId: Id, held: Cents, at: Instant): Written;
  /** Where the other leg of a payment is booked: the master account, the other party's account, or the suspense. */
  otherAccountOf(transaction: Transaction): Id;
}

/** The books of one bank. */
export function createTransactionBooks({
  store,
  ledger,
  program,
}: Pick<Dependencies, 'store' | 'ledger' | 'program'>): TransactionBooks {
  return {
    book(action, { id, amount, direction, holdId }, accountId, other, at, mayOverdraw) {
      const forward = { ...sides(accountId, direction, other), amount, transactionId: id, at };
      switch (action) {
        case 'hold':
          return ledger.hold({ ...forward, mayOverdraw });
        case 'post':
          return ledger.post({ ...forward, mayOverdraw });
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
    },

    holdInstead(holdId, transaction, accountId, held, at) {
      const freed = ledger.release(holdId, { transactionId: transaction.id, at });
      return ledger.hold({
        ...sides(accountId, transaction.direction, program.masterAccountId),
        amount: held,
        transactionId: transaction.id,
        at,
        // Holding less than before needs nothing new, whatever else has happened to the account.
        mayOverdraw: held <= freed.amount,
      });
    },

    otherAccountOf(transaction) {
      const { against } = railOf(transaction.rail);
      if (against === 'master') return program.masterAccountId;
      if (against === 'suspense') return SUSPENSE;
      // As it was when the payment was made: the counterparty may have changed since, and need not have a number.
      const { details } = transaction;
      const partner = details.kind === 'intra' ? store.transactions.byId(details.partnerId) : undefined;
      if (partner?.accountId == null) throw refuse('intra_account_unknown');
      return partner.accountId;
    },
  };
}

function sides(accountId: Id, direction: Direction, other: Id): Pick<Movement, 'debit' | 'credit'> {
  return direction === 'credit' ? { debit: other, credit: accountId } : { debit: accountId, credit: other };
}

/** The side of a transfer that is the transaction's own account. */
export function ownAccount(written: Written, accountId: Id): LedgerAccount {
  return written.debit.id === accountId ? written.debit : written.credit;
}

/** Notes the figures after a transfer: the account's own, and those of the master account if its entry is this one. */
export function takeTotals(transaction: Transaction, written: Written, own: LedgerAccount): void {
  const other = own === written.debit ? written.credit : written.debit;
  const master = other.kind === 'master_account' ? totalsOf(other, other.kind) : null;
  if (transaction.masterId !== '') transaction.masterTotals = master;
  Object.assign(transaction, own.kind === 'suspense' && master !== null ? master : totalsOf(own));
}
