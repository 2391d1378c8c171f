/**
 * Retrieves a counterparty.
 * Source: the counterparty operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { Counterparty } from '../../../dialects/v2/shapes/counterparty.ts';
import { viewCounterparty } from '../../../dialects/v2/views/counterparty.ts';
import { operation } from '../../operation.ts';

export const retrieveCounterparty = operation({
  id: 'v2_retrieve_counterparty',
  method: 'GET',
  path: '/v2/payments/counterparty/:counterparty_id',
  summary: 'Retrieve a counterparty',
  status: 200,
  params: Type.Object({ counterparty_id: Type.String() }),
  response: Counterparty,
  example: {
    params: ({ seed }) => ({ counterparty_id: seed('ach_counterparty_id') }),
  },
  run: ({ bank }, { params }) =>
    viewCounterparty(bank.counterparties.byId(readId('counterparty', params.counterparty_id)), bank.program),
});
