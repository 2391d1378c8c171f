/**
 * POST /v1/card/{cardId}/pin: sets the PIN of a card, for whoever has a token for it and can read the card; a key is not
 * needed. The token is used up, and the PIN is not kept.
 * Source: the vault of public clients of v1; row 175 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readCardDetails } from '../../../dialects/v1/readers/card.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { CardPin, CardPinBody } from '../../../dialects/v1/shapes/card-vault.ts';
import { viewCardPin } from '../../../dialects/v1/views/card-vault.ts';
import { operation } from '../../operation.ts';
import { createCard } from './create-card.ts';
import { createPinToken } from './create-pin-token.ts';

const TOKEN_HEADER = 'sd-pin-token';

export const setPin = operation({
  id: 'setPin',
  method: 'POST',
  path: '/v1/card/:cardId/pin',
  summary: 'Set the PIN',
  status: 201,
  tokenHeader: TOKEN_HEADER,
  params: Type.Object({ cardId: Type.String() }),
  body: CardPinBody,
  response: CardPin,
  example: {
    after: createPinToken,
    params: ({ made }) => ({ cardId: made('id') }),
    headers: ({ made }) => ({ [TOKEN_HEADER]: made('pinToken') }),
    body: ({ made }) => ({
      expiryMonth: made('expiryMonth', createCard),
      expiryYear: made('expiryYear', createCard),
      last4: made('last4', createCard),
      pin: '2580',
    }),
  },
  run({ bank, token }, { params, body }) {
    const id = readId('card', params.cardId);
    return viewCardPin(bank.cardVault.setPin(id, token, readCardDetails(body)));
  },
});
