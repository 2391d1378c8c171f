/**
 * Reads people, businesses and addresses: whole, where an unsent text is empty as the platform writes unset texts; or
 * as a change, which has only what was sent. An address is always meant whole.
 * Source: the person, business and address objects of the platform's v2 reference.
 */

import type { Static } from '@sinclair/typebox';
import { BLANK_BUSINESS, BLANK_PERSON, requireFullSsn } from '../../../model/people.ts';
import type { Address, Business, Person } from '../../../model/records.ts';
import type { AddressInput } from '../shapes/fields.ts';
import type { BusinessChange, PersonInput } from '../shapes/people.ts';
import { readDate, readPhone, sent } from './fields.ts';

type PersonBody = Static<typeof PersonInput>;
type BusinessBody = Omit<Static<typeof BusinessChange>, 'members'>;

/** Reads a person. Refuses: `field_invalid`, `phone_invalid`. */
export function readPerson(body: PersonBody): Person {
  const person = { ...BLANK_PERSON, ...readPersonChange(body) };
  requireFullSsn(null, person);
  return person;
}

/** Reads what is said of a person, whose id number is judged with what is known already. Refuses as `readPerson` does. */
export function readPersonChange(body: PersonBody): Partial<Person> {
  return {
    ...sent('firstName', body.first_name),
    ...sent('middleName', body.middle_name),
    ...sent('lastName', body.last_name),
    ...readShared(body),
    ...sent(
      'dateOfBirth',
      readOptional(body.date_of_birth, (text) => readDate('date_of_birth', text)),
    ),
  };
}

/** Reads a business, without its members. Refuses: `field_invalid`, `phone_invalid`. */
export function readBusiness(body: BusinessBody): Business {
  return { ...BLANK_BUSINESS, ...readBusinessChange(body) };
}

/** Reads what is said of a business, without its members. Refuses as `readBusiness` does. */
export function readBusinessChange(body: BusinessBody): Partial<Business> {
  return {
    ...sent('legalName', body.legal_name),
    ...sent('dba', body.dba),
    ...sent('entityType', body.entity_type),
    ...readShared(body),
    ...sent(
      'formationDate',
      readOptional(body.formation_date, (text) => readDate('formation_date', text)),
    ),
  };
}

/** Reads an address. */
export function readAddress(body: Static<typeof AddressInput>): Address {
  return {
    line1: body.line1 ?? '',
    line2: body.line2 ?? '',
    city: body.city ?? '',
    state: body.state ?? '',
    country: body.country ?? '',
    postalCode: body.postal_code ?? '',
  };
}

type Shared<T> = Pick<PersonBody & BusinessBody, 'id_number' | 'phone' | 'email' | 'address'> & {
  id_type?: T;
};

/** What a person and a business have alike. */
function readShared<T extends string>(body: Shared<T>) {
  return {
    ...sent('idType', body.id_type),
    ...sent('idNumber', body.id_number),
    ...sent('phone', readOptional(body.phone, readPhone)),
    ...sent('email', body.email),
    ...sent('address', readOptional(body.address, readAddress)),
  };
}

function readOptional<A, B>(value: A | undefined, read: (value: A) => B): B | undefined {
  return value === undefined ? undefined : read(value);
}
