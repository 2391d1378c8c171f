/**
 * Shows a transaction, by its own id or by that of its entry in the master account.
 * Source: the transaction operations of the platform's v2 reference; row 180 of docs/fidelity.md.
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
  run: ({ bank }, { params }) => {
    const { transaction, ledger } = bank.payments.legById(readId('transaction', params.transaction_id));
    return viewTransaction(transaction, bank.program, ledger);
  },
});
