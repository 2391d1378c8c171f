/**
 * An account with its balance. Its configuration says what the account may do; a limit that is `''` does not limit.
 * Source: the account object and the account configuration of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { ACCOUNT_STATUSES } from '../vocabulary.ts';
import { Metadata, Money, part, record, SignedMoney, Text, Timestamp, wordOf } from './scalars.ts';

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
  businessId: Text,
  familyId: Text,
  label: Text,
  routingNumber: Text,
  accountNumber: Text,
  status: wordOf([...new Set(Object.values(ACCOUNT_STATUSES))]),
  type: wordOf([
    'businessChecking',
    'personalChecking',
    'cardAccount',
    'clearingAccount',
    'fallbackAccount',
    'fundingAccount',
  ]),
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
