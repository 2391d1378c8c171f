/**
 * GET /v1/card/{cardId}: one card, without its number.
 * Source: the card object of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Card } from '../../../dialects/v1/shapes/card.ts';
import { viewCard } from '../../../dialects/v1/views/card.ts';
import { operation } from '../../operation.ts';

export const retrieveCard = operation({
  id: 'retrieveCard',
  method: 'GET',
  path: '/v1/card/:cardId',
  summary: 'Retrieve a card',
  status: 200,
  params: Type.Object({ cardId: Type.String() }),
  response: Card,
  example: {
    params: ({ seed }) => ({ cardId: seed('card_id') }),
  },
  run({ bank }, { params }) {
    return viewCard(bank.cards.byId(readId('card', params.cardId)), bank.program);
  },
});
