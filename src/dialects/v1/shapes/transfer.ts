/**
 * A transfer: what a client ordered, with an amount that has no sign. Fields of rails that are not emulated
 * (cross-border, purpose codes, fallback accounts) are there and empty, as the platform sends them.
 * Source: the transfer record and "receive an ACH pull" of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { TRANSFER_STATUSES } from '../payment-status.ts';
import { TRANSFER_TYPES } from '../vocabulary.ts';
import { Address } from './address.ts';
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
  transferType: wordOf(Object.values(TRANSFER_TYPES)),
  transferSubType: Text,
  type: wordOf([...ACH_TYPES, '']),
  attachment: Text,
  bin: Text,
  iban: Text,
  card: Type.Null(),
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

export const ReceiveAchBody = body('ReceiveAch', {
  accountId: Type.String({ description: 'the account to be credited' }),
  contactId: Type.String({ description: 'whose bank account is debited; a contact with an ach object' }),
  amount: Amount,
  description: Type.Optional(Type.String({ maxLength: 500 })),
  title: Type.Optional(Type.String({ maxLength: 500 })),
  type: Type.Optional(wordOf(ACH_TYPES)),
  metadata: Type.Optional(orNull(MetadataInput)),
});
