/**
 * Declined card authorizations. Such an authorization is neither a transaction nor a transfer, and has no id. The
 * list and the event `card.declined` differ: the list has the numeric currency code and ten decimals, the event the
 * alphabetic code and nine decimals. `approved` is the only boolean of v1 that is a string.
 * Source: "retrieve declined card authorizations" and the card.declined sample of the platform's v1 reference; decision
 * `v1-card-test-decline` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant } from '../../../kernel/time.ts';
import type { Merchant as MerchantRecord, Transaction } from '../../../model/records.ts';
import { AUTH_METHODS } from '../../../model/vocabulary.ts';
import { formatV1 } from '../../ids.ts';
import { operation } from '../../operation.ts';
import { CurrencyRate, enumOf, IdText, Money, parseId, record, Timestamp, text } from '../fields.ts';
import { formatList, listOf, parseWindow, plainListQuery } from '../paging.ts';
import { MERCHANT, Merchant } from '../transactions/shapes.ts';
import { MOBILE_WALLETS } from '../vocabulary.ts';

const ListedCurrency = enumOf(
  ['840', 'USD'],
  'The numeric currency code in a list, the letters in an event.',
);

export const DeclinedAuthorization = record(
  'DeclinedAuthorization',
  'A declined card authorization, which moved no money.',
  {
    cardId: IdText,
    amount: Money,
    currency: ListedCurrency,
    status: enumOf(['closed']),
    reason: text('The reason as a code, like "lowBalance".'),
    approved: enumOf(['false']),
    method: text('Always "": its values are not published.'),
    merchant: Merchant,
    createdAt: Timestamp,
    authMethod: enumOf(AUTH_METHODS),
    wallet: enumOf([...MOBILE_WALLETS.words, '']),
    localTransactionAmount: Money,
    localTransactionCurrency: enumOf(['', 'USD'], 'The letters in an event; "" in a list.'),
    currencyConversionRate: CurrencyRate,
    rtaAuthId: text('The real-time authorization request for it; "" for none.'),
  },
);

const DeclinedAuthorizationList = listOf('DeclinedAuthorizationList', DeclinedAuthorization);

const CURRENCY_FORMATS = {
  rest: { currency: '840', localCurrency: '', currencyConversionRate: '1.0000000000' },
  event: { currency: 'USD', localCurrency: 'USD', currencyConversionRate: '1.000000000' },
} as const;

const NO_MERCHANT: MerchantRecord = {
  name: '',
  city: '',
  state: '',
  country: '',
  postalCode: '',
  category: '',
  mcc: '',
  id: '',
};

/** Formats a declined authorization for a list (`rest`) or an event (`event`). */
export function formatDeclined(
  transaction: Transaction,
  surface: keyof typeof CURRENCY_FORMATS,
): Static<typeof DeclinedAuthorization> {
  const { currency, localCurrency, currencyConversionRate } = CURRENCY_FORMATS[surface];
  const details = transaction.details.kind === 'card' ? transaction.details : undefined;
  const amount = formatMoney(transaction.amount);
  return {
    cardId: formatV1('card', transaction.cardId),
    amount,
    currency,
    status: 'closed',
    reason: transaction.reason?.code ?? '',
    approved: 'false',
    method: '',
    merchant: MERCHANT.format(details?.merchant ?? NO_MERCHANT),
    createdAt: formatInstant(transaction.createdAt),
    authMethod: details?.authMethod ?? 'other',
    wallet: MOBILE_WALLETS.format(details?.wallet ?? ''),
    localTransactionAmount: amount,
    localTransactionCurrency: localCurrency,
    currencyConversionRate,
    rtaAuthId: formatV1('authorization', details?.rtaId ?? ''),
  };
}

export const DECLINED_OPERATIONS = [
  operation({
    id: 'listDeclinedAuthorizations',
    method: 'GET',
    path: '/v1/card/:cardId/declined',
    summary: 'List the declined authorizations of a card',
    description:
      'Lists the authorizations of a card that were declined, newest first, with the reason of each. They are not transactions of the account.',
    answer: 'A page of declined authorizations, newest first.',
    decisions: ['v1-card-test-decline'],
    status: 200,
    query: plainListQuery({}),
    response: DeclinedAuthorizationList,
    example: {
      query: { limit: '10' },
    },
    run({ bank }, { params, query }) {
      const page = bank.cards.declined(parseId('card', params.cardId), parseWindow(query));
      return formatList(page, (transaction) => formatDeclined(transaction, 'rest'));
    },
  }),
] as const;
