/**
 * GET /v1/card/{cardId}/show: the number and code of a card, for whoever has a token for it; a key is not needed. The
 * token is used up.
 * Source: row 45b of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { ShownCard } from '../../../dialects/v1/shapes/card-vault.ts';
import { viewShownCard } from '../../../dialects/v1/views/card-vault.ts';
import { operation } from '../../operation.ts';
import { createShowToken } from './create-show-token.ts';

const TOKEN_HEADER = 'sd-show-token';

export const showCard = operation({
  id: 'showCard',
  method: 'GET',
  path: '/v1/card/:cardId/show',
  summary: 'Show the card data',
  status: 200,
  tokenHeader: TOKEN_HEADER,
  params: Type.Object({ cardId: Type.String() }),
  response: ShownCard,
  example: {
    after: createShowToken,
    params: ({ made }) => ({ cardId: made('id') }),
    headers: ({ made }) => ({ [TOKEN_HEADER]: made('showToken') }),
  },
  run({ bank, token }, { params }) {
    return viewShownCard(bank.cardVault.show(readId('card', params.cardId), token));
  },
});
