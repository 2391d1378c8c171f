/**
 * A merchant with v1's prefixed names, for the two records that tell of one.
 * Source: the merchant object of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { Merchant } from '../../../model/records.ts';
import type { Merchant as MerchantShape } from '../shapes/merchant.ts';

/** A merchant. */
export function viewMerchant(merchant: Merchant): Static<typeof MerchantShape> {
  return {
    merchantName: merchant.name,
    merchantCity: merchant.city,
    merchantState: merchant.state,
    merchantCountry: merchant.country,
    postalCode: merchant.postalCode,
    merchantCategory: merchant.category,
    merchantCategoryCode: merchant.mcc,
    merchantId: merchant.id,
  };
}
