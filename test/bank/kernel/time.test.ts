// The format of instants: UTC, whole seconds, and existing dates.

import { describe, expect, test } from 'vitest';
import { formatInstant, formatInstantOrEmpty, isDate, utcDate } from '../../../src/bank/kernel/time.ts';

const at = (text: string) => Date.parse(text);

describe('an instant', () => {
  test('is formatted in UTC to the second, without its fraction', () => {
    expect(formatInstant(at('2026-11-20T18:14:04.000Z'))).toBe('2026-11-20T18:14:04Z');
    expect(formatInstant(at('2026-11-20T18:14:04.999Z'))).toBe('2026-11-20T18:14:04Z');
    expect(formatInstant(at('2026-11-20T18:14:05.000Z'))).toBe('2026-11-20T18:14:05Z');
    expect(formatInstant(at('1969-12-31T23:59:59.999Z'))).toBe('1969-12-31T23:59:59Z');
  });

  test('that is null is an empty string', () => {
    expect(formatInstantOrEmpty(null)).toBe('');
    expect(formatInstantOrEmpty(0)).toBe('1970-01-01T00:00:00Z');
  });

  test('has the UTC date, to the last millisecond of the day', () => {
    expect(utcDate(at('2026-11-20T23:59:59.999Z'))).toBe('2026-11-20');
    expect(utcDate(at('2026-11-21T00:00:00.000Z'))).toBe('2026-11-21');
  });
});

test.each(['2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31'])('%s is a date', (text) => {
  expect(isDate(text)).toBe(true);
});

test.each([
  '',
  '2026-2-3',
  '2026-02-30',
  '2025-02-29',
  '2026-13-01',
  '2026-00-10',
  '20260228',
  '2026-02-28T00:00:00Z',
  ' 2026-02-28',
])('%j is not a date', (text) => {
  expect(isDate(text)).toBe(false);
});
