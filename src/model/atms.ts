/**
 * Cash machines. All of them are invented, and stand on real spots of a few cities, so that a search by place has
 * something to find; none belongs to a network.
 * Source: rows 178 and 179 of docs/fidelity.md.
 */
import type { Address } from './records.ts';

/** Degrees, north and east positive. */
export interface Place {
  latitude: number;
  longitude: number;
}

export interface Atm extends Place {
  name: string;
  address: Address;
}

/** A machine, and how far away it is. */
export interface NearAtm {
  atm: Atm;
  miles: number;
}

type Row = readonly [latitude: number, longitude: number, name: string, line1: string, postalCode: string];
type City = readonly [city: string, state: string, machines: readonly Row[]];

const CITIES: readonly City[] = [
  [
    'Portland',
    'OR',
    [
      [45.5189, -122.6793, 'Tern Market', '810 Invented Avenue', '97205'],
      [45.5231, -122.6765, 'Heron Books', '12 Sample Street', '97209'],
      [45.5289, -122.6842, 'Alder Laundry', '450 Made-up Way', '97209'],
      [45.5051, -122.675, 'Riverside Kiosk', '33 Example Landing', '97201'],
    ],
  ],
  [
    'San Francisco',
    'CA',
    [
      [37.7749, -122.4194, 'Fogline Grocery', '200 Sample Street', '94102'],
      [37.7892, -122.4014, 'Gull Station', '7 Invented Plaza', '94104'],
      [37.7599, -122.4148, 'Lantern Pharmacy', '919 Example Street', '94110'],
      [37.8024, -122.4058, 'Pier Stand', '61 Made-up Wharf', '94133'],
    ],
  ],
  [
    'Los Angeles',
    'CA',
    [
      [34.0522, -118.2437, 'Sable Deli', '300 Sample Street', '90012'],
      [34.0407, -118.2468, 'Poppy Market', '55 Invented Avenue', '90014'],
      [34.0928, -118.3287, 'Reel Corner', '640 Example Boulevard', '90028'],
    ],
  ],
  [
    'Denver',
    'CO',
    [
      [39.7392, -104.9903, 'Summit Store', '1400 Sample Street', '80202'],
      [39.7527, -104.9992, 'Depot Kiosk', '18 Invented Place', '80202'],
      [39.7312, -104.9826, 'Aspen Laundry', '77 Example Avenue', '80203'],
    ],
  ],
  [
    'Austin',
    'TX',
    [
      [30.2672, -97.7431, 'Bluebonnet Grocery', '600 Sample Street', '78701'],
      [30.2849, -97.7341, 'Quad Books', '21 Invented Walk', '78705'],
      [30.2501, -97.7499, 'Lamplight Market', '480 Example Avenue', '78704'],
    ],
  ],
  [
    'Chicago',
    'IL',
    [
      [41.8781, -87.6298, 'Lakeshore Stand', '100 Sample Street', '60604'],
      [41.8858, -87.6181, 'Grain Hall', '9 Invented Court', '60601'],
      [41.9103, -87.6776, 'Millrace Market', '1500 Example Avenue', '60622'],
    ],
  ],
  [
    'New York',
    'NY',
    [
      [40.7128, -74.006, 'Harborlight Deli', '70 Sample Street', '10007'],
      [40.7527, -73.9772, 'Midway Newsstand', '42 Invented Plaza', '10017'],
      [40.7359, -73.9911, 'Elm Pharmacy', '8 Example Square', '10003'],
      [40.6782, -73.9442, 'Brick Lane Grocery', '310 Made-up Avenue', '11216'],
    ],
  ],
];

const ATMS: readonly Atm[] = CITIES.flatMap(([city, state, machines]) =>
  machines.map(([latitude, longitude, name, line1, postalCode]): Atm => {
    const address: Address = { line1, line2: '', city, state, country: 'US', postalCode };
    return { latitude, longitude, name, address };
  }),
);

const MOST = 10;
const EARTH_RADIUS_MILES = 3958.8;

/** The machines that are nearest to a place, the nearest first: at most ten, and none beyond `within` miles. */
export function nearestAtms(place: Place, within = Number.POSITIVE_INFINITY): NearAtm[] {
  return ATMS.map((atm): NearAtm => ({ atm, miles: milesBetween(place, atm) }))
    .filter(({ miles }) => miles <= within)
    .sort((left, right) => left.miles - right.miles)
    .slice(0, MOST);
}

/** Along the great circle, by the haversine formula. */
function milesBetween(from: Place, to: Place): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (left: number, right: number): number => Math.sin(radians(right - left) / 2) ** 2;
  const chord =
    half(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * half(from.longitude, to.longitude);
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(chord)));
}
