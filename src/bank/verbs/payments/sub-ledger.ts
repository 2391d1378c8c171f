/**
 * Sub-ledgering: moves money in suspense, or a part of it, to a sub account. The balance of the master account does
 * not change.
 * Source: decisions `master-account-incoming` and `sub-ledgering` in docs/fidelity.md.
 */
import { formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { SUSPENSE } from '../../ledger/ledger.ts';
import { isReversal } from '../../model/rails/index.ts';
import type { Balance, Transaction } from '../../model/records.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Dependencies } from '../dependencies.ts';
import type { SubLedgering } from '../inputs.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import { requireMovable } from './originations.ts';

export interface SubLedger {
  /**
   * Moves a part of an unallocated master entry to a sub account. Refuses: `transaction_not_found`,
   * `account_not_found`, `account_not_active`, `account_credit_blocked`, `illegal_step` while the entry is not
   * settled, `field_invalid` for an entry without unallocated money or an amount above it.
   */
  subLedger(input: SubLedgering): Transaction;
  /** The balance of the suspense account: all unallocated money. */
  suspenseBalance(): Balance;
}

/** The verb of sub-ledgering; `entryOf` finds an entry by its id in the master account. */
export function createSubLedger(
  { ledger }: Pick<Dependencies, 'ledger'>,
  accounts: Accounts,
  transactions: TransactionVerbs,
  entryOf: (id: Id) => Transaction,
): SubLedger {
  return {
    suspenseBalance: () => ledger.balance(SUSPENSE),

    subLedger({ masterEntryId, accountId, amount }) {
      const masterEntry = entryOf(masterEntryId);
      const own = accounts.byId(accountId);
      requireMovable(own.account, 'credit', 'accountId');
      if (own.account.role === 'fallback') {
        throw refuse('field_invalid', {
          field: 'accountId',
          message: 'a fallback account sends and receives only intrabank payments: use another sub account',
        });
      }
      requireUnallocated(masterEntry);
      const parts = masterEntry.subLedger ?? [];
      const unallocated = parts.reduce((rest, part) => rest - part.amount, masterEntry.amount);
      if (unallocated === 0) throw refuse('entry_sub_ledgered', { field: 'masterAccountTransactionId' });
      if (amount > unallocated) {
        throw refuse('field_invalid', {
          field: 'amount',
          message: `${formatMoney(amount)} is more than the ${formatMoney(unallocated)} of this entry that is not sub-ledgered yet`,
        });
      }
      const { method, type, title, description, otherSide, details, masterId } = masterEntry;
      const part = transactions.open({
        rail: 'sub_ledgered',
        ...own,
        amount,
        method,
        type,
        title,
        description,
        otherSide,
        details,
        masterId,
        contraAccountId: SUSPENSE,
      });
      transactions.revise({
        ...masterEntry,
        subLedger: [...parts, { accountId: own.account.id, transactionId: part.id, amount }],
      });
      return part;
    },
  };
}

function requireUnallocated({ accountId, direction, rail, status }: Transaction): void {
  if (accountId !== null || direction !== 'credit' || isReversal(rail)) {
    throw refuse('field_invalid', {
      field: 'masterAccountTransactionId',
      message: 'only money that arrived in the master account without a sub account can be sub-ledgered',
    });
  }
  if (status !== 'settled') {
    throw refuse('illegal_step', {
      message: `the entry is ${status}; it can be sub-ledgered while it is settled`,
    });
  }
}
