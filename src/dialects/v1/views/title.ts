/**
 * The title and the description that a transaction gets when its client gave none. A transfer shows only a title that was
 * given, which is why the two have to be told apart.
 * Source: the samples of transactions in the platform's v1 reference (titles of payments, checks and card purchases).
 */
import type { Transaction } from '../../../model/records.ts';

/** "Paid to ...", "Received from ...", the words of checks, or the merchant's name. */
export function generatedTitle({ rail, direction, otherSide, details }: Transaction): string {
  if (details.kind === 'card') return details.merchant.name;
  const name = otherSide?.name ?? '';
  if (rail === 'check_send') return `Check created for ${name}`;
  if (rail === 'check_deposit') return `Received check from ${name}`;
  if (rail === 'solid_card_send' || rail === 'solid_card_back') return `Card sent to ${name}`;
  // A reversal goes the other way and keeps the words of what it takes back.
  const out = rail === 'reversal_credit' || (rail !== 'reversal_debit' && direction === 'debit');
  return `${out ? 'Paid to' : 'Received from'} ${name}`;
}

/** The words that v1 has for what a card did, where nobody gave it others; v2 has the merchant's name alone. */
export function describe({ rail, description, details }: Transaction): string {
  if (details.kind !== 'card' || description !== details.merchant.name) return description;
  const spent = `Spent ${details.cardLabel} at ${description}`.replace('  ', ' ');
  return rail === 'card_reverse' ? `Reversal for - ${spent}` : spent;
}
