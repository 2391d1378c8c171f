/**
 * Invented people and places that the examples of v2's operations share. Every field that a body may have is filled in,
 * so that an example shows all of them.
 */
import type { Static } from '@sinclair/typebox';
import type { AddressInput } from '../../dialects/v2/shapes/fields.ts';
import type { PersonInput } from '../../dialects/v2/shapes/people.ts';

export const ADDRESS: Static<typeof AddressInput> = {
  line1: '1 Quay Street',
  line2: '',
  city: 'Astoria',
  state: 'OR',
  country: 'US',
  postal_code: '97103',
};

export const PERSON: Static<typeof PersonInput> = {
  first_name: 'Mara',
  middle_name: '',
  last_name: 'Quill',
  id_type: 'ssn',
  id_number: '999999999',
  date_of_birth: '1988-03-14',
  phone: '+15035550123',
  email: 'mara@quill.example',
  address: ADDRESS,
};
