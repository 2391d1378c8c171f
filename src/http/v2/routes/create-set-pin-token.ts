/**
 * Hands out a token that sets the PIN of a card, once and for five minutes.
 * Source: "set a PIN" of the platform's v2 reference; row 175 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { SetPinToken } from '../../../dialects/v2/shapes/card-vault.ts';
import { viewSetPinToken } from '../../../dialects/v2/views/card-vault.ts';
import { operation } from '../../operation.ts';

export const createSetPinToken = operation({
  id: 'v2_create_set_pin_token',
  method: 'POST',
  path: '/v2/issuing/card/:card_id/set_pin_token',
  summary: 'Get a token that sets a PIN',
  status: 200,
  refuses: ['card_closed'],
  params: Type.Object({ card_id: Type.String() }),
  response: SetPinToken,
  example: {
    params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
  },
  run: ({ bank, handOut }, { params }) =>
    viewSetPinToken(handOut(bank.cardVault.pinToken(readId('card', params.card_id)))),
});
