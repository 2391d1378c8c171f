/**
 * A postal address of v1, which says what it is for. In a request the state is free text, because foreign ones have
 * no abbreviation, and the type may be left out: the place where an address stands says what it is for.
 * Source: the address object of the platform's v1 reference and its limit of 60 characters a line.
 */
import { Type } from '@sinclair/typebox';
import { record, Text, text, wordOf } from './scalars.ts';

const ADDRESS_TYPES = ['mailing', 'billing', 'shipping', 'card', 'wire', 'check'] as const;

/** An address of an answer; a transfer that has none carries one of empty strings. */
export const Address = record('Address', 'A postal address, and what it is for.', {
  addressType: wordOf([...ADDRESS_TYPES, '']),
  line1: Text,
  line2: Text,
  city: Text,
  state: text('Two letters; abroad, as it was sent.'),
  country: text('Two letters, ISO 3166-1.'),
  postalCode: Text,
});

const Line = Type.String({ maxLength: 60 });
const RequiredLine = Type.String({ minLength: 1, maxLength: 60 });

export const AddressInput = Type.Object(
  {
    addressType: Type.Optional(wordOf([...ADDRESS_TYPES, ''])),
    line1: RequiredLine,
    line2: Type.Optional(Line),
    city: RequiredLine,
    state: Type.String({ maxLength: 60, description: 'two letters; abroad, as it is written there' }),
    country: Type.String({ pattern: '^[A-Za-z]{2}$', description: 'two letters' }),
    postalCode: Line,
  },
  { title: 'AddressInput', description: 'A postal address.' },
);
