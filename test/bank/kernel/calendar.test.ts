// The banking calendar: dates from the page of the Federal Reserve, and the two weekends a year on which daylight
// saving time changes. Instants are in UTC.

import fc from 'fast-check';
import { IANAZone } from 'luxon';
import { describe, expect, test } from 'vitest';
import {
  addBankingDays,
  addDays,
  bankHolidays,
  dateIn,
  EASTERN,
  instantAt,
  isBankingDay,
  nextBankingDay,
  onOrAfterBankingDay,
  PACIFIC,
} from '../../../src/bank/kernel/calendar.ts';

const utc = (text: string) => Date.parse(text);
const iso = (instant: number) => new Date(instant).toISOString();

describe('holidays', () => {
  test('the Federal Reserve has 11 holidays in 2026', () => {
    expect(bankHolidays(2026)).toEqual([
      { date: '2026-01-01', name: "New Year's Day" },
      { date: '2026-01-19', name: 'Birthday of Martin Luther King, Jr.' },
      { date: '2026-02-16', name: "Washington's Birthday" },
      { date: '2026-05-25', name: 'Memorial Day' },
      { date: '2026-06-19', name: 'Juneteenth National Independence Day' },
      { date: '2026-07-04', name: 'Independence Day' },
      { date: '2026-09-07', name: 'Labor Day' },
      { date: '2026-10-12', name: 'Columbus Day' },
      { date: '2026-11-11', name: 'Veterans Day' },
      { date: '2026-11-26', name: 'Thanksgiving Day' },
      { date: '2026-12-25', name: 'Christmas Day' },
    ]);
  });

  test.each([
    ['2024-05-27', 'Memorial Day on the last of four Mondays'],
    ['2027-05-31', 'Memorial Day on the last of five Mondays'],
    ['2025-09-01', 'Labor Day on the first of the month'],
    ['2029-01-15', 'the birthday of Martin Luther King on its earliest date'],
    ['2029-10-08', 'Columbus Day on its earliest date'],
    ['2024-10-14', 'Columbus Day on its latest date'],
    ['2029-11-22', 'Thanksgiving on its earliest date'],
    ['2030-11-28', 'Thanksgiving on its latest date'],
    ['2028-02-21', "Washington's Birthday in a leap year"],
  ])('%s is %s', (date) => {
    expect(isBankingDay(date)).toBe(false);
  });

  test.each([
    ['2026-07-03', 'Independence Day 2026'],
    ['2027-06-18', 'Juneteenth 2027'],
    ['2027-12-24', 'Christmas 2027'],
    ['2027-12-31', 'New Year 2028'],
    ['2028-11-10', 'Veterans Day 2028'],
  ])('%s is a banking day, the Friday before %s', (friday) => {
    expect(isBankingDay(friday)).toBe(true);
    expect(nextBankingDay(friday)).toBe(addDays(friday, 3));
  });

  test.each([
    ['2023-01-01', 'New Year 2023'],
    ['2027-07-04', 'Independence Day 2027'],
    ['2022-06-19', 'Juneteenth 2022'],
    ['2029-11-11', 'Veterans Day 2029'],
    ['2022-12-25', 'Christmas 2022'],
  ])('the Monday after %s is closed for %s', (sunday) => {
    const monday = addDays(sunday, 1);
    expect(isBankingDay(monday)).toBe(false);
    expect(isBankingDay(addDays(sunday, 2))).toBe(true);
    expect(bankHolidays(Number(sunday.slice(0, 4))).map(({ date }) => date)).toContain(monday);
  });

  test('the result belongs to the caller: changing it affects no later result', () => {
    bankHolidays(2026).pop();
    expect(bankHolidays(2026)).toHaveLength(11);
  });
});

describe('banking days', () => {
  test('a weekday is one, a weekend day is not', () => {
    const week = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];
    expect(week.every(isBankingDay)).toBe(true);
    expect(['2026-03-07', '2026-03-08'].some(isBankingDay)).toBe(false);
  });

  test('the next one is strictly after, the one on or after may be the day itself', () => {
    expect(nextBankingDay('2026-03-04')).toBe('2026-03-05');
    expect(onOrAfterBankingDay('2026-03-04')).toBe('2026-03-04');
    expect(nextBankingDay('2026-03-07')).toBe('2026-03-09');
    expect(onOrAfterBankingDay('2026-03-07')).toBe('2026-03-09');
  });

  test('a long weekend counts as one step', () => {
    expect(nextBankingDay('2026-05-22')).toBe('2026-05-26');
    expect(addBankingDays('2026-05-22', 2)).toBe('2026-05-27');
    expect(nextBankingDay('2027-07-02')).toBe('2027-07-06');
    expect(addBankingDays('2026-11-25', 1)).toBe('2026-11-27');
    expect(addBankingDays('2027-12-31', 1)).toBe('2028-01-03');
  });

  test('counting starts after the date in both directions, and 0 returns the date', () => {
    expect(addBankingDays('2026-03-07', 1)).toBe('2026-03-09');
    expect(addBankingDays('2026-03-09', -1)).toBe('2026-03-06');
    expect(addBankingDays('2026-03-07', 0)).toBe('2026-03-07');
  });

  test('counting forwards and backwards returns to the same banking day', () => {
    const dates = fc.integer({ min: 0, max: 4000 }).map((days) => addDays('2022-01-01', days));
    fc.assert(
      fc.property(dates, fc.nat(60), (date, n) => {
        const start = onOrAfterBankingDay(date);
        expect(addBankingDays(addBankingDays(start, n), -n)).toBe(start);
      }),
    );
  });

  test('every year from 2022 to 2040 has its weekdays without the holidays on weekdays', () => {
    for (let year = 2022; year <= 2040; year += 1) {
      const closed = new Set(bankHolidays(year).map(({ date }) => date));
      for (let date = `${year}-01-01`; date.startsWith(`${year}`); date = addDays(date, 1)) {
        const weekend = [0, 6].includes(new Date(date).getUTCDay());
        expect(isBankingDay(date), date).toBe(!weekend && !closed.has(date));
      }
    }
  });
});

describe('dates', () => {
  test('days are added across months, leap days and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2027-02-28', 1)).toBe('2027-03-01');
    expect(addDays('2027-12-31', 1)).toBe('2028-01-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  });

  test.each(['2026-02-30', '2026-13-01', '2026-1-1', '', 'tomorrow', '2026-03-04T00:00:00Z'])(
    '%j is refused as a date',
    (text) => {
      expect(() => isBankingDay(text)).toThrow(RangeError);
      expect(() => addDays(text, 1)).toThrow(RangeError);
      expect(() => instantAt(PACIFIC, text, '12:00')).toThrow(RangeError);
    },
  );

  test('a date after the year 9999 is refused', () => {
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError);
  });

  test.each(['25:00', '8:30', '', '08:30:00'])('%j is refused as a time of day', (time) => {
    expect(() => instantAt(EASTERN, '2026-03-04', time)).toThrow(RangeError);
  });
});

describe('local times', () => {
  test('the date is that of the time zone, to the millisecond', () => {
    expect(dateIn(PACIFIC, utc('2026-01-15T07:59:59.999Z'))).toBe('2026-01-14');
    expect(dateIn(PACIFIC, utc('2026-01-15T08:00:00.000Z'))).toBe('2026-01-15');
    expect(dateIn(PACIFIC, utc('2026-07-15T06:59:59.999Z'))).toBe('2026-07-14');
    expect(dateIn(EASTERN, utc('2026-01-15T05:00:00.000Z'))).toBe('2026-01-15');
    expect(dateIn(EASTERN, utc('2026-07-15T03:59:59.999Z'))).toBe('2026-07-14');
  });

  test('a time of day moves by an hour in UTC when daylight saving time starts', () => {
    expect(iso(instantAt(PACIFIC, '2026-03-07', '05:15'))).toBe('2026-03-07T13:15:00.000Z');
    expect(iso(instantAt(PACIFIC, '2026-03-08', '01:59'))).toBe('2026-03-08T09:59:00.000Z');
    expect(iso(instantAt(PACIFIC, '2026-03-08', '03:00'))).toBe('2026-03-08T10:00:00.000Z');
    expect(iso(instantAt(PACIFIC, '2026-03-08', '05:15'))).toBe('2026-03-08T12:15:00.000Z');
    expect(iso(instantAt(EASTERN, '2026-03-07', '08:30'))).toBe('2026-03-07T13:30:00.000Z');
    expect(iso(instantAt(EASTERN, '2026-03-08', '08:30'))).toBe('2026-03-08T12:30:00.000Z');
  });

  test('a time of day moves back by an hour in UTC when daylight saving time ends', () => {
    expect(iso(instantAt(PACIFIC, '2026-10-31', '16:15'))).toBe('2026-10-31T23:15:00.000Z');
    expect(iso(instantAt(PACIFIC, '2026-11-01', '00:59'))).toBe('2026-11-01T07:59:00.000Z');
    expect(iso(instantAt(PACIFIC, '2026-11-01', '02:00'))).toBe('2026-11-01T10:00:00.000Z');
    expect(iso(instantAt(PACIFIC, '2026-11-01', '16:15'))).toBe('2026-11-02T00:15:00.000Z');
    expect(iso(instantAt(EASTERN, '2026-10-31', '08:30'))).toBe('2026-10-31T12:30:00.000Z');
    expect(iso(instantAt(EASTERN, '2026-11-01', '01:59'))).toBe('2026-11-01T05:59:00.000Z');
    expect(iso(instantAt(EASTERN, '2026-11-01', '02:00'))).toBe('2026-11-01T07:00:00.000Z');
    expect(iso(instantAt(EASTERN, '2026-11-01', '08:30'))).toBe('2026-11-01T13:30:00.000Z');
  });

  test('a skipped time counts as an hour later', () => {
    expect(iso(instantAt(PACIFIC, '2026-03-08', '02:30'))).toBe('2026-03-08T10:30:00.000Z');
    expect(iso(instantAt(EASTERN, '2026-03-08', '02:00'))).toBe('2026-03-08T07:00:00.000Z');
  });

  test('an ambiguous time is the first of the two', () => {
    expect(iso(instantAt(PACIFIC, '2026-11-01', '01:30'))).toBe('2026-11-01T08:30:00.000Z');
    expect(iso(instantAt(EASTERN, '2026-11-01', '01:00'))).toBe('2026-11-01T05:00:00.000Z');
  });

  test.each([PACIFIC, EASTERN] as const)('%s has the transitions of the time zone database', (name) => {
    const zone = IANAZone.create(name);
    // The days around each change, before and after the present rule began.
    const days = ['03-01', '03-31', '10-24'].flatMap((first) =>
      Array.from({ length: 15 }, (_, day) => (year: number) => addDays(`${year}-${first}`, day)),
    );
    const wrong: string[] = [];
    for (let year = 1995; year <= 2105; year += 1) {
      for (const date of days.map((day) => day(year))) {
        for (const time of ['00:00', '03:00', '23:00']) {
          const instant = instantAt(name, date, time);
          const shown = new Date(instant + zone.offset(instant) * 60_000).toISOString();
          if (!shown.startsWith(`${date}T${time}`)) wrong.push(`${date} ${time} is ${shown}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('an instant made from a date and a time has that date and that time', () => {
    const dates = fc.integer({ min: 0, max: 3650 }).map((days) => addDays('2022-01-01', days));
    const times = fc
      .tuple(fc.integer({ min: 3, max: 23 }), fc.nat(59))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
    const clocks = { [PACIFIC]: clockOf(PACIFIC), [EASTERN]: clockOf(EASTERN) };
    // More queries than the cache holds, so that removed entries are computed again.
    fc.assert(
      fc.property(fc.constantFrom(PACIFIC, EASTERN), dates, times, (zone, date, time) => {
        const instant = instantAt(zone, date, time);
        expect(dateIn(zone, instant)).toBe(date);
        expect(clocks[zone].format(instant)).toBe(time);
        expect(instantAt(zone, date, time)).toBe(instant);
      }),
      { numRuns: 3_000 },
    );
  });
});

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
}
