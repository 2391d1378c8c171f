/**
 * Reads where cash machines are looked for.
 * Source: row 179 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import type { Place } from '../../../model/atms.ts';
import type { AtmQuery } from '../shapes/atm.ts';

const DECIMAL = /^[+-]?\d{1,6}(\.\d{1,15})?$/;
const FARTHEST_MILES = 13_000;

/** A place, and how many miles around it. Refuses: `field_invalid`. */
export function readAtmSearch({ latitude, longitude, radius }: Static<typeof AtmQuery>): {
  place: Place;
  within: number | undefined;
} {
  return {
    place: {
      latitude: readNumber('latitude', latitude, -90, 90),
      longitude: readNumber('longitude', longitude, -180, 180),
    },
    within:
      radius === undefined || radius === '' ? undefined : readNumber('radius', radius, 0, FARTHEST_MILES),
  };
}

function readNumber(field: string, text: string, least: number, most: number): number {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw refuse('field_invalid', { field, message: `${field} is a number from ${least} to ${most}` });
}
