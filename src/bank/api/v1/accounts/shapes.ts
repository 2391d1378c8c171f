/**
 * An account with its balance, the bodies that open and change one, and the filters of its lists.
 * Source: the account object of the platform's v1 reference; decision `v1-account-owner` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { as, fields, plain } from '../../codec.ts';
import {
  AccountNumber,
  body,
  Currency,
  enumOf,
  IdText,
  METADATA,
  Money,
  RoutingNumber,
  record,
  SignedMoney,
  Text,
  Time,
  Timestamp,
  text,
} from '../fields.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { ACCOUNT_STATUSES } from '../vocabulary.ts';
import { AccountConfig, AccountConfigInput, FallbackInput } from './config.ts';

const Status = enumOf([...new Set(Object.values(ACCOUNT_STATUSES))]);
const AccountType = enumOf([
  'businessChecking',
  'personalChecking',
  'cardAccount',
  'clearingAccount',
  'fallbackAccount',
  'fundingAccount',
]);

export const LABEL = fields({ label: as('label', plain(Type.String({ maxLength: 100 }), Text)) });

export const Account = record('Account', 'An account with its balances and configuration.', {
  id: IdText,
  personId: Type.String({
    description: 'The person who opened the account; for a personal account, its owner.',
  }),
  businessId: IdText,
  familyId: IdText,
  ...LABEL.outputs,
  routingNumber: RoutingNumber,
  accountNumber: AccountNumber,
  status: Status,
  type: AccountType,
  programId: IdText,
  isVerified: Type.Boolean(),
  verifiedAt: Time,
  acceptedTerms: Type.Boolean(),
  interest: text('Percent per year; always "0.00" here.'),
  fees: text('Dollars and cents; always "0.00" here.'),
  currency: Currency,
  availableBalance: SignedMoney,
  pendingDebit: Money,
  pendingCredit: Money,
  sponsorBankName: text('The name of the bank that holds the money.'),
  createdPersonId: IdText,
  accountInterestFrequency: enumOf(['annual']),
  ...METADATA.outputs,
  config: AccountConfig,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const AccountList = listOf('AccountList', Account);

export const AccountQuery = listQuery({
  id: Filter,
  businessId: Filter,
  personId: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only accounts that this person opened.' }),
  ),
  familyId: Filter,
  status: Type.Optional(Status),
  type: Type.Optional(AccountType),
});

export const NewAccountBody = body('NewAccount', 'The fields of a new account.', {
  businessId: Type.Optional(Type.String({ description: 'the business that will own it' })),
  familyId: Type.Optional(
    Type.String({ description: 'the family that will own it, opened by the person of sd-person-id' }),
  ),
  ...LABEL.inputs,
  acceptedTerms: Type.Optional(Type.Boolean({ description: 'the owner must accept the terms' })),
  type: Type.Optional(AccountType),
  createPhysicalCard: Type.Optional(
    Type.Boolean({
      description: 'true: a physical card is issued too, and sent to the address of the person',
    }),
  ),
  currency: Type.Optional(enumOf(['USD'])),
  ...METADATA.inputs,
});

export const AccountChangeBody = body(
  'AccountChange',
  'The fields of an account that can be updated; fields that are not sent keep their values.',
  {
    ...LABEL.inputs,
    ...METADATA.inputs,
    status: Type.Optional(Status),
    config: Type.Optional(AccountConfigInput),
    fallback: Type.Optional(FallbackInput),
  },
);
