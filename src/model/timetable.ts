// When the bank moves a transaction by itself: one row per step, one table per profile; and until when an ACH may come
// back (decisions `uncaptured-authorization`, `ach-timing`, `banking-days`, `other-rails-timing`, `cut-off-instant`,
// `late-payment-steps`, `clock-change-times`, `card-test-capture`, `ach-return-window` and `ach-held-up` in
// docs/fidelity.md). A row is asked at the instant of the step before it and never answers with an earlier one, so the
// steps of a rail keep their order whatever happened in between. Windows and cut-offs are read on Pacific clocks, the
// clearing house's settlement on Eastern ones; a window carries what came before it.

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

/** The days in which an entry may be sent back, counted from the day on which it settled at the other bank. */
export interface ReturnWindow {
  readonly days: number;
  readonly of: 'banking' | 'calendar';
}

/** How the bank keeps time: a second per step, the banking calendar, or only on request. */
export type RailsProfile = 'fast' | 'calendar' | 'manual';

/** The steps that the bank takes by itself. */
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
  | 'verification';

/** What an ACH transaction fixed when it was originated; the other rails do not read it. */
interface AchTerms {
  sameDay: boolean;
  effectiveDate: string;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const WIRE_STEP_MS = 30 * 60_000;
const DAY_MS = 86_400_000;
const CARD_HOLD_MS = 7 * DAY_MS;

const ACH_WINDOWS = ['05:15', '08:15', '12:15', '16:15'] as const;
const ACH_SAME_DAY_CUTOFF = '12:15';
const CHECK_FILE_WINDOWS = ['16:00'] as const;
const WIRE_OPENING = '06:00';
const WIRE_CUTOFF = '12:00';
const WIRE_CLOSING = '16:00';

/** Dates end with it. */
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
  verification: (now) => now + 8 * SECOND_MS,
};

/** Milliseconds in profile `fast`, where a step that is not named here takes a second. */
const FAST_MS: Partial<Record<When, number>> = {
  immediately: 0,
  card_expire: CARD_HOLD_MS,
  // Not a second: what a test updates or reverses next must find the purchase open (decision `card-test-capture`).
  card_settle: DAY_MS,
};

/** The instant (ms, not before `now`) at which the bank takes a step that became possible at `now`; null when only a command takes it. */
export function dueAt(when: When, profile: RailsProfile, now: number, context: AchTerms): number | null {
  switch (profile) {
    case 'manual':
      return null;
    case 'fast':
      return now + (FAST_MS[when] ?? SECOND_MS);
    case 'calendar':
      // A payment that was held up (reviewed, stepped by hand) may come to a step after its planned instant.
      return Math.max(now, CALENDAR[when](now, context));
  }
}

/** Whether an ACH originated at `now` (ms) that asks for same-day gets it: before 12:15 Pacific on a banking day. */
export function isSameDay(now: number, isRequested: boolean): boolean {
  const today = dateIn(PACIFIC, now);
  return isRequested && isBankingDay(today) && now < pacific(today, ACH_SAME_DAY_CUTOFF);
}

/** The date on which an ACH originated at `now` (ms) posts at the other bank; `asked` ('' when nothing is asked) can only make it later. */
export function effectiveDate(now: number, sameDay: boolean, isRequested: string): string {
  // Windows open on full minutes, so all payments of a minute post on the same date.
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
 * The date on which an ACH that is sent at `now` (ms) posts at the other bank: its effective date, unless it was held up
 * (reviewed, stepped by hand) until that can no longer be met. `sameDay` as `isSameDay` has it.
 */
export function effectiveDateOfSent(effective: string, now: number, sameDay: boolean): string {
  const today = dateIn(PACIFIC, now);
  const isInTime = sameDay ? today <= effective : today < effective;
  return isInTime ? effective : nextBankingDay(today);
}

/**
 * The last instant (ms) at which an entry that posted on `effective` may come back: the end of the last day of the window
 * on the clocks of the clearing house, which are Eastern. `null` where the calendar does not reach that far.
 */
export function returnableUntil({ days, of }: ReturnWindow, effective: string): number | null {
  if (effective >= LAST_YEAR) return null;
  const lastDay = of === 'banking' ? addBankingDays(effective, days) : addDays(effective, days);
  return eastern(addDays(lastDay, 1), '00:00') - 1;
}

let lastMinute = Number.NaN;
let earliestOfMinute: { sameDay?: string; nextDay?: string } = {};

type Windows = readonly [string, ...string[]];

/** Windows open on full minutes, so all payments of a minute wait for the same one. */
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

/** A payment is taken in a minute after it was originated, yet always in time for what it was in time for. */
function takenIn(now: number, deadline: number): number {
  return Math.max(now, Math.min(now + MINUTE_MS, deadline));
}

/** The last instant of the cut-off that an order at `now` still meets. */
function outgoingWireDeadline(now: number): number {
  const cutoff = pacific(onOrAfterBankingDay(dateIn(PACIFIC, now)), WIRE_CUTOFF);
  return now <= cutoff ? cutoff : now + MINUTE_MS;
}

/** The wire desk sends what it has by noon on the same day, and never before it opens. */
function outgoingWireAt(now: number): number {
  const today = dateIn(PACIFIC, now);
  if (!isBankingDay(today) || now > pacific(today, WIRE_CUTOFF)) return nextWireOpening(today);
  return Math.max(now, pacific(today, WIRE_OPENING));
}

/** What the wire network does while it is open happens at once: until 16:00 Pacific, through the night before. */
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
