/**
 * Finds transactions by what has no index: their state, method, account and card. A bank may have millions, so a search reads a
 * stretch of rows at a time, the newest first.
 */

import type { Id } from '../kernel/sequence.ts';
import { on } from '../model/conditions.ts';
import type { Driver } from './driver.ts';
import { lazily } from './lazily.ts';
import type { TransactionColumns } from './transaction-columns.ts';

/** What is searched for; `''` for any. */
export interface TransactionSearch {
  readonly status: string;
  readonly method: string;
  readonly accountId: string;
  readonly cardId: string;
}

/** A transaction, and its place among all of them, from 1. */
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
    /** Reads into memory what a search needs, a slice at a time. */
    fill: (search: TransactionSearch) => inMemory.fill(conditionsOf(search)),
    /** Those that fit at places below `before`, the newest first; `undefined` where SQL finds them as fast. */
    find(search: TransactionSearch, before: number, limit: number): FoundTransaction[] | undefined {
      const where = conditionsOf(search);
      const places = where.length === 0 ? undefined : inMemory.find(where, 'place')?.before(before, limit);
      return places && (atPlaces().all(JSON.stringify(places)) as FoundTransaction[]);
    },
    /** The place of the newest transaction, which is their number: none is ever deleted. */
    last: (): number => (last().get() as { n: number }).n,
    /** Those that fit at the places `from` to below `before`, the newest first. */
    stretch: (search: TransactionSearch, before: number, from: number, limit: number): FoundTransaction[] =>
      stretch().all({ ...search, before, from, limit }) as FoundTransaction[],
  };
}
