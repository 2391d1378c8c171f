/**
 * The merchant of a simulated card payment. A caller names as much of it as it likes; what it leaves out must not
 * contradict what it names, so name and id, place and category are each taken whole from one source.
 * Source: decision `card-test-merchant` in docs/fidelity.md.
 */
import categories from '../../data/merchant-categories.json' with { type: 'json' };
import type { Merchant } from './records.ts';

/** The usual categories of ISO 18245, named in our own words. Another code is taken everywhere and has no name here. */
const NAMES = new Map(categories.map(({ code, name }) => [code, name]));
const CODES = new Map(categories.map(({ code, name }) => [name.toLowerCase(), code]));

/** The merchant of a payment that names none, in the place of the documents' sample of a card test. */
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
 * The whole merchant of which a caller named a part. One word of a place empties its other words; a category's code
 * alone takes its name and its name alone its code, `''` where they are not known. Everything else is that of `known`:
 * the purchase's merchant for a refund, the example merchant otherwise.
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
