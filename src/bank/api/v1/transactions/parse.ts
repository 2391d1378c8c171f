/**
 * Parses the filters and the order of a list of transactions. A filter by an unknown value matches nothing;
 * `metadata.<key>` filters by one key-value pair.
 * Source: "list all transactions" of the platform's v1 reference; decisions `v1-transactions`,
 * `v1-transaction-filters`, `v1-transaction-export` and `v1-ach-test` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { parseMoneyOrDollars } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { isDate, parseInstant } from '../../../kernel/time.ts';
import { on } from '../../../model/conditions.ts';
import type { TransactionCondition } from '../../../model/filters.ts';
import { AUTHORIZATION_RAILS } from '../../../model/rails/index.ts';
import type { OffsetWindow } from '../../../store/lists.ts';
import {
  businessFilter,
  idFilter,
  parseCommonFilters,
  parseWindow,
  textFilters,
  transferTypeFilter,
} from '../paging.ts';
import { bankWords, SUB_TYPES } from '../vocabulary.ts';
import type { TransactionQuery } from './shapes.ts';
import { transactionStatusFilter } from './status.ts';

type Query = Static<typeof TransactionQuery>;

const NOTHING: TransactionCondition = { anyOf: [] };
const METADATA = 'metadata.';
const ATM = 'isAtm';
const AUTHORIZATION: TransactionCondition = on('rail', { oneOf: AUTHORIZATION_RAILS });

/** Parses the position and the order of a page. Refuses: `field_invalid`. */
export function parseTransactionWindow(query: Query): OffsetWindow {
  const { orderBy } = query;
  const window = parseWindow(query);
  if (orderBy === undefined) return window;
  return {
    ...window,
    order: {
      field: orderBy.endsWith('createdAt') ? 'createdAt' : 'movedAt',
      direction: orderBy.startsWith('-') ? 'desc' : 'asc',
    },
  };
}

/** Parses the filters. Refuses: `field_invalid` for an invalid time, `amount_invalid`. */
export function parseTransactionFilters(query: Query): TransactionCondition[] {
  const { status, transferType, subType, walletId, minAmount, maxAmount } = query;
  return [
    ...idFilter('id', 'transaction', query.id),
    ...idFilter('id', 'transfer', query.transferId),
    ...idFilter('accountId', 'account', query.accountId),
    ...idFilter('cardId', 'card', query.cardId),
    ...idFilter('counterpartyId', 'counterparty', query.contactId),
    ...idFilter('personId', 'person', query.personId),
    ...businessFilter(query.businessId),
    ...idFilter('parentId', 'transaction', query.parentTransactionId),
    ...textFilters(query, { txnType: 'direction' }),
    ...(status === undefined ? [] : [transactionStatusFilter(status)]),
    ...transferTypeFilter(transferType),
    ...(subType === undefined ? [] : subTypeFilter(subType)),
    // This bank has no wallets of the platform.
    ...(walletId === undefined || walletId === '' ? [] : [NOTHING]),
    ...amountFilter('minAmount', 'from', minAmount),
    ...amountFilter('maxAmount', 'to', maxAmount),
    ...parseCommonFilters(query),
    ...parseCommonFilters({
      startTime: timeOf('startDate', query.startDate, '00:00:00'),
      endTime: timeOf('endDate', query.endDate, '23:59:59'),
    }),
    ...textFilter(query.query),
    ...pairFilters(query),
  ];
}

/** Converts a date to a time of that day in UTC; returns a time unchanged. Refuses: `field_invalid`. */
function timeOf(field: string, text: string | undefined, time: string): string {
  if (text === undefined || text === '') return '';
  if (isDate(text)) return `${text}T${time}Z`;
  if (parseInstant(text) !== undefined) return text;
  throw refuse('field_invalid', {
    field,
    message: `${field} must be a date like 2026-11-20 or a time like 2026-11-20T18:00:00Z; got "${text}"`,
  });
}

function textFilter(text: string | undefined): TransactionCondition[] {
  if (text === undefined || text === '') return [];
  const fields = ['title', 'description', 'otherSideName'] as const;
  return [{ anyOf: fields.map((field) => [on(field, { contains: text })]) }];
}

/** An ATM withdrawal is an authorization with a separate sub-type in v1. */
function subTypeFilter(subType: string): TransactionCondition[] {
  if (subType === 'atm') return [AUTHORIZATION, { field: ATM, is: 1 }];
  const rails: TransactionCondition = on('rail', { oneOf: bankWords(SUB_TYPES, subType) });
  return subType === SUB_TYPES.card_authorization ? [rails, { field: ATM, is: 0 }] : [rails];
}

function amountFilter(name: string, bound: 'from' | 'to', text: string | undefined): TransactionCondition[] {
  if (text === undefined || text === '') return [];
  const cents = parseMoneyOrDollars(text);
  if (cents === undefined) {
    throw refuse('field_invalid', {
      field: name,
      message: `${name} must be an amount of dollars like 12.50 or 12; got "${text}"`,
    });
  }
  return [bound === 'from' ? on('amount', { from: cents }) : on('amount', { to: cents })];
}

function pairFilters(query: object): TransactionCondition[] {
  return Object.entries(query).flatMap(([name, value]: [string, unknown]) => {
    const key = name.slice(METADATA.length);
    if (!name.startsWith(METADATA) || key === '' || name === 'metadata.query') return [];
    if (typeof value === 'string') return [on('metadata', { hasPair: [key, value] })];
    throw refuse('field_invalid', { field: name, message: `${name} was sent more than once` });
  });
}
