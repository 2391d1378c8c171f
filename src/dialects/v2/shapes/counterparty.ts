/**
 * A counterparty on v2's wire: the other party of payments, with the details of each rail that it can be paid on.
 * A rail that it has no details for is `null`.
 * Source: the counterparty operations of the platform's v2 reference.
 */
import { HOLDER_STATUSES, HOLDER_TYPES } from '../../../model/vocabulary.ts';
import {
  Address,
  Attachments,
  Flag,
  IdText,
  Metadata,
  nullable,
  Ofac,
  record,
  Text,
  Time,
  word,
} from './fields.ts';
import { Business, Person } from './people.ts';

/** A bank abroad, named by its SWIFT code. */
export const ForeignBank = record({ identifier_code: Text, name: Text, address: nullable(Address) });

const verificationStatus = word(['pass', 'fail', 'review']);

const checkedBankAccount = record({
  account_number: Text,
  routing_number: Text,
  account_type: Text,
  bank_name: Text,
  verification_status: verificationStatus,
});

export const Counterparty = record({
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_id: IdText,
  label: Text,
  type: word(HOLDER_TYPES),
  person: nullable(Person),
  business: nullable(Business),
  intra_account: nullable(record({ sub_account_number: Text, sub_account_id: IdText })),
  ach: nullable(checkedBankAccount),
  domestic_wire: nullable(
    record({ account_number: Text, routing_number: Text, account_type: Text, bank_name: Text }),
  ),
  international_wire: nullable(
    record({
      account_number: Text,
      beneficiary_bank: nullable(ForeignBank),
      correspondent_bank: nullable(ForeignBank),
    }),
  ),
  rtp: nullable(checkedBankAccount),
  fednow: nullable(checkedBankAccount),
  check: nullable(record({ address: nullable(Address) })),
  debit_card: nullable(
    record({
      card_number: Text,
      last4: Text,
      expiry_month: Text,
      expiry_year: Text,
      cvv: Text,
      address: nullable(Address),
      pull_enabled: Flag,
      push_enabled: Flag,
    }),
  ),
  purpose: Text,
  external_reference_id: Text,
  ofac: Ofac,
  attachments: Attachments,
  metadata: Metadata,
  status: word(HOLDER_STATUSES),
  timestamps: record({ created_at: Time, updated_at: Time, deactivated_at: Time }),
});
