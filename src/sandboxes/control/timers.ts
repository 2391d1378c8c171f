/**
 * The planned work of a sandbox: steps, retries of deliveries, and the banking calendar.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatEventId, formatWebhookId } from '../../bank/api/events.ts';
import { formatV2 } from '../../bank/api/ids.ts';
import {
  addDays,
  bankHolidays,
  dateIn,
  EASTERN,
  instantAt,
  isBankingDay,
  PACIFIC,
} from '../../bank/kernel/calendar.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { DAY_MS, type Instant, isDate } from '../../bank/kernel/time.ts';
import { type RailEvent, railOf } from '../../bank/model/rails/index.ts';
import { dueAt, isSameDay, SAME_DAY_WINDOWS, type When } from '../../bank/model/timetable.ts';
import type { Store } from '../../bank/store/store.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readInstant, targetOf } from '../sandbox/time-targets.ts';
import { ClockView, formatClock, formatInstant, InstantText } from './clock.ts';
import { DATE, enumOf, text, wrong } from './fields.ts';
import { controlOperation } from './operation.ts';

const DEFAULT_LIMIT = 100;

interface Timer {
  due: Instant;
  kind: 'step' | 'retry';
  subject: string;
  does: string;
}

function stepsOf({ store }: Sandbox, limit: number): Timer[] {
  return store.agenda.due(Number.MAX_SAFE_INTEGER, limit).map(({ dueAt, subjectId, event, task }) => ({
    due: dueAt,
    kind: 'step',
    ...(task === 'verification' ? checkStep(store, subjectId) : transactionStep(store, subjectId, event)),
  }));
}

type Step = Pick<Timer, 'subject' | 'does'>;

function checkStep(store: Store, id: Id): Step {
  const name = store.holders.byId(id)?.type === 'business' ? 'KYB of a business' : 'KYC of a person';
  return { subject: formatV2('holder', id), does: `${name}: decided by the id number` };
}

function transactionStep(store: Store, id: Id, event: string): Step {
  const transaction = store.transactions.byId(id);
  return {
    subject: formatV2('transaction', id),
    does: transaction === undefined ? event : describe(transaction, event as RailEvent),
  };
}

function describe(
  { rail, status }: { rail: Parameters<typeof railOf>[0]; status: string },
  event: RailEvent,
): string {
  const row = railOf(rail).steps[status as keyof ReturnType<typeof railOf>['steps']];
  const step = row?.[event];
  const name = rail.replaceAll('_', ' ');
  if (step === undefined) return `${name}: ${event}, which its state ${status} does not allow`;
  const books = BOOKS[step.ledger];
  return `${name}: ${event}, ${status} to ${step.to}${books === '' ? '' : `, ${books}`}`;
}

const BOOKS = {
  hold: 'reserves the amount',
  post: 'posts the amount',
  settle: 'posts the hold',
  release: 'releases the hold',
  undo: 'posts the opposite amount',
  none: '',
} as const;

function retriesOf({ queue }: Sandbox, limit: number): Timer[] {
  return queue.retriesDue(Number.MAX_SAFE_INTEGER, limit, []).flatMap(({ seq, webhookId }) => {
    const due = queue.waitingBySeq(seq);
    const webhook = queue.webhook(webhookId);
    if (due === undefined || webhook === undefined) return [];
    const { dueAt, kind, ordinal, attempts } = due.delivery;
    return {
      due: dueAt,
      kind: 'retry' as const,
      subject: formatEventId(webhook.apiVersion, due.fact, ordinal),
      does: `attempt ${attempts + 1} to deliver ${kind} to ${formatWebhookId(webhook)}`,
    };
  });
}

const DEFAULT_DAYS = 14;
const MAX_DAYS = 366;

const DayView = Type.Object({
  date: text('YYYY-MM-DD.', DATE),
  banking_day: Type.Boolean(),
  holiday: Type.String({ description: 'Name of the holiday; "" for none.' }),
  ach_windows: Type.Array(InstantText, {
    description: 'When files are sent; a file contains the payments from before this time.',
  }),
  ach_same_day_cutoff: Type.String({
    description: 'Cut-off for payments that post on the same day; "" if there is none.',
  }),
  ach_settlement: Type.String({ description: 'When payments with this effective date post.' }),
  ach_same_day_windows: Type.Array(
    Type.Object({
      deadline: InstantText,
      distribution: InstantText,
      settlement: InstantText,
    }),
    {
      description:
        'The windows of the clearing house: a file that is sent by the deadline clears at the distribution and posts at the settlement.',
    },
  ),
  wires_open: text('When the first wire can be sent, ISO 8601 in UTC; "" if no wire can be sent.', {
    form: 'date-time',
    orEmpty: true,
  }),
});

function formatDay(date: string): Static<typeof DayView> {
  const holiday = holidayOf(date);
  if (!isBankingDay(date)) {
    return {
      date,
      banking_day: false,
      holiday,
      ach_windows: [],
      ach_same_day_cutoff: '',
      ach_settlement: '',
      ach_same_day_windows: [],
      wires_open: '',
    };
  }
  const windows = windowsOf(date);
  const cutoff = windows.filter((window) => isSameDay(window - 1, true, 0)).at(-1);
  return {
    date,
    banking_day: true,
    holiday,
    ach_windows: windows.map(formatInstant),
    ach_same_day_cutoff: cutoff === undefined ? '' : formatInstant(cutoff),
    ach_settlement: formatInstant(instantOf('ach_settle_push', 0, { sameDay: false, effectiveDate: date })),
    ach_same_day_windows: SAME_DAY_WINDOWS.map(({ deadline, distribution, settlement }) => ({
      deadline: formatInstant(instantAt(EASTERN, date, deadline)),
      distribution: formatInstant(instantAt(EASTERN, date, distribution)),
      settlement: formatInstant(instantAt(EASTERN, date, settlement)),
    })),
    wires_open: formatInstant(instantOf('wire_send', dayBegins(date))),
  };
}

/** Each window is the first after the previous one. */
function windowsOf(date: string): number[] {
  const windows: number[] = [];
  let window = instantOf('ach_send', dayBegins(date));
  while (dateIn(PACIFIC, window) === date) {
    windows.push(window);
    window = instantOf('ach_send', window);
  }
  return windows;
}

/** Midnight on the Pacific clock, or an hour later; nothing happens before five. */
function dayBegins(date: string): number {
  return Date.parse(`${date}T08:00:00.000Z`);
}

const NO_TERMS = { sameDay: false, effectiveDate: '' };

function instantOf(when: When, now: number, terms = NO_TERMS): number {
  return dueAt(when, 'calendar', now, terms) ?? now;
}

function parseDate(text: string, field: string): string {
  if (isDate(text) && text >= '1970-01-01' && text < '2200') return text;
  throw wrong(
    field,
    `is ${JSON.stringify(text)}; expected a date of the years 1970 to 2199, like "2026-07-03"`,
  );
}

/** The end of a preview; `undefined` for all planned work. Refuses: `field_invalid`. */
function untilOf(
  { until, by, business_days: days }: { until?: string; by?: string; business_days?: string },
  now: Instant,
): Instant | undefined {
  if (until !== undefined && by === undefined && days === undefined) return readInstant(until, 'until');
  if (until === undefined && by === undefined && days === undefined) return undefined;
  return targetOf({ by, business_days: days === undefined ? undefined : Number(days), to: until }, now);
}

/** The days of a preview, each with its number of due items. */
function daysBetween(now: Instant, until: Instant, timers: readonly Timer[]) {
  const from = dateIn(EASTERN, now);
  const to = dateIn(EASTERN, until);
  const count = Math.min(MAX_DAYS, (Date.parse(to) - Date.parse(from)) / DAY_MS + 1);
  const dates = timers.map(({ due }) => dateIn(EASTERN, Math.max(due, now)));
  return Array.from({ length: count }, (_, place) => {
    const date = addDays(from, place);
    return {
      date,
      banking_day: isBankingDay(date),
      holiday: holidayOf(date),
      timers: dates.filter((day) => day === date).length,
    };
  });
}

function holidayOf(date: string): string {
  return bankHolidays(Number(date.slice(0, 4))).find((day) => day.date === date)?.name ?? '';
}

export const TIMER_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_timers',
    method: 'GET',
    path: '/_sandbox/timers',
    group: 'Clock',
    summary: 'List the scheduled work',
    description:
      'Lists the scheduled work of the sandbox, next first: steps of payments, results of verifications, and retries of deliveries. With a time, a duration or a number of banking days it is the work of an advance to that time. With a frozen clock nothing is executed until the clock is moved.',
    answer: 'The scheduled work, next first.',
    status: 200,
    query: Type.Object({
      limit: Type.Optional(
        Type.String({
          pattern: '^([1-9]\\d{0,2}|1000)$',
          description: `A whole number from 1 to 1000; default: ${DEFAULT_LIMIT}.`,
        }),
      ),
      until: Type.Optional(
        Type.String({ description: 'Only work that is due by this time, ISO 8601 with a zone.' }),
      ),
      by: Type.Optional(
        Type.String({
          description: 'Only work that is due within this duration, like P2D, instead of `until`.',
        }),
      ),
      business_days: Type.Optional(
        Type.String({
          pattern: '^[1-9]\\d{0,3}$',
          description: 'A number of banking days, instead of `until`: only work that is due within them.',
        }),
      ),
    }),
    response: Type.Object({
      clock: ClockView,
      until: text('The requested time; "" if none was requested.'),
      more: Type.Boolean({ description: 'Whether there is more work than `limit`.' }),
      in_flight: Type.Integer({ description: 'Deliveries that are being sent.' }),
      days: Type.Array(
        Type.Object({
          date: text('YYYY-MM-DD, in Eastern time.'),
          banking_day: Type.Boolean(),
          holiday: Type.String({ description: 'Name of the holiday; "" for none.' }),
          timers: Type.Integer({ description: 'Number of listed timers that are due on the day.' }),
        }),
        {
          description: `The days from now to the requested time, at most ${MAX_DAYS}; empty if none was requested.`,
        },
      ),
      timers: Type.Array(
        Type.Object({
          due_at: InstantText,
          kind: enumOf(
            ['step', 'retry'],
            'A step of a payment or of a verification, or the retry of a delivery.',
          ),
          subject: Type.String({ description: 'The id of the transaction, of the holder or of the event.' }),
          does: text('The event of the rail or of the verification, or the kind of the event that is sent.'),
        }),
      ),
    }),
    run: ({ sandbox }, { query: { limit = String(DEFAULT_LIMIT), ...when } }) => {
      const max = Number(limit);
      const now = sandbox.clock.now();
      const until = untilOf(when, now);
      const due = [...stepsOf(sandbox, max + 1), ...retriesOf(sandbox, max + 1)]
        .filter((timer) => until === undefined || timer.due <= until)
        .toSorted((a, b) => a.due - b.due);
      const shown = due.slice(0, max);
      return {
        clock: formatClock(sandbox),
        until: until === undefined ? '' : formatInstant(until),
        more: due.length > max,
        in_flight: sandbox.courier?.inFlight() ?? 0,
        days: until === undefined ? [] : daysBetween(now, until, shown),
        timers: shown.map(({ due, ...timer }) => ({ due_at: formatInstant(due), ...timer })),
      };
    },
  }),

  controlOperation({
    id: 'sandbox_retrieve_calendar',
    method: 'GET',
    path: '/_sandbox/calendar',
    group: 'Clock',
    summary: 'List banking days, holidays and windows',
    description:
      'Lists banking days, holidays with their names, and the windows of each day in UTC. The times come from the same timetable as the payments.',
    answer: 'The days with their windows.',
    status: 200,
    query: Type.Object({
      from: Type.Optional(
        Type.String({ description: 'YYYY-MM-DD; default: today on the clock of the sandbox.', ...DATE }),
      ),
      to: Type.Optional(
        Type.String({
          description: `YYYY-MM-DD, at most ${MAX_DAYS} days; default: two weeks.`,
          ...DATE,
        }),
      ),
    }),
    response: Type.Object({ days: Type.Array(DayView) }),
    run: ({ sandbox }, { query }) => {
      const from = parseDate(query.from ?? dateIn(PACIFIC, sandbox.clock.now()), 'from');
      const to = parseDate(query.to ?? addDays(from, DEFAULT_DAYS - 1), 'to');
      const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
      if (count < 1) throw wrong('to', `is ${to}, before from, ${from}`);
      if (count > MAX_DAYS)
        throw wrong('to', `is ${count} days from ${from}; the maximum is ${MAX_DAYS} days`);
      return { days: Array.from({ length: count }, (_, place) => formatDay(addDays(from, place))) };
    },
  }),
] as const;
