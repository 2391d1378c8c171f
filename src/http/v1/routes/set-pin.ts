/**
 * POST /v1/card/{cardId}/pin, and the same below /v2: sets the PIN of a card, for whoever has a token for it and can read
 * the card; a key is not needed. The token is used up, and the PIN is not kept. Success is 200: the platform's own sample
 * takes anything else for a failure.
 * Source: the pages and apps of public clients; rows 175 and 251 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readCardDetails } from '../../../dialects/v1/readers/card.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { CardPin, CardPinBody } from '../../../dialects/v1/shapes/card-vault.ts';
import { viewCardPin } from '../../../dialects/v1/views/card-vault.ts';
import { operation } from '../../operation.ts';

const TOKEN_HEADER = 'sd-pin-token';

/** The operation at a path. */
export function setPinAt<const Name extends string>(id: Name, path: string) {
  return operation({
    id,
    method: 'POST',
    path,
    summary: 'Set the PIN',
    status: 200,
    refuses: ['card_closed', 'card_details_mismatch'],
    tokenHeader: TOKEN_HEADER,
    params: Type.Object({ cardId: Type.String() }),
    body: CardPinBody,
    response: CardPin,
    example: {
      params: ({ seed }) => ({ cardId: seed('inactive_card_id') }),
      headers: ({ seed }) => ({ [TOKEN_HEADER]: seed('pin_token') }),
      body: ({ seed }) => ({
        expiryMonth: seed('inactive_card_expiry_month'),
        expiryYear: seed('inactive_card_expiry_year'),
        last4: seed('inactive_card_last4'),
        pin: '2580',
      }),
    },
    run({ bank, token }, { params, body }) {
      const id = readId('card', params.cardId);
      return viewCardPin(bank.cardVault.setPin(id, token, readCardDetails(body)));
    },
  });
}

export const setPin = setPinAt('setPin', '/v1/card/:cardId/pin');
