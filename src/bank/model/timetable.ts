// The timetable: when the bank executes each scheduled step, in words and as a time, the return windows of ACH, and
// the largest amounts of the networks (decisions `uncaptured-authorization`, `ach-timing`, `banking-days`,
// `other-rails-timing`, `cut-off-instant`, `late-payment-steps`, `clock-change-times`, `card-test-capture`,
// `ach-return-window`, `ach-held-up` and `network-limits` in docs/fidelity.md). Each row computes the time of a step
// from the time of the previous step and never returns an earlier time, so steps keep their order. Windows and cut-offs
// of the bank are in Pacific time, those of the clearing house in Eastern time. A window contains the payments from
// before it.

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
import type { Cents } from '../kernel/money.ts';

/**
 * The number of days in which a payment can be returned, counted from the day on which it settled at the other bank: to
 * the opening of the last banking day, or to the end of the last calendar day.
 */
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

/** The terms of an ACH payment that are fixed when it is sent; other rails do not use them. */
interface AchTerms {
  /** Whether it is processed on the day on which it is made. */
  sameDay: boolean;
  effectiveDate: string;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const WIRE_STEP_MS = 30 * 60_000;
const DAY_MS = 86_400_000;
const CARD_HOLD_MS = 7 * DAY_MS;
const DISPUTE_MS = 90 * DAY_MS;
const NO_ACH: AchTerms = { sameDay: false, effectiveDate: '' };

/** The largest entry that the clearing house processes on the same day. Source: Nacha's page on Same Day ACH. */
export const SAME_DAY_MAX: Cents = 1_000_000_00;

const ACH_WINDOWS = ['05:15', '08:15', '12:15', '16:15'] as const;
const ACH_SAME_DAY_CUTOFF = '12:15';
const CHECK_FILE_WINDOWS = ['16:00'] as const;
const WIRE_OPENING = '06:00';
const WIRE_CUTOFF = '12:00';
const WIRE_CLOSING = '16:00';

/** The calendar ends with this year. */
const LAST_YEAR = '9999';

/** The clearing house settles ordinary entries at this time, when the banks open. */
const OPENING = '08:30';

interface SameDayWindow {
  /** The last time at which a file can arrive. */
  readonly deadline: string;
  /** When the other bank gets the entries. */
  readonly distribution: string;
  readonly settlement: string;
}

/** The same-day windows of FedACH, in Eastern time. Source: the Federal Reserve's schedule of FedACH processing. */
export const SAME_DAY_WINDOWS: readonly [SameDayWindow, SameDayWindow, SameDayWindow] = [
  { deadline: '10:30', distribution: '12:00', settlement: '13:00' },
  { deadline: '14:45', distribution: '16:00', settlement: '17:00' },
  { deadline: '16:45', distribution: '17:30', settlement: '18:00' },
];
const LAST_SAME_DAY = SAME_DAY_WINDOWS[2];

/** A scheduled step: when the bank takes it with the rails `calendar`, in words and as a time. */
interface Row {
  readonly words: string;
  readonly at: (now: number, ach: AchTerms) => number;
}

const either = (times: readonly string[]): string => `${times.slice(0, -1).join(', ')} or ${times.at(-1)}`;
const ofSameDay = (part: keyof SameDayWindow): string =>
  either(SAME_DAY_WINDOWS.map((window) => window[part]));
const WIRE_OPENS = `at ${WIRE_OPENING} Pacific on the next banking day`;
const AFTER_30_MINUTES = `after 30 minutes; after ${WIRE_CLOSING} Pacific or on a day without banks, ${WIRE_OPENS}`;

const CALENDAR: Readonly<Record<When, Row>> = {
  ach_submit: {
    words: 'after a minute, or just before the next window if that is earlier',
    at: (now) => takenIn(now, nextWindow(ACH_WINDOWS, now) - 1),
  },
  ach_send: {
    words: `the next window: ${either(ACH_WINDOWS)} Pacific on a banking day`,
    at: (now) => nextWindow(ACH_WINDOWS, now),
  },
  ach_clear: {
    words: `${OPENING} Eastern on the effective date; same-day at ${ofSameDay('distribution')}, if it is sent by ${ofSameDay('deadline')}`,
    at: (now, ach) =>
      sameDayTime(now, ach, 'deadline', 'distribution') ?? eastern(ach.effectiveDate, OPENING),
  },
  ach_settle_push: {
    words: `${OPENING} Eastern on the effective date; same-day at the next ${ofSameDay('settlement')}`,
    at: (now, ach) =>
      sameDayTime(now, ach, 'settlement', 'settlement') ?? eastern(ach.effectiveDate, OPENING),
  },
  ach_settle_pull: {
    words: `${OPENING} Eastern, two banking days after the effective date`,
    at: (_, ach) => eastern(addBankingDays(ach.effectiveDate, 2), OPENING),
  },
  ach_receive: { words: 'at once', at: (now) => now },
  wire_submit: {
    words: `after a minute, or at ${WIRE_CUTOFF} Pacific on a banking day if that is earlier`,
    at: (now) => takenIn(now, outgoingWireDeadline(now)),
  },
  wire_send: {
    words: `at once from ${WIRE_OPENING} to ${WIRE_CUTOFF} Pacific on a banking day, before at ${WIRE_OPENING}, otherwise ${WIRE_OPENS}`,
    at: (now) => outgoingWireAt(now),
  },
  wire_clear: { words: AFTER_30_MINUTES, at: (now) => wireServiceAt(now + WIRE_STEP_MS) },
  wire_settle: { words: AFTER_30_MINUTES, at: (now) => wireServiceAt(now + WIRE_STEP_MS) },
  wire_receive: {
    words: `at once until ${WIRE_CLOSING} Pacific on a banking day, otherwise ${WIRE_OPENS}`,
    at: (now) => wireServiceAt(now),
  },
  immediately: { words: 'at once', at: (now) => now },
  check_mail: { words: `${OPENING} Eastern, two banking days later`, at: (now) => settlementAfter(now, 2) },
  check_cash: { words: `${OPENING} Eastern, five banking days later`, at: (now) => settlementAfter(now, 5) },
  check_deposit_submit: {
    words: 'after a minute, or just before the next file if that is earlier',
    at: (now) => takenIn(now, nextWindow(CHECK_FILE_WINDOWS, now) - 1),
  },
  check_deposit_send: {
    words: `the next file: ${CHECK_FILE_WINDOWS[0]} Pacific on a banking day`,
    at: (now) => nextWindow(CHECK_FILE_WINDOWS, now),
  },
  check_deposit_settle: {
    words: `${OPENING} Eastern, three banking days later`,
    at: (now) => settlementAfter(now, 3),
  },
  card_expire: { words: 'after 7 days', at: (now) => now + CARD_HOLD_MS },
  card_settle: {
    words: `${OPENING} Eastern on the next banking day`,
    at: (now) => settlementAfter(now, 1),
  },
  dispute_decide: { words: 'after 90 days', at: (now) => now + DISPUTE_MS },
  verification: { words: 'after 8 seconds', at: (now) => now + 8 * SECOND_MS },
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
      return Math.max(now, CALENDAR[when].at(now, context));
  }
}

/** When the bank takes a step, in words; `''` in the profile `manual`, where no step is scheduled. */
export function timeWords(when: When, profile: RailsProfile): string {
  if (profile === 'calendar') return CALENDAR[when].words;
  const wait = dueAt(when, profile, 0, NO_ACH);
  if (wait === null) return '';
  if (wait === 0) return 'at once';
  if (wait === DAY_MS) return 'after 1 day';
  return wait % DAY_MS === 0 ? `after ${wait / DAY_MS} days` : `after ${wait / SECOND_MS} s`;
}

/**
 * Whether an ACH payment with a same-day request at `now` (ms) is processed the same day: before 12:15 Pacific on a
 * banking day, and not above `SAME_DAY_MAX`.
 */
export function isSameDay(now: number, isRequested: boolean, amount: Cents): boolean {
  const today = dateIn(PACIFIC, now);
  return (
    isRequested && amount <= SAME_DAY_MAX && isBankingDay(today) && now < pacific(today, ACH_SAME_DAY_CUTOFF)
  );
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
  earliestOfMinute[key] ??= isSameDay(now, sameDay, 0)
    ? dateIn(PACIFIC, now)
    : nextBankingDay(dateIn(PACIFIC, nextWindow(ACH_WINDOWS, now)));
  const earliest = earliestOfMinute[key];
  return isRequested > earliest ? onOrAfterBankingDay(isRequested) : earliest;
}

/**
 * The date on which an ACH payment of another bank posts that arrives at `now` (ms): it waits for no file of this bank.
 * `sameDay` is the result of `isSameDay`.
 */
export function effectiveDateOfReceived(now: number, sameDay: boolean): string {
  const today = dateIn(PACIFIC, now);
  return sameDay ? today : nextBankingDay(today);
}

/**
 * The date on which an ACH payment that is sent at `now` (ms) posts at the other bank: its effective date, unless a
 * delay (a review, a simulation) made that date impossible. `sameDay`: whether that date is the day of its creation.
 */
export function effectiveDateOfSent(effective: string, now: number, sameDay: boolean): string {
  const today = dateIn(PACIFIC, now);
  if (today < effective) return effective;
  const isInTime = sameDay && today === effective && now <= eastern(today, LAST_SAME_DAY.deadline);
  return isInTime ? effective : nextBankingDay(today);
}

/**
 * The last time (ms) for a return of a payment that posted on `effective`: when the banks open on the window's last
 * banking day, or the end of its last calendar day, in Eastern time. `null` if it is beyond the calendar.
 */
export function returnableUntil({ days, of }: ReturnWindow, effective: string): number | null {
  if (effective >= LAST_YEAR) return null;
  if (of === 'banking') return eastern(addBankingDays(effective, days), OPENING);
  return eastern(addDays(effective, days + 1), '00:00') - 1;
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

/** The time of the first same-day window that a payment at `now` can still meet; `undefined` for an ordinary payment. */
function sameDayTime(
  now: number,
  { sameDay, effectiveDate }: AchTerms,
  until: keyof SameDayWindow,
  part: keyof SameDayWindow,
): number | undefined {
  if (!sameDay) return undefined;
  const window = SAME_DAY_WINDOWS.find((row) => now <= eastern(effectiveDate, row[until])) ?? LAST_SAME_DAY;
  return eastern(effectiveDate, window[part]);
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
  return eastern(addBankingDays(dateIn(PACIFIC, now), bankingDays), OPENING);
}

function pacific(date: string, time: string): number {
  return instantAt(PACIFIC, date, time);
}

function eastern(date: string, time: string): number {
  return instantAt(EASTERN, date, time);
}
