/** Times in New York, and the dates of banking days. */
import { expect, it } from 'vitest';
import { bankDayAt, fromNewYork, newYorkTime } from '../../inspector/bank-day.ts';

it.each([
  ['2026-11-28T04:59:59.999Z', '2026-11-27', 'Fri 23:59'],
  ['2026-11-28T05:00:00.000Z', '2026-11-28', 'Sat 00:00'],
  // Daylight saving time.
  ['2026-07-04T03:59:59Z', '2026-07-03', 'Fri 23:59'],
  ['2027-01-01T04:00:00Z', '2026-12-31', 'Thu 23:00'],
])('a banking day has the date of New York: %s is %s', (instant, date, time) => {
  expect([bankDayAt(instant), newYorkTime(instant)]).toEqual([date, time]);
});

it.each([
  ['2026-11-30 10:00', '2026-11-30T15:00:00.000Z'],
  ['2026-07-03 10:00:30', '2026-07-03T14:00:30.000Z'],
  // The clocks change at 02:00 on these days.
  ['2027-03-14 01:59', '2027-03-14T06:59:00.000Z'],
  ['2027-03-14 03:00', '2027-03-14T07:00:00.000Z'],
  ['2026-11-01 03:00', '2026-11-01T08:00:00.000Z'],
  ['2026-12-01T12:00:00Z', '2026-12-01T12:00:00Z'],
  ['Monday', 'Monday'],
])('a typed time is one of New York unless it has a zone: %s is %s', (text, instant) => {
  expect(fromNewYork(text)).toBe(instant);
});
