/**
 * Reads of the ledger: the entries of one account with its balance after each, and the transfers of one transaction.
 * Neither has an index, because it would slow every payment for a rare read; a read scans the transfers.
 */
import type { SQL } from 'drizzle-orm';
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { transfers } from '../model/tables.ts';
import { cachesOf } from '../store/cache.ts';
import { asc, desc, eq, gt, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import type { Transfer } from './ledger.ts';

/** One transfer from the perspective of one of its accounts. */
export interface Entry {
  transferId: number;
  kind: Transfer['kind'];
  side: 'debit' | 'credit';
  /** The ledger account on the other side. */
  contraAccountId: Id;
  amount: Cents;
  /** The available balance of the account after it. */
  availableAfter: Cents;
  /** The hold that it resolves. */
  holdId: number | null;
  transactionId: Id;
  at: Instant;
}

/** A page of an account's entries, newest first, and their total number. */
export function entriesOf(
  db: Db,
  accountId: Id,
  limit: number,
  offset: number,
): { total: number; data: Entry[] } {
  const own = sql`(${transfers.debitAccount} = ${accountId} or ${transfers.creditAccount} = ${accountId})`;
  const total = countOf(db, accountId, own);
  const rows = db
    .select()
    .from(transfers)
    .where(own)
    .orderBy(desc(transfers.id))
    .limit(limit)
    .offset(offset)
    .all();
  return { total, data: rows.map((row) => entryOf(row, accountId)) };
}

/** How many entries an account has up to a transfer. Transfers are not removed, so only later ones are counted again. */
interface Counted {
  readonly entries: number;
  readonly last: number;
}

function countOf(db: Db, accountId: Id, own: SQL): number {
  const known = cachesOf(db.$client).named<Id, Counted>('entries');
  const { entries, last } = known.get(accountId) ?? { entries: 0, last: 0 };
  const later = db
    .select({ count: sql<number>`sum(${own})`, last: sql<number | null>`max(${transfers.id})` })
    .from(transfers)
    .where(gt(transfers.id, last))
    .get();
  const now = { entries: entries + (later?.count ?? 0), last: later?.last ?? last };
  return known.set(accountId, now).entries;
}

/** The transfers that a transaction made, in order. */
export function transfersOf(db: Db, transactionId: Id): Transfer[] {
  return db
    .select()
    .from(transfers)
    .where(eq(transfers.transactionId, transactionId))
    .orderBy(asc(transfers.id))
    .all();
}

function entryOf(row: Transfer, accountId: Id): Entry {
  const debit = row.debitAccount === accountId;
  return {
    transferId: row.id,
    kind: row.kind,
    side: debit ? 'debit' : 'credit',
    contraAccountId: debit ? row.creditAccount : row.debitAccount,
    amount: row.amount,
    availableAfter: debit ? row.debitAvailableAfter : row.creditAvailableAfter,
    holdId: row.holdId,
    transactionId: row.transactionId,
    at: row.at,
  };
}
