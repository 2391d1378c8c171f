/**
 * Asks another bank for money by ACH; it is pending until the timetable settles it.
 * Source: the ACH operations of the platform's v2 reference; rows 29, 30, 41 and 187 of docs/fidelity.md.
 */
import { readAchOrigination } from '../../../dialects/v2/readers/payment.ts';
import { AchOrigination } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';

export const originateAchPull = operation({
  id: 'v2_originate_ach_pull',
  method: 'POST',
  path: '/v2/payments/ach/pull',
  summary: 'Originate an ACH pull',
  status: 201,
  refuses: ORIGINATION,
  body: AchOrigination,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('ach_counterparty_id'),
      amount: '62.40',
      description: 'February dues',
      same_day: 'false',
      effective_date: '2026-11-25',
      company_discretionary_data: 'HARBOR',
      company_entry_description: 'DUES',
      external_reference_id: 'dues-2',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('ach_pull', readAchOrigination(body)), bank.program),
});
