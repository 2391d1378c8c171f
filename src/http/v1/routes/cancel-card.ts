/**
 * DELETE /v1/card/{cardId}: cancels a card for good; it stays readable.
 * Source: "delete a card" of the platform's v1 reference; row 26 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { CanceledCard } from '../../../dialects/v1/shapes/card.ts';
import { viewCanceledCard } from '../../../dialects/v1/views/card.ts';
import { operation } from '../../operation.ts';

export const cancelCard = operation({
  id: 'cancelCard',
  method: 'DELETE',
  path: '/v1/card/:cardId',
  summary: 'Cancel a card',
  status: 200,
  refuses: ['illegal_step'],
  params: Type.Object({ cardId: Type.String() }),
  response: CanceledCard,
  example: {
    params: ({ seed }) => ({ cardId: seed('card_id') }),
  },
  run({ bank }, { params }) {
    return viewCanceledCard(bank.cards.change(readId('card', params.cardId), { status: 'closed' }));
  },
});
