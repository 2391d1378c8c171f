/**
 * GET /v1/account/{accountId}/transaction/{txnId}: one entry of an account, or with `export` a file of it.
 * Source: the clients of the platform's v1; row 195 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Transaction } from '../../../dialects/v1/shapes/transaction.ts';
import { ExportQuery } from '../../../dialects/v1/shapes/transaction-list.ts';
import { viewTransaction } from '../../../dialects/v1/views/transaction.ts';
import { type Context, operation } from '../../operation.ts';
import { renderTransactions } from '../transaction-files.ts';

interface Params {
  accountId: string;
  txnId: string;
}

function find({ bank }: Context, { accountId, txnId }: Params) {
  const entry = bank.payments.entry(readId('account', accountId), readId('transaction', txnId));
  return viewTransaction(entry, bank.program);
}

export const retrieveTransaction = operation({
  id: 'retrieveTransaction',
  method: 'GET',
  path: '/v1/account/:accountId/transaction/:txnId',
  summary: 'Retrieve a transaction',
  status: 200,
  params: Type.Object({ accountId: Type.String(), txnId: Type.String() }),
  query: ExportQuery,
  response: Transaction,
  example: {
    params: ({ seed }) => ({ accountId: seed('account_id'), txnId: seed('txn_id') }),
    query: { export: 'json' },
  },
  run: (context, { params }) => find(context, params),
  render: (context, { params, query }) =>
    renderTransactions(
      query.export,
      params.txnId,
      () => [find(context, params)],
      context.bank.program,
      context.now,
    ),
});
