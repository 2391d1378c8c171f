/**
 * Statements: the balance of an account at the beginning and the end of a month, and the transactions that were
 * booked in it. Months are in UTC, from the account's opening to the current month, which ends now. Payments that are
 * not booked yet are in no statement: the last closing balance is the available balance plus the amounts on hold for
 * them, for example for a wire.
 * Source: decision `statement-contents` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import type { BookedMonth } from '../../store/account-months.ts';
import type { OffsetWindow, Page } from '../../store/lists.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountWithBalance, Statement, StatementFile } from '../inputs.ts';
import type { Accounts } from './accounts.ts';

export interface Statements {
  /** The account's statements, newest first. Refuses: `account_not_found`. */
  list(accountId: Id, window: OffsetWindow): Page<Statement>;
  /** A statement by its month, `YYYY-MM`. Refuses: `account_not_found`, `statement_not_found`. */
  byId(accountId: Id, id: string): StatementFile;
}

const MONTHS_IN_YEAR = 12;
const STATEMENT_ID = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** The verbs of statements. */
export function createStatements({ store, clock }: Dependencies, accounts: Accounts): Statements {
  const seriesOf = (file: AccountWithBalance): Series => {
    const booked = store.accountMonths.months(file.account.id);
    const places = booked.map(({ month }) => placeOf(month));
    // If the clock was set back, transactions can be booked before the account's opening, or in the future.
    return {
      accountId: file.account.id,
      now: clock.now(),
      booked,
      first: Math.min(placeAt(file.account.createdAt), ...places),
      last: Math.max(placeAt(clock.now()), ...places),
    };
  };

  return {
    list(accountId, { offset, limit }) {
      const series = seriesOf(accounts.byId(accountId));
      const total = series.last - series.first + 1;
      const length = Math.max(0, Math.min(limit, total - offset));
      return {
        items: Array.from({ length }, (_, row) => statementOf(series, series.last - offset - row)),
        total,
        hasNewer: offset > 0,
        hasOlder: offset + length < total,
      };
    },

    byId(accountId, id) {
      const account = accounts.byId(accountId);
      const series = seriesOf(account);
      const place = STATEMENT_ID.test(id) ? placeOf(id) : Number.NaN;
      if (!(place >= series.first && place <= series.last)) throw refuse('statement_not_found');
      const statement = statementOf(series, place);
      const { from, until } = statement;
      return {
        at: clock.now(),
        statement,
        account,
        slices: store.accountMonths.booked(accountId, from, until),
      };
    },
  };
}

/** A range of months, as numbers of months since year 0. */
interface Series {
  accountId: Id;
  now: Instant;
  booked: readonly BookedMonth[];
  first: number;
  last: number;
}

function statementOf({ accountId, now, booked }: Series, place: number): Statement {
  const year = Math.floor(place / MONTHS_IN_YEAR);
  const month = place - year * MONTHS_IN_YEAR;
  const id = `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}`;
  let opening = 0;
  let own = { credits: 0, debits: 0, count: 0 };
  for (const row of booked) {
    if (row.month < id) opening += row.credits - row.debits;
    if (row.month === id) own = row;
  }
  const { credits, debits, count } = own;
  const until = Date.UTC(year, month + 1, 1);
  return {
    id,
    accountId,
    from: Date.UTC(year, month, 1),
    until,
    createdAt: Math.min(until, now),
    opening,
    closing: opening + credits - debits,
    credits,
    debits,
    count,
  };
}

function placeOf(id: string): number {
  return Number(id.slice(0, 4)) * MONTHS_IN_YEAR + Number(id.slice(5, 7)) - 1;
}

function placeAt(instant: Instant): number {
  const date = new Date(instant);
  return date.getUTCFullYear() * MONTHS_IN_YEAR + date.getUTCMonth();
}
