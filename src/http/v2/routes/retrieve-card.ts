/**
 * Shows a card, without its number.
 * Source: the card operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { Card } from '../../../dialects/v2/shapes/card.ts';
import { viewCard } from '../../../dialects/v2/views/card.ts';
import { operation } from '../../operation.ts';

export const retrieveCard = operation({
  id: 'v2_retrieve_card',
  method: 'GET',
  path: '/v2/issuing/card/:card_id',
  summary: 'Retrieve a card',
  status: 200,
  params: Type.Object({ card_id: Type.String() }),
  response: Card,
  example: {
    params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
  },
  run: ({ bank }, { params }) => viewCard(bank.cards.byId(readId('card', params.card_id)), bank.program),
});
