/** The comparisons of a day and of a month. */
import type { Booking, Payment } from './books.ts';
import { iso, type Run, shown } from './context.ts';
import * as rules from './rules.ts';
import { money } from './world.ts';

/** The steps of a payment, its dates and its return windows. */
async function checkPayment(run: Run, { id, rail, made, effective, taken }: Payment): Promise<void> {
  const { sandbox, v2 } = run.world.bank;
  const name = `${rail} of ${iso(made)}`;
  const { path, return_windows } = await sandbox.explain({ params: { id } });
  const states = path.filter(({ change }) => change === 'status').map(({ at, status }) => [at, status]);
  const expected = taken.map(({ at, status }) => [shown(at), status]);
  run.compare(name, states, expected);
  if (effective === '') return;
  const { ach, timestamps } = await v2.retrieveTransaction({ params: { transaction_id: id } });
  const settled = taken.find(({ status }) => status === 'settled');
  const dates = [effective, settled ? shown(settled.at) : ''];
  run.compare(
    `effective date and settled_at of ${name}`,
    [ach?.effective_date, timestamps.settled_at],
    dates,
  );
  if (taken.at(-1)?.status !== 'settled') return;
  const windowOf = (code: string) =>
    return_windows?.find(({ return_codes }) => return_codes.includes(code))?.until;
  const untils = rules.RETURN_CODES.map((code) => shown(rules.returnableUntil(code, effective)));
  run.compare(`return windows of ${name}`, rules.RETURN_CODES.map(windowOf), untils);
}

export async function checkDay(run: Run): Promise<void> {
  const { bank, account } = run.world;
  const shownAccount = await bank.v2.retrieveSubAccount({ params: { sub_account_id: account } });
  const { available_balance, pending_credits, pending_debits } = shownAccount;
  const { available, pendingCredits, pendingDebits } = run.books;
  const expected = [available, pendingCredits, pendingDebits].map(money);
  run.compare('balances', [available_balance, pending_credits, pending_debits], expected);
  for (const payment of run.ended) await checkPayment(run, payment);
  run.ended = new Set();
}

const sumOf = (bookings: readonly Booking[]): number => bookings.reduce((sum, { amount }) => sum + amount, 0);

/** The audit, the statement and the calendar of the month that ends now. */
export async function checkMonth(run: Run): Promise<void> {
  const { bank, account } = run.world;
  const last = rules.utcDate(run.now - 1);
  const first = `${last.slice(0, 8)}01`;
  const [year = '', month = ''] = last.split('-');
  run.compare('audit', (await bank.sandbox.verifyLedger()).problems, []);
  const statement = await bank.v1.retrieveStatement({ params: { accountId: account, year, month } });
  const { startDate, endDate, openingBalance, closingBalance, totalCredit, totalDebit } = statement;
  const turnover = (Number(totalCredit) - Number(totalDebit)).toFixed(2);
  const opening = sumOf(run.books.bookings.filter(({ at }) => at < Date.parse(`${first}T00:00:00Z`)));
  const closing = sumOf(run.books.bookings.filter(({ at }) => at < run.now));
  const balances = [opening, closing, closing - opening].map(money);
  run.compare(
    'statement',
    [startDate, endDate, openingBalance, closingBalance, turnover],
    [first, last, ...balances],
  );
  const { days } = await bank.sandbox.retrieveCalendar({ query: { from: first, to: last } });
  for (const { date, banking_day, ach_same_day_windows, ...day } of days) {
    const isOpen = rules.isBankingDay(date);
    const times = (list: readonly string[], zone: 'eastern' | 'pacific') =>
      isOpen ? list.map((time) => iso(rules.timeOn(date, time, zone))) : [];
    const time = (text: string, zone: 'eastern' | 'pacific') => times([text], zone)[0] ?? '';
    const windows = ach_same_day_windows.map((row) => [row.deadline, row.distribution, row.settlement]);
    run.compare(
      `calendar of ${date}`,
      [
        banking_day,
        day.ach_windows,
        day.ach_same_day_cutoff,
        day.ach_settlement,
        day.wires_open,
        windows.flat(),
      ],
      [
        isOpen,
        times(rules.ACH_WINDOWS, 'pacific'),
        time('12:15', 'pacific'),
        time('08:30', 'eastern'),
        time('06:00', 'pacific'),
        times(rules.SAME_DAY.flat(), 'eastern'),
      ],
    );
  }
}
