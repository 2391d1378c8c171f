/**
 * The merchant of a simulated card payment. A caller can send any part of it. The default values of the rest must not
 * contradict that part, so name and id, place, and category are each taken as a whole from one source.
 * Source: decision `card-test-merchant` in docs/fidelity.md.
 */
import categories from '../../../data/merchant-categories.json' with { type: 'json' };
import type { Merchant } from './records.ts';

/** Common categories of ISO 18245, with our own names. Other codes are accepted everywhere and have no name. */
const NAMES = new Map(categories.map(({ code, name }) => [code, name]));
const CODES = new Map(categories.map(({ code, name }) => [name.toLowerCase(), code]));

/** The default merchant; its place is that of the documented sample of a card test. */
const DEFAULT_MERCHANT: Merchant = {
  name: 'Corner Market',
  city: 'Monterey',
  state: 'CA',
  country: 'US',
  postalCode: '93940',
  category: 'Grocery Stores, Supermarkets',
  mcc: '5411',
  id: 'SANDBANK0000001',
};

const NO_PLACE = { city: '', state: '', country: '', postalCode: '' } as const;
const PLACE = Object.keys(NO_PLACE) as (keyof typeof NO_PLACE)[];

/**
 * The complete merchant for the part that a caller sent. If one field of the place is sent, its other fields are
 * empty. A category code alone gets its name and a name alone its code, or `''` if unknown. Everything else comes
 * from `known`: the purchase's merchant for a refund, otherwise the default merchant.
 */
export function completeMerchant(
  named: Partial<Merchant> = {},
  known: Merchant = DEFAULT_MERCHANT,
): Merchant {
  const { mcc, category } = named;
  return {
    ...known,
    ...(PLACE.some((word) => named[word] !== undefined) && NO_PLACE),
    ...named,
    ...((mcc !== undefined || category !== undefined) && {
      mcc: mcc ?? CODES.get(category?.toLowerCase() ?? '') ?? '',
      category: category ?? NAMES.get(mcc ?? '') ?? '',
    }),
  };
}
