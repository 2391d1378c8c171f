/**
 * A transfer: what a client ordered, with an amount that has no sign. Fields of rails that are not emulated
 * (cross-border, purpose codes, fallback accounts) are there and empty, as the platform sends them.
 * Source: the transfer record and "receive an ACH pull" of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { CARD_BINS } from '../../../model/vocabulary.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { TRANSFER_STATUSES } from '../payment-status.ts';
import { ALL_TRANSFER_TYPES, SOLID_CARD, TRANSFER_TYPES } from '../vocabulary.ts';
import { Address } from './address.ts';
import { Card } from './card.ts';
import {
  Amount,
  body,
  Metadata,
  MetadataInput,
  Money,
  orNull,
  record,
  Text,
  Timestamp,
  wordOf,
} from './scalars.ts';

const ACH_TYPES = ['sameDay', 'nextDay'] as const;

export const Transfer = record('Transfer', {
  id: Text,
  accountId: Text,
  contactId: Text,
  name: Text,
  accountNumber: Text,
  routingNumber: Text,
  bankName: Text,
  accountType: Text,
  address: Address,
  amount: Money,
  status: wordOf(TRANSFER_STATUSES),
  title: Text,
  description: Text,
  txnType: wordOf(['credit', 'debit']),
  transferType: wordOf(ALL_TRANSFER_TYPES),
  transferSubType: Text,
  type: wordOf([...ACH_TYPES, '']),
  attachment: Text,
  bin: Text,
  iban: Text,
  /** The card that was sent with the money. */
  card: orNull(Card),
  metadata: Metadata,
  destinationAmount: Money,
  destinationCurrency: Text,
  fallbackTransferId: Text,
  parentTransferId: Text,
  purposeCode: Text,
  reviewCode: Text,
  reviewMessage: Text,
  valid: Text,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  transferredAt: Timestamp,
});

const WITHIN = 500;
const WIRE = 135;
const CHECK = 200;

/** What every order says; the rail decides how long its description may be. */
const order = (description: number) => ({
  accountId: Type.String({ description: 'the account that the order is about' }),
  contactId: Type.String({ description: 'the other party, with the details of this rail' }),
  amount: Amount,
  ...words(description),
});

function words(description: number) {
  return {
    description: Type.Optional(Type.String({ maxLength: description })),
    title: Type.Optional(Type.String({ maxLength: 500 })),
    metadata: Type.Optional(orNull(MetadataInput)),
  };
}

export const IntrabankBody = body('Intrabank', order(WITHIN));
export const AchBody = body('Ach', { ...order(WITHIN), type: Type.Optional(wordOf(ACH_TYPES)) });
export const WireBody = body('Wire', { ...order(WIRE), type: wordOf(['domestic', 'international']) });
export const CheckBody = body('Check', {
  ...order(CHECK),
  type: Type.Optional(wordOf(['physical'])),
  attachment: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'what is mailed with the check: an http or https address, or HTML without quotes, href and images',
    }),
  ),
});
export const CheckDepositBody = body('CheckDeposit', order(CHECK));
export const SendCardBody = body('SendCard', { ...order(WITHIN), bin: Type.Optional(wordOf(CARD_BINS)) });
export const DebitPushBody = body('DebitPush', order(WITHIN));
export const DebitPullBody = body('DebitPull', {
  ...order(WITHIN),
  amount: Type.String({ ...Amount, description: 'at most "2500.00"' }),
});

/** What of an order can be said anew. */
export const WordsBody = body('TransferWords', words(WITHIN));
export const WireWordsBody = body('WireWords', words(WIRE));
export const CheckWordsBody = body('CheckWords', words(CHECK));

export const TransferQuery = listQuery({
  accountId: Filter,
  txnType: Type.Optional(wordOf(['credit', 'debit'])),
  status: Type.Optional(wordOf(TRANSFER_STATUSES)),
});
export const TransferList = listOf('TransferList', Transfer);

/** Everything that a program's transfers can be asked for beside what those of one rail can. */
export const ProgramTransferQuery = listQuery({
  ...TransferQuery.properties,
  transferType: Type.Optional(wordOf([...Object.values(TRANSFER_TYPES), SOLID_CARD])),
});
