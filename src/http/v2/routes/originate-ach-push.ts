/**
 * Sends money to another bank by ACH; it leaves the balance at once and settles with the timetable.
 * Source: the ACH operations of the platform's v2 reference; rows 28, 31, 41 and 187 of docs/fidelity.md.
 */
import { readAchOrigination } from '../../../dialects/v2/readers/payment.ts';
import { AchOrigination } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';

export const originateAchPush = operation({
  id: 'v2_originate_ach_push',
  method: 'POST',
  path: '/v2/payments/ach/push',
  summary: 'Originate an ACH push',
  status: 201,
  refuses: ORIGINATION,
  body: AchOrigination,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('ach_counterparty_id'),
      amount: '18.75',
      description: 'Paper and ink',
      same_day: 'false',
      effective_date: '2026-11-25',
      company_discretionary_data: 'HARBOR',
      company_entry_description: 'DUES',
      external_reference_id: 'paper-7',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('ach_push', readAchOrigination(body)), bank.program),
});
