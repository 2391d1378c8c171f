/**
 * Takes money from the debit card of a counterparty, within seconds.
 * Source: the debit card operations of the platform's v2 reference; rows 29, 45e and 188 of docs/fidelity.md.
 */
import { readOrigination } from '../../../dialects/v2/readers/payment.ts';
import { PlainOrigination } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';

export const originateDebitCardPull = operation({
  id: 'v2_originate_debit_card_pull',
  method: 'POST',
  path: '/v2/payments/debitcard/pull',
  summary: 'Originate a debit card pull',
  status: 201,
  refuses: ORIGINATION,
  body: PlainOrigination,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('vendor_counterparty_id'),
      amount: '25.00',
      description: 'Top-up',
      external_reference_id: 'top-up-5',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('debit_card_pull', readOrigination(body)), bank.program),
});
