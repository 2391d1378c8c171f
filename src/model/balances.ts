/**
 * The three figures that an account is shown with, worked out from its balance in the ledger. A sub account is the bank's
 * debt and the master account its asset, so the sides of the two are opposite.
 */
import type { Balance, Totals } from './records.ts';

/** What an account has available, and what is on its way in and out, in cents. */
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
