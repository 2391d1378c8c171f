/**
 * Where a caller wants to go in time: by a duration, by banking days, or to an instant. A duration's months and days are
 * those of UTC; banking days keep the wall time of the Eastern clock, which is the one that settlement goes by.
 */
import { addBankingDays, dateIn, EASTERN, instantAt } from '../kernel/calendar.ts';
import luxon from '../kernel/luxon.cjs';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { type Instant, MINUTE_MS, parseInstant } from '../kernel/time.ts';

/** Exactly one of these. */
export interface TimeTarget {
  by?: string | undefined;
  business_days?: number | undefined;
  to?: string | undefined;
}

/** The years in which a clock may stand: ids and calendars hold for longer. */
const FIRST = Date.UTC(1970, 0, 1);
const LAST = Date.UTC(2200, 0, 1);
const TARGET_FIELDS = ['by', 'business_days', 'to'] as const;

/** Reads an ISO 8601 instant. Refuses: `field_invalid`. */
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

/** The instant that a target means, from `now`. Refuses: `field_invalid`, also for the past. */
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
  // A bare P is valid to luxon.
  if (!duration.isValid || !/\d/.test(by)) {
    throw wrong(
      'by',
      `is ${JSON.stringify(by)}; expected an ISO 8601 duration, like "P2D", "PT90M" or "P1M"`,
    );
  }
  const target = DateTime.fromMillis(now, { zone: 'utc' }).plus(duration).toMillis();
  // Beyond what a date can hold.
  return Number.isNaN(target) ? Number.MAX_SAFE_INTEGER : Math.floor(target);
}

/** The same time on the Eastern wall `days` banking days later, to the millisecond. */
function bankingDaysLater(days: number, now: Instant): Instant {
  const wall = luxon().DateTime.fromMillis(now, { zone: EASTERN }).toFormat('HH:mm');
  const date = addBankingDays(dateIn(EASTERN, now), days);
  // No zone has had an offset of part of a minute since there are banking holidays.
  return instantAt(EASTERN, date, wall) + (now % MINUTE_MS);
}

function checked(instant: Instant, field: string): Instant {
  if (instant >= FIRST && instant < LAST) return instant;
  throw wrong(field, "leads outside the years 1970 to 2199, the range of a sandbox's clock");
}

function wrong(field: string, problem: string): Refusal {
  return refuse('field_invalid', { field, message: `${field} ${problem}` });
}
