/**
 * The v2 operations on transactions: list, retrieve and update, and sub-ledger money of the master account.
 * Source: the transaction operations of the platform's v2 reference; decisions `sub-ledgering` and
 * `v2-transaction-filters` in docs/fidelity.md.
 */
import { operation } from '../../operation.ts';
import { parseId } from '../fields.ts';
import { formatPage, parsePageRequest } from '../paging.ts';
import { formatTransaction, TRANSACTION_VIEW } from './format.ts';
import { parseSubLedgering, parseTransactionChange, parseTransactionFilters } from './parse.ts';
import { SubLedgering, Transaction, TransactionList, TransactionQuery, TransactionUpdate } from './shapes.ts';

export const TRANSACTION_OPERATIONS = [
  operation({
    id: 'v2_sub_ledger_transaction',
    method: 'POST',
    path: '/v2/payments/transaction',
    summary: 'Sub-ledger a transaction',
    description:
      'Moves money in suspense on the master account, or a part of it, to a sub account. The entry must be settled, and all parts together cannot exceed it. The part is a settled credit that contains the id of the entry.',
    answer: 'The credit to the sub account, settled.',
    decisions: ['master-account-incoming', 'sub-ledgering'],
    status: 201,
    refuses: ['illegal_step', 'entry_sub_ledgered', 'account_not_active', 'account_credit_blocked'],
    body: SubLedgering,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        master_account_transaction_id: seed('unallocated_transaction_id'),
        sub_account_id: seed('sub_account_id'),
        amount: '60.00',
      }),
    },
    run: ({ bank, show }, { body }) =>
      show(TRANSACTION_VIEW, bank.payments.subLedger(parseSubLedgering(body))),
  }),

  operation({
    id: 'v2_list_transactions',
    method: 'GET',
    path: '/v2/payments/transaction',
    summary: 'List transactions',
    description:
      'Lists transactions, newest first: those of sub accounts, or with `ledger_type` the entries of the master account. All filters must match.',
    answer: 'A page of transactions, newest first.',
    decisions: ['list-paging', 'two-ledgers-shown', 'v2-transaction-filters'],
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
      const request = parsePageRequest('transaction', query);
      const { ledger, where } = parseTransactionFilters(query, program);
      const inMaster = ledger === 'master_account';
      return formatPage(
        'transaction',
        inMaster ? payments.inMaster(where, request) : payments.list(where, request),
        request,
        (transaction) => formatTransaction(transaction, bank, ledger),
        ({ id, masterId }) => (inMaster ? masterId : id),
      );
    },
  }),

  operation({
    id: 'v2_retrieve_transaction',
    method: 'GET',
    path: '/v2/payments/transaction/:transaction_id',
    summary: 'Retrieve a transaction',
    description:
      'Retrieves a transaction by its own id or by that of its entry in the master account. Repeat the request, or subscribe to `transaction.*`, to follow its status.',
    answer: 'The transaction as it is now.',
    decisions: ['two-ledgers-shown'],
    status: 200,
    response: Transaction,
    run: ({ bank }, { params }) => {
      const { transaction, ledger } = bank.payments.legById(parseId('transaction', params.transaction_id));
      return formatTransaction(transaction, bank, ledger);
    },
  }),

  operation({
    id: 'v2_update_transaction',
    method: 'PATCH',
    path: '/v2/payments/transaction/:transaction_id',
    summary: 'Update a transaction',
    description:
      'Updates the description and the metadata of a transaction. An update never changes its amount, status or parties.',
    answer: 'The transaction after the change.',
    decisions: ['two-ledgers-shown'],
    status: 200,
    body: TransactionUpdate,
    response: Transaction,
    example: {
      body: { description: 'Opening deposit', metadata: { ledger: 'opening' } },
    },
    run: ({ bank }, { params, body }) => {
      const { transaction, ledger } = bank.payments.legById(parseId('transaction', params.transaction_id));
      const changed = bank.payments.change(transaction.id, parseTransactionChange(body));
      return formatTransaction(changed, bank, ledger);
    },
  }),
] as const;
