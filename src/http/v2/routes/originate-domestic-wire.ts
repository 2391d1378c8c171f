/**
 * Wires money to another bank in the country; IMAD and OMAD are there when it has cleared.
 * Source: the wire operations of the platform's v2 reference; rows 28, 29 and 110 of docs/fidelity.md.
 */
import { readOrigination } from '../../../dialects/v2/readers/payment.ts';
import { PlainOrigination } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';

export const originateDomesticWire = operation({
  id: 'v2_originate_domestic_wire',
  method: 'POST',
  path: '/v2/payments/domestic_wire/push',
  summary: 'Originate a domestic wire',
  status: 201,
  refuses: ORIGINATION,
  body: PlainOrigination,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('vendor_counterparty_id'),
      amount: '950.00',
      description: 'Press deposit',
      external_reference_id: 'press-1',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('domestic_wire', readOrigination(body)), bank.program),
});
