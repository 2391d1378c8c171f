/**
 * GET /v1/account/{accountId}/transaction and GET /v1/program/{programId}/transaction: the entries of one account, or of
 * all that the program has, newest first unless ordered otherwise; as a file with `export`. What a card was refused is no
 * entry and has a list of its own.
 * Source: "list all transactions" of the platform's v1 reference; rows 193 to 195 of docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import { writeList } from '../../../dialects/v1/paging.ts';
import { readId, requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { readTransactionFilters, readTransactionWindow } from '../../../dialects/v1/readers/transaction.ts';
import { TransactionList, TransactionQuery } from '../../../dialects/v1/shapes/transaction-list.ts';
import { viewTransaction } from '../../../dialects/v1/views/transaction.ts';
import type { Id } from '../../../kernel/sequence.ts';
import { operation } from '../../operation.ts';
import { renderTransactions } from '../transaction-files.ts';

function listOf(bank: Bank, accountId: Id | '', query: Static<typeof TransactionQuery>) {
  const page = bank.payments.entries(accountId, readTransactionFilters(query), readTransactionWindow(query));
  return writeList(page, (transaction) => viewTransaction(transaction, bank.program));
}

export const listTransactions = operation({
  id: 'listTransactions',
  method: 'GET',
  path: '/v1/account/:accountId/transaction',
  summary: 'List the transactions of an account',
  status: 200,
  params: Type.Object({ accountId: Type.String() }),
  query: TransactionQuery,
  response: TransactionList,
  example: {
    params: ({ seed }) => ({ accountId: seed('account_id') }),
    query: { orderBy: '-createdAt', export: 'json', txnType: 'credit', offset: '0', limit: '10' },
  },
  run: ({ bank }, { params, query }) => listOf(bank, readId('account', params.accountId), query),
  render({ bank, now }, { params, query }) {
    const read = () => listOf(bank, readId('account', params.accountId), query).data;
    return renderTransactions(query.export, 'transactions', read, bank.program, now);
  },
});

export const listProgramTransactions = operation({
  id: 'listProgramTransactions',
  method: 'GET',
  path: '/v1/program/:programId/transaction',
  summary: 'List the transactions of a program',
  status: 200,
  params: Type.Object({ programId: Type.String() }),
  query: TransactionQuery,
  response: TransactionList,
  example: {
    params: ({ seed }) => ({ programId: seed('program_id') }),
    query: { orderBy: '-createdAt', export: 'json', txnType: 'credit', offset: '0', limit: '10' },
  },
  run({ bank }, { params, query }) {
    requireProgram(bank.program, params.programId);
    return listOf(bank, '', query);
  },
  render({ bank, now }, { params, query }) {
    const read = () => {
      requireProgram(bank.program, params.programId);
      return listOf(bank, '', query).data;
    };
    return renderTransactions(query.export, 'transactions', read, bank.program, now);
  },
});
