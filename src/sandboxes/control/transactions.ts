/**
 * A short list of transactions, with filters that the platform's versions do not have. It reads a stretch of rows in
 * one turn of the event loop, so payments continue meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { parseId } from '../../bank/api/fields.ts';
import { formatTransaction } from '../../bank/api/v2/transactions/format.ts';

import { TRANSACTION_METHODS, TRANSACTION_STATUSES } from '../../bank/model/vocabulary.ts';
import type { FoundTransaction, TransactionSearch } from '../../bank/store/transaction-search.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Amount, enumOf, Instant, TransactionId, text } from './fields.ts';
import { controlOperation } from './operation.ts';

const DEFAULT_LIMIT = 50;
/** Rows that are read in one turn, which takes a few milliseconds. */
const STRETCH = 10_000;

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

function formatRow({ store, bank }: Sandbox, { id }: FoundTransaction): Static<typeof Row>[] {
  const transaction = store.transactions.byId(id);
  if (transaction === undefined) return [];
  const it = formatTransaction(transaction, bank);
  return [
    {
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
    },
  ];
}

/** The requested number of transactions, newest first, and whether the search reached the oldest. */
async function search(
  sandbox: Sandbox,
  filter: TransactionSearch,
  cursor: string,
  limit: number,
): Promise<{ found: FoundTransaction[]; isAll: boolean; total: number }> {
  const found: FoundTransaction[] = [];
  const total = sandbox.store.transactionSearch.last();
  let before = cursor === '' ? total + 1 : Number(cursor);
  for (const _ of sandbox.store.transactionSearch.fill(filter)) await nextTurn();
  const inMemory = sandbox.store.transactionSearch.find(filter, before, limit);
  if (inMemory !== undefined) return { found: inMemory, isAll: inMemory.length < limit, total };
  while (before > 1 && found.length < limit) {
    const from = Math.max(1, before - STRETCH);
    const rows = sandbox.store.transactionSearch.stretch(filter, before, from, limit - found.length);
    found.push(...rows);
    before = from;
    if (before > 1 && found.length < limit) await nextTurn();
  }
  return { found, isAll: found.length < limit, total };
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
        Type.String({ pattern: '^([1-9]\\d{0,14})?$', description: 'The `cursor` of the previous page.' }),
      ),
    }),
    response: Type.Object({
      total: Type.Integer({ description: 'Number of all transactions of the sandbox.' }),
      transactions: Type.Array(Row),
      cursor: Type.String({ description: 'Send it to get older transactions; "" if there are none.' }),
    }),
    example: { query: { status: 'settled', limit: '10' } },
    run: async ({ sandbox }, { query }) => {
      const { status = '', method = '', sub_account_id: account = '', card_id: card = '' } = query;
      const filter = {
        status,
        method,
        accountId: account === '' ? '' : parseId('account', account, 'sub_account_id'),
        cardId: card === '' ? '' : parseId('card', card, 'card_id'),
      };
      const { limit = String(DEFAULT_LIMIT), cursor = '' } = query;
      const { found, isAll, total } = await search(sandbox, filter, cursor, Number(limit));
      return {
        total,
        transactions: found.flatMap((one) => formatRow(sandbox, one)),
        cursor: isAll ? '' : String(found.at(-1)?.place ?? ''),
      };
    },
  }),
] as const;
