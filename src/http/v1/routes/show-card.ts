/**
 * GET /v1/card/{cardId}/show, and the same below /v2: the number and code of a card, for whoever has a token for it, as
 * often as one likes while the token is good; a key is not needed.
 * Source: the pages and apps of public clients; rows 45b, 175 and 251 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { ShownCard } from '../../../dialects/v1/shapes/card-vault.ts';
import { viewShownCard } from '../../../dialects/v1/views/card-vault.ts';
import { operation } from '../../operation.ts';

const TOKEN_HEADER = 'sd-show-token';

/** The operation at a path. */
export function showCardAt<const Name extends string>(id: Name, path: string) {
  return operation({
    id,
    method: 'GET',
    path,
    summary: 'Show the card data',
    status: 200,
    refuses: ['card_closed'],
    tokenHeader: TOKEN_HEADER,
    params: Type.Object({ cardId: Type.String() }),
    response: ShownCard,
    example: {
      params: ({ seed }) => ({ cardId: seed('card_id') }),
      headers: ({ seed }) => ({ [TOKEN_HEADER]: seed('show_token') }),
    },
    run({ bank, token }, { params }) {
      return viewShownCard(bank.cardVault.show(readId('card', params.cardId), token));
    },
  });
}

export const showCard = showCardAt('showCard', '/v1/card/:cardId/show');
