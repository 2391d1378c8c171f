/**
 * A card authorization that was refused. It is no transaction and no transfer: it has no id of its own. `approved` is
 * the one boolean of v1 that is a text.
 * Source: "retrieve declined card authorizations" and the card.declined sample of the platform's v1 reference.
 */
import { AUTH_METHODS } from '../../../model/vocabulary.ts';
import { listOf } from '../paging.ts';
import { Merchant } from './merchant.ts';
import { Money, record, Text, Timestamp, wordOf } from './scalars.ts';

export const DeclinedAuthorization = record('DeclinedAuthorization', {
  cardId: Text,
  amount: Money,
  currency: Text,
  status: wordOf(['closed']),
  reason: Text,
  approved: wordOf(['false']),
  method: Text,
  merchant: Merchant,
  createdAt: Timestamp,
  authMethod: wordOf(AUTH_METHODS),
  wallet: Text,
  localTransactionAmount: Money,
  localTransactionCurrency: Text,
  currencyConversionRate: Text,
  rtaAuthId: Text,
});

export const DeclinedAuthorizationList = listOf('DeclinedAuthorizationList', DeclinedAuthorization);
