/**
 * A sub account holder on v2's wire, the bodies that make and change one, and the list. The answer always has both `person` and `business`;
 * the one that the holder is not is `null`.
 * Source: the sub account holder operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { HOLDER_STATUSES, HOLDER_TYPES } from '../../../model/vocabulary.ts';
import {
  Attachments,
  body,
  bodyPart,
  ExternalId,
  ExternalIdInput,
  IdInput,
  IdText,
  Metadata,
  MetadataInput,
  nullable,
  Ofac,
  Purpose,
  PurposeInput,
  part,
  record,
  TextInput,
  Time,
  word,
} from './fields.ts';
import { listOf, PageQuery } from './page.ts';
import { Business, BusinessChange, BusinessInput, Person, PersonInput } from './people.ts';

export const SubAccountHolder = record(
  'SubAccountHolder',
  'A person or a business that may own sub accounts; the object that it is not is null.',
  {
    id: IdText,
    client_id: IdText,
    master_account_holder_id: IdText,
    master_account_id: IdText,
    type: word(HOLDER_TYPES),
    person: nullable(Person),
    business: nullable(Business),
    ofac: Ofac,
    external_reference_id: ExternalId,
    purpose: Purpose,
    attachments: Attachments,
    metadata: Metadata,
    status: word(HOLDER_STATUSES),
    timestamps: part({ created_at: Time, updated_at: Time, deactivated_at: Time }),
  },
);

export const SubAccountHolderList = listOf('SubAccountHolderList', SubAccountHolder);

const Filter = Type.Optional(Type.String({ maxLength: 200 }));

/** A filter that is empty asks nothing. */
export const SubAccountHolderQuery = Type.Object({
  ...PageQuery.properties,
  master_account_id: Filter,
  sub_account_id: Filter,
  external_reference_id: Filter,
});

const OwnVerification = bodyPart({
  status: word(['pass', 'fail']),
  method: Type.Optional(TextInput),
  url: Type.Optional(TextInput),
});

export const NewSubAccountHolder = body(
  'NewSubAccountHolder',
  'What makes a holder.',
  {
    master_account_id: IdInput,
    type: word(HOLDER_TYPES),
    person: Type.Optional(PersonInput),
    business: Type.Optional(BusinessInput),
    verification: Type.Optional(OwnVerification),
    external_reference_id: Type.Optional(ExternalIdInput),
    purpose: Type.Optional(PurposeInput),
    metadata: Type.Optional(MetadataInput),
  },
  { missing: { type: 'no type specified!' } },
);

/**
 * What a wish for a status may be called: the words of the record, and those of an account, which the reference of the
 * change prints. A holder is neither put back among those that wait nor locked by a client; these words are for the record
 * that is sent back as it was read. Row 21 of docs/fidelity.md.
 */
export const WISHED_STATUSES = {
  activated: 'activated',
  suspended: 'suspended',
  deactivated: 'deactivated',
  open: 'activated',
  blocked: 'suspended',
  credit_blocked: 'suspended',
  debit_blocked: 'suspended',
  closed: 'deactivated',
  pending_activation: 'pending_activation',
  locked: 'locked',
} as const satisfies Record<string, (typeof HOLDER_STATUSES)[number]>;

/** Everything may be left out; the type and the master account stay. */
export const SubAccountHolderUpdate = body(
  'SubAccountHolderUpdate',
  'What of a holder can be changed; what is left out stays.',
  {
    person: Type.Optional(PersonInput),
    business: Type.Optional(BusinessChange),
    verification: Type.Optional(OwnVerification),
    external_reference_id: Type.Optional(ExternalIdInput),
    purpose: Type.Optional(PurposeInput),
    metadata: Type.Optional(MetadataInput),
    status: Type.Optional(
      word(
        Object.keys(WISHED_STATUSES) as (keyof typeof WISHED_STATUSES)[],
        'In the words of the record or in those of an account; the answer has those of the record.',
      ),
    ),
  },
);
