/**
 * A transaction: an entry of an account, signed (a debit is below zero), with the balance after it. Exactly one of the
 * objects named after a rail is filled. It is the newest published field table; what only older samples have is left out.
 * Source: the transaction object, the card transaction object and the webhook samples of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { AUTH_METHODS } from '../../../model/vocabulary.ts';
import { TRANSACTION_STATUSES } from '../payment-status.ts';
import { ACH_TYPES, ALL_SUB_TYPES, ALL_TRANSFER_TYPES, WALLETS } from '../vocabulary.ts';
import { Address } from './address.ts';
import { Merchant } from './merchant.ts';
import {
  Currency,
  CurrencyRate,
  IdText,
  Metadata,
  orNull,
  PhoneText,
  part,
  RoutingNumber,
  record,
  SignedMoney,
  Text,
  Timestamp,
  text,
  wordOf,
} from './scalars.ts';

const OTHER_SIDE = { transferId: IdText, contactId: IdText, name: Text };

export const AchPart = part({
  ...OTHER_SIDE,
  routingNumber: RoutingNumber,
  type: wordOf([...ACH_TYPES, '']),
  bankName: Text,
  traceNumber: text('14 digits, by which the banks know the payment; "" until it is sent.'),
  authId: text('The question of real-time authorization that was asked of it; "" for none.'),
});

export const CardPart = part({
  id: IdText,
  transferId: IdText,
  label: Text,
  merchant: Merchant,
  authMethod: wordOf(AUTH_METHODS),
  wallet: wordOf([...WALLETS.words, '']),
  authId: text('The question of real-time authorization that was asked of it; "" for none.'),
  localTransactionAmount: SignedMoney,
  localTransactionCurrency: Currency,
  currencyConversionRate: CurrencyRate,
  rewardAmount: text('Dollars and cents; "" because there are no rewards here.'),
  isCaptured: Type.Boolean(),
  capturedAt: Timestamp,
  disputeStatus: wordOf(['notInitiated', 'initiated', 'successful', 'declined']),
  availableLimit: text('Dollars and cents that are left of a limit for all time; "" for other limits.'),
  pinVerified: Type.Boolean(),
});

const WirePart = part({
  ...OTHER_SIDE,
  routingNumber: RoutingNumber,
  address: orNull(Address),
  imad: text('The number under which the wire went in; "" until it has.'),
  omad: text('The number under which the wire came out; "" until it has.'),
});

/** What is known of a merchant beyond the purchase. Nobody looks merchants up here, so an entry has none. */
const EnrichedData = part({
  merchant: part({
    name: Text,
    email: Text,
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
  'An entry of an account; of the objects named after rails, one is there.',
  {
    id: IdText,
    accountId: IdText,
    businessId: IdText,
    familyId: IdText,
    personId: Type.String({ description: 'Who uses the card, else who opened the account.' }),
    programId: IdText,
    txnType: wordOf(['credit', 'debit']),
    title: Text,
    amount: SignedMoney,
    currency: Currency,
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
    intrabank: orNull(part({ ...OTHER_SIDE, routingNumber: RoutingNumber, bankName: Text })),
    ach: orNull(AchPart),
    card: orNull(CardPart),
    domesticWire: orNull(WirePart),
    internationalWire: orNull(WirePart),
    physicalCheck: orNull(
      part({
        ...OTHER_SIDE,
        checkNumber: text('Printed on the check; "" until it is known.'),
        shipping: orNull(Address),
      }),
    ),
    debitCard: orNull(part(OTHER_SIDE)),
    solidCard: orNull(part(OTHER_SIDE)),
    // Rails that are not emulated.
    digitalCheck: Type.Null(),
    crossBorder: Type.Null(),
    buy: Type.Null(),
    sell: Type.Null(),
    enrichedData: orNull(EnrichedData),
    initiatedByPersonName: text('Nothing is published of it: "".'),
    parentTxnId: IdText,
    parentTransferId: IdText,
    fallbackTxnId: IdText,
    fallbackTransferId: IdText,
    reviewCode: text('Why it was refused or sent back, in a word; "" when it was not.'),
    reviewMessage: text('The same in a sentence.'),
    metadata: Metadata,
    createdAt: Timestamp,
    modifiedAt: Timestamp,
    txnDate: {
      ...Timestamp,
      description:
        'ISO 8601 in UTC: when the entry was booked, which never changes then; until it is booked, when it was made.',
    },
  },
);
