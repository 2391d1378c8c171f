/**
 * Reads a new person, the change of one, and the filters of their list. A phone is one person's alone, and a name that
 * was verified stays, as v1 has it. An empty text empties a field.
 * Source: "create a person" and "update a person" of the platform's v1 reference; rows 133 to 137 of docs/fidelity.md.
 */

import type { Static } from '@sinclair/typebox';
import type { HolderChange, NewHolder } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { BLANK_PERSON } from '../../../model/people.ts';
import type { Holder, Person } from '../../../model/records.ts';
import type { Condition } from '../../../store/lists.ts';
import { readCommonFilters } from '../paging.ts';
import type { NewPersonBody, PersonChangeBody, PersonQuery } from '../shapes/person.ts';
import { HOLDER_STATUSES, HOLDER_WISHES, PERSON_ID_TYPES, VERIFICATION_STATUSES } from '../vocabulary.ts';
import { readAddressOrNull } from './address.ts';
import { idFilter, textFilters, wordFilter } from './filters.ts';
import { readDate, readEmail, readPhone, sent } from './values.ts';

type ChangeBody = Static<typeof PersonChangeBody>;

const SHORTEST_ID_NUMBER = 9;
const LAST_FOUR = /^\d{4}$/;

/** Refuses: `field_invalid`, `phone_invalid`. */
export function readNewPerson(body: Static<typeof NewPersonBody>): NewHolder {
  return {
    person: { ...BLANK_PERSON, ...readDetails(body) },
    ...(body.metadata != null && { metadata: body.metadata }),
    uniquePhone: true,
  };
}

/** The change of a person as it is now. Refuses: `field_invalid`, `phone_invalid`. */
export function readPersonChange(body: ChangeBody, { status: present }: Holder): HolderChange {
  const { status, metadata } = body;
  const details = readDetails(body);
  return {
    ...(Object.keys(details).length > 0 && { person: details }),
    ...(metadata != null && { metadata }),
    // Several states of the bank are one of v1, and to ask for the present one asks nothing.
    ...(status !== undefined &&
      status !== HOLDER_STATUSES[present] && { status: HOLDER_WISHES.read(status) }),
    uniquePhone: true,
    lockNames: true,
  };
}

/** What a person must be to be in the list. Refuses: `field_invalid`. */
export function readPersonFilters(query: Static<typeof PersonQuery>): Condition[] {
  return [
    { field: 'type', is: 'person' },
    ...readCommonFilters(query),
    ...idFilter('id', 'person', query.id),
    ...textFilters(query, { phone: 'person.phone', email: 'person.email', idNumber: 'idNumber' }),
    ...wordFilter('status', HOLDER_STATUSES, query.status),
    ...wordFilter('verification.status', VERIFICATION_STATUSES, query.kycstatus),
    ...(query.query ? [{ field: 'name', contains: query.query }] : []),
  ];
}

function readDetails(body: ChangeBody): Partial<Person> {
  const { idType, idNumber, phone, email, dateOfBirth, address } = body;
  return {
    ...sent(body, ['firstName', 'middleName', 'lastName']),
    ...(idType !== undefined && { idType: idType === '' ? '' : PERSON_ID_TYPES.read(idType) }),
    ...(idNumber !== undefined && { idNumber: readIdNumber(idNumber) }),
    ...(phone !== undefined && { phone: readPhone('phone', phone) }),
    ...(email !== undefined && { email: readEmail('email', email) }),
    ...(dateOfBirth !== undefined && { dateOfBirth: readDate('dateOfBirth', dateOfBirth) }),
    ...(address !== undefined && { address: readAddressOrNull(address) }),
  };
}

function readIdNumber(text: string): string {
  if (text === '' || text.length >= SHORTEST_ID_NUMBER || LAST_FOUR.test(text)) return text;
  throw refuse('field_invalid', {
    field: 'idNumber',
    message: `idNumber has 9 to 50 characters, or is the last four digits of a social security number; got "${text}"`,
  });
}
