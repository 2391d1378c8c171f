/**
 * Pushes money to another sub account; it is there at once.
 * Source: the intra-account operations of the platform's v2 reference; rows 28 and 29 of docs/fidelity.md.
 */
import { readOrigination } from '../../../dialects/v2/readers/payment.ts';
import { PlainOrigination } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';

export const originateIntraAccountPush = operation({
  id: 'v2_originate_intra_account_push',
  method: 'POST',
  path: '/v2/payments/intra_account/push',
  summary: 'Originate an intra-account push',
  status: 201,
  refuses: ORIGINATION,
  body: PlainOrigination,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('intra_counterparty_id'),
      amount: '3.10',
      description: 'Lunch',
      external_reference_id: 'lunch-4',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('intra_push', readOrigination(body)), bank.program),
});
