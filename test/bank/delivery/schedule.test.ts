// The schedule of retries as a table, and the effect of Retry-After.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRetryAfter, RETRY_DELAYS_MS, retryDelay } from '../../../src/bank/delivery/schedule.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const middle = () => 0.5;
const NOW = Date.parse('2026-11-20T18:14:04Z');

describe('the delay before a retry', () => {
  test('increases from 5 seconds to 6 hours, then there are no more retries', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((attemptsMade) => retryDelay(attemptsMade, middle));
    expect(waits).toEqual([
      5 * SECOND_MS,
      30 * SECOND_MS,
      2 * MINUTE_MS,
      10 * MINUTE_MS,
      HOUR_MS,
      6 * HOUR_MS,
      null,
      null,
    ]);
  });

  test('varies by at most a tenth, with the random number', () => {
    expect(retryDelay(1, () => 0)).toBe(4500);
    expect(retryDelay(1, () => 1)).toBe(5500);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: RETRY_DELAYS_MS.length }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attemptsMade, drawn) => {
          const planned = RETRY_DELAYS_MS[attemptsMade - 1] ?? Number.NaN;
          const wait = retryDelay(attemptsMade, () => drawn) ?? Number.NaN;
          return Number.isInteger(wait) && Math.abs(wait - planned) <= planned / 10;
        },
      ),
    );
  });

  test('is the same for the same random number', () => {
    expect(retryDelay(3, () => 0.123)).toBe(retryDelay(3, () => 0.123));
  });

  test('uses no random number after the last attempt', () => {
    const draw = () => {
      throw new Error('drawn');
    };
    expect(retryDelay(7, draw)).toBeNull();
  });

  test('is never shorter than Retry-After', () => {
    expect(retryDelay(1, middle, 90 * SECOND_MS)).toBe(90 * SECOND_MS);
    expect(retryDelay(1, () => 0, 5 * SECOND_MS)).toBe(5 * SECOND_MS);
  });

  test('follows the schedule if Retry-After is shorter', () => {
    expect(retryDelay(2, middle, SECOND_MS)).toBe(30 * SECOND_MS);
  });

  test('is at most 6 hours, whatever Retry-After is', () => {
    expect(retryDelay(1, middle, 48 * HOUR_MS)).toBe(6 * HOUR_MS);
    expect(retryDelay(6, () => 1, 48 * HOUR_MS)).toBe(6.6 * HOUR_MS);
  });

  test('does not exist after the last attempt, whatever Retry-After is', () => {
    expect(retryDelay(7, middle, SECOND_MS)).toBeNull();
  });
});

describe('Retry-After', () => {
  test.each([
    ['seconds', '120', 120 * SECOND_MS],
    ['seconds with spaces around', ' 7 ', 7 * SECOND_MS],
    ['no seconds', '0', 0],
    ['a future date', 'Fri, 20 Nov 2026 18:15:04 GMT', MINUTE_MS],
    ['a date in an obsolete format', 'Friday, 20-Nov-26 18:15:04 GMT', MINUTE_MS],
    ['a past date', 'Fri, 20 Nov 2026 18:00:00 GMT', 0],
    ['no header', null, 0],
    ['nothing', '', 0],
    ['a negative number', '-5', 0],
    ['a fraction', '1.5', 0],
    ['a word', 'soon', 0],
    ['a text with a time zone', 'soon GMT', 0],
    ['a date without its time zone', '2026-11-20T18:15:04', 0],
  ])('accepts %s', (_, header, ms) => {
    expect(parseRetryAfter(header, NOW)).toBe(ms);
  });

  test('beyond the range of numbers is still valid', () => {
    expect(retryDelay(1, middle, parseRetryAfter('9'.repeat(400), NOW))).toBe(6 * HOUR_MS);
  });
});
