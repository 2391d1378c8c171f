/**
 * Computes the three balances of an account from its ledger balance. A sub account is a liability of the bank and the
 * master account an asset, so their debit and credit sides are opposite.
 */
import type { Balance, Totals } from './records.ts';

/** The available balance, pending credits and pending debits of an account, in cents. */
export function totalsOf(
  balance: Balance,
  kind: 'sub_account' | 'master_account' | 'suspense' = 'sub_account',
): Totals {
  const { debitsPending, debitsPosted, creditsPending, creditsPosted } = balance;
  return kind === 'master_account'
    ? {
        availableBalance: debitsPosted - creditsPosted - creditsPending,
        pendingCredits: debitsPending,
        pendingDebits: creditsPending,
      }
    : {
        availableBalance: creditsPosted - debitsPosted - debitsPending,
        pendingCredits: creditsPending,
        pendingDebits: debitsPending,
      };
}
