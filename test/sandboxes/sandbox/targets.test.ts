// The targets of an advance: durations in UTC, banking days in Eastern Time, and instants; never in the past, and
// never outside the range of the calendar.

import { describe, expect, test } from 'vitest';
import { readInstant, type TimeTarget, targetOf } from '../../../src/sandboxes/sandbox/time-targets.ts';

const at = (text: string) => Date.parse(text);
const reach = (requested: TimeTarget, from: string) => new Date(targetOf(requested, at(from))).toISOString();

describe('a duration', () => {
  test.each([
    ['P2D', '2026-03-04T18:00:00.250Z', '2026-03-06T18:00:00.250Z'],
    ['PT90M', '2026-03-04T18:00:00Z', '2026-03-04T19:30:00.000Z'],
    ['P1M', '2026-01-31T12:00:00Z', '2026-02-28T12:00:00.000Z'],
    ['P1Y2M3DT4H5M6.789S', '2026-01-01T00:00:00Z', '2027-03-04T04:05:06.789Z'],
    ['P1W', '2026-03-04T18:00:00Z', '2026-03-11T18:00:00.000Z'],
    ['PT0S', '2026-03-04T18:00:00Z', '2026-03-04T18:00:00.000Z'],
    // Daylight saving time starts on both coasts on the 8th; UTC does not change.
    ['P1D', '2026-03-07T18:00:00Z', '2026-03-08T18:00:00.000Z'],
  ])('%s from %s leads to %s', (by, from, to) => {
    expect(reach({ by }, from)).toBe(to);
  });

  test.each(['', '2 days', 'P', '1D', 'P1', 'PXD', 'P1D '])('%j is invalid', (by) => {
    expect(() => reach({ by }, '2026-03-04T18:00:00Z')).toThrow('expected an ISO 8601 duration, like "P2D"');
  });
});

describe('banking days', () => {
  test.each([
    // 4 July 2026 is a Saturday, so the Friday before it is a banking day.
    [1, '2026-07-02T16:00:00Z', '2026-07-03T16:00:00.000Z'],
    [2, '2026-07-02T16:00:00Z', '2026-07-06T16:00:00.000Z'],
    // Likewise Juneteenth and Christmas of 2027, and New Year of 2028.
    [1, '2027-06-17T16:00:00Z', '2027-06-18T16:00:00.000Z'],
    [2, '2027-06-17T16:00:00Z', '2027-06-21T16:00:00.000Z'],
    [1, '2027-12-23T16:00:00Z', '2027-12-24T16:00:00.000Z'],
    [1, '2027-12-30T16:00:00Z', '2027-12-31T16:00:00.000Z'],
    [2, '2027-12-30T16:00:00Z', '2028-01-03T16:00:00.000Z'],
    // A holiday on a Sunday closes the Monday: 4 July 2027.
    [1, '2027-07-02T16:00:00Z', '2027-07-06T16:00:00.000Z'],
    // Noon in New York stays noon in New York when daylight saving time changes there.
    [1, '2026-03-06T17:00:00Z', '2026-03-09T16:00:00.000Z'],
    [1, '2026-10-30T16:00:00Z', '2026-11-02T17:00:00.000Z'],
    // Late in the evening in New York it is already the next day in UTC.
    [1, '2026-03-05T03:30:15.125Z', '2026-03-06T03:30:15.125Z'],
    [1, '2026-03-07T15:00:00Z', '2026-03-09T14:00:00.000Z'],
  ])('%i after %s lead to %s', (days, from, to) => {
    expect(reach({ business_days: days }, from)).toBe(to);
  });
});

describe('an instant', () => {
  test.each([
    ['2026-07-03T12:00:00Z', '2026-07-03T12:00:00.000Z'],
    ['2026-07-03T12:00Z', '2026-07-03T12:00:00.000Z'],
    ['2026-07-03T12:00:00.5Z', '2026-07-03T12:00:00.500Z'],
    ['2026-07-03T05:00:00-07:00', '2026-07-03T12:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(new Date(readInstant(text, 'now')).toISOString()).toBe(instant);
  });

  test.each([
    '',
    'now',
    '2026-07-03',
    '2026-07-03T12:00:00',
    '2026-02-30T12:00:00Z',
    '2026-07-03T25:00:00Z',
    '1783080000',
  ])('%j is invalid, and the refusal shows the format', (text) => {
    expect(() => readInstant(text, 'now')).toThrow(
      'expected an instant with its zone, like "2026-07-03T12:00:00Z"',
    );
  });
});

describe('an invalid target is refused', () => {
  test.each<[string, TimeTarget, string]>([
    ['that is empty', {}, 'send exactly one of by, business_days and to; none was given'],
    ['that is ambiguous', { by: 'P1D', to: '2027-01-01T00:00:00Z' }, 'by and to were given'],
    [
      'that is in the past',
      { to: '2026-03-04T17:59:59Z' },
      'to is before the current time of the clock, 2026-03-04T18:00:00.000Z',
    ],
    ['for a negative duration', { by: '-P1D' }, 'by is before the current time'],
    ['that is too far', { by: 'P200Y' }, 'years 1970 to 2199'],
    ['that is out of range', { by: 'P999999Y' }, 'years 1970 to 2199'],
  ])('%s', (_, requested, message) => {
    expect(() => reach(requested, '2026-03-04T18:00:00Z')).toThrow(message);
  });
});
