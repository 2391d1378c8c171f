/**
 * Opens a physical card that has arrived, for whoever can read it.
 * Source: "activate a card" of the platform's v2 reference; rows 26 and 172 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { readCardDetails } from '../../../dialects/v2/readers/card.ts';
import { Card, CardActivation } from '../../../dialects/v2/shapes/card.ts';
import { viewCard } from '../../../dialects/v2/views/card.ts';
import { operation } from '../../operation.ts';

export const activateCard = operation({
  id: 'v2_activate_card',
  method: 'PATCH',
  path: '/v2/issuing/card/:card_id/activate',
  summary: 'Activate a card',
  status: 200,
  refuses: ['illegal_step', 'card_details_mismatch'],
  params: Type.Object({ card_id: Type.String() }),
  body: CardActivation,
  response: Card,
  example: {
    params: ({ seed }) => ({ card_id: seed('physical_card_id') }),
    body: ({ seed }) => ({
      expiry_month: seed('inactive_card_expiry_month'),
      expiry_year: seed('inactive_card_expiry_year'),
      last4: seed('inactive_card_last4'),
    }),
  },
  run: ({ bank }, { params, body }) =>
    viewCard(bank.cards.activate(readId('card', params.card_id), readCardDetails(body)), bank.program),
});
