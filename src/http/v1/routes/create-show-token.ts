/**
 * POST /v1/card/{cardId}/showtoken: hands out a token that shows the number and code of a card for five minutes.
 * Older clients write `show-token`.
 * Source: the paths that public clients of v1 call; rows 45b and 175 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { ShowToken } from '../../../dialects/v1/shapes/card-vault.ts';
import { viewShowToken } from '../../../dialects/v1/views/card-vault.ts';
import { operation } from '../../operation.ts';

const at = <const Name extends string>(id: Name, path: string) =>
  operation({
    id,
    method: 'POST',
    path,
    summary: 'Create a token that shows the card data',
    status: 201,
    refuses: ['card_closed'],
    params: Type.Object({ cardId: Type.String() }),
    response: ShowToken,
    example: {
      params: ({ seed }) => ({ cardId: seed('card_id') }),
    },
    run({ bank, handOut }, { params }) {
      return viewShowToken(handOut(bank.cardVault.showToken(readId('card', params.cardId))));
    },
  });

export const createShowToken = at('createShowToken', '/v1/card/:cardId/showtoken');
export const createShowTokenOlder = at('createShowTokenOlder', '/v1/card/:cardId/show-token');
