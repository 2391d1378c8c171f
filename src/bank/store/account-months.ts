/**
 * Sums over the transactions of an account: recently originated payments, for its limits, and the booked transactions
 * of each month, for its statements. Both read only the rows of the account.
 */
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { type RailName, REVERSAL_RAILS } from '../model/rails/index.ts';
import type { Transaction } from '../model/records.ts';
import { transactions } from '../model/tables.ts';
import { asc, getTableColumns, sql } from './drizzle.ts';
import type { Db } from './open.ts';
import { unpeeked } from './rows.ts';
import { prepareRead } from './statement.ts';

const REVERSALS = sql.raw(REVERSAL_RAILS.map((name) => `'${name}'`).join(', '));

/** The sums originated on one rail since two instants. */
export interface Originated {
  rail: RailName;
  /** Since the earlier instant. */
  all: Cents;
  /** Since the later instant. */
  late: Cents;
}

/** The booked transactions of an account in one month, in UTC. */
export interface BookedMonth {
  /** `YYYY-MM` */
  month: string;
  credits: Cents;
  debits: Cents;
  count: number;
}

/** The reversal of a transaction that was never booked is not booked either, so the booked transactions add up. */
const BOOKED = sql`booked_at is not null`;
const MONTH = sql<string>`strftime('%Y-%m', booked_at / 1000, 'unixepoch')`;

/** This number of rows is read and written in a few milliseconds. */
const SLICE = 200;

/** Adds up the movements of accounts. */
export function createAccountMonths(db: Db) {
  // Reads the newest rows down to the first older one, so the cost depends on the span and not on the size of the
  // account.
  const originated = prepareRead(
    db,
    {
      rail: transactions.rail,
      all: sql<number>`sum(amount)`,
      late: sql<number>`sum(case when created_at >= ${sql.placeholder('late')} then amount else 0 end)`,
    },
    (select) =>
      select
        .from(transactions)
        .where(
          sql`account_id = ${unpeeked('accountId')}
          and account_seq > coalesce((select account_seq from transactions where account_id = ${unpeeked('accountId')}
            and created_at < ${sql.placeholder('since')} order by account_seq desc limit 1), 0)
          and message = 'outgoing' and rail not in (${REVERSALS})
          and status not in ('declined', 'returned', 'reversed', 'canceled')`,
        )
        .groupBy(transactions.rail),
  );
  const months = prepareRead(
    db,
    {
      month: MONTH,
      credits: sql<number>`sum(case when direction = 'credit' then amount else 0 end)`,
      debits: sql<number>`sum(case when direction = 'debit' then amount else 0 end)`,
      count: sql<number>`count(*)`,
    },
    (select) =>
      select
        .from(transactions)
        .where(sql`account_id = ${unpeeked('accountId')} and ${BOOKED}`)
        .groupBy(sql`1`)
        .orderBy(sql`1`),
  );
  // One scan of the account, so that rows that are booked later are in no slice.
  const places = prepareRead(db, { seq: transactions.accountSeq, amount: transactions.amount }, (select) =>
    select
      .from(transactions)
      .where(
        sql`account_id = ${unpeeked('accountId')} and ${BOOKED}
          and booked_at >= ${sql.placeholder('from')} and booked_at < ${sql.placeholder('until')}`,
      )
      .orderBy(asc(transactions.bookedAt), asc(transactions.accountSeq)),
  );
  const { accountSeq, ...columns } = getTableColumns(transactions);
  const atPlaces = prepareRead(db, { ...columns, accountSeq }, (select) =>
    select.from(transactions).where(
      sql`account_id = ${unpeeked('accountId')}
          and account_seq in (select value from json_each(${sql.placeholder('seqs')}))`,
    ),
  );
  /** The rows at these places, in order, with their amounts at the time of the scan. */
  const rowsAt = (accountId: Id, slice: readonly { seq: number; amount: Cents }[]): Transaction[] => {
    const seqs = JSON.stringify(slice.map(({ seq }) => seq));
    const found = new Map(atPlaces.all({ accountId, seqs }).map(({ accountSeq: seq, ...row }) => [seq, row]));
    return slice.flatMap(({ seq, amount }) => {
      const row = found.get(seq);
      return row === undefined ? [] : [{ ...row, amount }];
    });
  };
  return {
    /** The sums that the account's holder originated since the instant `since` and since `late`, by rail. */
    originated: (accountId: Id, since: Instant, late: Instant): Originated[] =>
      originated.all({ accountId, since, late }),
    /** The months with booked transactions, oldest first. */
    months: (accountId: Id): BookedMonth[] => months.all({ accountId }),
    /**
     * The transactions booked from the instant `from` until before `until`, oldest first, in slices. The call
     * determines the rows, and each slice is read when it is requested.
     */
    booked(accountId: Id, from: Instant, until: Instant): Iterable<readonly Transaction[]> {
      const found = places.all({ accountId, from, until });
      return {
        *[Symbol.iterator]() {
          for (let at = 0; at < found.length; at += SLICE)
            yield rowsAt(accountId, found.slice(at, at + SLICE));
        },
      };
    },
  };
}
