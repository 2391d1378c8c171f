/**
 * POST /v1/card: issues a card of an account for the person on whose behalf the call is made; without one for the
 * account's own person. Who has no card of the account yet becomes a card holder of it.
 * Source: "create a card" of the platform's v1 reference; rows 26, 171 and 172 of docs/fidelity.md.
 */
import { readNewCard } from '../../../dialects/v1/readers/card.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Card, NewCardBody } from '../../../dialects/v1/shapes/card.ts';
import { viewCard } from '../../../dialects/v1/views/card.ts';
import { operation } from '../../operation.ts';
import { ADDRESS } from '../examples.ts';

export const createCard = operation({
  id: 'createCard',
  method: 'POST',
  path: '/v1/card',
  summary: 'Create a card',
  status: 201,
  refuses: [
    'holder_not_active',
    'account_not_active',
    'limit_exceeded',
    'switched_off',
    'card_controls_both',
  ],
  body: NewCardBody,
  response: Card,
  example: {
    body: ({ seed }) => ({
      accountId: seed('account_id'),
      cardType: 'physical',
      label: 'Travel',
      bin: 'debit',
      currency: 'USD',
      limitAmount: '400.00',
      limitInterval: 'monthly',
      billingAddress: { ...ADDRESS, addressType: 'billing' },
      allowedCategories: ['4111', '7011'],
      blockedCategories: [],
      allowedMerchants: [],
      blockedMerchants: ['Harbor Casino'],
      atmAccess: false,
      theme: 'midnight',
      embossingPerson: 'ADA LOVEGOOD',
      embossingBusiness: 'HARBOR TRAVEL',
      shipping: { shippingAddress: { ...ADDRESS, addressType: 'shipping' } },
      metadata: { externalId: '31' },
    }),
  },
  run({ bank, personId }, { body }) {
    const card = readNewCard(body);
    const cardHolder = bank.cardHolders.ofPerson(readId('account', body.accountId, 'accountId'), personId);
    return viewCard(bank.cards.issue({ ...card, cardHolderId: cardHolder.id }), bank.program);
  },
});
