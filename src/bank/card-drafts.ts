/**
 * What all rows of a card have in common: they are described by the merchant's name, and carry what was known of the
 * purchase.
 */
import type { Cents } from '../kernel/money.ts';
import type { Card, CardDetails, Merchant } from '../model/records.ts';
import type { AccountFile } from './inputs.ts';
import type { Draft } from './movement-drafts.ts';

/** Who sells when nobody is named. */
export const DEFAULT_MERCHANT: Merchant = {
  name: 'Corner Market',
  city: 'San Francisco',
  state: 'CA',
  country: 'US',
  postalCode: '94105',
  category: 'Grocery Stores, Supermarkets',
  mcc: '5411',
  id: 'SANDBANK0000001',
};

/** The draft of a row of a card; which rail is the caller's to say. */
export function cardDraft(
  card: Card,
  own: AccountFile,
  amount: Cents,
  details: CardDetails,
): Omit<Draft, 'rail'> {
  // What a client said of the purchase it did not say of this row.
  const { described: _, ...known } = details;
  return {
    account: own.account,
    balance: own.balance,
    amount,
    description: details.merchant.name,
    otherSide: null,
    details: known,
    cardId: card.id,
  };
}
