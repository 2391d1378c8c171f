// The return windows of ACH entries: in banking or calendar days after the date on which the entry posted at the
// other bank, to the opening of the last banking day or the end of the last calendar day in Eastern Time. A small model
// that counts days one by one gives the expected values.

import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { isBankingDay, nextBankingDay } from '../../../src/bank/kernel/calendar.ts';
import { RETURN_CODES, timeLimitOf } from '../../../src/bank/model/return-codes.ts';
import {
  effectiveDate,
  effectiveDateOfSent,
  isSameDay,
  type ReturnWindow,
  returnableUntil,
} from '../../../src/bank/model/timetable.ts';

const windowOf = (code: string): ReturnWindow | null => timeLimitOf(code).window;
const until = (code: string, effective: string): string => {
  const window = windowOf(code);
  const instant = window === null ? null : returnableUntil(window, effective);
  return instant === null
    ? 'never'
    : (DateTime.fromMillis(instant).setZone('America/New_York').toISO() ?? '');
};

describe('the last instant of a return', () => {
  test.each([
    // Over Thanksgiving and a weekend.
    ['R01', '2026-11-24', '2026-11-27T08:30:00.000-05:00'],
    ['R01', '2026-11-20', '2026-11-24T08:30:00.000-05:00'],
    // An entry of Wednesday is late on Friday after the banks have opened.
    ['R01', '2026-12-02', '2026-12-04T08:30:00.000-05:00'],
    ['R13', '2026-11-25', '2026-11-27T08:30:00.000-05:00'],
    ['R10', '2026-11-24', '2027-01-23T23:59:59.999-05:00'],
    // Over the start of daylight saving time.
    ['R10', '2026-02-02', '2026-04-03T23:59:59.999-04:00'],
    ['R06', '2026-11-24', 'never'],
    // Its days count from the refusal of the receiver, whenever that is.
    ['R23', '2026-11-24', 'never'],
    ['R90', '2028-03-20', 'never'],
    ['R61', '2026-11-24', 'never'],
    ['R85', '2026-11-24', 'never'],
    ['R01', '9999-12-30', 'never'],
    // A reason without a code has the default time limit.
    ['', '2026-11-20', '2026-11-24T08:30:00.000-05:00'],
  ])('under %s of a transaction that posted on %s is %s', (code, effective, expected) => {
    expect(until(code, effective)).toBe(expected);
  });

  const dates = fc
    .date({ min: new Date('2015-01-01'), max: new Date('2045-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const codes = fc.constantFrom(...RETURN_CODES.filter(({ timeLimit }) => timeLimit.window !== null));

  test('is the opening of the last banking day, or the end of the last calendar day, whatever the date', () => {
    fc.assert(
      fc.property(codes, dates, ({ timeLimit: { window } }, effective) => {
        if (window === null) return;
        let day = DateTime.fromISO(effective, { zone: 'America/New_York' });
        for (let left = window.days; left > 0; ) {
          day = day.plus({ days: 1 });
          if (window.of === 'calendar' || isBankingDay(day.toISODate() ?? '')) left -= 1;
        }
        const last = returnableUntil(window, effective) ?? 0;
        const end = window.of === 'calendar' ? day.endOf('day') : day.set({ hour: 8, minute: 30 });
        expect(last).toBe(end.toMillis());
      }),
      { numRuns: 500 },
    );
  });

  test('is described by the text of the time limit', () => {
    for (const { code, timeLimit } of RETURN_CODES) {
      const { words, window } = timeLimit;
      if (window === null || words.startsWith('the next file')) continue;
      expect([code, words]).toEqual([code, `${window.days} ${window.of} days after settlement`]);
    }
  });
});

describe('the effective date of an originated ACH', () => {
  const moments = fc.date({
    min: new Date('2020-01-01T00:00:00Z'),
    max: new Date('2035-12-31T23:59:59Z'),
    noInvalidDate: true,
  });

  test('is kept if it is sent in time, in every profile', () => {
    fc.assert(
      fc.property(moments, fc.boolean(), fc.integer({ min: 0, max: 2_000 }), (moment, isRequested, wait) => {
        const now = moment.getTime();
        const sameDay = isSameDay(now, isRequested, 100);
        const effective = effectiveDate(now, sameDay, '');
        expect(effectiveDateOfSent(effective, now + wait, sameDay)).toBe(effective);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    // Created on Monday for Tuesday.
    ['2026-11-16T23:59:59-08:00', false, '2026-11-17'],
    ['2026-11-17T00:00:00-08:00', false, '2026-11-18'],
    ['2026-11-20T05:15:00-08:00', false, '2026-11-23'],
    ['2026-11-21T10:00:00-08:00', false, '2026-11-23'],
    // Requested and accepted as same-day.
    ['2026-11-17T13:45:00-08:00', true, '2026-11-17'],
    // After the last deadline of the clearing house, 16:45 Eastern.
    ['2026-11-17T13:45:00.001-08:00', true, '2026-11-18'],
    ['2026-11-17T16:15:00-08:00', true, '2026-11-18'],
    ['2026-11-18T05:15:00-08:00', true, '2026-11-19'],
  ])('for 17 November, sent at %s, same day %s, is %s', (now, sameDay, expected) => {
    expect(effectiveDateOfSent('2026-11-17', Date.parse(now), sameDay)).toBe(expected);
    expect(nextBankingDay('2026-11-16')).toBe('2026-11-17');
  });
});
