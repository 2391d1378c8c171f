/**
 * Master accounts and sub accounts on v2's wire, with their three balance figures, and the bodies that make and change a
 * sub account; a master account is the platform's to make. A filter takes the statuses of the record and those that the
 * reference of the list prints, which are a holder's.
 * Source: the master account and sub account operations of the platform's v2 reference; the field table of a sub account
 * calls the time of closing `closed_at`, its examples `deactivated_at`. Rows 157 and 237 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES, HOLDER_STATUSES } from '../../../model/vocabulary.ts';
import {
  AccountNumber,
  Attachments,
  body,
  ExternalId,
  ExternalIdInput,
  IdInput,
  IdText,
  Metadata,
  MetadataInput,
  Money,
  Purpose,
  PurposeInput,
  part,
  RoutingNumber,
  record,
  SignedMoney,
  Text,
  TextInput,
  Time,
  text,
  Usd,
  word,
} from './fields.ts';
import { listOf, PageQuery } from './page.ts';

const Status = word(ACCOUNT_STATUSES);

const BANKED = {
  account_number: AccountNumber,
  routing_number: RoutingNumber,
  sponsor_bank: text('The name of the bank that keeps the money.'),
};

export const MasterAccount = record(
  'MasterAccount',
  'The account at the partner bank that holds the money of all sub accounts.',
  {
    id: IdText,
    client_id: IdText,
    master_account_holder_id: IdText,
    label: Text,
    ...BANKED,
    available_balance: SignedMoney,
    pending_credits: Money,
    pending_debits: Money,
    currency: Usd,
    external_reference_id: ExternalId,
    purpose: Purpose,
    attachments: Attachments,
    metadata: Metadata,
    status: Status,
    timestamps: part({ created_at: Time, updated_at: Time, closed_at: Time }),
  },
);

export const MasterAccountList = listOf('MasterAccountList', MasterAccount);

export const MasterAccountQuery = Type.Object({
  ...PageQuery.properties,
  master_account_holder_id: Type.Optional(IdInput),
  status: Type.Optional(Status),
});

export const SubAccount = record('SubAccount', 'An account of a holder, with what it has.', {
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_holder_name: text('Of a person both names, of a business the legal one.'),
  label: Text,
  type: word(ACCOUNT_TYPES),
  ...BANKED,
  available_balance: SignedMoney,
  pending_credits: Money,
  pending_debits: Money,
  currency: Usd,
  external_reference_id: ExternalId,
  purpose: Purpose,
  attachments: Attachments,
  metadata: Metadata,
  status: Status,
  timestamps: part({ created_at: Time, updated_at: Time, closed_at: Time, deactivated_at: Time }),
});

export const SubAccountList = listOf('SubAccountList', SubAccount);

/** The words of both vocabularies that a filter may use. */
export const FILTERED_STATUSES = [...new Set([...ACCOUNT_STATUSES, ...HOLDER_STATUSES])];

export const SubAccountQuery = Type.Object({
  ...PageQuery.properties,
  sub_account_holder_id: Type.Optional(IdInput),
  master_account_id: Type.Optional(IdInput),
  status: Type.Optional(word(FILTERED_STATUSES)),
  external_reference_id: Type.Optional(ExternalIdInput),
});

const CHANGEABLE = {
  label: Type.Optional(TextInput),
  external_reference_id: Type.Optional(ExternalIdInput),
  purpose: Type.Optional(PurposeInput),
  metadata: Type.Optional(MetadataInput),
};

export const NewSubAccount = body('NewSubAccount', 'What opens a sub account.', {
  sub_account_holder_id: IdInput,
  type: word(ACCOUNT_TYPES),
  ...CHANGEABLE,
});

export const SubAccountUpdate = body(
  'SubAccountUpdate',
  'What of a sub account can be changed; what is left out stays.',
  {
    ...CHANGEABLE,
    status: Type.Optional(word(['open', 'closed', 'credit_blocked', 'debit_blocked', 'blocked'])),
  },
);
