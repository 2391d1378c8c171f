/**
 * Tells which days the banks work, why they do not on the others, and when the windows of each day are in UTC. The times
 * are asked of the timetable that payments go by, so they cannot say anything else.
 */
import { type Static, Type } from '@sinclair/typebox';
import { addDays, bankHolidays, dateIn, isBankingDay, PACIFIC } from '../../../kernel/calendar.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { DAY_MS, isDate } from '../../../kernel/time.ts';
import { dueAt, isSameDay, type When } from '../../../model/timetable.ts';
import { controlOperation } from '../operation.ts';
import { text } from '../shapes.ts';
import { InstantText, writeInstant } from '../time-views.ts';

const USUAL_DAYS = 14;
const MOST_DAYS = 366;

const DayView = Type.Object({
  date: text('YYYY-MM-DD.'),
  banking_day: Type.Boolean(),
  holiday: Type.String({ description: 'Its name; "" for none.' }),
  ach_windows: Type.Array(InstantText, {
    description: 'When files leave; a window takes what came before it.',
  }),
  ach_same_day_cutoff: Type.String({
    description: 'Before this a payment of the day can post on it; "" for never.',
  }),
  ach_settlement: Type.String({ description: 'When payments post that take effect on the day.' }),
  ach_same_day_settlement: Type.String({ description: 'When same-day payments post.' }),
  wires_open: text('When the first wire can leave, ISO 8601 in UTC; "" for never.'),
});

export const retrieveCalendar = controlOperation({
  id: 'sandbox_retrieve_calendar',
  method: 'GET',
  path: '/_sandbox/calendar',
  group: 'Clock',
  summary: 'Banking days, holidays and windows',
  status: 200,
  query: Type.Object({
    from: Type.Optional(
      Type.String({ description: 'YYYY-MM-DD; today on the clock of the sandbox unless sent.' }),
    ),
    to: Type.Optional(
      Type.String({ description: `YYYY-MM-DD, at most ${MOST_DAYS} days; two weeks unless sent.` }),
    ),
  }),
  response: Type.Object({ days: Type.Array(DayView) }),
  run: ({ sandbox }, { query }) => {
    const from = readDate(query.from ?? dateIn(PACIFIC, sandbox.clock.now()), 'from');
    const to = readDate(query.to ?? addDays(from, USUAL_DAYS - 1), 'to');
    const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
    if (count < 1) throw wrong('to', `is ${to}, before from, ${from}`);
    if (count > MOST_DAYS)
      throw wrong('to', `is ${count} days from ${from}; ask for at most ${MOST_DAYS} at once`);
    return { days: Array.from({ length: count }, (_, place) => viewDay(addDays(from, place))) };
  },
});

function viewDay(date: string): Static<typeof DayView> {
  const holiday = bankHolidays(Number(date.slice(0, 4))).find((day) => day.date === date)?.name ?? '';
  if (!isBankingDay(date)) {
    return {
      date,
      banking_day: false,
      holiday,
      ach_windows: [],
      ach_same_day_cutoff: '',
      ach_settlement: '',
      ach_same_day_settlement: '',
      wires_open: '',
    };
  }
  const windows = windowsOf(date);
  const cutoff = windows.filter((window) => isSameDay(window - 1, true)).at(-1);
  const settles = (sameDay: boolean): string =>
    writeInstant(asked('ach_settle_push', 0, { sameDay, effectiveDate: date }));
  return {
    date,
    banking_day: true,
    holiday,
    ach_windows: windows.map(writeInstant),
    ach_same_day_cutoff: cutoff === undefined ? '' : writeInstant(cutoff),
    ach_settlement: settles(false),
    ach_same_day_settlement: settles(true),
    wires_open: writeInstant(asked('wire_send', dayBegins(date))),
  };
}

/** Each window is the first after the one before it. */
function windowsOf(date: string): number[] {
  const windows: number[] = [];
  let window = asked('ach_send', dayBegins(date));
  while (dateIn(PACIFIC, window) === date) {
    windows.push(window);
    window = asked('ach_send', window);
  }
  return windows;
}

/** Midnight on the Pacific clock, or an hour later; nothing happens before five. */
function dayBegins(date: string): number {
  return Date.parse(`${date}T08:00:00.000Z`);
}

const NO_TERMS = { sameDay: false, effectiveDate: '' };

function asked(when: When, now: number, terms = NO_TERMS): number {
  return dueAt(when, 'calendar', now, terms) ?? now;
}

function readDate(text: string, field: string): string {
  if (isDate(text) && text >= '1970-01-01' && text < '2200') return text;
  throw wrong(
    field,
    `is ${JSON.stringify(text)}; expected a date of the years 1970 to 2199, like "2026-07-03"`,
  );
}

function wrong(field: string, problem: string): Refusal {
  return refuse('field_invalid', { field, message: `${field} ${problem}` });
}
