/**
 * A transfer: what a client ordered, with an amount that has no sign; and a batch of transfers within this bank,
 * answered as it was submitted. Fields of rails that are not emulated (cross-border, purpose codes)
 * are there and empty, as the platform sends them.
 * Source: the transfer record, "receive an ACH pull" and "create an intrabank batch" of the platform's v1 reference;
 * decision `v1-batch` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { CARD_BINS } from '../../../model/vocabulary.ts';
import { Card } from '../cards/shapes.ts';
import {
  AccountNumber,
  Address,
  AmountInput,
  body,
  enumOf,
  IdText,
  Metadata,
  MetadataInput,
  Money,
  orNull,
  RoutingNumber,
  record,
  Text,
  Time,
  Timestamp,
  text,
} from '../fields.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { TRANSFER_STATUSES } from '../transactions/status.ts';
import {
  ACH_TYPES,
  ALL_SUB_TYPES,
  ALL_TRANSFER_TYPES,
  BANK_ACCOUNT_TYPES,
  SOLID_CARD,
  TRANSFER_TYPES,
} from '../vocabulary.ts';

export const Transfer = record('Transfer', 'What a client ordered; its amount has no sign.', {
  id: IdText,
  accountId: IdText,
  contactId: IdText,
  name: Text,
  accountNumber: AccountNumber,
  routingNumber: RoutingNumber,
  bankName: Text,
  accountType: enumOf([...BANK_ACCOUNT_TYPES.words, '']),
  address: Address,
  amount: Money,
  status: enumOf(TRANSFER_STATUSES),
  title: Text,
  description: Text,
  txnType: enumOf(['credit', 'debit']),
  transferType: enumOf(ALL_TRANSFER_TYPES),
  transferSubType: enumOf(ALL_SUB_TYPES),
  type: enumOf([...ACH_TYPES, '']),
  attachment: text('What is mailed with the check; "" for nothing.'),
  bin: text('For paying abroad, which is not emulated: "".'),
  iban: text('For paying abroad, which is not emulated: "".'),
  /** The card that was sent with the money. */
  card: orNull(Card),
  metadata: Metadata,
  destinationAmount: Money,
  destinationCurrency: text('For paying abroad, which is not emulated: "".'),
  fallbackTransferId: IdText,
  parentTransferId: IdText,
  purposeCode: text('For paying abroad, which is not emulated: "".'),
  reviewCode: text('Why it was refused or sent back, in a word; "" when it was not.'),
  reviewMessage: text('The same in a sentence.'),
  valid: enumOf(['true', '']),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  transferredAt: Time,
});

const DESCRIPTION_LENGTH = 500;
const WIRE_DESCRIPTION_LENGTH = 135;
const CHECK_DESCRIPTION_LENGTH = 200;

/** The fields of every order; the rail decides how long the description may be. */
const orderFields = (description: number) => ({
  accountId: Type.String({ description: 'the account that the order is about' }),
  contactId: Type.String({ description: 'the other party, with the details of this rail' }),
  amount: AmountInput,
  ...texts(description),
});

function texts(description: number) {
  return {
    description: Type.Optional(Type.String({ maxLength: description })),
    title: Type.Optional(Type.String({ maxLength: 500 })),
    metadata: Type.Optional(orNull(MetadataInput)),
  };
}

export const IntrabankBody = body(
  'Intrabank',
  'An order to pay within the bank.',
  orderFields(DESCRIPTION_LENGTH),
);
export const AchBody = body('Ach', 'An order to pay or to collect by ACH.', {
  ...orderFields(DESCRIPTION_LENGTH),
  type: Type.Optional(enumOf(ACH_TYPES)),
});
export const WireBody = body('Wire', 'An order to send a wire.', {
  ...orderFields(WIRE_DESCRIPTION_LENGTH),
  type: enumOf(['domestic', 'international']),
});
export const CheckBody = body('Check', 'An order to send a check.', {
  ...orderFields(CHECK_DESCRIPTION_LENGTH),
  type: Type.Optional(enumOf(['physical'])),
  attachment: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'what is mailed with the check: an http or https address, or HTML without quotes, href and images',
    }),
  ),
});
export const CheckDepositBody = body(
  'CheckDeposit',
  'A check that is to be paid in; its images follow.',
  orderFields(CHECK_DESCRIPTION_LENGTH),
);
export const SendCardBody = body('SendCard', 'An order to send money as a card.', {
  ...orderFields(DESCRIPTION_LENGTH),
  bin: Type.Optional(enumOf(CARD_BINS)),
  type: Type.Optional(
    Type.String({ maxLength: 50, description: 'ignored: a card that is sent is a virtual one' }),
  ),
});
export const DebitPushBody = body(
  'DebitPush',
  'An order to pay to a debit card.',
  orderFields(DESCRIPTION_LENGTH),
);
export const DebitPullBody = body('DebitPull', 'An order to collect from a debit card.', {
  ...orderFields(DESCRIPTION_LENGTH),
  amount: Type.String({ ...AmountInput, description: 'dollars and cents, at most "2500.00"' }),
});

/** The fields of an order that can be changed. */
export const TransferChangeBody = body(
  'TransferWords',
  'What can be changed of an order.',
  texts(DESCRIPTION_LENGTH),
);
export const WireChangeBody = body(
  'WireWords',
  'What can be changed of an order of a wire.',
  texts(WIRE_DESCRIPTION_LENGTH),
);
export const CheckChangeBody = body(
  'CheckWords',
  'What can be changed of an order of a check.',
  texts(CHECK_DESCRIPTION_LENGTH),
);

export const TransferQuery = listQuery({
  accountId: Filter,
  txnType: Type.Optional(enumOf(['credit', 'debit'])),
  status: Type.Optional(enumOf(TRANSFER_STATUSES)),
});
export const TransferList = listOf('TransferList', Transfer);

/** The list of a program takes the filters of one rail, and the type of transfer. */
export const ProgramTransferQuery = listQuery({
  ...TransferQuery.properties,
  transferType: Type.Optional(enumOf([...Object.values(TRANSFER_TYPES), SOLID_CARD])),
});

export const BatchBody = body('NewBatch', 'Orders within the bank, handed in together.', {
  data: Type.Array(
    Type.Object({
      sequence: Type.String({ maxLength: 20, description: 'what the client calls the item' }),
      api: enumOf(['send', 'receive']),
      accountId: Type.String({ description: 'the account that the order is about' }),
      contactId: Type.String({ description: 'the other party' }),
      amount: AmountInput,
      description: Type.Optional(Type.String({ maxLength: 500 })),
      title: Type.Optional(Type.String({ maxLength: 500 })),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
});

export const Batch = record('Batch', 'A batch of transfers, as it was handed in.', {
  batchId: IdText,
  transferType: enumOf(['intrabank']),
  status: enumOf(['submitted']),
  totalCount: Type.Integer({ description: 'How many orders it has.' }),
  successCount: Type.Integer({ description: 'How many of them were executed.' }),
  failedCount: Type.Integer({ description: 'How many of them were refused.' }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  completedAt: Time,
});
