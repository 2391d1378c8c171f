/**
 * The shapes of a transfer, which a client requested and whose amount has no sign, and of a batch of transfers within
 * this bank, which is returned in its initial state. Fields of rails that are not emulated (cross-border, purpose
 * codes) exist and are empty, as on the platform.
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

export const Transfer = record('Transfer', 'A transfer; its amount has no sign.', {
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
  attachment: text('The attachment that is mailed with the check; "" for none.'),
  bin: text('For payments abroad, which are not emulated: always "".'),
  iban: text('For payments abroad, which are not emulated: always "".'),
  /** The card that was sent with the money. */
  card: orNull(Card),
  metadata: Metadata,
  destinationAmount: Money,
  destinationCurrency: text('For payments abroad, which are not emulated: always "".'),
  fallbackTransferId: IdText,
  parentTransferId: IdText,
  purposeCode: text('For payments abroad, which are not emulated: always "".'),
  reviewCode: text('The reason of a decline or return as a code; "" for none.'),
  reviewMessage: text('The reason in a sentence.'),
  valid: enumOf(['true', '']),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  transferredAt: Time,
});

const DESCRIPTION_LENGTH = 500;
const WIRE_DESCRIPTION_LENGTH = 135;
const CHECK_DESCRIPTION_LENGTH = 200;

/** The fields of every request; the rail determines the maximum length of the description. */
const orderFields = (description: number) => ({
  accountId: Type.String({ description: 'the account of the transfer' }),
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
  'A transfer within the bank.',
  orderFields(DESCRIPTION_LENGTH),
);
export const AchBody = body('Ach', 'An ACH push or pull.', {
  ...orderFields(DESCRIPTION_LENGTH),
  type: Type.Optional(enumOf(ACH_TYPES)),
});
export const WireBody = body('Wire', 'A wire.', {
  ...orderFields(WIRE_DESCRIPTION_LENGTH),
  type: enumOf(['domestic', 'international']),
});
export const CheckBody = body('Check', 'A check to send.', {
  ...orderFields(CHECK_DESCRIPTION_LENGTH),
  type: Type.Optional(enumOf(['physical'])),
  attachment: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'an attachment that is mailed with the check: an http or https URL, or HTML without quotes, href and images',
    }),
  ),
});
export const CheckDepositBody = body(
  'CheckDeposit',
  'A check to deposit; its images are uploaded separately.',
  orderFields(CHECK_DESCRIPTION_LENGTH),
);
export const SendCardBody = body('SendCard', 'A card to send.', {
  ...orderFields(DESCRIPTION_LENGTH),
  bin: Type.Optional(enumOf(CARD_BINS)),
  type: Type.Optional(Type.String({ maxLength: 50, description: 'ignored: the card is always virtual' })),
});
export const DebitPushBody = body('DebitPush', 'A push to a debit card.', orderFields(DESCRIPTION_LENGTH));
export const DebitPullBody = body('DebitPull', 'A pull from a debit card.', {
  ...orderFields(DESCRIPTION_LENGTH),
  amount: Type.String({ ...AmountInput, description: 'dollars and cents, at most "2500.00"' }),
});

/** The fields of a transfer that can be changed. */
export const TransferChangeBody = body(
  'TransferChange',
  'The fields of a transfer that can be updated.',
  texts(DESCRIPTION_LENGTH),
);
export const WireChangeBody = body(
  'WireChange',
  'The fields of a wire that can be updated.',
  texts(WIRE_DESCRIPTION_LENGTH),
);
export const CheckChangeBody = body(
  'CheckChange',
  'The fields of a check that can be updated.',
  texts(CHECK_DESCRIPTION_LENGTH),
);

export const TransferQuery = listQuery({
  accountId: Filter,
  txnType: Type.Optional(enumOf(['credit', 'debit'])),
  status: Type.Optional(enumOf(TRANSFER_STATUSES)),
});
export const TransferList = listOf('TransferList', Transfer);

/** The list of a program accepts the filters of one rail, and the type of transfer. */
export const ProgramTransferQuery = listQuery({
  ...TransferQuery.properties,
  transferType: Type.Optional(enumOf([...Object.values(TRANSFER_TYPES), SOLID_CARD])),
});

export const BatchBody = body('NewBatch', 'A batch of transfers within the bank.', {
  data: Type.Array(
    Type.Object({
      sequence: Type.String({ maxLength: 20, description: "the client's label of the item" }),
      api: enumOf(['send', 'receive']),
      accountId: Type.String({ description: 'the account of the transfer' }),
      contactId: Type.String({ description: 'the other party' }),
      amount: AmountInput,
      description: Type.Optional(Type.String({ maxLength: 500 })),
      title: Type.Optional(Type.String({ maxLength: 500 })),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
});

export const Batch = record('Batch', 'A submitted batch of transfers.', {
  batchId: IdText,
  transferType: enumOf(['intrabank']),
  status: enumOf(['submitted']),
  totalCount: Type.Integer({ description: 'Number of transfers.' }),
  successCount: Type.Integer({ description: 'Number of executed transfers.' }),
  failedCount: Type.Integer({ description: 'Number of refused transfers.' }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  completedAt: Time,
});
