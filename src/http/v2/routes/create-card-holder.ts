/**
 * Makes a card holder: a person who may use cards of a sub account.
 * Source: the card holder operations of the platform's v2 reference; row 170 of docs/fidelity.md.
 */
import { readNewCardHolder } from '../../../dialects/v2/readers/card-holder.ts';
import { CardHolder, NewCardHolderInput } from '../../../dialects/v2/shapes/card-holder.ts';
import { viewCardHolder } from '../../../dialects/v2/views/card-holder.ts';
import { operation } from '../../operation.ts';
import { PERSON } from '../examples.ts';

export const createCardHolder = operation({
  id: 'v2_create_card_holder',
  method: 'POST',
  path: '/v2/issuing/card_holder',
  summary: 'Create a card holder',
  status: 201,
  refuses: ['account_not_active'],
  body: NewCardHolderInput,
  response: CardHolder,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      person: PERSON,
      external_reference_id: 'emp-0042',
      purpose: 'Field purchases',
      metadata: { team: 'field' },
    }),
  },
  run: ({ bank }, { body }) => viewCardHolder(bank.cardHolders.create(readNewCardHolder(body)), bank.program),
});
