/** A short list of transactions, with filters that the platform's versions do not have. */
import { type Static, Type } from '@sinclair/typebox';
import { parseId } from '../../bank/api/fields.ts';
import { tryParseId } from '../../bank/api/ids.ts';
import { formatTransaction } from '../../bank/api/v2/transactions/format.ts';
import { on } from '../../bank/model/conditions.ts';
import type { Transaction } from '../../bank/model/records.ts';
import { TRANSACTION_METHODS, TRANSACTION_STATUSES } from '../../bank/model/vocabulary.ts';
import type { Bank } from '../../bank/verbs/bank.ts';
import { Amount, enumOf, Instant, TransactionId, text } from './fields.ts';
import { controlOperation } from './operation.ts';

const DEFAULT_LIMIT = 50;
const FILTERS = ['status', 'method', 'accountId', 'cardId'] as const;

const Row = Type.Object({
  id: TransactionId,
  created_at: Instant,
  status: enumOf(TRANSACTION_STATUSES),
  method: enumOf(TRANSACTION_METHODS),
  type: text('Type of the transaction within its method, like "pull".'),
  direction: enumOf(['debit', 'credit']),
  amount: Amount,
  sub_account_id: text('The sub account; "" for money in suspense.'),
  card_id: text('The card; "" if it is not a card payment.'),
  name: text('The other side: the counterparty or the merchant; "" for none.'),
  description: text('The text of the client; "" for none.'),
});

function formatRow(transaction: Transaction, bank: Bank): Static<typeof Row> {
  const it = formatTransaction(transaction, bank);
  return {
    id: it.id,
    created_at: it.timestamps.created_at,
    status: it.status,
    method: it.method,
    type: it.type,
    direction: it.direction,
    amount: it.amount,
    sub_account_id: it.sub_account_id,
    card_id: it.card?.id ?? '',
    name: it.counterparty?.name || it.card?.merchant || '',
    description: it.description,
  };
}

export const TRANSACTION_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_transactions',
    method: 'GET',
    path: '/_sandbox/transactions',
    group: 'Inspect',
    summary: 'List transactions by their state',
    description:
      'Lists the transactions of all accounts in a short form, newest first. The filters select by status, method, account and card; every transaction of the sandbox is searched.',
    answer: 'A page of transactions in a short form, newest first.',
    status: 200,
    query: Type.Object({
      status: Type.Optional(enumOf(TRANSACTION_STATUSES)),
      method: Type.Optional(enumOf(TRANSACTION_METHODS)),
      sub_account_id: Type.Optional(Type.String()),
      card_id: Type.Optional(Type.String()),
      limit: Type.Optional(
        Type.String({
          pattern: '^([1-9]\\d{0,2}|1000)$',
          description: `A whole number from 1 to 1000; default: ${DEFAULT_LIMIT}.`,
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          pattern: '^(txn_[0-9a-f]{32})?$',
          description: 'The `cursor` of the previous page.',
        }),
      ),
    }),
    response: Type.Object({
      total: Type.Integer({ description: 'Number of all transactions of the sandbox.' }),
      transactions: Type.Array(Row),
      cursor: Type.String({ description: 'Send it to get older transactions; "" if there are none.' }),
    }),
    example: { query: { status: 'settled', limit: '10' } },
    run: ({ sandbox }, { query }) => {
      const { status = '', method = '', sub_account_id: account = '', card_id: card = '' } = query;
      const filters = {
        status,
        method,
        accountId: account && parseId('account', account, 'sub_account_id'),
        cardId: card && parseId('card', card, 'card_id'),
      };
      const where = FILTERS.flatMap((field) =>
        filters[field] === '' ? [] : [on(field, { is: filters[field] })],
      );
      const { limit = String(DEFAULT_LIMIT), cursor = '' } = query;
      const after = tryParseId('transaction', cursor) ?? '';
      const { items, total, hasOlder } = sandbox.store.transactions.search(where, Number(limit), after);
      const transactions = items.map((one) => formatRow(one, sandbox.bank));
      return { total, transactions, cursor: hasOlder ? (transactions.at(-1)?.id ?? '') : '' };
    },
  }),
] as const;
