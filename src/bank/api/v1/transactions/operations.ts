/**
 * The operations on transactions: the list of an account, the list of the program, and one transaction, each also as a
 * file.
 * Source: "list all transactions" of the platform's v1 reference; decisions `v1-transactions` and
 * `v1-transaction-export` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Id } from '../../../kernel/sequence.ts';
import type { Bank } from '../../../verbs/bank.ts';
import { type Context, operation } from '../../operation.ts';
import { parseId, requireProgram } from '../fields.ts';
import { formatList } from '../paging.ts';
import { renderTransactions } from './files.ts';
import { formatTransaction } from './format.ts';
import { parseTransactionFilters, parseTransactionWindow } from './parse.ts';
import { EXPORT_TYPES, ExportQuery, Transaction, TransactionList, TransactionQuery } from './shapes.ts';

function listTransactions(bank: Bank, accountId: Id | '', query: Static<typeof TransactionQuery>) {
  const page = bank.payments.entries(
    accountId,
    parseTransactionFilters(query),
    parseTransactionWindow(query),
  );
  return formatList(page, (transaction) => formatTransaction(transaction, bank.program));
}

interface Params {
  accountId: string;
  txnId: string;
}

function findTransaction({ bank }: Context, { accountId, txnId }: Params) {
  const entry = bank.payments.entry(parseId('account', accountId), parseId('transaction', txnId));
  return formatTransaction(entry, bank.program);
}

export const TRANSACTION_OPERATIONS = [
  operation({
    id: 'listTransactions',
    method: 'GET',
    path: '/v1/account/:accountId/transaction',
    summary: 'List the transactions of an account',
    description:
      'Lists the transactions of an account as JSON, or with `export` as a CSV or PDF file. They are sorted newest first unless `orderBy` is sent. Declined card authorizations have a separate list.',
    answer: 'A page of transactions, newest first.',
    decisions: ['v1-transactions', 'v1-transaction-filters', 'v1-transaction-export'],
    status: 200,
    query: TransactionQuery,
    response: TransactionList,
    fileTypes: EXPORT_TYPES,
    example: {
      query: { orderBy: '-createdAt', export: 'json', txnType: 'credit', offset: '0', limit: '10' },
    },
    run: ({ bank }, { params, query }) => listTransactions(bank, parseId('account', params.accountId), query),
    render({ bank, now }, { params, query }) {
      const read = () => listTransactions(bank, parseId('account', params.accountId), query).data;
      return renderTransactions(query.export, 'transactions', read, bank.program, now);
    },
  }),

  operation({
    id: 'listProgramTransactions',
    method: 'GET',
    path: '/v1/program/:programId/transaction',
    summary: 'List the transactions of a program',
    description:
      'Lists the transactions of all accounts of the program as JSON, or with `export` as a file. They are sorted newest first unless `orderBy` is sent.',
    answer: 'A page of transactions, newest first.',
    decisions: ['v1-transactions', 'v1-transaction-filters', 'v1-transaction-export'],
    status: 200,
    query: TransactionQuery,
    response: TransactionList,
    fileTypes: EXPORT_TYPES,
    example: {
      query: { orderBy: '-createdAt', export: 'json', txnType: 'credit', offset: '0', limit: '10' },
    },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      return listTransactions(bank, '', query);
    },
    render({ bank, now }, { params, query }) {
      const read = () => {
        requireProgram(bank.program, params.programId);
        return listTransactions(bank, '', query).data;
      };
      return renderTransactions(query.export, 'transactions', read, bank.program, now);
    },
  }),

  operation({
    id: 'retrieveTransaction',
    method: 'GET',
    path: '/v1/account/:accountId/transaction/:txnId',
    summary: 'Retrieve a transaction',
    description: 'Retrieves a transaction as JSON, or with `export` as a CSV or PDF file.',
    answer: 'The transaction.',
    decisions: ['v1-transaction-export'],
    status: 200,
    query: ExportQuery,
    response: Transaction,
    fileTypes: EXPORT_TYPES,
    example: {
      query: { export: 'json' },
    },
    run: (context, { params }) => findTransaction(context, params),
    render: (context, { params, query }) =>
      renderTransactions(
        query.export,
        params.txnId,
        () => [findTransaction(context, params)],
        context.bank.program,
        context.now,
      ),
  }),
] as const;
