/**
 * Shows a transaction.
 * Source: the transaction operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { operation } from '../../operation.ts';

export const retrieveTransaction = operation({
  id: 'v2_retrieve_transaction',
  method: 'GET',
  path: '/v2/payments/transaction/:transaction_id',
  summary: 'Retrieve a transaction',
  status: 200,
  params: Type.Object({ transaction_id: Type.String() }),
  response: Transaction,
  example: {
    params: ({ seed }) => ({ transaction_id: seed('transaction_id') }),
  },
  run: ({ bank }, { params }) =>
    viewTransaction(bank.payments.byId(readId('transaction', params.transaction_id)), bank.program),
});
