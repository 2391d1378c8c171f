/**
 * The ledger actions of a step: the debited and credited ledger accounts, and the balances of both sides that the
 * record stores.
 * Source: decisions `master-account-entry` and `intra-account-recording` in docs/fidelity.md.
 */

import type { Cents } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import { type LedgerAccount, SUSPENSE, type TransferInput, type Written } from '../../ledger/ledger.ts';
import { totalsOf } from '../../model/balances.ts';
import { type LedgerAction, railOf } from '../../model/rails/index.ts';
import type { Transaction } from '../../model/records.ts';
import type { Direction } from '../../model/vocabulary.ts';
import type { Dependencies } from '../dependencies.ts';

export interface TransactionBooks {
  /**
   * Writes the transfer of a step; returns `undefined` if the step has none. Refuses: `insufficient_funds`,
   * `amount_too_large`.
   */
  applyToLedger(
    action: LedgerAction,
    transaction: Transaction,
    accountId: Id,
    contraAccountId: Id,
    at: Instant,
    mayOverdraw: boolean,
  ): Written | undefined;
  /** Replaces the open hold by a hold of `held`. Refuses: `insufficient_funds`. */
  replaceHold(holdId: number, transaction: Transaction, accountId: Id, held: Cents, at: Instant): Written;
  /** The contra account: the master account, the other party's account, or the suspense account. */
  contraAccountOf(transaction: Transaction): Id;
}

/** Creates the ledger actions of a bank. */
export function createTransactionBooks({
  store,
  ledger,
  program,
}: Pick<Dependencies, 'store' | 'ledger' | 'program'>): TransactionBooks {
  return {
    applyToLedger(action, { id, amount, direction, holdId }, accountId, contraAccountId, at, mayOverdraw) {
      const forward = { ...sides(accountId, direction, contraAccountId), amount, transactionId: id, at };
      switch (action) {
        case 'hold':
          return ledger.hold({ ...forward, mayOverdraw });
        case 'post':
          return ledger.post({ ...forward, mayOverdraw });
        case 'settle':
          // Without a hold (an incoming debit that exceeds the balance but is settled nevertheless) there is only a
          // posting.
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

    replaceHold(holdId, transaction, accountId, held, at) {
      const released = ledger.release(holdId, { transactionId: transaction.id, at });
      return ledger.hold({
        ...sides(accountId, transaction.direction, program.masterAccountId),
        amount: held,
        transactionId: transaction.id,
        at,
        // A smaller hold needs no additional money, whatever the balance.
        mayOverdraw: held <= released.amount,
      });
    },

    contraAccountOf(transaction) {
      const { contra } = railOf(transaction.rail);
      if (contra === 'master') return program.masterAccountId;
      if (contra === 'suspense') return SUSPENSE;
      // From the time of the payment: the counterparty may have changed since, and may have no number.
      const { details } = transaction;
      const linkedTransaction =
        details.kind === 'intra' ? store.transactions.byId(details.partnerId) : undefined;
      if (linkedTransaction?.accountId == null) throw refuse('intra_account_unknown');
      return linkedTransaction.accountId;
    },
  };
}

function sides(
  accountId: Id,
  direction: Direction,
  contraAccountId: Id,
): Pick<TransferInput, 'debit' | 'credit'> {
  return direction === 'credit'
    ? { debit: contraAccountId, credit: accountId }
    : { debit: accountId, credit: contraAccountId };
}

/** The transaction's own account in a transfer. */
export function ownAccount(written: Written, accountId: Id): LedgerAccount {
  return written.debit.id === accountId ? written.debit : written.credit;
}

/**
 * Copies the balances after a transfer into the transaction: those of its account, and of the master account if it
 * has an entry.
 */
export function copyBalances(transaction: Transaction, written: Written, own: LedgerAccount): void {
  const contraAccount = own === written.debit ? written.credit : written.debit;
  const master = contraAccount.kind === 'master_account' ? totalsOf(contraAccount, contraAccount.kind) : null;
  if (transaction.masterId !== '') transaction.masterTotals = master;
  Object.assign(transaction, own.kind === 'suspense' && master !== null ? master : totalsOf(own));
}
