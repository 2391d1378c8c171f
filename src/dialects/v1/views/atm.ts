/**
 * A cash machine with its distance, in miles to two decimals.
 * Source: row 179 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { NearAtm } from '../../../model/atms.ts';
import type { AtmList } from '../shapes/atm.ts';
import { viewAddressOrBlank } from './address.ts';

/** A machine near the place that was asked about. */
export function viewAtm({ atm, miles }: NearAtm): Static<typeof AtmList>['data'][number] {
  const { name, latitude, longitude, address } = atm;
  return {
    name,
    description: `${address.line1}, ${address.city}`,
    address: viewAddressOrBlank('mailing', address),
    coordinates: { latitude, longitude },
    latitude,
    longitude,
    distance: Math.round(miles * 100) / 100,
    distanceUnit: 'miles',
  };
}
