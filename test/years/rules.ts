/**
 * The rules of the calendar and of the networks, written from docs/rails.md and from what the Federal Reserve and Nacha
 * publish. Nothing here imports the bank, so that a mistake in its calendar or timetable is a difference.
 *
 * A date is `2027-01-31`; an instant is in milliseconds since 1970; an amount is in cents.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const utc = (date: string): number => Date.parse(`${date}T00:00:00Z`);
export const utcDate = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
const weekdayOf = (date: string): number => new Date(utc(date)).getUTCDay();
export const addDays = (date: string, days: number): string => utcDate(utc(date) + days * DAY);

/** The `count`th weekday of a month (0 is Sunday), or the last one if `count` is -1. */
function nthWeekday(year: number, month: number, weekday: number, count: number): string {
  const first = `${year}-${String(month).padStart(2, '0')}-01`;
  if (count === -1) {
    const last = utcDate(Date.UTC(year, month, 0));
    return addDays(last, -((weekdayOf(last) - weekday + 7) % 7));
  }
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (count - 1));
}

/** The holidays of the Federal Reserve Banks: one on Sunday moves to Monday, one on Saturday does not move. */
function holidaysOf(year: number): string[] {
  const fixed = ['01-01', '06-19', '07-04', '11-11', '12-25'].map((day) => `${year}-${day}`);
  return [
    ...fixed.map((date) => (weekdayOf(date) === 0 ? addDays(date, 1) : date)),
    nthWeekday(year, 1, 1, 3),
    nthWeekday(year, 2, 1, 3),
    nthWeekday(year, 5, 1, -1),
    nthWeekday(year, 9, 1, 1),
    nthWeekday(year, 10, 1, 2),
    nthWeekday(year, 11, 4, 4),
  ];
}

export const isBankingDay = (date: string): boolean =>
  weekdayOf(date) % 6 !== 0 && !holidaysOf(Number(date.slice(0, 4))).includes(date);

/** This date, or the first banking day after it. */
const bankingDayFrom = (date: string): string =>
  isBankingDay(date) ? date : bankingDayFrom(addDays(date, 1));

const addBankingDays = (date: string, count: number): string =>
  count === 0 ? date : addBankingDays(bankingDayFrom(addDays(date, 1)), count - 1);

/** Hours behind UTC in winter. */
const ZONES = { eastern: 5, pacific: 8 };
type Zone = keyof typeof ZONES;

/** Summer time is from the second Sunday of March to the first Sunday of November, at 02:00 of the clocks until then. */
function hoursBehind(zone: Zone, instant: number): number {
  const year = new Date(instant).getUTCFullYear();
  const begin = utc(nthWeekday(year, 3, 0, 2)) + (2 + ZONES[zone]) * HOUR;
  const end = utc(nthWeekday(year, 11, 0, 1)) + (1 + ZONES[zone]) * HOUR;
  return ZONES[zone] - (begin <= instant && instant < end ? 1 : 0);
}

const dateIn = (zone: Zone, instant: number): string => utcDate(instant - hoursBehind(zone, instant) * HOUR);

/** The instant at which clocks of the zone show a time that is not between 01:00 and 03:00. */
export function timeOn(date: string, time: string, zone: Zone): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const winter = utc(date) + (hours + ZONES[zone]) * HOUR + minutes * MINUTE;
  return winter - (ZONES[zone] - hoursBehind(zone, winter)) * HOUR;
}

const opening = (date: string): number => timeOn(date, '08:30', 'eastern');

/** The times at which files leave, Pacific. */
export const ACH_WINDOWS = ['05:15', '08:15', '12:15', '16:15'];
export const CHECK_FILES = ['16:00'];
/** Deadline, distribution and settlement of the same-day windows of FedACH, Eastern. */
export const SAME_DAY = [
  ['10:30', '12:00', '13:00'],
  ['14:45', '16:00', '17:00'],
  ['16:45', '17:30', '18:00'],
] as const;
const SAME_DAY_CUTOFF = '12:15';
const SAME_DAY_MAXIMUM = 100_000_000;

/** The first of these times on a banking day after an instant. A file contains only what came before it. */
function nextFile(after: number, times: readonly string[]): number {
  for (let date = dateIn('pacific', after); ; date = addDays(date, 1)) {
    if (!isBankingDay(date)) continue;
    const next = times.map((time) => timeOn(date, time, 'pacific')).find((instant) => instant > after);
    if (next !== undefined) return next;
  }
}

/** A state of a payment, and when it begins. */
export interface Step {
  readonly at: number;
  readonly status: string;
}

const steps = (...list: readonly (readonly [number, string])[]): Step[] =>
  list.map(([at, status]) => ({ at, status }));

export interface AchTerms {
  readonly isPull: boolean;
  readonly sameDay: boolean;
  readonly amount: number;
  /** The effective date that the client requests, or `''`. */
  readonly requested: string;
}

/** The effective date of an ACH that was made at an instant. */
function effectiveDateOf(made: number, { sameDay, amount, requested }: AchTerms): string {
  const today = dateIn('pacific', made);
  const inTime = isBankingDay(today) && made < timeOn(today, SAME_DAY_CUTOFF, 'pacific');
  const sent = dateIn('pacific', nextFile(made, ACH_WINDOWS));
  const earliest = sameDay && inTime && amount <= SAME_DAY_MAXIMUM ? today : addBankingDays(sent, 1);
  const wanted = requested === '' ? earliest : bankingDayFrom(requested);
  return wanted > earliest ? wanted : earliest;
}

/** The steps of an ACH from its file on, and the effective date, which changes if the file was too late for it. */
function clearing(file: number, date: string, isPull: boolean): { effective: string; steps: Step[] } {
  const sent = dateIn('eastern', file);
  const window = SAME_DAY.find(([deadline]) => file <= timeOn(sent, deadline, 'eastern'));
  const effective = date > sent || (date === sent && window) ? date : addBankingDays(sent, 1);
  const [, clear, settle] = effective === sent && window ? window : ['', '08:30', '08:30'];
  const settled = isPull ? opening(addBankingDays(effective, 2)) : timeOn(effective, settle, 'eastern');
  return {
    effective,
    steps: steps([file, 'clearing'], [timeOn(effective, clear, 'eastern'), 'cleared'], [settled, 'settled']),
  };
}

export function achOf(made: number, terms: AchTerms): { effective: string; steps: Step[] } {
  const file = nextFile(made, ACH_WINDOWS);
  const sent = clearing(file, effectiveDateOf(made, terms), terms.isPull);
  return { ...sent, steps: [...steps([Math.min(made + MINUTE, file - 1), 'pending']), ...sent.steps] };
}

/** An ACH that was in review until an instant. One that is late by then is an ordinary one. */
export function approvedAch(at: number, effective: string, isPull: boolean, isSameDay: boolean) {
  const file = nextFile(at, ACH_WINDOWS);
  const sent = dateIn('eastern', file);
  const date = effective > sent || (isSameDay && effective === sent) ? effective : addBankingDays(sent, 1);
  const plan = clearing(file, date, isPull);
  return { ...plan, steps: [...steps([at, 'pending']), ...plan.steps] };
}

/** Wires leave from 06:00 to 12:00 Pacific on banking days. */
export function wireOf(made: number): Step[] {
  const today = dateIn('pacific', made);
  const noon = timeOn(today, '12:00', 'pacific');
  const submitted = isBankingDay(today) && made <= noon ? Math.min(made + MINUTE, noon) : made + MINUTE;
  const date = dateIn('pacific', submitted);
  const isOpen = isBankingDay(date) && submitted <= timeOn(date, '12:00', 'pacific');
  const day = isOpen ? date : addBankingDays(date, 1);
  const sent = Math.max(submitted, timeOn(day, '06:00', 'pacific'));
  return steps(
    [submitted, 'pending'],
    [sent, 'clearing'],
    [sent + 30 * MINUTE, 'cleared'],
    [sent + HOUR, 'settled'],
  );
}

/** The network of wires closes at 16:00 Pacific. */
export function receivedWireOf(made: number): Step[] {
  const today = dateIn('pacific', made);
  const isOpen = isBankingDay(today) && made < timeOn(today, '16:00', 'pacific');
  return steps([isOpen ? made : timeOn(addBankingDays(today, 1), '06:00', 'pacific'), 'settled']);
}

export function sentCheckOf(made: number): Step[] {
  const submitted = Math.min(made + MINUTE, nextFile(made, ACH_WINDOWS) - 1);
  const mailed = addBankingDays(dateIn('pacific', submitted), 2);
  const cashed = opening(addBankingDays(mailed, 5));
  return steps(
    [submitted, 'pending'],
    [opening(mailed), 'clearing'],
    [cashed, 'cleared'],
    [cashed, 'settled'],
  );
}

export function depositedCheckOf(made: number): Step[] {
  const file = nextFile(made, CHECK_FILES);
  const paid = opening(addBankingDays(dateIn('pacific', file), 3));
  const submitted = Math.min(made + MINUTE, file - 1);
  return steps([submitted, 'pending'], [file, 'clearing'], [paid, 'cleared'], [paid, 'settled']);
}

/** A card test of v1 is captured on the next banking day. */
export const cardTestOf = (made: number): Step[] =>
  steps([opening(addBankingDays(dateIn('pacific', made), 1)), 'settled']);

/** The hold of a card ends after seven days. */
export const heldOf = (made: number): Step[] => steps([made + 7 * DAY, 'reversed']);

/** The effective date of an ACH of another bank, which settles at once: today before the cut-off of the same day. */
export function receivedOn(made: number): string {
  const today = dateIn('pacific', made);
  const isToday = isBankingDay(today) && made < timeOn(today, SAME_DAY_CUTOFF, 'pacific');
  return isToday ? today : addBankingDays(today, 1);
}

export const atOnce = (made: number): Step[] => steps([made, 'settled']);

/** The last instant of a return: banks open on the last banking day, or the last calendar day ends, Eastern. */
const RETURNS: Readonly<Record<string, (effective: string) => number>> = {
  R13: (effective) => opening(addBankingDays(effective, 1)),
  R01: (effective) => opening(addBankingDays(effective, 2)),
  R10: (effective) => timeOn(addDays(effective, 61), '00:00', 'eastern') - 1,
};
export const RETURN_CODES = Object.keys(RETURNS);
export const returnableUntil = (code: string, effective: string): number => RETURNS[code]?.(effective) ?? 0;

/** The seconds between the attempts of a delivery, each up to a tenth shorter or longer. */
export const RETRIES = [5, 30, 120, 600, 3600, 21_600];

/** Whether an ACH was cleared by a same-day window. */
export function isSameDay(cleared: number): boolean {
  const date = dateIn('eastern', cleared);
  return SAME_DAY.some(([, time]) => timeOn(date, time, 'eastern') === cleared);
}
