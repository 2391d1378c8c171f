/**
 * The title and the description that a transaction is shown with when its client gave none. A transfer shows what its
 * client gave and nothing else.
 * Source: the samples of transactions in the platform's v1 reference (titles of payments, checks, card purchases and the
 * opening of an account); row 82 of docs/fidelity.md.
 */
import type { Transaction } from '../../../model/records.ts';

/** The client's title, or "Paid to ...", "Received from ...", the words of checks, the merchant's name. */
export function titleOf(transaction: Transaction): string {
  return transaction.title || generatedTitle(transaction);
}

function generatedTitle({ rail, method, direction, otherSide, details }: Transaction): string {
  if (details.kind === 'card') return details.merchant.name;
  if (rail === 'account_opening') return 'Account Opened';
  const name = otherSide?.name ?? '';
  if (rail === 'solid_card_send' || rail === 'solid_card_back') return `Card sent to ${name}`;
  // A reversal goes the other way and keeps the words of what it takes back.
  const isReversal = rail === 'reversal_credit' || rail === 'reversal_debit';
  const out = (direction === 'debit') !== isReversal;
  if (method === 'check') return `${out ? 'Check created for' : 'Received check from'} ${name}`;
  return `${out ? 'Paid to' : 'Received from'} ${name}`;
}

/** The words that v1 has for what a card did, where nobody gave it others; v2 has the merchant's name alone. */
export function describe({ rail, description, details }: Transaction): string {
  if (details.kind !== 'card' || details.described === true) return description;
  const spent = `Spent ${details.cardLabel} at ${description}`.replace('  ', ' ');
  return rail === 'card_reverse' ? `Reversal for - ${spent}` : spent;
}
