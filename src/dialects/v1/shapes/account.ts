/**
 * An account with its balance, the bodies that open and change one, and the filters of its lists. Its configuration says
 * what the account may do; a limit that is `''` does not limit. A change names any part of it, and what it leaves out
 * stays.
 * Source: the account object and the account configuration of the platform's v1 reference; rows 152 and 158 of
 * docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { MONEY_PATTERN } from '../../../kernel/money.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { ACCOUNT_STATUSES } from '../vocabulary.ts';
import {
  body,
  Metadata,
  MetadataInput,
  Money,
  orNull,
  part,
  record,
  SignedMoney,
  Text,
  Timestamp,
  wordOf,
} from './scalars.ts';

const Status = wordOf([...new Set(Object.values(ACCOUNT_STATUSES))]);
const AccountType = wordOf([
  'businessChecking',
  'personalChecking',
  'cardAccount',
  'clearingAccount',
  'fallbackAccount',
  'fundingAccount',
]);

const Switch = part({ enabled: Type.Boolean() });
const AchSwitch = part({ enabled: Type.Boolean(), sameDay: Type.Boolean() });
const Cards = part({ enabled: Type.Boolean(), count: Text });
const Limit = part({ daily: Text, monthly: Text });

export const AccountConfig = part({
  card: part({ virtual: Cards, physical: Cards }),
  send: part({
    intrabank: Switch,
    ach: AchSwitch,
    wire: Switch,
    internationalWire: Switch,
    check: Switch,
    card: Switch,
    debitCard: Switch,
  }),
  receive: part({ intrabank: Switch, ach: AchSwitch, check: Switch, debitCard: Switch }),
  limits: part({
    send: part({
      daily: Text,
      monthly: Text,
      intrabank: Limit,
      ach: Limit,
      wire: Limit,
      internationalWire: Limit,
      check: Limit,
      card: Limit,
      debitCard: Limit,
    }),
    receive: part({
      daily: Text,
      monthly: Text,
      intrabank: Limit,
      ach: Limit,
      check: Limit,
      debitCard: Limit,
    }),
  }),
  fallback: part({ received: Type.Null() }),
  incoming: part({
    achPull: part({
      enabled: Type.Boolean(),
      allowedOriginators: Type.Array(Text),
      blockedOriginators: Type.Array(Text),
    }),
  }),
});

export const Account = record('Account', {
  id: Text,
  personId: Type.String({ description: "Who opened it; the owner, where it is a person's own." }),
  businessId: Text,
  familyId: Text,
  label: Text,
  routingNumber: Text,
  accountNumber: Text,
  status: Status,
  type: AccountType,
  programId: Text,
  isVerified: Type.Boolean(),
  verifiedAt: Timestamp,
  acceptedTerms: Type.Boolean(),
  interest: Text,
  fees: Text,
  currency: Text,
  availableBalance: SignedMoney,
  pendingDebit: Money,
  pendingCredit: Money,
  sponsorBankName: Text,
  createdPersonId: Text,
  accountInterestFrequency: Text,
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

export const NewAccountBody = body('NewAccount', {
  businessId: Type.Optional(Type.String({ description: 'the business that is to own it' })),
  familyId: Type.Optional(
    Type.String({ description: 'the family that is to own it, opened by the person of sd-person-id' }),
  ),
  label: Type.Optional(Label),
  acceptedTerms: Type.Optional(Type.Boolean({ description: 'the owner has; an account needs it' })),
  type: Type.Optional(AccountType),
  metadata: Type.Optional(orNull(MetadataInput)),
});

const SwitchInput = Type.Object({ enabled: Type.Optional(Type.Boolean()) });
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
const LimitInput = Type.Object(LIMIT_INPUT);
const Originators = Type.Array(
  Type.String({ pattern: '\\S', maxLength: 100, description: 'a name or a routing number' }),
  { maxItems: 100 },
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
    fallback: Type.Optional(
      Type.Object({ received: Type.Optional(Type.Unknown({ description: 'null: no account stands in' })) }),
    ),
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

export const AccountChangeBody = body('AccountChange', {
  label: Type.Optional(Label),
  metadata: Type.Optional(orNull(MetadataInput)),
  status: Type.Optional(Status),
  config: Type.Optional(AccountConfigInput),
});

function LimitAmount(when: string) {
  return Type.String({
    pattern: `^$|${MONEY_PATTERN}`,
    description: `the most ${when}, like "2000.00"; "" for no limit`,
  });
}
