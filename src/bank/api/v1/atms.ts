/**
 * The search for ATMs near a place. The numbers of the query are strings. An ATM has its distance in miles with two
 * decimals. All ATMs are invented.
 * Source: the paths that public clients of v1 call, and an app of the platform for `coordinates` and `description`;
 * decisions `cash-machines` and `cash-machine-search` in docs/fidelity.md for the rest, because the platform publishes
 * the path and no fields.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import { type NearAtm, nearestAtms, type Place } from '../../model/atms.ts';
import { on } from '../../model/conditions.ts';
import type { OffsetWindow } from '../../store/lists.ts';
import type { Bank } from '../../verbs/bank.ts';
import { tryParseId } from '../ids.ts';
import { operation } from '../operation.ts';
import { Address, enumOf, formatAddressOrBlank, record, Text } from './fields.ts';
import { formatList, listOf, parseWindow, plainListQuery } from './paging.ts';

const COORDINATES = {
  latitude: Type.Number({ description: 'Degrees, -90 to 90.' }),
  longitude: Type.Number({ description: 'Degrees, -180 to 180.' }),
};

const Atm = record('Atm', 'A cash machine.', {
  name: Text,
  description: Type.String({ description: 'The location as text.' }),
  address: Address,
  coordinates: record('Coordinates', 'A geographic position.', COORDINATES),
  ...COORDINATES,
  distance: Type.Number({
    description: 'Distance from the requested position, in the unit of distanceUnit.',
  }),
  distanceUnit: enumOf(['miles']),
});

const AtmList = listOf('AtmList', Atm);

const AtmQuery = plainListQuery({
  latitude: Type.String({ maxLength: 30, description: 'degrees, -90 to 90' }),
  longitude: Type.String({ maxLength: 30, description: 'degrees, -180 to 180' }),
  cardId: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The card for the withdrawal; for an unknown card the list is empty.',
    }),
  ),
  radius: Type.Optional(Type.String({ maxLength: 30, description: 'miles; default: no limit' })),
});

const DECIMAL = /^[+-]?\d{1,6}(\.\d{1,15})?$/;
const FARTHEST_MILES = 13_000;
const ONE: OffsetWindow = { kind: 'offset', offset: 0, limit: 1 };

/** Parses a place and the radius in miles. Refuses: `field_invalid`. */
function parseAtmSearch({ latitude, longitude, radius }: Static<typeof AtmQuery>): {
  place: Place;
  within: number | undefined;
} {
  return {
    place: {
      latitude: parseNumber('latitude', latitude, -90, 90),
      longitude: parseNumber('longitude', longitude, -180, 180),
    },
    within:
      radius === undefined || radius === '' ? undefined : parseNumber('radius', radius, 0, FARTHEST_MILES),
  };
}

/** Whether the query contains the id of an unknown card. */
function isNoCard({ cards }: Bank, text = ''): boolean {
  if (text === '') return false;
  const id = tryParseId('card', text);
  return id === undefined || cards.list([on('id', { is: id })], ONE).total === 0;
}

function parseNumber(field: string, text: string, min: number, max: number): number {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw refuse('field_invalid', { field, message: `${field} must be a number from ${min} to ${max}` });
}

/** Formats an ATM near the place of the search. */
function formatAtm({ atm, miles }: NearAtm): Static<typeof AtmList>['data'][number] {
  const { name, latitude, longitude, address } = atm;
  return {
    name,
    description: `${address.line1}, ${address.city}`,
    address: formatAddressOrBlank('mailing', address),
    coordinates: { latitude, longitude },
    latitude,
    longitude,
    distance: Math.round(miles * 100) / 100,
    distanceUnit: 'miles',
  };
}

export const ATM_OPERATIONS = [
  operation({
    id: 'listAtms',
    method: 'GET',
    path: '/v1/card/atm',
    summary: 'List ATMs',
    description:
      'Lists the ten ATMs that are nearest to a position, nearest first. All of them are invented.',
    answer: 'The ten nearest ATMs.',
    decisions: ['cash-machines', 'cash-machine-search'],
    status: 200,
    query: AtmQuery,
    response: AtmList,
    example: {
      query: { latitude: '45.5152', longitude: '-122.6784', radius: '25', offset: '0', limit: '10' },
    },
    run({ bank }, { query }) {
      const { place, within } = parseAtmSearch(query);
      const { offset, limit } = parseWindow(query);
      const found = isNoCard(bank, query.cardId) ? [] : nearestAtms(place, within);
      const items = found.slice(offset, offset + limit);
      return formatList({ items, total: found.length }, formatAtm);
    },
  }),
] as const;
