/**
 * What a list of transactions may be asked for. Words that the platform publishes and this bank never writes are taken,
 * and find nothing.
 * Source: "list all transactions" of the platform's v1 reference; rows 193 to 195 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Filter, listOf, listQueryWithPairs } from '../paging.ts';
import { TRANSACTION_STATUSES } from '../payment-status.ts';
import { ALL_SUB_TYPES, ALL_TRANSFER_TYPES } from '../vocabulary.ts';
import { wordOf } from './scalars.ts';
import { Transaction } from './transaction.ts';

const AmountFilter = Type.Optional(
  Type.String({
    maxLength: 20,
    description: 'Dollars, like "12.50" or "12", of debits and credits alike.',
  }),
);

export const TransactionQuery = listQueryWithPairs({
  orderBy: Type.Optional(wordOf(['createdAt', '-createdAt', 'txnDate', '-txnDate'])),
  export: Type.Optional(wordOf(['json', 'csv', 'pdf'])),
  id: Filter,
  txnType: Type.Optional(wordOf(['credit', 'debit'])),
  status: Type.Optional(wordOf(TRANSACTION_STATUSES)),
  transferId: Filter,
  accountId: Filter,
  cardId: Filter,
  walletId: Filter,
  contactId: Filter,
  personId: Filter,
  businessId: Filter,
  parentTransactionId: Filter,
  transferType: Type.Optional(wordOf(ALL_TRANSFER_TYPES)),
  subType: Type.Optional(wordOf(ALL_SUB_TYPES)),
  minAmount: AmountFilter,
  maxAmount: AmountFilter,
});

export const TransactionList = listOf('TransactionList', Transaction);
export const ExportQuery = Type.Object({ export: Type.Optional(wordOf(['json', 'csv', 'pdf'])) });
