/**
 * Has a check printed and mailed; it settles when the counterparty has cashed it.
 * Source: the check operations of the platform's v2 reference; rows 28, 111, 187 and 189 of docs/fidelity.md.
 */
import { readOrigination } from '../../../dialects/v2/readers/payment.ts';
import { CheckOrigination } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';

export const sendCheck = operation({
  id: 'v2_send_check',
  method: 'POST',
  path: '/v2/payments/check/send',
  summary: 'Send a check',
  status: 201,
  refuses: ORIGINATION,
  body: CheckOrigination,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('vendor_counterparty_id'),
      amount: '75.00',
      description: 'Invoice 118',
      external_reference_id: 'invoice-118',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('check_send', readOrigination(body)), bank.program),
});
