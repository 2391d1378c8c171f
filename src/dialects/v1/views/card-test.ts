/**
 * The bank's answer to a card test: a refusal is an answer too, with the bank's own reason.
 * Source: "card testing" of the platform's v1 reference; row 36 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Transaction } from '../../../model/records.ts';
import type { CardTestAnswer } from '../shapes/card-test.ts';

/** Approved, or declined and why. */
export function viewCardTest(transaction: Transaction): Static<typeof CardTestAnswer> {
  if (transaction.status !== 'declined') return { status: 'approved', declineReason: '' };
  return { status: 'declined', declineReason: transaction.reason?.code ?? '' };
}
