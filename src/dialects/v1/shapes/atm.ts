/**
 * A cash machine near a place, and the query that looks for some. Numbers of a query are texts.
 * Source: row 179 of docs/fidelity.md, because the platform publishes the path and no fields.
 */
import { Type } from '@sinclair/typebox';
import { listOf } from '../paging.ts';
import { Address } from './address.ts';
import { record, Text, wordOf } from './scalars.ts';

const Atm = record('Atm', 'A cash machine.', {
  name: Text,
  address: Address,
  latitude: Type.Number({ description: 'Degrees, -90 to 90.' }),
  longitude: Type.Number({ description: 'Degrees, -180 to 180.' }),
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
