/**
 * Makes a card for a card holder, under the sub account of the card holder.
 * Source: the card operations of the platform's v2 reference; rows 14, 26 and 172 of docs/fidelity.md.
 */
import { readNewCard } from '../../../dialects/v2/readers/card.ts';
import { Card, NewCardInput } from '../../../dialects/v2/shapes/card.ts';
import { viewCard } from '../../../dialects/v2/views/card.ts';
import { operation } from '../../operation.ts';
import { ADDRESS } from '../examples.ts';

export const createCard = operation({
  id: 'v2_create_card',
  method: 'POST',
  path: '/v2/issuing/card',
  summary: 'Create a card',
  status: 201,
  refuses: [
    'holder_not_active',
    'account_not_active',
    'limit_exceeded',
    'switched_off',
    'card_controls_both',
  ],
  body: NewCardInput,
  response: Card,
  example: {
    body: ({ seed }) => ({
      card_holder_id: seed('card_holder_id'),
      cardholder_id: seed('card_holder_id'),
      type: 'physical',
      product: 'consumer_debit',
      theme: 'midnight',
      label: 'Fuel',
      card_fulfilment: {
        embossing: { card_holder_name: 'MARA QUILL', business_name: 'QUILL PRESS' },
        shipping_address: ADDRESS,
      },
      controls: {
        allowed: { merchants: [], categories: ['5541', '5542'], countries: ['US'] },
        blocked: { merchants: ['Harbor Casino'], categories: [], countries: [] },
        limit: {
          period: 'weekly',
          max_spend_amount: '400.00',
          max_spend_per_transaction: '150.00',
          max_spend_count: '6',
        },
        atm_enabled: 'false',
      },
      external_reference_id: 'card-req-9',
      metadata: { team: 'field' },
    }),
  },
  run: ({ bank }, { body }) => viewCard(bank.cards.issue(readNewCard(body)), bank.program),
});
