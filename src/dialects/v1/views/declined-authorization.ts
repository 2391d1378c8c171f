/**
 * A refused card authorization. A list and an event tell of it in different spellings: the numeric currency and ten
 * decimals in the list, the letters and nine decimals in the event.
 * Source: "retrieve declined card authorizations" and the card.declined sample of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant } from '../../../kernel/time.ts';
import type { Merchant, Transaction } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { DeclinedAuthorization } from '../shapes/declined-authorization.ts';
import { WALLETS } from '../vocabulary.ts';
import { viewMerchant } from './merchant.ts';

const SPELLINGS = {
  rest: { currency: '840', currencyConversionRate: '1.0000000000' },
  event: { currency: 'USD', currencyConversionRate: '1.000000000' },
} as const;

const NO_MERCHANT: Merchant = {
  name: '',
  city: '',
  state: '',
  country: '',
  postalCode: '',
  category: '',
  mcc: '',
  id: '',
};

/** A refused authorization, as a list (`rest`) or an event tells of it. */
export function viewDeclined(
  transaction: Transaction,
  surface: keyof typeof SPELLINGS,
): Static<typeof DeclinedAuthorization> {
  const { currency, currencyConversionRate } = SPELLINGS[surface];
  const details = transaction.details.kind === 'card' ? transaction.details : undefined;
  const amount = formatMoney(transaction.amount);
  return {
    cardId: spellV1('card', transaction.cardId),
    amount,
    currency,
    status: 'closed',
    reason: transaction.reason?.code ?? '',
    approved: 'false',
    method: '',
    merchant: viewMerchant(details?.merchant ?? NO_MERCHANT),
    createdAt: formatInstant(transaction.createdAt),
    authMethod: details?.authMethod ?? 'other',
    wallet: WALLETS.spell(details?.wallet ?? ''),
    localTransactionAmount: amount,
    localTransactionCurrency: currency,
    currencyConversionRate,
    rtaAuthId: spellV1('authorization', details?.rtaId ?? ''),
  };
}
