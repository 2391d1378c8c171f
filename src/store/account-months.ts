/**
 * What an account's movements come to in a span of time: what was originated lately, for its limits, and what was booked
 * in each month, for its statements. Both read the account's own rows and nothing else.
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

/** What was originated on one rail since two instants. */
export interface Originated {
  rail: RailName;
  /** Since the earlier one. */
  all: Cents;
  /** Since the later one. */
  late: Cents;
}

/** What was booked on an account in one month of UTC. */
export interface BookedMonth {
  /** `YYYY-MM` */
  month: string;
  credits: Cents;
  debits: Cents;
  count: number;
}

/** A reversal of what was never booked is no more booked than that, so what is booked adds up without looking further. */
const BOOKED = sql`booked_at is not null`;
const MONTH = sql<string>`strftime('%Y-%m', booked_at / 1000, 'unixepoch')`;

/** So many rows are read and written in a few milliseconds. */
const SLICE = 200;

/** Adds up the movements of accounts. */
export function createAccountMonths(db: Db) {
  // The account's newest rows down to the first that is older, so it costs what the span holds and not what the account does.
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
  // One walk through the account, so that what is booked meanwhile is in none of the slices that follow.
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
  /** What is at these places, in their order; an amount is what it was when the places were found. */
  const rowsAt = (accountId: Id, slice: readonly { seq: number; amount: Cents }[]): Transaction[] => {
    const seqs = JSON.stringify(slice.map(({ seq }) => seq));
    const found = new Map(atPlaces.all({ accountId, seqs }).map(({ accountSeq: seq, ...row }) => [seq, row]));
    return slice.flatMap(({ seq, amount }) => {
      const row = found.get(seq);
      return row === undefined ? [] : [{ ...row, amount }];
    });
  };
  return {
    /** By rail, what the account's holder originated since the instant `since`, and of it since `late`. */
    originated: (accountId: Id, since: Instant, late: Instant): Originated[] =>
      originated.all({ accountId, since, late }),
    /** The months in which anything was booked, oldest first. */
    months: (accountId: Id): BookedMonth[] => months.all({ accountId }),
    /**
     * What was booked from the instant `from` until before `until`, oldest first, a slice at a time: which it is is settled
     * now, and the rows are read as they are asked for.
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
