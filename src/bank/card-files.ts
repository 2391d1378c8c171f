/**
 * What is shown of a card together with it: who uses it, and what is left of a limit for all time. The transfer of money
 * that was sent as a card shows that card, as it is when the transfer is asked for or told of.
 * Source: rows 174 and 197 of docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import type { Card, CardHolder, Transaction } from '../model/records.ts';
import type { Store } from '../store/store.ts';
import type { CardFile, TransferFile } from './inputs.ts';

/** A card with its card holder, who is looked up unless given. Refuses: `card_holder_not_found`. */
export function cardFileOf({ cardHolders, cardUsage }: Store, card: Card, given?: CardHolder): CardFile {
  const cardHolder = given ?? cardHolders.byId(card.cardHolderId);
  if (cardHolder === undefined) throw refuse('card_holder_not_found');
  const { period, maxSpendAmount } = card.controls.limit;
  if (period !== 'all_time' || maxSpendAmount === null) return { card, cardHolder };
  const { amount } = cardUsage.since(card.id, '');
  return { card, cardHolder, left: Math.max(0, maxSpendAmount - amount) };
}

/** A movement with the card that was sent with its money, if one was. */
export function transferFileOf(store: Store, transaction: Transaction): TransferFile {
  const { details } = transaction;
  if (details.kind !== 'intra' || details.sentCardId === undefined) return transaction;
  const card = store.cards.byId(details.sentCardId);
  return card === undefined ? transaction : { ...transaction, sentCard: cardFileOf(store, card) };
}
