/**
 * A card holder on v2's wire: the person who may use a card, made under a sub account.
 * Source: the card holder operations of the platform's v2 reference.
 */
import { HOLDER_STATUSES } from '../../../model/vocabulary.ts';
import { Attachments, IdText, Metadata, Ofac, record, Text, Time, word } from './fields.ts';
import { Person } from './people.ts';

export const CardHolder = record({
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
  timestamps: record({ created_at: Time, updated_at: Time, deactivated_at: Time }),
});
