/**
 * Deposits a check by the images of its two sides; the money is there after the bank's hold.
 * Source: the check operations of the platform's v2 reference; rows 30, 111 and 186 of docs/fidelity.md.
 */
import { readCheckDeposit } from '../../../dialects/v2/readers/payment.ts';
import { CheckDeposit } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';
import { CHECK_IMAGE } from '../examples.ts';

export const depositCheck = operation({
  id: 'v2_deposit_check',
  method: 'POST',
  path: '/v2/payments/check/deposit',
  summary: 'Deposit a check',
  status: 201,
  refuses: ORIGINATION,
  body: CheckDeposit,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('vendor_counterparty_id'),
      amount: '120.00',
      description: 'Check of May',
      image: { front: CHECK_IMAGE, back: CHECK_IMAGE },
      external_reference_id: 'check-may',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('check_deposit', readCheckDeposit(body)), bank.program),
});
