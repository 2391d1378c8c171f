/**
 * POST /v1/card/{cardId}/pintoken: hands out a token that sets the PIN of a card, once and for five minutes.
 * Source: the paths that public clients of v1 call; row 175 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { PinToken } from '../../../dialects/v1/shapes/card-vault.ts';
import { viewPinToken } from '../../../dialects/v1/views/card-vault.ts';
import { operation } from '../../operation.ts';

export const createPinToken = operation({
  id: 'createPinToken',
  method: 'POST',
  path: '/v1/card/:cardId/pintoken',
  summary: 'Create a token that sets the PIN',
  status: 201,
  refuses: ['card_closed'],
  params: Type.Object({ cardId: Type.String() }),
  response: PinToken,
  example: {
    params: ({ seed }) => ({ cardId: seed('inactive_card_id') }),
  },
  run({ bank, handOut }, { params }) {
    return viewPinToken(handOut(bank.cardVault.pinToken(readId('card', params.cardId))));
  },
});
