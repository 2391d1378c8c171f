/**
 * GET /v1/card/{cardId}/declined: the authorizations of a card that were refused, newest first.
 * Source: "retrieve declined card authorizations" of the platform's v1 reference; row 36 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { plainListQuery, readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { DeclinedAuthorizationList } from '../../../dialects/v1/shapes/declined-authorization.ts';
import { viewDeclined } from '../../../dialects/v1/views/declined-authorization.ts';
import { operation } from '../../operation.ts';

export const listDeclined = operation({
  id: 'listDeclinedAuthorizations',
  method: 'GET',
  path: '/v1/card/:cardId/declined',
  summary: 'List the declined authorizations of a card',
  status: 200,
  params: Type.Object({ cardId: Type.String() }),
  query: plainListQuery({}),
  response: DeclinedAuthorizationList,
  example: {
    params: ({ seed }) => ({ cardId: seed('card_id') }),
    query: { limit: '10' },
  },
  run({ bank }, { params, query }) {
    const page = bank.cards.declined(readId('card', params.cardId), readWindow(query));
    return writeList(page, (transaction) => viewDeclined(transaction, 'rest'));
  },
});
