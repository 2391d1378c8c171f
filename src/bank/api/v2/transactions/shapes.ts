/**
 * The shapes of a v2 transaction, its list, and the bodies that update or sub-ledger one. Each payment method has its
 * own object; all except the one of the transaction's method are `null`.
 * Source: the transaction operations of the platform's v2 reference; decisions `sub-ledgering`,
 * `v2-transaction-filters` and `debit-card-method` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import {
  ACCOUNT_CHECKS,
  type AuthMethod,
  BANK_ACCOUNT_TYPES,
  LIMIT_PERIODS,
  MOBILE_WALLETS,
  TRACKING_STATUSES,
  TRANSACTION_METHODS,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
} from '../../../model/vocabulary.ts';
import { foreignBankCodec } from '../counterparties/rails.ts';
import {
  AccountNumber,
  Address,
  AmountInput,
  Attachments,
  body,
  DATE_OR_EMPTY,
  DateText,
  ExternalId,
  enumOf,
  Flag,
  IdInput,
  IdText,
  Metadata,
  MetadataInput,
  Money,
  nullable,
  Ofac,
  object,
  Purpose,
  RoutingNumber,
  record,
  SignedMoney,
  Text,
  TextInput,
  Time,
  Timestamp,
  text,
  Usd,
} from '../fields.ts';
import { listOf, PageQuery } from '../paging.ts';

/** v2 writes enum values in snake case; the bank stores these as v1 publishes them. */
export const AUTH_WORDS = {
  keyedIn: 'keyed_in',
  swipe: 'swipe',
  chip: 'chip',
  online: 'online',
  contactless: 'contactless',
  other: 'other',
} as const satisfies Record<AuthMethod, string>;

const reconciledEntries = nullable(
  Type.Array(object({ id: IdText, transaction_id: IdText, amount: Money }), {
    description:
      'The entries of this ledger, with the ids of account and transaction; null until there are any.',
  }),
);
const wire = nullable(
  object({
    imad: text('The IMAD of the wire; "" until it has cleared.'),
    omad: text('The OMAD of the wire; "" until it has cleared.'),
  }),
);
const instantPayment = nullable(
  object({ reference_number: text('The text for the beneficiary; "" for none.') }),
);

export const Transaction = record('Transaction', 'A transaction; the objects of other methods are null.', {
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_id: IdText,
  status: enumOf(TRANSACTION_STATUSES),
  amount: Money,
  currency: Usd,
  direction: enumOf(['debit', 'credit']),
  method: enumOf(TRANSACTION_METHODS),
  type: enumOf(TRANSACTION_TYPES),
  message: enumOf(['incoming', 'outgoing']),
  description: Text,
  available_balance: SignedMoney,
  pending_credits: Money,
  pending_debits: Money,
  counterparty: nullable(
    object({
      id: IdText,
      name: Text,
      verification_status: enumOf([...ACCOUNT_CHECKS, '']),
      account_number: AccountNumber,
      routing_number: RoutingNumber,
      account_type: enumOf([...BANK_ACCOUNT_TYPES, '']),
      bank_name: Text,
      beneficiary_bank: foreignBankCodec.output,
      correspondent_bank: foreignBankCodec.output,
      shipping_address: nullable(Address),
    }),
  ),
  ach: nullable(
    object({
      same_day: Flag,
      effective_date: DateText,
      company_discretionary_data: text('A field of the ACH batch for the client.'),
      company_entry_description: text('The purpose of the payment, in the ACH batch.'),
      trace_number: text('The trace number of 14 digits; "" until the payment is sent.'),
      return_code: text('The reason of a return, like "R01"; "" for none.'),
      rta_id: IdText,
    }),
  ),
  domestic_wire: wire,
  international_wire: wire,
  rtp: instantPayment,
  fednow: instantPayment,
  check: nullable(
    object({
      check_number: text('Printed on the check; "" until it is known.'),
      cashed: Flag,
      tracking: nullable(
        object({
          status: enumOf(TRACKING_STATUSES),
          eta: text('The expected day of arrival, YYYY-MM-DD; "" when unset.', DATE_OR_EMPTY),
        }),
      ),
    }),
  ),
  card: nullable(
    object({
      id: IdText,
      cardholder_id: IdText,
      card_holder_id: IdText,
      merchant: text('The name of the merchant.'),
      auth_method: enumOf(Object.values(AUTH_WORDS)),
      wallet: enumOf([...MOBILE_WALLETS, '']),
      rta_id: IdText,
      local_transaction: object({
        amount: Money,
        currency: Usd,
        conversion_rate: text('Units of the account\'s currency per unit of the merchant\'s, like "1.00".'),
      }),
      available_limit: nullable(
        object({
          period: enumOf(LIMIT_PERIODS),
          max_spend_amount: text('Dollars and cents that are left in the period; "" for no limit.'),
          max_spend_count: text('How many transactions are left in the period; "" for no limit.'),
        }),
      ),
      network_settlement_at: Time,
    }),
  ),
  parent_transaction_id: IdText,
  external_reference_id: ExternalId,
  purpose: Purpose,
  ofac: Ofac,
  attachments: Attachments,
  metadata: Metadata,
  reconciliation: object({
    status: enumOf(['reconciled', 'not_reconciled']),
    master_account: reconciledEntries,
    sub_account: reconciledEntries,
  }),
  timestamps: object({ created_at: Timestamp, updated_at: Timestamp, settled_at: Time }),
});

export const TransactionList = listOf('TransactionList', Transaction);

const LEDGERS = ['master_account', 'sub_account'] as const;

const filter = Type.Optional(Type.String({ maxLength: 200 }));
export const TransactionQuery = Type.Object({
  sub_account_id: filter,
  master_account_id: filter,
  sub_account_holder_id: filter,
  master_account_holder_id: filter,
  external_reference_id: filter,
  ledger_type: Type.Optional(
    enumOf(LEDGERS, 'Entries of sub accounts, or of the master account; default: each transaction once.'),
  ),
  ...PageQuery.properties,
});

export const TransactionUpdate = body(
  'TransactionUpdate',
  'The fields of a transaction that can be updated; fields that are not sent keep their values.',
  {
    description: Type.Optional(TextInput),
    metadata: Type.Optional(MetadataInput),
  },
);

export const SubLedgering = body(
  'SubLedgering',
  'A part of the money in suspense on the master account, and the sub account that it belongs to.',
  {
    master_account_transaction_id: IdInput,
    sub_account_id: IdInput,
    amount: AmountInput,
  },
);
