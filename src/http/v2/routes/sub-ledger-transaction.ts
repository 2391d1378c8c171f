/**
 * Gives money that waits on the master account, or a part of it, to a sub account.
 * Source: the transaction operations of the platform's v2 reference; rows 181 and 182 of docs/fidelity.md.
 */
import { readSubLedgering } from '../../../dialects/v2/readers/transaction.ts';
import { SubLedgering, Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { operation } from '../../operation.ts';

export const subLedgerTransaction = operation({
  id: 'v2_sub_ledger_transaction',
  method: 'POST',
  path: '/v2/payments/transaction',
  summary: 'Sub-ledger a transaction',
  status: 201,
  refuses: ['illegal_step', 'account_not_active', 'account_credit_blocked'],
  body: SubLedgering,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      master_account_transaction_id: seed('unallocated_transaction_id'),
      sub_account_id: seed('sub_account_id'),
      amount: '60.00',
    }),
  },
  run: ({ bank }, { body }) => viewTransaction(bank.payments.subLedger(readSubLedgering(body)), bank.program),
});
