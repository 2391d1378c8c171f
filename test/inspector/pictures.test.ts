/** The charts of the inspector, without a browser. */
import { describe, expect, it } from 'vitest';
import { chartPoints } from '../../inspector/chart-points.ts';
import { placesOf } from '../../inspector/places.ts';

const at = (...days: string[]) =>
  days.map((day) => ({ at: `${day}T12:00:00Z`, posted_balance: '1.00', available_balance: '1.00' }));

describe('the chart of a balance', () => {
  it('is ordered by time', () => {
    const { x, isByTime } = chartPoints(at('2026-03-01', '2026-03-02', '2026-03-02'));
    expect(isByTime).toBe(true);
    expect((x[1] ?? 0) - (x[0] ?? 0)).toBe(86_400);
  });

  it('is ordered by transactions if the clock was set back', () => {
    const { x, isByTime, setBack } = chartPoints(at('2026-03-01', '2029-01-01', '2026-03-02', '2026-03-03'));
    expect(isByTime).toBe(false);
    expect(x).toEqual([0, 1, 2, 3]);
    expect(setBack).toEqual([2]);
  });
});

describe('marks on a time line', () => {
  const gaps = (places: readonly number[]) => places.slice(1).map((place, at) => place - (places[at] ?? 0));

  it.each([
    ['at once', [0, 0, 0]],
    ['one after the other', [0, 1, 60, 86_400]],
    ['together at the end', [0, 86_400, 86_400, 86_401]],
    ['many', Array.from({ length: 60 }, (_, count) => count * count)],
  ])('have a distance and stay within the picture: %s', (_, after) => {
    const places = placesOf(after);
    const least = Math.min(5, 94 / (after.length - 1));
    for (const gap of gaps(places)) expect(gap).toBeGreaterThan(least - 1e-9);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(3 - 1e-9);
    expect(Math.max(...places)).toBeLessThanOrEqual(97 + 1e-9);
  });

  it('start at the beginning for a single one', () => {
    expect(placesOf([0])).toEqual([3]);
    expect(placesOf([])).toEqual([]);
  });
});
