/**
 * Lists cards, newest first: all of them, those of a sub account, or those of a card holder.
 * Source: the card operations of the platform's v2 reference; rows 14 and 16 of docs/fidelity.md.
 */
import { readPageRequest, writePage } from '../../../dialects/v2/paging.ts';
import { readCardFilters } from '../../../dialects/v2/readers/card.ts';
import { CardList, CardQuery } from '../../../dialects/v2/shapes/card.ts';
import { viewCard } from '../../../dialects/v2/views/card.ts';
import { operation } from '../../operation.ts';

export const listCards = operation({
  id: 'v2_list_cards',
  method: 'GET',
  path: '/v2/issuing/card',
  summary: 'List cards',
  status: 200,
  query: CardQuery,
  response: CardList,
  example: {
    query: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      card_holder_id: seed('card_holder_id'),
      limit: '10',
    }),
  },
  run: ({ bank }, { query }) => {
    const request = readPageRequest('card', query);
    return writePage(
      'card',
      bank.cards.list(readCardFilters(query), request),
      request,
      (file) => viewCard(file, bank.program),
      ({ card }) => card.id,
    );
  },
});
