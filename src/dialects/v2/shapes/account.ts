/**
 * A sub account on v2's wire, with its three balance figures.
 * Source: the sub account operations of the platform's v2 reference; where its field table and its samples differ over
 * the time of closing, the table's `closed_at` is written.
 */
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from '../../../model/vocabulary.ts';
import { Attachments, IdText, Metadata, Money, record, Text, Time, Usd, word } from './fields.ts';

export const SubAccount = record({
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_holder_name: Text,
  label: Text,
  type: word(ACCOUNT_TYPES),
  account_number: Text,
  routing_number: Text,
  sponsor_bank: Text,
  available_balance: Money,
  pending_credits: Money,
  pending_debits: Money,
  currency: Usd,
  external_reference_id: Text,
  purpose: Text,
  attachments: Attachments,
  metadata: Metadata,
  status: word(ACCOUNT_STATUSES),
  timestamps: record({ created_at: Time, updated_at: Time, closed_at: Time }),
});
