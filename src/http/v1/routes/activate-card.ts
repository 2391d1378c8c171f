/**
 * PATCH /v1/card/{cardId}/activate: opens a physical card that has arrived, for whoever can read it.
 * Source: "activate a card" of the platform's v1 reference; rows 26 and 172 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readCardDetails } from '../../../dialects/v1/readers/card.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { ActivatedCard, CardActivationBody } from '../../../dialects/v1/shapes/card.ts';
import { viewActivatedCard } from '../../../dialects/v1/views/card.ts';
import { operation } from '../../operation.ts';

export const activateCard = operation({
  id: 'activateCard',
  method: 'PATCH',
  path: '/v1/card/:cardId/activate',
  summary: 'Activate a card',
  status: 200,
  refuses: ['illegal_step', 'card_details_mismatch'],
  params: Type.Object({ cardId: Type.String() }),
  body: CardActivationBody,
  response: ActivatedCard,
  example: {
    params: ({ seed }) => ({ cardId: seed('inactive_card_id') }),
    body: ({ seed }) => ({
      expiryMonth: seed('inactive_card_expiry_month'),
      expiryYear: seed('inactive_card_expiry_year'),
      last4: seed('inactive_card_last4'),
    }),
  },
  run({ bank }, { params, body }) {
    return viewActivatedCard(bank.cards.activate(readId('card', params.cardId), readCardDetails(body)));
  },
});
