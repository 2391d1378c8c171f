/**
 * An account with its balance, the bodies that open and change one, and the filters of its lists. The configuration
 * says what the account may do; a limit of `''` is no limit. A change may name any part of the configuration, and what
 * it leaves out stays.
 * Source: the account object and the account configuration of the platform's v1 reference; decisions
 * `account-config-changes` and `v1-account-owner` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { MONEY_OR_DOLLARS_PATTERN } from '../../../kernel/money.ts';
import {
  AccountNumber,
  body,
  Currency,
  enumOf,
  IdText,
  Metadata,
  MetadataInput,
  Money,
  object,
  orNull,
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

const Status = enumOf([...new Set(Object.values(ACCOUNT_STATUSES))]);
const AccountType = enumOf([
  'businessChecking',
  'personalChecking',
  'cardAccount',
  'clearingAccount',
  'fallbackAccount',
  'fundingAccount',
]);

const Switch = record('AccountSwitch', 'Whether an account may use a rail.', { enabled: Type.Boolean() });
const AchSwitch = record('AccountAchSwitch', 'Whether an account may use ACH, and on the same day.', {
  enabled: Type.Boolean(),
  sameDay: Type.Boolean(),
});
const Cards = record('AccountCards', 'Whether an account may have cards, and how many.', {
  enabled: Type.Boolean(),
  count: text('How many there may be, like "10".'),
});
const LIMITS = {
  daily: text('Dollars and cents in a day of UTC, like "2000.00"; "" for no limit.'),
  monthly: text('Dollars and cents in a month of UTC, like "2000.00"; "" for no limit.'),
};
const Limit = record('AccountLimit', 'The most that an account may move by a rail.', LIMITS);

const Cover = record(
  'AccountFallback',
  'Whether a fallback account gives what the account lacks, and which.',
  {
    enabled: Type.Boolean(),
    fallbackId: IdText,
  },
);

export const AccountConfig = record('AccountConfig', 'What an account may do.', {
  card: object({ virtual: Cards, physical: Cards }),
  send: object({
    intrabank: Switch,
    ach: AchSwitch,
    wire: Switch,
    internationalWire: Switch,
    check: Switch,
    card: Switch,
    debitCard: Switch,
  }),
  receive: object({ intrabank: Switch, ach: AchSwitch, check: Switch, debitCard: Switch }),
  limits: object({
    send: object({
      ...LIMITS,
      intrabank: Limit,
      ach: Limit,
      wire: Limit,
      internationalWire: Limit,
      check: Limit,
      card: Limit,
      debitCard: Limit,
    }),
    receive: object({
      ...LIMITS,
      intrabank: Limit,
      ach: Limit,
      check: Limit,
      debitCard: Limit,
    }),
  }),
  fallback: object({
    received: orNull(object({ ach: Cover, card: Cover })),
  }),
  incoming: object({
    achPull: object({
      enabled: Type.Boolean(),
      allowedOriginators: Type.Array(Text, { description: 'Names or routing numbers; empty for all.' }),
      blockedOriginators: Type.Array(Text, { description: 'Names or routing numbers.' }),
    }),
  }),
});

export const Account = record('Account', 'An account, with what it has and what it may do.', {
  id: IdText,
  personId: Type.String({ description: "Who opened it; the owner, where it is a person's own." }),
  businessId: IdText,
  familyId: IdText,
  label: Text,
  routingNumber: RoutingNumber,
  accountNumber: AccountNumber,
  status: Status,
  type: AccountType,
  programId: IdText,
  isVerified: Type.Boolean(),
  verifiedAt: Time,
  acceptedTerms: Type.Boolean(),
  interest: text('Percent in a year; always "0.00" here.'),
  fees: text('Dollars and cents; always "0.00" here.'),
  currency: Currency,
  availableBalance: SignedMoney,
  pendingDebit: Money,
  pendingCredit: Money,
  sponsorBankName: text('The name of the bank that keeps the money.'),
  createdPersonId: IdText,
  accountInterestFrequency: enumOf(['annual']),
  metadata: Metadata,
  config: AccountConfig,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const AccountList = listOf('AccountList', Account);

export const AccountQuery = listQuery({
  id: Filter,
  businessId: Filter,
  personId: Type.Optional(Type.String({ maxLength: 200, description: 'Who opened it.' })),
  familyId: Filter,
  status: Type.Optional(Status),
  type: Type.Optional(AccountType),
});

const Label = Type.String({ maxLength: 100 });

export const NewAccountBody = body('NewAccount', 'What opens an account.', {
  businessId: Type.Optional(Type.String({ description: 'the business that is to own it' })),
  familyId: Type.Optional(
    Type.String({ description: 'the family that is to own it, opened by the person of sd-person-id' }),
  ),
  label: Type.Optional(Label),
  acceptedTerms: Type.Optional(Type.Boolean({ description: 'the owner has; an account needs it' })),
  type: Type.Optional(AccountType),
  createPhysicalCard: Type.Optional(
    Type.Boolean({ description: 'a physical card is issued too, and sent to the address of the person' }),
  ),
  currency: Type.Optional(enumOf(['USD'])),
  metadata: Type.Optional(orNull(MetadataInput)),
});

const SwitchInput = Type.Object(
  { enabled: Type.Optional(Type.Boolean()) },
  { title: 'AccountSwitchInput', description: 'Whether an account may use a rail.' },
);
const AchSwitchInput = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  sameDay: Type.Optional(Type.Boolean()),
});
const CardsInput = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  count: Type.Optional(Type.String({ pattern: '^\\d{1,6}$', description: 'a number of cards, like "10"' })),
});
const LIMIT_INPUT = {
  daily: Type.Optional(LimitAmount('in a day of UTC')),
  monthly: Type.Optional(LimitAmount('in a month of UTC')),
};
const LimitInput = Type.Object(LIMIT_INPUT, {
  title: 'AccountLimitInput',
  description: 'The most that an account may move by a rail.',
});
const Originators = Type.Array(
  Type.String({ pattern: '\\S', maxLength: 100, description: 'a name or a routing number' }),
  { maxItems: 100, description: 'who may collect, or may not' },
);

const CoverInput = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    fallbackId: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'an account of the type fallbackAccount, of the same holder',
      }),
    ),
  },
  {
    title: 'AccountFallbackInput',
    description: 'Whether a fallback account gives what the account lacks, and which.',
  },
);
const FallbackInput = Type.Object(
  {
    received: Type.Optional(
      orNull(Type.Object({ ach: Type.Optional(CoverInput), card: Type.Optional(CoverInput) })),
    ),
  },
  { description: 'null: none gives anything' },
);

export const AccountConfigInput = Type.Object(
  {
    card: Type.Optional(
      Type.Object({ virtual: Type.Optional(CardsInput), physical: Type.Optional(CardsInput) }),
    ),
    send: Type.Optional(
      Type.Object({
        intrabank: Type.Optional(SwitchInput),
        ach: Type.Optional(AchSwitchInput),
        wire: Type.Optional(SwitchInput),
        internationalWire: Type.Optional(SwitchInput),
        check: Type.Optional(SwitchInput),
        card: Type.Optional(SwitchInput),
        debitCard: Type.Optional(SwitchInput),
      }),
    ),
    receive: Type.Optional(
      Type.Object({
        intrabank: Type.Optional(SwitchInput),
        ach: Type.Optional(AchSwitchInput),
        check: Type.Optional(SwitchInput),
        debitCard: Type.Optional(SwitchInput),
      }),
    ),
    limits: Type.Optional(
      Type.Object({
        send: Type.Optional(
          Type.Object({
            ...LIMIT_INPUT,
            intrabank: Type.Optional(LimitInput),
            ach: Type.Optional(LimitInput),
            wire: Type.Optional(LimitInput),
            internationalWire: Type.Optional(LimitInput),
            check: Type.Optional(LimitInput),
            card: Type.Optional(LimitInput),
            debitCard: Type.Optional(LimitInput),
          }),
        ),
        receive: Type.Optional(
          Type.Object({
            ...LIMIT_INPUT,
            intrabank: Type.Optional(LimitInput),
            ach: Type.Optional(LimitInput),
            check: Type.Optional(LimitInput),
            debitCard: Type.Optional(LimitInput),
          }),
        ),
      }),
    ),
    fallback: Type.Optional(FallbackInput),
    incoming: Type.Optional(
      Type.Object({
        achPull: Type.Optional(
          Type.Object({
            enabled: Type.Optional(Type.Boolean()),
            allowedOriginators: Type.Optional(Originators),
            blockedOriginators: Type.Optional(Originators),
          }),
        ),
      }),
    ),
  },
  { emptyClears: true },
);

export const AccountChangeBody = body(
  'AccountChange',
  'What of an account can be changed; what is left out stays.',
  {
    label: Type.Optional(Label),
    metadata: Type.Optional(orNull(MetadataInput)),
    status: Type.Optional(Status),
    config: Type.Optional(AccountConfigInput),
    fallback: Type.Optional(FallbackInput),
  },
);

function LimitAmount(when: string) {
  return Type.String({
    pattern: `^$|${MONEY_OR_DOLLARS_PATTERN}`,
    description: `dollars and cents ${when} at most, like "2000.00"; "" for no limit`,
  });
}
