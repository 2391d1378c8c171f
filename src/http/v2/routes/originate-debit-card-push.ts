/**
 * Pays to the debit card of a counterparty, within seconds.
 * Source: the debit card operations of the platform's v2 reference; rows 28, 45e and 188 of docs/fidelity.md.
 */
import { readOrigination } from '../../../dialects/v2/readers/payment.ts';
import { PlainOrigination } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';

export const originateDebitCardPush = operation({
  id: 'v2_originate_debit_card_push',
  method: 'POST',
  path: '/v2/payments/debitcard/push',
  summary: 'Originate a debit card push',
  status: 201,
  refuses: ORIGINATION,
  body: PlainOrigination,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('vendor_counterparty_id'),
      amount: '20.00',
      description: 'Refund of postage',
      external_reference_id: 'postage-2',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('debit_card_push', readOrigination(body)), bank.program),
});
