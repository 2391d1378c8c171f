/**
 * Wires money to a bank abroad; IMAD and OMAD are there when it has cleared.
 * Source: the wire operations of the platform's v2 reference; rows 28, 29 and 110 of docs/fidelity.md.
 */
import { readOrigination } from '../../../dialects/v2/readers/payment.ts';
import { PlainOrigination } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';

export const originateInternationalWire = operation({
  id: 'v2_originate_international_wire',
  method: 'POST',
  path: '/v2/payments/international_wire/push',
  summary: 'Originate an international wire',
  status: 201,
  refuses: ORIGINATION,
  body: PlainOrigination,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('vendor_counterparty_id'),
      amount: '410.00',
      description: 'Type from Frankfurt',
      external_reference_id: 'type-3',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('international_wire', readOrigination(body)), bank.program),
});
