/**
 * Shows a card holder.
 * Source: the card holder operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { CardHolder } from '../../../dialects/v2/shapes/card-holder.ts';
import { viewCardHolder } from '../../../dialects/v2/views/card-holder.ts';
import { operation } from '../../operation.ts';

export const retrieveCardHolder = operation({
  id: 'v2_retrieve_card_holder',
  method: 'GET',
  path: '/v2/issuing/card_holder/:card_holder_id',
  summary: 'Retrieve a card holder',
  status: 200,
  params: Type.Object({ card_holder_id: Type.String() }),
  response: CardHolder,
  example: {
    params: ({ seed }) => ({ card_holder_id: seed('card_holder_id') }),
  },
  run: ({ bank }, { params }) =>
    viewCardHolder(bank.cardHolders.byId(readId('card_holder', params.card_holder_id)), bank.program),
});
