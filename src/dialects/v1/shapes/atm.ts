/**
 * A cash machine near a place, and the query that looks for some. Numbers of a query are texts.
 * Source: an app of the platform for `coordinates` and `description`; row 179 of docs/fidelity.md for the rest, because the
 * platform publishes the path and no fields.
 */
import { Type } from '@sinclair/typebox';
import { listOf } from '../paging.ts';
import { Address } from './address.ts';
import { record, Text, wordOf } from './scalars.ts';

const COORDINATES = {
  latitude: Type.Number({ description: 'Degrees, -90 to 90.' }),
  longitude: Type.Number({ description: 'Degrees, -180 to 180.' }),
};

const Atm = record('Atm', 'A cash machine.', {
  name: Text,
  description: Type.String({ description: 'Where it stands, in words.' }),
  address: Address,
  coordinates: record('Coordinates', 'A place on the earth.', COORDINATES),
  ...COORDINATES,
  distance: Type.Number({ description: 'From the place that was asked for, in the unit beside it.' }),
  distanceUnit: wordOf(['miles']),
});

export const AtmList = listOf('AtmList', Atm);

export const AtmQuery = Type.Object({
  latitude: Type.String({ maxLength: 30, description: 'degrees, -90 to 90' }),
  longitude: Type.String({ maxLength: 30, description: 'degrees, -180 to 180' }),
  radius: Type.Optional(
    Type.String({ maxLength: 30, description: 'miles; as far as it takes when not sent' }),
  ),
});
