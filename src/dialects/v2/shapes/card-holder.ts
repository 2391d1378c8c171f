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
  IdText,
  Metadata,
  MetadataInput,
  Ofac,
  part,
  record,
  Text,
  TextInput,
  Time,
  word,
} from './fields.ts';
import { listOf, PageQuery } from './page.ts';
import { Person, PersonInput } from './people.ts';

export const CardHolder = record('CardHolder', {
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_id: IdText,
  person: Person,
  external_reference_id: Text,
  purpose: Text,
  ofac: Ofac,
  attachments: Attachments,
  metadata: Metadata,
  status: word(HOLDER_STATUSES),
  timestamps: part({ created_at: Time, updated_at: Time, deactivated_at: Time }),
});

export const CardHolderList = listOf('CardHolderList', CardHolder);

export const CardHolderQuery = Type.Object({
  ...PageQuery.properties,
  master_account_id: Type.Optional(TextInput),
});

const CHANGEABLE = {
  external_reference_id: Type.Optional(TextInput),
  purpose: Type.Optional(TextInput),
  metadata: Type.Optional(MetadataInput),
};

export const NewCardHolderInput = body('NewCardHolderInput', {
  sub_account_id: TextInput,
  person: PersonInput,
  ...CHANGEABLE,
});

export const CardHolderUpdate = body('CardHolderUpdate', {
  person: Type.Optional(PersonInput),
  ...CHANGEABLE,
  status: Type.Optional(word(['pending_activation', 'activated', 'suspended', 'deactivated'])),
});
