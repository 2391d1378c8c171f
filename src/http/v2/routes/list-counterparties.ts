/**
 * Lists counterparties, newest first; those that v1 deleted are deactivated ones here.
 * Source: the counterparty operations of the platform's v2 reference; row 16 of docs/fidelity.md.
 */
import { readPageRequest, writePage } from '../../../dialects/v2/paging.ts';
import { readCounterpartyFilters } from '../../../dialects/v2/readers/counterparty.ts';
import { CounterpartyList, CounterpartyQuery } from '../../../dialects/v2/shapes/counterparty.ts';
import { viewCounterparty } from '../../../dialects/v2/views/counterparty.ts';
import { operation } from '../../operation.ts';

export const listCounterparties = operation({
  id: 'v2_list_counterparties',
  method: 'GET',
  path: '/v2/payments/counterparty',
  summary: 'List counterparties',
  status: 200,
  query: CounterpartyQuery,
  response: CounterpartyList,
  example: {
    query: ({ seed }) => ({ sub_account_id: seed('sub_account_id'), status: 'activated', limit: '10' }),
  },
  run: ({ bank }, { query }) => {
    const request = readPageRequest('counterparty', query);
    return writePage(
      'counterparty',
      bank.counterparties.list(readCounterpartyFilters(query), request),
      request,
      (counterparty) => viewCounterparty(counterparty, bank.program),
      ({ id }) => id,
    );
  },
});
