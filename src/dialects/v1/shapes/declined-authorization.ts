/**
 * A card authorization that was refused. It is no transaction and no transfer: it has no id of its own. `approved` is
 * the one boolean of v1 that is a text.
 * Source: "retrieve declined card authorizations" and the card.declined sample of the platform's v1 reference.
 */
import { AUTH_METHODS } from '../../../model/vocabulary.ts';
import { listOf } from '../paging.ts';
import { WALLETS } from '../vocabulary.ts';
import { Merchant } from './merchant.ts';
import { CurrencyRate, IdText, Money, record, Timestamp, text, wordOf } from './scalars.ts';

const ListedCurrency = wordOf(['840', 'USD'], 'A list has the number of the currency, an event its letters.');

export const DeclinedAuthorization = record(
  'DeclinedAuthorization',
  'A card authorization that was refused; it moved nothing.',
  {
    cardId: IdText,
    amount: Money,
    currency: ListedCurrency,
    status: wordOf(['closed']),
    reason: text('Why, in a word, like "lowBalance".'),
    approved: wordOf(['false']),
    method: text('Nothing is published of it: "".'),
    merchant: Merchant,
    createdAt: Timestamp,
    authMethod: wordOf(AUTH_METHODS),
    wallet: wordOf([...WALLETS.words, '']),
    localTransactionAmount: Money,
    localTransactionCurrency: ListedCurrency,
    currencyConversionRate: CurrencyRate,
    rtaAuthId: text('The question of real-time authorization that was asked of it; "" for none.'),
  },
);

export const DeclinedAuthorizationList = listOf('DeclinedAuthorizationList', DeclinedAuthorization);
