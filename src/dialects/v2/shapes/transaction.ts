/**
 * A transaction on v2's wire, its list, and the bodies that change or sub-ledger one. Of the objects that belong to one
 * method each, all but the transaction's own are `null`.
 * Source: the transaction operations of the platform's v2 reference; rows 182, 183 and 188 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import {
  LIMIT_PERIODS,
  TRACKING_STATUSES,
  TRANSACTION_METHODS,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
} from '../../../model/vocabulary.ts';
import { ForeignBank } from './counterparty.ts';
import {
  Address,
  AmountInput,
  Attachments,
  body,
  Flag,
  IdText,
  Metadata,
  MetadataInput,
  Money,
  nullable,
  Ofac,
  part,
  record,
  Text,
  TextInput,
  Time,
  Usd,
  word,
} from './fields.ts';
import { listOf, PageQuery } from './page.ts';

const ledgered = nullable(Type.Array(part({ id: IdText, transaction_id: IdText, amount: Money })));
const wire = nullable(part({ imad: Text, omad: Text }));
const instant = nullable(part({ reference_number: Text }));

export const Transaction = record('Transaction', {
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_id: IdText,
  status: word(TRANSACTION_STATUSES),
  amount: Money,
  currency: Usd,
  direction: word(['debit', 'credit']),
  method: word(TRANSACTION_METHODS),
  type: word(TRANSACTION_TYPES),
  message: word(['incoming', 'outgoing']),
  description: Text,
  available_balance: Money,
  pending_credits: Money,
  pending_debits: Money,
  counterparty: nullable(
    part({
      id: IdText,
      name: Text,
      verification_status: Text,
      account_number: Text,
      routing_number: Text,
      account_type: Text,
      bank_name: Text,
      beneficiary_bank: nullable(ForeignBank),
      correspondent_bank: nullable(ForeignBank),
      shipping_address: nullable(Address),
    }),
  ),
  ach: nullable(
    part({
      same_day: Flag,
      effective_date: Text,
      company_discretionary_data: Text,
      company_entry_description: Text,
      trace_number: Text,
      return_code: Text,
      rta_id: IdText,
    }),
  ),
  domestic_wire: wire,
  international_wire: wire,
  rtp: instant,
  fednow: instant,
  check: nullable(
    part({
      check_number: Text,
      cashed: Flag,
      tracking: nullable(part({ status: word(TRACKING_STATUSES), eta: Text })),
    }),
  ),
  card: nullable(
    part({
      id: IdText,
      cardholder_id: IdText,
      card_holder_id: IdText,
      merchant: Text,
      auth_method: Text,
      wallet: Text,
      rta_id: IdText,
      local_transaction: part({ amount: Money, currency: Text, conversion_rate: Text }),
      available_limit: nullable(
        part({ period: word(LIMIT_PERIODS), max_spend_amount: Text, max_spend_count: Text }),
      ),
      network_settlement_at: Time,
    }),
  ),
  parent_transaction_id: IdText,
  external_reference_id: Text,
  purpose: Text,
  ofac: Ofac,
  attachments: Attachments,
  metadata: Metadata,
  reconciliation: part({
    status: word(['reconciled', 'not_reconciled']),
    master_account: ledgered,
    sub_account: ledgered,
  }),
  timestamps: part({ created_at: Time, updated_at: Time, settled_at: Time }),
});

export const TransactionList = listOf('TransactionList', Transaction);

export const LEDGERS = ['master_account', 'sub_account'] as const;

const filter = Type.Optional(Type.String({ maxLength: 200 }));
export const TransactionQuery = Type.Object({
  sub_account_id: filter,
  master_account_id: filter,
  sub_account_holder_id: filter,
  master_account_holder_id: filter,
  external_reference_id: filter,
  ledger_type: Type.Optional(
    word(LEDGERS, 'Entries of sub accounts, or of the master account; each movement once when not sent.'),
  ),
  ...PageQuery.properties,
});

export const TransactionUpdate = body('TransactionUpdate', {
  description: Type.Optional(TextInput),
  metadata: Type.Optional(MetadataInput),
});

export const SubLedgering = body('SubLedgering', {
  master_account_transaction_id: TextInput,
  sub_account_id: TextInput,
  amount: AmountInput,
});
