/**
 * A business, with the KYB that was made with it. What its industry is called is free text, because the list of names is
 * published nowhere.
 * Source: the business object and "create a business" of the platform's v1 reference; rows 20 and 147 of
 * docs/fidelity.md.
 */
import { type TProperties, Type } from '@sinclair/typebox';
import { Filter, listOf, listQuery } from '../paging.ts';
import {
  BUSINESS_ID_TYPES,
  ENTITY_TYPES,
  HOLDER_STATUSES,
  HOLDER_WISHES,
  VERIFICATION_STATUSES,
} from '../vocabulary.ts';
import { Address, AddressInput } from './address.ts';
import { body, Metadata, MetadataInput, orNull, record, Text, Timestamp, wordOf } from './scalars.ts';
import { Kyb } from './verification.ts';

const STATUSES = [...new Set(Object.values(HOLDER_STATUSES)), 'dormant'] as const;

export const Business = record('Business', {
  id: Text,
  legalName: Text,
  entityType: Text,
  dba: Text,
  email: Text,
  idType: Text,
  idNumber: Text,
  phone: Text,
  formationDate: Text,
  website: Text,
  about: Text,
  industry: Text,
  naicsCode: Text,
  disclosureStatus: wordOf(['notStarted', 'pending', 'completed']),
  address: orNull(Address),
  kyb: Kyb,
  createdPersonId: Text,
  programId: Text,
  status: wordOf(STATUSES),
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const BusinessList = listOf('BusinessList', Business);

const LegalName = Type.String({ minLength: 1, maxLength: 100 });
const EntityType = wordOf(ENTITY_TYPES.words);

const details = {
  dba: Type.Optional(Type.String({ maxLength: 100 })),
  email: Type.Optional(Type.String({ maxLength: 100 })),
  idType: Type.Optional(wordOf([...BUSINESS_ID_TYPES.words, ''])),
  idNumber: Type.Optional(Type.String({ maxLength: 50, description: '9 to 50 characters' })),
  phone: Type.Optional(Type.String({ maxLength: 16, description: 'E.164 with a leading +' })),
  formationDate: Type.Optional(Type.String({ maxLength: 10, description: 'YYYY-MM-DD' })),
  website: Type.Optional(Type.String({ maxLength: 100 })),
  about: Type.Optional(Type.String({ maxLength: 500 })),
  industry: Type.Optional(Type.String({ maxLength: 100 })),
  naicsCode: Type.Optional(
    Type.String({
      pattern: '^(\\d{2,6}|\\d\\d-\\d\\d)?$',
      description: 'a code of GET /v1/business/naicscode',
    }),
  ),
  address: Type.Optional(orNull(AddressInput)),
  metadata: Type.Optional(orNull(MetadataInput)),
} satisfies TProperties;

export const NewBusinessBody = body('NewBusiness', {
  legalName: LegalName,
  entityType: EntityType,
  ...details,
});

/** What is left out stays. */
export const BusinessChangeBody = body('BusinessChange', {
  legalName: Type.Optional(LegalName),
  entityType: Type.Optional(EntityType),
  ...details,
  status: Type.Optional(wordOf(HOLDER_WISHES.words)),
});

export const BusinessQuery = listQuery({
  id: Filter,
  phone: Filter,
  email: Filter,
  createdPersonId: Filter,
  idNumber: Filter,
  status: Type.Optional(wordOf(STATUSES)),
  kybstatus: Type.Optional(wordOf(Object.values(VERIFICATION_STATUSES))),
  entityType: Type.Optional(EntityType),
  industry: Filter,
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Anywhere in the legal name.' })),
});
