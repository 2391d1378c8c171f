/**
 * A transaction: an entry of an account, signed (a debit is below zero), with the balance after it. Exactly one of the
 * objects named after a rail is filled. It is the newest published field table; what only older samples have is left out.
 * Source: the transaction object, the card transaction object and the webhook samples of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { AUTH_METHODS } from '../../../model/vocabulary.ts';
import { TRANSACTION_STATUSES } from '../payment-status.ts';
import { ALL_SUB_TYPES, ALL_TRANSFER_TYPES } from '../vocabulary.ts';
import { Address } from './address.ts';
import { Merchant } from './merchant.ts';
import { Metadata, orNull, part, record, SignedMoney, Text, Timestamp, wordOf } from './scalars.ts';

const OTHER_SIDE = { transferId: Text, contactId: Text, name: Text };

export const AchPart = part({
  ...OTHER_SIDE,
  routingNumber: Text,
  type: Text,
  bankName: Text,
  traceNumber: Text,
  authId: Text,
});

export const CardPart = part({
  id: Text,
  transferId: Text,
  label: Text,
  merchant: Merchant,
  authMethod: wordOf(AUTH_METHODS),
  wallet: Text,
  authId: Text,
  localTransactionAmount: SignedMoney,
  localTransactionCurrency: Text,
  currencyConversionRate: Text,
  rewardAmount: Text,
  isCaptured: Type.Boolean(),
  capturedAt: Timestamp,
  disputeStatus: wordOf(['notInitiated', 'initiated', 'successful', 'declined']),
  availableLimit: Text,
  pinVerified: Type.Boolean(),
});

const WirePart = part({
  ...OTHER_SIDE,
  routingNumber: Text,
  address: orNull(Address),
  imad: Text,
  omad: Text,
});

/** What is known of a merchant beyond the purchase. Nobody looks merchants up here, so an entry has none. */
const EnrichedData = part({
  merchant: part({
    name: Text,
    email: Text,
    phone: Text,
    website: Text,
    logo: Text,
    address: Text,
    location: Text,
  }),
  chartOfAccounts: Type.Array(Text),
  labels: Type.Array(Text),
});

export const Transaction = record('Transaction', {
  id: Text,
  accountId: Text,
  businessId: Text,
  familyId: Text,
  personId: Type.String({ description: 'Who uses the card, else who opened the account.' }),
  programId: Text,
  txnType: wordOf(['credit', 'debit']),
  title: Text,
  amount: SignedMoney,
  currency: Text,
  transferType: wordOf(ALL_TRANSFER_TYPES),
  subType: wordOf(ALL_SUB_TYPES),
  description: Text,
  balance: {
    ...SignedMoney,
    description:
      'Dollars and cents that were available right after this entry was booked, which never changes then; until it is booked, right after it was made. Below zero when the account is.',
  },
  status: {
    ...wordOf(TRANSACTION_STATUSES),
    description:
      'A declined entry never moved anything. All others add up to the available balance and the pending credit of the account.',
  },
  intrabank: orNull(part({ ...OTHER_SIDE, routingNumber: Text, bankName: Text })),
  ach: orNull(AchPart),
  card: orNull(CardPart),
  domesticWire: orNull(WirePart),
  internationalWire: orNull(WirePart),
  physicalCheck: orNull(part({ ...OTHER_SIDE, checkNumber: Text, shipping: orNull(Address) })),
  debitCard: orNull(part(OTHER_SIDE)),
  solidCard: orNull(part(OTHER_SIDE)),
  // Rails that are not emulated.
  digitalCheck: Type.Null(),
  crossBorder: Type.Null(),
  buy: Type.Null(),
  sell: Type.Null(),
  enrichedData: orNull(EnrichedData),
  initiatedByPersonName: Text,
  parentTxnId: Text,
  parentTransferId: Text,
  fallbackTxnId: Text,
  fallbackTransferId: Text,
  reviewCode: Text,
  reviewMessage: Text,
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  txnDate: {
    ...Timestamp,
    description: 'When the entry was booked, which never changes then; until it is booked, when it was made.',
  },
});
