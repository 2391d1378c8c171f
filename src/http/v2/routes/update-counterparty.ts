/**
 * Changes what is sent of a counterparty: its person or business field by field, a rail whole, its status.
 * Source: the counterparty operations of the platform's v2 reference; rows 45d and 160 to 165 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { readCounterpartyChange } from '../../../dialects/v2/readers/counterparty.ts';
import { Counterparty, CounterpartyUpdate } from '../../../dialects/v2/shapes/counterparty.ts';
import { viewCounterparty } from '../../../dialects/v2/views/counterparty.ts';
import { operation } from '../../operation.ts';
import { PERSON, RAILS, VENDOR } from '../examples.ts';

export const updateCounterparty = operation({
  id: 'v2_update_counterparty',
  method: 'PATCH',
  path: '/v2/payments/counterparty/:counterparty_id',
  summary: 'Update a counterparty',
  status: 200,
  refuses: ['illegal_step'],
  params: Type.Object({ counterparty_id: Type.String() }),
  body: CounterpartyUpdate,
  response: Counterparty,
  example: {
    params: ({ seed }) => ({ counterparty_id: seed('ach_counterparty_id') }),
    body: ({ seed }) => ({
      label: 'Harbor',
      type: 'business',
      person: PERSON,
      business: VENDOR,
      intra_account: { sub_account_id: seed('other_sub_account_id') },
      ...RAILS,
      purpose: 'Moorings',
      external_reference_id: 'vendor-7',
      metadata: { vendor: '7' },
      status: 'suspended',
    }),
  },
  run: ({ bank }, { params, body }) => {
    const id = readId('counterparty', params.counterparty_id);
    return viewCounterparty(bank.counterparties.change(id, readCounterpartyChange(body)), bank.program);
  },
});
