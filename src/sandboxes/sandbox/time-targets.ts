/**
 * Parses the target of an advance: a duration, a number of banking days, or an instant. Months and days of a duration
 * are counted in UTC. Banking days keep the wall time in Eastern Time, which settlement uses.
 */
import { addBankingDays, dateIn, EASTERN, instantAt } from '../../bank/kernel/calendar.ts';
import luxon from '../../bank/kernel/luxon.cjs';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { type Instant, MINUTE_MS, parseInstant } from '../../bank/kernel/time.ts';

/** Has exactly one of these fields. */
export interface TimeTarget {
  by?: string | undefined;
  business_days?: number | undefined;
  to?: string | undefined;
}

/** The years to which a clock may be set; ids and calendars work for longer. */
const FIRST = Date.UTC(1970, 0, 1);
const LAST = Date.UTC(2200, 0, 1);
const TARGET_FIELDS = ['by', 'business_days', 'to'] as const;

/** Parses an ISO 8601 instant. Refuses: `field_invalid`. */
export function readInstant(text: string, field: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw wrong(
      field,
      `is ${JSON.stringify(text)}; expected an instant with its zone, like "2026-07-03T12:00:00Z"`,
    );
  }
  return checked(instant, field);
}

/** Returns the instant of a target, counted from `now`. Refuses: `field_invalid`, also for a past instant. */
export function targetOf(request: TimeTarget, now: Instant): Instant {
  const input = TARGET_FIELDS.filter((name) => request[name] !== undefined);
  if (input.length !== 1) {
    const found = input.length === 0 ? 'none was given' : `${input.join(' and ')} were given`;
    throw refuse('field_invalid', {
      field: input[1] ?? 'by',
      message: `send exactly one of by, business_days and to; ${found}`,
    });
  }
  const [field = 'by'] = input;
  const target = read(request, now);
  if (target < now) {
    const shows = new Date(now).toISOString();
    throw wrong(
      field,
      `is before the current time of the clock, ${shows}: PUT /_sandbox/clock sets it to any time`,
    );
  }
  return checked(target, field);
}

function read({ by, business_days: days, to }: TimeTarget, now: Instant): Instant {
  if (by !== undefined) return later(by, now);
  if (days !== undefined) return bankingDaysLater(days, now);
  return readInstant(to ?? '', 'to');
}

function later(by: string, now: Instant): Instant {
  const { DateTime, Duration } = luxon();
  const duration = Duration.fromISO(by);
  // Luxon accepts a bare `P`.
  if (!duration.isValid || !/\d/.test(by)) {
    throw wrong(
      'by',
      `is ${JSON.stringify(by)}; expected an ISO 8601 duration, like "P2D", "PT90M" or "P1M"`,
    );
  }
  const target = DateTime.fromMillis(now, { zone: 'utc' }).plus(duration).toMillis();
  // The result is outside the range of a date.
  return Number.isNaN(target) ? Number.MAX_SAFE_INTEGER : Math.floor(target);
}

/** The same wall time in Eastern Time `days` banking days later, to the millisecond. */
function bankingDaysLater(days: number, now: Instant): Instant {
  const wall = luxon().DateTime.fromMillis(now, { zone: EASTERN }).toFormat('HH:mm');
  const date = addBankingDays(dateIn(EASTERN, now), days);
  // Since banking holidays exist, offsets from UTC have been whole minutes.
  return instantAt(EASTERN, date, wall) + (now % MINUTE_MS);
}

function checked(instant: Instant, field: string): Instant {
  if (instant >= FIRST && instant < LAST) return instant;
  throw wrong(field, "is outside the years 1970 to 2199, the range of a sandbox's clock");
}

function wrong(field: string, problem: string): Refusal {
  return refuse('field_invalid', { field, message: `${field} ${problem}` });
}
