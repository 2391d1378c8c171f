/** The merchant of a simulated card payment is consistent, even if a caller sends only some of its fields. */
import { describe, expect, it } from 'vitest';
import { V1_OPERATIONS } from '../../../src/bank/api/v1/index.ts';
import { completeMerchant } from '../../../src/bank/model/merchants.ts';
import { useHttp } from '../../server/http/support.ts';

const EXAMPLE = completeMerchant();

describe('a partially specified merchant', () => {
  it.each([
    ['a name', { name: 'Harbor Books' }, { ...EXAMPLE, name: 'Harbor Books' }],
    ['a known code', { mcc: '5942' }, { ...EXAMPLE, mcc: '5942', category: 'Book Stores' }],
    ['an unknown code', { mcc: '0001' }, { ...EXAMPLE, mcc: '0001', category: '' }],
    ['a known category', { category: 'book stores' }, { ...EXAMPLE, mcc: '5942', category: 'book stores' }],
    ['an unknown category', { category: 'Kites' }, { ...EXAMPLE, mcc: '', category: 'Kites' }],
    ['both', { category: 'Kites', mcc: '5945' }, { ...EXAMPLE, mcc: '5945', category: 'Kites' }],
    ['a city', { city: 'Austin' }, { ...EXAMPLE, city: 'Austin', state: '', country: '', postalCode: '' }],
    ['a state', { state: 'TX' }, { ...EXAMPLE, city: '', state: 'TX', country: '', postalCode: '' }],
  ] as const)('with %s is completed', (_, named, whole) => {
    expect(completeMerchant(named)).toEqual(whole);
  });

  it('is the merchant of the purchase for the other fields of a refund', () => {
    const shop = completeMerchant({ name: 'Harbor Books', city: 'Monterey', mcc: '5942' });
    expect(completeMerchant(undefined, shop)).toEqual(shop);
    expect(completeMerchant({ mcc: '5411' }, shop)).toEqual({
      ...shop,
      mcc: '5411',
      category: 'Grocery Stores, Supermarkets',
    });
  });
});

describe('a card test of v1', () => {
  const http = useHttp();

  it('without a merchant has the merchant of the published sample', () => {
    const sample = V1_OPERATIONS.find(({ id }) => id === 'testCard')?.example?.body as {
      merchant: Record<string, string>;
    };
    const { merchantCity, merchantState, merchantCountry, postalCode } = sample.merchant;
    expect(EXAMPLE).toMatchObject({
      city: merchantCity,
      state: merchantState,
      country: merchantCountry,
      postalCode,
    });
  });

  it.each([
    [{ merchantCategoryCode: '5942' }, { merchantCategoryCode: '5942', merchantCategory: 'Book Stores' }],
    [
      { merchantCity: 'Austin' },
      { merchantCity: 'Austin', merchantState: '', merchantCountry: '', postalCode: '' },
    ],
  ])('with %j records matching data', async (merchant, recorded) => {
    const caller = http.caller();
    await caller.listen();
    const path = `/v1/card/${caller.seed('virtual_card_id')}/test`;
    expect((await caller.v1('POST', path, { amount: '5.00', txnType: 'auth', merchant })).status).toBe(200);
    const { v1 } = await caller.receivedEvents();
    expect(v1[0]?.record).toMatchObject({ card: { merchant: recorded } });
  });
});
