/**
 * The shapes of a transaction: an entry of an account, with its sign (a debit is negative) and the balance after it.
 * Exactly one of the rail objects is set. The fields are those of the newest published table. A merchant has eight
 * prefixed text fields, all optional in a card test. Filters accept published words that this bank never uses, and
 * match nothing for them.
 * Source: the transaction object, the card transaction object, the merchant object, the webhook samples and "list all
 * transactions" of the platform's v1 reference; decisions `v1-transactions`, `v1-transaction-filters` and
 * `v1-transaction-export` in docs/fidelity.md.
 */
import { type TString, Type } from '@sinclair/typebox';
import { AUTH_METHODS, DISPUTE_STATUSES } from '../../../model/vocabulary.ts';
import { as, codec, fields } from '../../codec.ts';
import {
  Address,
  Currency,
  CurrencyRate,
  EmailText,
  enumOf,
  IdText,
  Metadata,
  object,
  orNull,
  PhoneText,
  RoutingNumber,
  record,
  SignedMoney,
  Text,
  Time,
  Timestamp,
  text,
} from '../fields.ts';
import { Filter, listOf, listQueryWithPairs } from '../paging.ts';
import { ACH_TYPES, ALL_SUB_TYPES, ALL_TRANSFER_TYPES, MOBILE_WALLETS } from '../vocabulary.ts';
import { TRANSACTION_STATUSES } from './status.ts';

/** A text field of a merchant; an empty text counts as not sent. */
const merchantText = (input: TString = Type.String({ maxLength: 100 }), output: TString = Text) =>
  codec(
    input,
    output,
    (sent) => sent || undefined,
    (known: string) => known,
  );
export const MERCHANT = fields({
  merchantName: as('name', merchantText()),
  merchantCity: as('city', merchantText()),
  merchantState: as('state', merchantText()),
  merchantCountry: as('country', merchantText()),
  postalCode: as('postalCode', merchantText(Type.String({ maxLength: 60 }))),
  merchantCategory: as('category', merchantText()),
  merchantCategoryCode: as(
    'mcc',
    merchantText(
      Type.String({ pattern: '^(\\d{4})?$', description: 'four digits' }),
      text('Four digits, ISO 18245; "" when unknown.'),
    ),
  ),
  merchantId: as(
    'id',
    merchantText(
      Type.String({ maxLength: 100, description: "the merchant's id at its own bank" }),
      text("The merchant's id at its own bank."),
    ),
  ),
});

export const Merchant = record('Merchant', 'A merchant; any of its fields can be unknown.', MERCHANT.outputs);
export const MerchantInput = Type.Object(MERCHANT.inputs, {
  title: 'MerchantInput',
  description: 'A merchant; fields that are left out are filled with defaults.',
});

const COUNTERPARTY = { transferId: IdText, contactId: IdText, name: Text };

export const AchPart = object({
  ...COUNTERPARTY,
  routingNumber: RoutingNumber,
  type: enumOf([...ACH_TYPES, '']),
  bankName: Text,
  traceNumber: text('The trace number of 14 digits; "" until the payment is sent.'),
  authId: text('The real-time authorization request for it; "" for none.'),
});

export const CardPart = object({
  id: IdText,
  transferId: IdText,
  label: Text,
  merchant: Merchant,
  authMethod: enumOf(AUTH_METHODS),
  wallet: enumOf([...MOBILE_WALLETS.words, '']),
  authId: text('The real-time authorization request for it; "" for none.'),
  localTransactionAmount: SignedMoney,
  localTransactionCurrency: Currency,
  currencyConversionRate: CurrencyRate,
  rewardAmount: text('Dollars and cents; "" because there are no rewards here.'),
  isCaptured: Type.Boolean(),
  capturedAt: Time,
  disputeStatus: enumOf(DISPUTE_STATUSES),
  availableLimit: text('Dollars and cents that are left of an all-time limit; "" for other limits.'),
  pinVerified: Type.Boolean(),
});

const WirePart = object({
  ...COUNTERPARTY,
  routingNumber: RoutingNumber,
  address: orNull(Address),
  imad: text('The IMAD of the wire; "" until it has cleared.'),
  omad: text('The OMAD of the wire; "" until it has cleared.'),
});

/** Further data about a merchant, which this bank does not have. */
const EnrichedData = object({
  merchant: object({
    name: Text,
    email: EmailText,
    phone: PhoneText,
    website: Text,
    logo: Text,
    address: Text,
    location: Text,
  }),
  chartOfAccounts: Type.Array(Text),
  labels: Type.Array(Text),
});

export const Transaction = record(
  'Transaction',
  'A transaction of an account; it has one of the objects named after rails.',
  {
    id: IdText,
    accountId: IdText,
    businessId: IdText,
    familyId: IdText,
    personId: Type.String({
      description: 'The card holder of a card payment, otherwise the person who opened the account.',
    }),
    programId: IdText,
    txnType: enumOf(['credit', 'debit']),
    title: Text,
    amount: SignedMoney,
    currency: Currency,
    transferType: enumOf(ALL_TRANSFER_TYPES),
    subType: enumOf(ALL_SUB_TYPES),
    description: Text,
    balance: {
      ...SignedMoney,
      description:
        'The available balance in dollars and cents right after this transaction was booked, which never changes; before that, right after it was made. It can be negative.',
    },
    status: {
      ...enumOf(TRANSACTION_STATUSES),
      description:
        'A declined transaction never moved money. All others add up to the available balance and the pending credit of the account.',
    },
    intrabank: orNull(object({ ...COUNTERPARTY, routingNumber: RoutingNumber, bankName: Text })),
    ach: orNull(AchPart),
    card: orNull(CardPart),
    domesticWire: orNull(WirePart),
    internationalWire: orNull(WirePart),
    physicalCheck: orNull(
      object({
        ...COUNTERPARTY,
        checkNumber: text('Printed on the check; "" until it is known.'),
        cashed: Type.Boolean(),
        shipping: orNull(Address),
      }),
    ),
    debitCard: orNull(object(COUNTERPARTY)),
    solidCard: orNull(object(COUNTERPARTY)),
    // Rails that are not emulated.
    digitalCheck: Type.Null(),
    crossBorder: Type.Null(),
    buy: Type.Null(),
    sell: Type.Null(),
    enrichedData: orNull(EnrichedData),
    initiatedByPersonName: text('Always "": its values are not published.'),
    parentTxnId: IdText,
    parentTransferId: IdText,
    fallbackTxnId: {
      ...IdText,
      description: 'The latest draw from a fallback account for this transaction; "" for none.',
    },
    fallbackTransferId: { ...IdText, description: 'The transfer of that draw; "" for none.' },
    reviewCode: text('The reason of a decline or return as a code; "" for none.'),
    reviewMessage: text('The reason in a sentence.'),
    metadata: Metadata,
    createdAt: Timestamp,
    modifiedAt: Timestamp,
    txnDate: {
      ...Timestamp,
      description:
        'ISO 8601 in UTC: when the transaction was booked, which never changes; before that, when it was made.',
    },
  },
);

const AmountFilter = Type.Optional(
  Type.String({
    maxLength: 20,
    description: 'Dollars, like "12.50" or "12", for debits and credits.',
  }),
);

/** JSON or a file. */
/** The media types of `export` besides JSON. */
export const EXPORT_TYPES = ['text/csv', 'application/pdf'] as const;
export const ExportQuery = Type.Object({ export: Type.Optional(enumOf(['json', 'csv', 'pdf'])) });

/** Some clients send a date instead of a time. */
const DateFilter = (name: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      description: `Alias of ${name}; a date, YYYY-MM-DD, is the whole day in UTC.`,
    }),
  );

export const TransactionQuery = listQueryWithPairs({
  orderBy: Type.Optional(enumOf(['createdAt', '-createdAt', 'txnDate', '-txnDate'])),
  ...ExportQuery.properties,
  id: Filter,
  txnType: Type.Optional(enumOf(['credit', 'debit'])),
  status: Type.Optional(enumOf(TRANSACTION_STATUSES)),
  transferId: Filter,
  accountId: Filter,
  cardId: Filter,
  walletId: Filter,
  contactId: Filter,
  personId: Filter,
  businessId: Filter,
  parentTransactionId: Filter,
  transferType: Type.Optional(enumOf(ALL_TRANSFER_TYPES)),
  subType: Type.Optional(enumOf(ALL_SUB_TYPES)),
  minAmount: AmountFilter,
  maxAmount: AmountFilter,
  startDate: DateFilter('startTime'),
  endDate: DateFilter('endTime'),
  query: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only transactions whose title, description or name of the other side contains this text.',
    }),
  ),
});

export const TransactionList = listOf('TransactionList', Transaction);
