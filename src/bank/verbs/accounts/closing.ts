/**
 * Closing an account: nothing may be pending, and its balance is zero or mailed to the holder by check.
 * Source: decisions `account-status-changes` and `closing-balance` in docs/fidelity.md.
 */
import { formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import { totalsOf } from '../../model/balances.ts';
import type { Account, Totals } from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import { NO_COUNTERPARTY } from '../payments/counterparty-snapshots.ts';
import { newCheck } from '../transactions/details.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';

const DESCRIPTION = 'Account Closed';

/** Refuses: `account_not_empty` unless the balance and both pending amounts are zero. */
export function requireEmpty({ ledger }: Dependencies, { id }: Account): void {
  const totals = totalsOf(ledger.balance(id));
  if (totals.availableBalance !== 0 || hasPending(totals)) {
    throw notEmpty(totals, 'it can be closed when all three are 0.00');
  }
}

/**
 * Mails a check for the balance to the address of the holder. Refuses: `account_not_empty` for pending amounts, a
 * negative balance, and a holder without an address.
 */
export function mailBalance(
  dependencies: Dependencies,
  transactions: TransactionVerbs,
  account: Account,
): void {
  const { store, ledger, sequence } = dependencies;
  const balance = ledger.balance(account.id);
  const totals = totalsOf(balance);
  if (hasPending(totals)) throw notEmpty(totals, 'it can be closed when no payment is pending');
  if (totals.availableBalance === 0) return;
  if (totals.availableBalance < 0)
    throw notEmpty(totals, 'it can be closed when the balance is not negative');
  const holder = store.holders.byId(account.holderId);
  const address = (holder?.person ?? holder?.business)?.address ?? null;
  if (address === null) {
    throw notEmpty(
      totals,
      'the check for its balance needs an address, and the holder has none: add it, or empty the account',
    );
  }
  transactions.open({
    rail: 'account_closing',
    account,
    balance,
    amount: totals.availableBalance,
    description: DESCRIPTION,
    otherSide: { ...NO_COUNTERPARTY, name: account.holderName, address },
    details: newCheck(sequence),
  });
}

const hasPending = ({ pendingCredits, pendingDebits }: Totals): boolean =>
  pendingCredits !== 0 || pendingDebits !== 0;

function notEmpty({ availableBalance, pendingCredits, pendingDebits }: Totals, advice: string) {
  const figures = [
    `${formatMoney(availableBalance)} available`,
    `${formatMoney(pendingCredits)} in pending credits`,
    `${formatMoney(pendingDebits)} in pending debits`,
  ].join(', ');
  return refuse('account_not_empty', { field: 'status', message: `the account has ${figures}; ${advice}` });
}
