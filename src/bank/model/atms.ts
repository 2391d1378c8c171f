/**
 * The ATMs of data/atms.json. All of them are invented and at real places in a few cities, so that a search by
 * position finds some. None belongs to a network.
 * Source: decisions `cash-machines` and `cash-machine-search` in docs/fidelity.md.
 */
import machines from '../../../data/atms.json' with { type: 'json' };
import type { Address } from './records.ts';

/** Degrees, north and east positive. */
export interface Place {
  latitude: number;
  longitude: number;
}

interface Atm extends Place {
  name: string;
  address: Address;
}

/** An ATM and its distance. */
export interface NearAtm {
  atm: Atm;
  miles: number;
}

const ATMS: readonly Atm[] = machines.map(
  ({ name, latitude, longitude, line1, city, state, postalCode }) => ({
    latitude,
    longitude,
    name,
    address: { line1, line2: '', city, state, country: 'US', postalCode },
  }),
);

const MAX = 10;
const EARTH_RADIUS_MILES = 3958.8;

/** The nearest ATMs, nearest first: at most ten, and none farther than `within` miles. */
export function nearestAtms(place: Place, within = Number.POSITIVE_INFINITY): NearAtm[] {
  return ATMS.map((atm): NearAtm => ({ atm, miles: milesBetween(place, atm) }))
    .filter(({ miles }) => miles <= within)
    .sort((left, right) => left.miles - right.miles)
    .slice(0, MAX);
}

/** The great-circle distance, by the haversine formula. */
function milesBetween(from: Place, to: Place): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (left: number, right: number): number => Math.sin(radians(right - left) / 2) ** 2;
  const chord =
    half(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * half(from.longitude, to.longitude);
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(chord)));
}
