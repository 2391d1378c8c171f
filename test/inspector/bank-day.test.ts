/** The dates of banking days. */
import { expect, it } from 'vitest';
import { bankDayAt } from '../../inspector/bank-day.ts';

it.each([
  ['2026-11-28T04:59:59.999Z', '2026-11-27'],
  ['2026-11-28T05:00:00.000Z', '2026-11-28'],
  // Daylight saving time.
  ['2026-07-04T03:59:59Z', '2026-07-03'],
  ['2027-01-01T04:00:00Z', '2026-12-31'],
])('a banking day has the date of New York: %s is %s', (instant, date) => {
  expect(bankDayAt(instant)).toBe(date);
});
