/**
 * Lists card holders, newest first.
 * Source: the card holder operations of the platform's v2 reference; row 16 of docs/fidelity.md.
 */
import { readPageRequest, writePage } from '../../../dialects/v2/paging.ts';
import { readCardHolderFilters } from '../../../dialects/v2/readers/card-holder.ts';
import { CardHolderList, CardHolderQuery } from '../../../dialects/v2/shapes/card-holder.ts';
import { viewCardHolder } from '../../../dialects/v2/views/card-holder.ts';
import { operation } from '../../operation.ts';

export const listCardHolders = operation({
  id: 'v2_list_card_holders',
  method: 'GET',
  path: '/v2/issuing/card_holder',
  summary: 'List card holders',
  status: 200,
  query: CardHolderQuery,
  response: CardHolderList,
  example: {
    query: ({ seed }) => ({ master_account_id: seed('master_account_id'), limit: '10' }),
  },
  run: ({ bank }, { query }) => {
    const request = readPageRequest('card_holder', query);
    return writePage(
      'card_holder',
      bank.cardHolders.list(readCardHolderFilters(query, bank.program), request),
      request,
      (cardHolder) => viewCardHolder(cardHolder, bank.program),
      ({ id }) => id,
    );
  },
});
