/**
 * Changes the description and the metadata of a transaction, and nothing else: its money and its state are not a client's
 * to change.
 * Source: the transaction operations of the platform's v2 reference; row 180 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { readTransactionChange } from '../../../dialects/v2/readers/transaction.ts';
import { Transaction, TransactionUpdate } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { operation } from '../../operation.ts';

export const updateTransaction = operation({
  id: 'v2_update_transaction',
  method: 'PATCH',
  path: '/v2/payments/transaction/:transaction_id',
  summary: 'Update a transaction',
  status: 200,
  params: Type.Object({ transaction_id: Type.String() }),
  body: TransactionUpdate,
  response: Transaction,
  example: {
    params: ({ seed }) => ({ transaction_id: seed('transaction_id') }),
    body: { description: 'Opening deposit', metadata: { ledger: 'opening' } },
  },
  run: ({ bank }, { params, body }) => {
    const { transaction, ledger } = bank.payments.legById(readId('transaction', params.transaction_id));
    const changed = bank.payments.change(transaction.id, readTransactionChange(body));
    return viewTransaction(changed, bank.program, ledger);
  },
});
