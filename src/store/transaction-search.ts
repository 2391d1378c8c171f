/**
 * Finds transactions by what has no index: their state, method, account and card. A bank may have millions, so a search reads a
 * stretch of rows at a time, the newest first.
 */

import type { Id } from '../kernel/sequence.ts';
import type { Driver } from './driver.ts';
import { lazily } from './statement.ts';

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

const FITS = `(:status = '' OR status = :status) AND (:method = '' OR method = :method)
  AND (:accountId = '' OR account_id = :accountId) AND (:cardId = '' OR card_id = :cardId)`;

/** The statements of the search. */
export function createTransactionSearch(sqlite: Driver) {
  const stretch = lazily(() =>
    sqlite.prepare(`SELECT rowid AS place, id FROM transactions
      WHERE rowid < :before AND rowid >= :from AND ${FITS} ORDER BY rowid DESC LIMIT :limit`),
  );
  const last = lazily(() => sqlite.prepare('SELECT coalesce(max(rowid), 0) AS n FROM transactions'));
  return {
    /** The place of the newest transaction, which is their number: none is ever deleted. */
    last: (): number => (last().get() as { n: number }).n,
    /** Those that fit at the places `from` to below `before`, the newest first. */
    stretch: (search: TransactionSearch, before: number, from: number, limit: number): FoundTransaction[] =>
      stretch().all({ ...search, before, from, limit }) as FoundTransaction[],
  };
}
