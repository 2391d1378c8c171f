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
import { Kyb } from './verification.ts';

const STATUSES = [...new Set(Object.values(HOLDER_STATUSES)), 'dormant'] as const;

export const Business = record('Business', 'A business, with its verification.', {
  id: IdText,
  legalName: text('As it is registered.'),
  entityType: wordOf([...ENTITY_TYPES.words, '']),
  dba: text('The name that it does business under.'),
  email: Text,
  idType: wordOf([...BUSINESS_ID_TYPES.words, '']),
  idNumber: IdNumber,
  phone: PhoneText,
  formationDate: DateText,
  website: Text,
  about: Text,
  industry: text('In words.'),
  naicsCode: text('A code of GET /v1/business/naicscode.'),
  disclosureStatus: wordOf(['notStarted', 'pending', 'completed']),
  address: orNull(Address),
  kyb: Kyb,
  createdPersonId: IdText,
  programId: IdText,
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

export const NewBusinessBody = body('NewBusiness', 'What makes a business.', {
  legalName: LegalName,
  entityType: EntityType,
  ...details,
});

/** What is left out stays. */
export const BusinessChangeBody = body(
  'BusinessChange',
  'What of a business can be changed; what is left out stays.',
  {
    legalName: Type.Optional(LegalName),
    entityType: Type.Optional(EntityType),
    ...details,
    status: Type.Optional(wordOf(HOLDER_WISHES.words)),
  },
);

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
