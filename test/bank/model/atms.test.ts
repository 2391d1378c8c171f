// The search for ATMs: the found ones and their order.

import { describe, expect, test } from 'vitest';
import { nearestAtms } from '../../../src/bank/model/atms.ts';

const PORTLAND = { latitude: 45.5152, longitude: -122.6784 };
const NEW_YORK = { latitude: 40.7128, longitude: -74.006 };

describe('the cash machines near a place', () => {
  test('are ten at most, the nearest first', () => {
    const found = nearestAtms(PORTLAND);
    expect(found).toHaveLength(10);
    expect(found[0]?.atm.address.city).toBe('Portland');
    const miles = found.map((near) => near.miles);
    expect(miles).toEqual(miles.toSorted((left, right) => left - right));
  });

  test('are within the radius', () => {
    const found = nearestAtms(PORTLAND, 5);
    expect(found).toHaveLength(4);
    expect(found.every(({ atm, miles }) => atm.address.city === 'Portland' && miles <= 5)).toBe(true);
    expect(nearestAtms({ latitude: -80, longitude: 0 }, 100)).toEqual([]);
  });

  test('have distances on a sphere', () => {
    const [nearest] = nearestAtms(NEW_YORK);
    expect(nearest?.miles).toBe(0);
    const oneDegree = nearestAtms({ ...NEW_YORK, latitude: NEW_YORK.latitude - 1 }).find(
      ({ atm }) => atm.name === nearest?.atm.name,
    )?.miles;
    expect(oneDegree).toBeCloseTo(69.1, 1);
    // On both sides of the date line.
    expect(nearestAtms({ latitude: 0, longitude: 180 }).map(({ miles }) => Math.round(miles))).toEqual(
      nearestAtms({ latitude: 0, longitude: -180 }).map(({ miles }) => Math.round(miles)),
    );
  });
});
