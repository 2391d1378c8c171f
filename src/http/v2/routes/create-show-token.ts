/**
 * Hands out a token that shows the number and code of a card for five minutes.
 * Source: "show a card" of the platform's v2 reference; rows 45b and 175 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { ShowToken } from '../../../dialects/v2/shapes/card-vault.ts';
import { viewShowToken } from '../../../dialects/v2/views/card-vault.ts';
import { operation } from '../../operation.ts';

export const createShowToken = operation({
  id: 'v2_create_show_token',
  method: 'POST',
  path: '/v2/issuing/card/:card_id/show_token',
  summary: 'Get a token that shows a card',
  status: 200,
  refuses: ['card_closed'],
  params: Type.Object({ card_id: Type.String() }),
  response: ShowToken,
  example: {
    params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
  },
  run: ({ bank, handOut }, { params }) =>
    viewShowToken(handOut(bank.cardVault.showToken(readId('card', params.card_id)))),
});
