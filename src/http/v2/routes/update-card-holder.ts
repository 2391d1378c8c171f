/**
 * Changes a card holder: details of the person, references, metadata and status, each only when it is sent.
 * Source: the card holder operations of the platform's v2 reference; rows 21, 46 and 170 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { readCardHolderChange } from '../../../dialects/v2/readers/card-holder.ts';
import { CardHolder, CardHolderUpdate } from '../../../dialects/v2/shapes/card-holder.ts';
import { viewCardHolder } from '../../../dialects/v2/views/card-holder.ts';
import { operation } from '../../operation.ts';
import { PERSON } from '../examples.ts';

export const updateCardHolder = operation({
  id: 'v2_update_card_holder',
  method: 'PATCH',
  path: '/v2/issuing/card_holder/:card_holder_id',
  summary: 'Update a card holder',
  status: 200,
  refuses: ['illegal_step'],
  params: Type.Object({ card_holder_id: Type.String() }),
  body: CardHolderUpdate,
  response: CardHolder,
  example: {
    params: ({ seed }) => ({ card_holder_id: seed('card_holder_id') }),
    body: {
      person: PERSON,
      external_reference_id: 'emp-0043',
      purpose: 'Travel',
      metadata: { team: 'road' },
      status: 'activated',
    },
  },
  run: ({ bank }, { params, body }) => {
    const id = readId('card_holder', params.card_holder_id);
    return viewCardHolder(bank.cardHolders.change(id, readCardHolderChange(body)), bank.program);
  },
});
