/**
 * A card holder on v2's wire: the person who may use a card, made under a sub account; and the bodies that make and
 * change one.
 * Source: the card holder operations of the platform's v2 reference; row 170 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { HOLDER_STATUSES } from '../../../model/vocabulary.ts';
import {
  Attachments,
  body,
  ExternalId,
  ExternalIdInput,
  IdInput,
  IdText,
  Metadata,
  MetadataInput,
  Ofac,
  Purpose,
  PurposeInput,
  part,
  record,
  Time,
  word,
} from './fields.ts';
import { listOf, PageQuery } from './page.ts';
import { Person, PersonInput } from './people.ts';

export const CardHolder = record('CardHolder', 'A person who may use cards of a sub account.', {
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_id: IdText,
  person: Person,
  external_reference_id: ExternalId,
  purpose: Purpose,
  ofac: Ofac,
  attachments: Attachments,
  metadata: Metadata,
  status: word(HOLDER_STATUSES),
  timestamps: part({ created_at: Time, updated_at: Time, deactivated_at: Time }),
});

export const CardHolderList = listOf('CardHolderList', CardHolder);

export const CardHolderQuery = Type.Object({
  ...PageQuery.properties,
  master_account_id: Type.Optional(IdInput),
});

const CHANGEABLE = {
  external_reference_id: Type.Optional(ExternalIdInput),
  purpose: Type.Optional(PurposeInput),
  metadata: Type.Optional(MetadataInput),
};

export const NewCardHolderInput = body('NewCardHolderInput', 'What makes a card holder.', {
  sub_account_id: IdInput,
  person: PersonInput,
  ...CHANGEABLE,
});

export const CardHolderUpdate = body(
  'CardHolderUpdate',
  'What of a card holder can be changed; what is left out stays.',
  {
    person: Type.Optional(PersonInput),
    ...CHANGEABLE,
    status: Type.Optional(word(['pending_activation', 'activated', 'suspended', 'deactivated'])),
  },
);
