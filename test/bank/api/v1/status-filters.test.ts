/**
 * A list with the filter of a status of v1 finds the transactions that v1 shows with it, and no others: every rail in every
 * state, as rows of a database.
 */
import { afterAll, describe, expect, test } from 'vitest';
import {
  TRANSACTION_STATUSES,
  TRANSFER_STATUSES,
  transactionStatus,
  transactionStatusFilter,
  transferStatus,
  transferStatusFilter,
} from '../../../../src/bank/api/v1/transactions/status.ts';
import { ORIGINATED, SUB_TYPES } from '../../../../src/bank/api/v1/vocabulary.ts';
import {
  onColumns,
  TRANSACTION_FILTERS,
  type TransactionCondition,
} from '../../../../src/bank/model/filters.ts';
import { type RailName, railOf } from '../../../../src/bank/model/rails/index.ts';
import type { Transaction } from '../../../../src/bank/model/records.ts';
import { openConnection } from '../../../../src/bank/store/open.ts';
import { createStore } from '../../../../src/bank/store/store.ts';
import { LATER, transaction } from './samples.ts';

const connection = openConnection({ kind: 'memory' });
const store = createStore(connection);
afterAll(() => connection.close());

type State = Pick<Transaction, 'status' | 'settledAt' | 'movedNothing'>;

/** The statuses that a rail can reach, settled before or not, with reserved money or without. */
function statesOf(rail: RailName): State[] {
  const { opens, steps } = railOf(rail);
  const reached = Object.values(steps).flatMap((row) => Object.values(row).map(({ to }) => to));
  return [...new Set([opens.status, 'declined' as const, ...reached])].flatMap((status): State[] => {
    const open: State = { status, settledAt: null, movedNothing: false };
    const settled = { ...open, settledAt: LATER };
    if (status === 'settled' || status === 'refunded') return [settled];
    const unsettled = [open, { ...open, movedNothing: true }];
    return status === 'returned' || status === 'reversed' ? [...unsettled, settled] : unsettled;
  });
}

const rows: Transaction[] = (Object.keys(SUB_TYPES) as RailName[]).flatMap((rail) =>
  statesOf(rail).flatMap((state) => {
    const row = {
      ...transaction(rail),
      accountId: null,
      holderId: null,
      holderType: null,
      holdId: null,
      ...state,
    };
    const { details } = row;
    if (rail !== 'check_deposit' || details.kind !== 'check') return [row];
    return [row, { ...row, details: { ...details, awaitsImages: true } }];
  }),
);
rows.forEach((row, place) => {
  row.id = place.toString(16).padStart(32, '0');
  store.transactions.append(row);
});

const found = (...where: TransactionCondition[]): string[] =>
  store.transactions.list
    .all(onColumns(TRANSACTION_FILTERS, where))
    .map(({ id }) => id)
    .sort();
const summarize = (ids: string[]) =>
  ids.map((id) => rows[Number.parseInt(id, 16)]).map((row) => `${row?.rail} ${row?.status}`);

describe('filtering by status', () => {
  test.each(TRANSACTION_STATUSES)('%s finds exactly the transactions that are shown with it', (status) => {
    const shown = rows.filter((row) => transactionStatus(row) === status).map(({ id }) => id);
    expect(summarize(found(transactionStatusFilter(status)))).toEqual(summarize(shown));
  });

  test.each(TRANSFER_STATUSES)('%s finds exactly the transfers that are shown with it', (status) => {
    const ordered: TransactionCondition = { field: 'rail', oneOf: ORIGINATED };
    const shown = rows.filter((row) => ORIGINATED.some((rail) => rail === row.rail));
    const ids = shown.filter((row) => transferStatus(row) === status).map(({ id }) => id);
    expect(summarize(found(ordered, transferStatusFilter(status)))).toEqual(summarize(ids));
  });

  test('finds each transaction under exactly one status', () => {
    const all = TRANSACTION_STATUSES.flatMap((status) => found(transactionStatusFilter(status)));
    expect(summarize(all.sort())).toEqual(summarize(rows.map(({ id }) => id)));
  });
});
