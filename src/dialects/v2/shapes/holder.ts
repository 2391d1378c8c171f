/**
 * A sub account holder on v2's wire, and the body that makes one. The answer always has both `person` and `business`;
 * the one that the holder is not is `null`.
 * Source: the sub account holder operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { HOLDER_STATUSES, HOLDER_TYPES } from '../../../model/vocabulary.ts';
import {
  Attachments,
  body,
  IdText,
  Metadata,
  MetadataInput,
  nullable,
  Ofac,
  record,
  Text,
  TextInput,
  Time,
  word,
} from './fields.ts';
import { Business, BusinessInput, Person, PersonInput } from './people.ts';

export const SubAccountHolder = record({
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  type: word(HOLDER_TYPES),
  person: nullable(Person),
  business: nullable(Business),
  ofac: Ofac,
  external_reference_id: Text,
  purpose: Text,
  attachments: Attachments,
  metadata: Metadata,
  status: word(HOLDER_STATUSES),
  timestamps: record({ created_at: Time, updated_at: Time, deactivated_at: Time }),
});

export const NewSubAccountHolder = body(
  {
    master_account_id: TextInput,
    type: word(HOLDER_TYPES),
    person: Type.Optional(PersonInput),
    business: Type.Optional(BusinessInput),
    verification: Type.Optional(
      body({
        status: word(['pass', 'fail']),
        method: Type.Optional(TextInput),
        url: Type.Optional(TextInput),
      }),
    ),
    external_reference_id: Type.Optional(TextInput),
    purpose: Type.Optional(TextInput),
    metadata: Type.Optional(MetadataInput),
  },
  { type: 'no type specified!' },
);
