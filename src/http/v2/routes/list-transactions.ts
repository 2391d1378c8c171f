/**
 * Lists transactions, newest first: those of sub accounts, or with `ledger_type` the entries in the master account.
 * Source: the transaction operations of the platform's v2 reference; rows 16, 180 and 183 of docs/fidelity.md.
 */
import { readPageRequest, writePage } from '../../../dialects/v2/paging.ts';
import { readTransactionFilters } from '../../../dialects/v2/readers/transaction.ts';
import { TransactionList, TransactionQuery } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { operation } from '../../operation.ts';

export const listTransactions = operation({
  id: 'v2_list_transactions',
  method: 'GET',
  path: '/v2/payments/transaction',
  summary: 'List transactions',
  status: 200,
  query: TransactionQuery,
  response: TransactionList,
  example: {
    query: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      master_account_id: seed('master_account_id'),
      sub_account_holder_id: seed('person_holder_id'),
      master_account_holder_id: seed('master_account_holder_id'),
      ledger_type: 'sub_account',
      limit: '10',
    }),
  },
  run: ({ bank }, { query }) => {
    const { payments, program } = bank;
    const request = readPageRequest('transaction', query);
    const { ledger, where } = readTransactionFilters(query, program);
    const inMaster = ledger === 'master_account';
    return writePage(
      'transaction',
      inMaster ? payments.inMaster(where, request) : payments.list(where, request),
      request,
      (transaction) => viewTransaction(transaction, program, ledger),
      ({ id, masterId }) => (inMaster ? masterId : id),
    );
  },
});
