/**
 * A person, with the KYC that was made with it; the bodies that make and change one, and the list. What a KYC needs may
 * be left out until one is asked for.
 * Source: the person object and "create a person" of the platform's v1 reference; rows 20, 136 and 137 of
 * docs/fidelity.md.
 */
import { type TProperties, Type } from '@sinclair/typebox';
import { Filter, listOf, listQuery } from '../paging.ts';
import { HOLDER_STATUSES, HOLDER_WISHES, PERSON_ID_TYPES, VERIFICATION_STATUSES } from '../vocabulary.ts';
import { Address, AddressInput } from './address.ts';
import {
  body,
  DateText,
  IdNumber,
  IdText,
  Metadata,
  MetadataInput,
  orNull,
  PhoneText,
  record,
  Text,
  Timestamp,
  text,
  wordOf,
} from './scalars.ts';
import { Kyc } from './verification.ts';

const STATUSES = [...new Set(Object.values(HOLDER_STATUSES))];

export const Person = record('Person', 'A person, with its verification.', {
  id: IdText,
  firstName: Text,
  middleName: Text,
  lastName: Text,
  phone: PhoneText,
  phoneVerified: Type.Boolean(),
  email: Text,
  emailVerified: Type.Boolean(),
  dateOfBirth: DateText,
  idType: wordOf([...PERSON_ID_TYPES.words, '']),
  idNumber: IdNumber,
  address: orNull(Address),
  kyc: Kyc,
  programId: IdText,
  status: wordOf(STATUSES),
  language: text('Two letters, ISO 639-1.'),
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const PersonList = listOf('PersonList', Person);

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Phone = Type.String({ minLength: 1, maxLength: 16, description: 'E.164 with a leading +' });
const Email = Type.String({ minLength: 1, maxLength: 100 });

const details = {
  middleName: Type.Optional(Type.String({ maxLength: 100 })),
  dateOfBirth: Type.Optional(Type.String({ maxLength: 10, description: 'YYYY-MM-DD' })),
  idType: Type.Optional(wordOf([...PERSON_ID_TYPES.words, ''])),
  idNumber: Type.Optional(
    Type.String({
      maxLength: 50,
      description: '9 to 50 characters, or the last four of a social security number',
    }),
  ),
  address: Type.Optional(orNull(AddressInput)),
  metadata: Type.Optional(orNull(MetadataInput)),
} satisfies TProperties;

export const NewPersonBody = body('NewPerson', 'What makes a person.', {
  firstName: Name,
  lastName: Name,
  phone: Phone,
  email: Email,
  ...details,
});

/** What is left out stays. */
export const PersonChangeBody = body(
  'PersonChange',
  'What of a person can be changed; what is left out stays.',
  {
    firstName: Type.Optional(Name),
    lastName: Type.Optional(Name),
    phone: Type.Optional(Phone),
    email: Type.Optional(Email),
    ...details,
    status: Type.Optional(wordOf(HOLDER_WISHES.words)),
  },
);

export const PersonQuery = listQuery({
  id: Filter,
  phone: Filter,
  email: Filter,
  idNumber: Filter,
  status: Type.Optional(wordOf(STATUSES)),
  kycstatus: Type.Optional(wordOf(Object.values(VERIFICATION_STATUSES))),
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Anywhere in the first and last name.' })),
});
