/**
 * A family: several persons who share accounts.
 * Source: the family pages of the platform's v1 reference; row 143 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Filter, listOf, listQuery } from '../paging.ts';
import { FAMILY_STATUSES } from '../vocabulary.ts';
import { Address, AddressInput } from './address.ts';
import {
  body,
  IdText,
  Metadata,
  MetadataInput,
  orNull,
  PhoneText,
  record,
  Text,
  Timestamp,
  wordOf,
} from './scalars.ts';

const STATUSES = [...Object.values(FAMILY_STATUSES), 'dormant'] as const;

export const Family = record('Family', 'Several persons who share accounts.', {
  id: IdText,
  name: Text,
  phone: PhoneText,
  email: Text,
  address: orNull(Address),
  createdPersonId: IdText,
  programId: IdText,
  status: wordOf(STATUSES),
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const FamilyList = listOf('FamilyList', Family);

const Name = Type.String({ minLength: 1, maxLength: 100 });
const details = {
  phone: Type.Optional(Type.String({ maxLength: 16, description: 'E.164 with a leading +' })),
  email: Type.Optional(Type.String({ maxLength: 100 })),
  address: Type.Optional(orNull(AddressInput)),
  metadata: Type.Optional(orNull(MetadataInput)),
};

export const NewFamilyBody = body('NewFamily', 'What makes a family.', { name: Name, ...details });
/** What is left out stays. */
export const FamilyChangeBody = body(
  'FamilyChange',
  'What of a family can be changed; what is left out stays.',
  { name: Type.Optional(Name), ...details },
);

export const FamilyQuery = listQuery({
  id: Filter,
  phone: Filter,
  email: Filter,
  personId: Type.Optional(Type.String({ maxLength: 200, description: 'Who made it or is a member of it.' })),
  status: Type.Optional(wordOf(STATUSES)),
});
