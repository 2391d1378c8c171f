// The Federal Reserve's banking days, and the local times in which its rules are written. A date is a 'YYYY-MM-DD'
// string without a zone and an instant is milliseconds since the epoch in UTC; only `dateIn` and `instantAt` convert
// between them, and both require the zone. Every result depends only on the arguments, never on the machine's zone or
// clock, and a date that does not exist is a RangeError. Since 2007 daylight saving follows one rule, which is
// computed, because loading Node's database of time zones takes 10 ms of a start.
// Source: decision `distant-holidays` in docs/fidelity.md.

import luxon from './luxon.cjs';

type Zone = typeof PACIFIC | typeof EASTERN;

interface Holiday {
  date: string;
  name: string;
}

export const PACIFIC = 'America/Los_Angeles';
export const EASTERN = 'America/New_York';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** 'The third Monday of January' is the first Monday on or after the 15th: one rule for first, nth and last. */
const HOLIDAYS: readonly { name: string; inYear: (year: string) => string }[] = [
  { name: "New Year's Day", inYear: (year) => closingDate(`${year}-01-01`) },
  { name: 'Birthday of Martin Luther King, Jr.', inYear: (year) => onOrAfter(MONDAY, `${year}-01-15`) },
  { name: "Washington's Birthday", inYear: (year) => onOrAfter(MONDAY, `${year}-02-15`) },
  { name: 'Memorial Day', inYear: (year) => onOrAfter(MONDAY, `${year}-05-25`) },
  { name: 'Juneteenth National Independence Day', inYear: (year) => closingDate(`${year}-06-19`) },
  { name: 'Independence Day', inYear: (year) => closingDate(`${year}-07-04`) },
  { name: 'Labor Day', inYear: (year) => onOrAfter(MONDAY, `${year}-09-01`) },
  { name: 'Columbus Day', inYear: (year) => onOrAfter(MONDAY, `${year}-10-08`) },
  { name: 'Veterans Day', inYear: (year) => closingDate(`${year}-11-11`) },
  { name: 'Thanksgiving Day', inYear: (year) => onOrAfter(THURSDAY, `${year}-11-22`) },
  { name: 'Christmas Day', inYear: (year) => closingDate(`${year}-12-25`) },
];

// Results are cached, because payments use the same few dates and windows. Years and dates may come from clients, so
// a full cache is emptied instead of growing.
const MAX_REMEMBERED = 2_000;
const holidaysByYear = new Map<number, ReadonlyMap<string, string>>();
const instantsByWallTime = new Map<string, number>();
const offsetsByHour = new Map<string, number>();
const midnights = new Map<string, number>();
const datesByDay = new Map<number, string>();

/** The offset of each zone behind UTC in winter. */
const WINTER_HOURS = { [PACIFIC]: 8, [EASTERN]: 5 };
/** Before this year daylight saving began and ended on other days. */
const FIRST_YEAR_OF_RULE = 2007;
const TURNS_AT_HOURS = 2;

/**
 * The 11 holidays of the Federal Reserve in a year, in order, by the current rules. `date` is the day on which the
 * banks are closed: Monday for a holiday on Sunday; a holiday on Saturday is not moved.
 */
export function bankHolidays(year: number): Holiday[] {
  return Array.from(holidaysOf(year), ([date, name]) => ({ date, name }));
}

/** Whether the banks settle on this date: a weekday that is not a holiday. */
export function isBankingDay(date: string): boolean {
  const weekday = weekdayOf(midnight(date));
  return weekday !== SATURDAY && weekday !== SUNDAY && !holidaysOf(Number(date.slice(0, 4))).has(date);
}

/** The first banking day strictly after a date. */
export function nextBankingDay(date: string): string {
  return onOrAfterBankingDay(addDays(date, 1));
}

/** The date itself if it is a banking day, otherwise the next banking day. */
export function onOrAfterBankingDay(date: string): string {
  let day = date;
  while (!isBankingDay(day)) day = addDays(day, 1);
  return day;
}

/**
 * The nth banking day after a date (before it if `n` is negative); for 0 the date itself, even if it is not a banking
 * day.
 */
export function addBankingDays(date: string, n: number): string {
  const step = Math.sign(n);
  let day = date;
  for (let left = Math.abs(n); left > 0; ) {
    day = addDays(day, step);
    if (isBankingDay(day)) left -= 1;
  }
  return day;
}

/** The date `n` calendar days after a date (before it if `n` is negative). */
export function addDays(date: string, n: number): string {
  return dateOf(midnight(date) + n * DAY_MS);
}

/** The local date in the zone at an instant (ms). */
export function dateIn(zone: Zone, instant: number): string {
  return dateOf(instant + offsetMs(zone, instant));
}

/**
 * The instant (ms) of the local time 'HH:mm' on a date in the zone. If clocks go back, it is the first of the two; a
 * time that is skipped when clocks go forward counts as an hour later.
 */
export function instantAt(zone: Zone, date: string, time: string): number {
  return cached(instantsByWallTime, `${zone} ${date} ${time}`, () => {
    midnight(date);
    const wall = Date.parse(`${date}T${time}:00.000Z`);
    if (Number.isNaN(wall)) throw new RangeError(`not a time of day: ${time}`);
    // Clocks change at most once in these two days, so one of these two offsets applies. (luxon's own conversion
    // starts with the current offset, so its result for a repeated hour depends on the real clock.)
    const before = wall - offsetMs(zone, wall - DAY_MS);
    const after = wall - offsetMs(zone, wall + DAY_MS);
    const shows = (instant: number) => instant + offsetMs(zone, instant) === wall;
    return !shows(before) && shows(after) ? after : before;
  });
}

function holidaysOf(year: number): ReadonlyMap<string, string> {
  return cached(holidaysByYear, year, () => {
    const digits = String(year).padStart(4, '0');
    return new Map(HOLIDAYS.map(({ name, inYear }) => [inYear(digits), name]));
  });
}

function closingDate(date: string): string {
  return weekdayOf(midnight(date)) === SUNDAY ? addDays(date, 1) : date;
}

function onOrAfter(weekday: number, date: string): string {
  return addDays(date, (weekday - weekdayOf(midnight(date)) + 7) % 7);
}

function weekdayOf(midnightMs: number): number {
  return new Date(midnightMs).getUTCDay();
}

function midnight(date: string): number {
  return cached(midnights, date, () => parseMidnight(date));
}

function parseMidnight(date: string): number {
  const instant = Date.parse(`${date}T00:00:00.000Z`);
  // The round trip refuses February 30, which Date.parse reads as a day in March.
  if (Number.isNaN(instant) || dateOf(instant) !== date) throw new RangeError(`not a date: ${date}`);
  return instant;
}

function dateOf(instant: number): string {
  return cached(datesByDay, Math.floor(instant / DAY_MS), () => writeDate(instant));
}

function writeDate(instant: number): string {
  const text = new Date(instant).toISOString();
  if (text.length !== 24) throw new RangeError(`not within the years 0000 to 9999: ${text}`);
  return text.slice(0, 10);
}

function offsetMs(zone: Zone, instant: number): number {
  // Both zones change their clocks on the full hour of UTC, so an hour has one offset.
  const hour = Math.floor(instant / HOUR_MS);
  return cached(offsetsByHour, `${zone} ${hour}`, () => {
    const at = hour * HOUR_MS;
    const year = new Date(at).getUTCFullYear();
    if (year < FIRST_YEAR_OF_RULE) return luxon().IANAZone.create(zone).offset(at) * MINUTE_MS;
    return offsetByRule(WINTER_HOURS[zone] * HOUR_MS, at, year);
  });
}

/**
 * Clocks go forward on the second Sunday of March and back on the first Sunday of November, each at 02:00 of the
 * previous offset.
 */
function offsetByRule(winter: number, at: number, year: number): number {
  const digits = String(year).padStart(4, '0');
  const forward = midnight(onOrAfter(SUNDAY, `${digits}-03-08`)) + TURNS_AT_HOURS * HOUR_MS + winter;
  const back = midnight(onOrAfter(SUNDAY, `${digits}-11-01`)) + (TURNS_AT_HOURS - 1) * HOUR_MS + winter;
  return at >= forward && at < back ? HOUR_MS - winter : -winter;
}

function cached<K, V>(memory: Map<K, V>, key: K, work: () => V): V {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = work();
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(key, value);
  return value;
}
