// The timetable: when the bank executes each scheduled step, with one table for each profile, and the return windows
// of ACH (decisions `uncaptured-authorization`, `ach-timing`, `banking-days`, `other-rails-timing`,
// `cut-off-instant`, `late-payment-steps`, `clock-change-times`, `card-test-capture`, `ach-return-window` and
// `ach-held-up` in docs/fidelity.md). Each row computes the time of a step from the time of the previous step and
// never returns an earlier time, so steps keep their order. Windows and cut-offs are in Pacific time, the clearing
// house's settlement in Eastern time. A window contains the payments from before it.

import {
  addBankingDays,
  addDays,
  dateIn,
  EASTERN,
  instantAt,
  isBankingDay,
  nextBankingDay,
  onOrAfterBankingDay,
  PACIFIC,
} from '../kernel/calendar.ts';

/** The number of days in which a payment can be returned, counted from the day on which it settled at the other bank. */
export interface ReturnWindow {
  readonly days: number;
  readonly of: 'banking' | 'calendar';
}

/** The rails profile: a second per step, the banking calendar, or only on request. */
export type RailsProfile = 'fast' | 'calendar' | 'manual';

/** The scheduled steps. */
export type When =
  | 'ach_submit'
  | 'ach_send'
  | 'ach_clear'
  | 'ach_settle_push'
  | 'ach_settle_pull'
  | 'ach_receive'
  | 'wire_submit'
  | 'wire_send'
  | 'wire_clear'
  | 'wire_settle'
  | 'wire_receive'
  | 'immediately'
  | 'check_mail'
  | 'check_cash'
  | 'check_deposit_submit'
  | 'check_deposit_send'
  | 'check_deposit_settle'
  | 'card_expire'
  | 'card_settle'
  | 'dispute_decide'
  | 'verification';

/** The terms of an ACH payment that are fixed at its origination; other rails do not use them. */
interface AchTerms {
  sameDay: boolean;
  effectiveDate: string;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const WIRE_STEP_MS = 30 * 60_000;
const DAY_MS = 86_400_000;
const CARD_HOLD_MS = 7 * DAY_MS;
const DISPUTE_MS = 90 * DAY_MS;

const ACH_WINDOWS = ['05:15', '08:15', '12:15', '16:15'] as const;
const ACH_SAME_DAY_CUTOFF = '12:15';
const CHECK_FILE_WINDOWS = ['16:00'] as const;
const WIRE_OPENING = '06:00';
const WIRE_CUTOFF = '12:00';
const WIRE_CLOSING = '16:00';

/** The calendar ends with this year. */
const LAST_YEAR = '9999';

const SETTLEMENT = '08:30';
// The last same-day file leaves at 15:15 Eastern: it is confirmed at 16:00 and settled at 17:00.
const SAME_DAY_CLEARING = '16:00';
const SAME_DAY_SETTLEMENT = '17:00';

const CALENDAR: Record<When, (now: number, ach: AchTerms) => number> = {
  ach_submit: (now) => takenIn(now, nextWindow(ACH_WINDOWS, now) - 1),
  ach_send: (now) => nextWindow(ACH_WINDOWS, now),
  ach_clear: (_, ach) => eastern(ach.effectiveDate, ach.sameDay ? SAME_DAY_CLEARING : SETTLEMENT),
  ach_settle_push: (_, ach) => eastern(ach.effectiveDate, ach.sameDay ? SAME_DAY_SETTLEMENT : SETTLEMENT),
  ach_settle_pull: (_, ach) => eastern(addBankingDays(ach.effectiveDate, 2), SETTLEMENT),
  ach_receive: (now) => now,
  wire_submit: (now) => takenIn(now, outgoingWireDeadline(now)),
  wire_send: (now) => outgoingWireAt(now),
  wire_clear: (now) => wireServiceAt(now + WIRE_STEP_MS),
  wire_settle: (now) => wireServiceAt(now + WIRE_STEP_MS),
  wire_receive: (now) => wireServiceAt(now),
  immediately: (now) => now,
  check_mail: (now) => settlementAfter(now, 2),
  check_cash: (now) => settlementAfter(now, 5),
  check_deposit_submit: (now) => takenIn(now, nextWindow(CHECK_FILE_WINDOWS, now) - 1),
  check_deposit_send: (now) => nextWindow(CHECK_FILE_WINDOWS, now),
  check_deposit_settle: (now) => settlementAfter(now, 3),
  card_expire: (now) => now + CARD_HOLD_MS,
  card_settle: (now) => settlementAfter(now, 1),
  dispute_decide: (now) => now + DISPUTE_MS,
  verification: (now) => now + 8 * SECOND_MS,
};

/** All steps. */
export const STEPS = Object.keys(CALENDAR) as readonly When[];

/** Milliseconds in the profile `fast`; other steps take a second. */
const FAST_MS: Partial<Record<When, number>> = {
  immediately: 0,
  card_expire: CARD_HOLD_MS,
  // Longer than a second, so that a test can still update or reverse the purchase (decision `card-test-capture`).
  card_settle: DAY_MS,
};

/**
 * The time (ms, not before `now`) at which the bank executes a step that became possible at `now`; null if only a
 * command executes it.
 */
export function dueAt(when: When, profile: RailsProfile, now: number, context: AchTerms): number | null {
  switch (profile) {
    case 'manual':
      return null;
    case 'fast':
      return now + (FAST_MS[when] ?? SECOND_MS);
    case 'calendar':
      // A payment that was delayed (reviewed, simulated step by step) can reach a step after its scheduled time.
      return Math.max(now, CALENDAR[when](now, context));
  }
}

/**
 * Whether an ACH payment with a same-day request at `now` (ms) is processed the same day: before 12:15 Pacific on a
 * banking day.
 */
export function isSameDay(now: number, isRequested: boolean): boolean {
  const today = dateIn(PACIFIC, now);
  return isRequested && isBankingDay(today) && now < pacific(today, ACH_SAME_DAY_CUTOFF);
}

/**
 * The date on which an ACH payment originated at `now` (ms) posts at the other bank; a requested date ('' for none)
 * can only delay it.
 */
export function effectiveDate(now: number, sameDay: boolean, isRequested: string): string {
  // Windows are at full minutes, so all payments of a minute post on the same date.
  const minute = Math.floor(now / MINUTE_MS);
  if (minute !== lastMinute) {
    lastMinute = minute;
    earliestOfMinute = {};
  }
  const key = sameDay ? 'sameDay' : 'nextDay';
  earliestOfMinute[key] ??= isSameDay(now, sameDay)
    ? dateIn(PACIFIC, now)
    : nextBankingDay(dateIn(PACIFIC, nextWindow(ACH_WINDOWS, now)));
  const earliest = earliestOfMinute[key];
  return isRequested > earliest ? onOrAfterBankingDay(isRequested) : earliest;
}

/**
 * The date on which an ACH payment that is sent at `now` (ms) posts at the other bank: its effective date, unless a
 * delay (a review, a simulation) made that date impossible. `sameDay` is the result of `isSameDay`.
 */
export function effectiveDateOfSent(effective: string, now: number, sameDay: boolean): string {
  const today = dateIn(PACIFIC, now);
  const isInTime = sameDay ? today <= effective : today < effective;
  return isInTime ? effective : nextBankingDay(today);
}

/**
 * The last time (ms) for a return of a payment that posted on `effective`: the end of the window's last day in
 * Eastern time, the time of the clearing house. `null` if it is beyond the calendar.
 */
export function returnableUntil({ days, of }: ReturnWindow, effective: string): number | null {
  if (effective >= LAST_YEAR) return null;
  const lastDay = of === 'banking' ? addBankingDays(effective, days) : addDays(effective, days);
  return eastern(addDays(lastDay, 1), '00:00') - 1;
}

let lastMinute = Number.NaN;
let earliestOfMinute: { sameDay?: string; nextDay?: string } = {};

type Windows = readonly [string, ...string[]];

/** Windows are at full minutes, so all payments of a minute have the same next window. */
const lastFound = new Map<Windows, { minute: number; window: number }>();

function nextWindow(windows: Windows, now: number): number {
  const minute = Math.floor(now / MINUTE_MS);
  const last = lastFound.get(windows);
  if (last?.minute === minute) return last.window;
  const window = findWindow(windows, now);
  lastFound.set(windows, { minute, window });
  return window;
}

function findWindow(windows: Windows, now: number): number {
  const day = onOrAfterBankingDay(dateIn(PACIFIC, now));
  for (const time of windows) {
    const window = pacific(day, time);
    if (now < window) return window;
  }
  return pacific(nextBankingDay(day), windows[0]);
}

/** A payment is submitted a minute after its origination, but never later than the cut-off that it could still meet. */
function takenIn(now: number, deadline: number): number {
  return Math.max(now, Math.min(now + MINUTE_MS, deadline));
}

/** The next cut-off that a wire at `now` can still meet. */
function outgoingWireDeadline(now: number): number {
  const cutoff = pacific(onOrAfterBankingDay(dateIn(PACIFIC, now)), WIRE_CUTOFF);
  return now <= cutoff ? cutoff : now + MINUTE_MS;
}

/** Wires that arrive by noon are sent the same day, but not before the opening. */
function outgoingWireAt(now: number): number {
  const today = dateIn(PACIFIC, now);
  if (!isBankingDay(today) || now > pacific(today, WIRE_CUTOFF)) return nextWireOpening(today);
  return Math.max(now, pacific(today, WIRE_OPENING));
}

/** The wire network works at once while it is open: from the night before until 16:00 Pacific. */
function wireServiceAt(instant: number): number {
  const day = dateIn(PACIFIC, instant);
  return isBankingDay(day) && instant < pacific(day, WIRE_CLOSING) ? instant : nextWireOpening(day);
}

function nextWireOpening(after: string): number {
  return pacific(nextBankingDay(after), WIRE_OPENING);
}

function settlementAfter(now: number, bankingDays: number): number {
  return eastern(addBankingDays(dateIn(PACIFIC, now), bankingDays), SETTLEMENT);
}

function pacific(date: string, time: string): number {
  return instantAt(PACIFIC, date, time);
}

function eastern(date: string, time: string): number {
  return instantAt(EASTERN, date, time);
}
