/**
 * Makes a counterparty of a sub account: who it is, and its details for every rail on which it is to be paid.
 * Source: the counterparty operations of the platform's v2 reference; rows 94 and 160 to 165 of docs/fidelity.md.
 */
import { readNewCounterparty } from '../../../dialects/v2/readers/counterparty.ts';
import { Counterparty, NewCounterparty } from '../../../dialects/v2/shapes/counterparty.ts';
import { viewCounterparty } from '../../../dialects/v2/views/counterparty.ts';
import { operation } from '../../operation.ts';
import { PERSON, RAILS, VENDOR } from '../examples.ts';

export const createCounterparty = operation({
  id: 'v2_create_counterparty',
  method: 'POST',
  path: '/v2/payments/counterparty',
  summary: 'Create a counterparty',
  status: 201,
  body: NewCounterparty,
  response: Counterparty,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      label: 'Printer',
      type: 'business',
      person: PERSON,
      business: VENDOR,
      intra_account: { sub_account_id: seed('other_sub_account_id') },
      ...RAILS,
      purpose: 'Print runs',
      external_reference_id: 'vendor-12',
      metadata: { vendor: '12' },
    }),
  },
  run: ({ bank }, { body }) =>
    viewCounterparty(bank.counterparties.create(readNewCounterparty(body)), bank.program),
});
