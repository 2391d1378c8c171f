/**
 * Finds transactions by fields without an index: state, method, account and card. A bank may have millions of rows,
 * so a search reads one range of rows at a time, the newest first.
 */

import type { Id } from '../kernel/sequence.ts';
import { on } from '../model/conditions.ts';
import type { Driver } from './driver.ts';
import { lazily } from './lazily.ts';
import type { TransactionColumns } from './transaction-columns.ts';

/** The filters; `''` matches everything. */
export interface TransactionSearch {
  readonly status: string;
  readonly method: string;
  readonly accountId: string;
  readonly cardId: string;
}

/** A transaction and its place among all transactions, from 1. */
export interface FoundTransaction {
  readonly place: number;
  readonly id: Id;
}

const FIELDS = ['status', 'method', 'accountId', 'cardId'] as const;
const FITS = `(:status = '' OR status = :status) AND (:method = '' OR method = :method)
  AND (:accountId = '' OR account_id = :accountId) AND (:cardId = '' OR card_id = :cardId)`;

/** The statements of the search. */
export function createTransactionSearch(sqlite: Driver, inMemory: TransactionColumns) {
  const stretch = lazily(() =>
    sqlite.prepare(`SELECT rowid AS place, id FROM transactions
      WHERE rowid < :before AND rowid >= :from AND ${FITS} ORDER BY rowid DESC LIMIT :limit`),
  );
  const last = lazily(() => sqlite.prepare('SELECT coalesce(max(rowid), 0) AS n FROM transactions'));
  const atPlaces = lazily(() =>
    sqlite.prepare(`SELECT rowid AS place, id FROM transactions
      WHERE rowid IN (SELECT value FROM json_each(?)) ORDER BY rowid DESC`),
  );
  const conditionsOf = (search: TransactionSearch) =>
    FIELDS.flatMap((field) => (search[field] === '' ? [] : [on(field, { is: search[field] })]));
  return {
    /** Loads the columns that a search needs, a slice at a time. */
    fill: (search: TransactionSearch) => inMemory.fill(conditionsOf(search)),
    /** The matches at places below `before`, the newest first; `undefined` if SQL is as fast. */
    find(search: TransactionSearch, before: number, limit: number): FoundTransaction[] | undefined {
      const where = conditionsOf(search);
      const places = where.length === 0 ? undefined : inMemory.find(where, 'place')?.before(before, limit);
      return places && (atPlaces().all(JSON.stringify(places)) as FoundTransaction[]);
    },
    /** The place of the newest transaction. It equals their number, because none is ever deleted. */
    last: (): number => (last().get() as { n: number }).n,
    /** The matches from place `from` to below `before`, the newest first. */
    stretch: (search: TransactionSearch, before: number, from: number, limit: number): FoundTransaction[] =>
      stretch().all({ ...search, before, from, limit }) as FoundTransaction[],
  };
}
