/**
 * Writes an account with its balances. Pending debits have left the available balance; pending credits are not part of
 * it yet. The configuration is the account's own over the program's, with every field filled in.
 * Source: the account object and the account configuration of the platform's v1 reference; decisions
 * `incoming-money-pending`, `outgoing-money-pending`, `opening-balance`, `account-config-changes` and `v1-shown-person`
 * in docs/fidelity.md.
 */

import type { Static } from '@sinclair/typebox';
import type { AccountWithBalance } from '../../../bank/inputs.ts';
import { type Cents, formatMoney } from '../../../kernel/money.ts';
import { formatInstant } from '../../../kernel/time.ts';
import {
  configOf,
  routingNumberOf,
  type WaySwitch,
  type WholeConfig,
} from '../../../model/account-config.ts';
import { totalsOf } from '../../../model/balances.ts';
import {
  type Cover,
  type MoneyLimit,
  type Program,
  RECEIVE_WAYS,
  SEND_WAYS,
} from '../../../model/records.ts';
import { CARD_TYPES, COVERED_WAYS } from '../../../model/vocabulary.ts';
import { formatV1 } from '../../ids.ts';
import { formatOwner } from '../fields.ts';
import { ACCOUNT_STATUSES, accountType } from '../vocabulary.ts';
import type { AccountConfig, Account as AccountShape } from './shapes.ts';

type ConfigShape = Static<typeof AccountConfig>;

/** An account. */
export function formatAccount(
  { account, balance }: AccountWithBalance,
  program: Program,
): Static<typeof AccountShape> {
  const owner = formatOwner(account, account.createdBy);
  return {
    id: formatV1('account', account.id),
    ...owner,
    label: account.label,
    routingNumber: routingNumberOf(account, program),
    accountNumber: account.accountNumber,
    status: ACCOUNT_STATUSES[account.status],
    type: accountType(account),
    programId: formatV1('program', program.programId),
    isVerified: false,
    verifiedAt: '',
    acceptedTerms: true,
    interest: '0.00',
    fees: '0.00',
    currency: 'USD',
    availableBalance: formatMoney(totalsOf(balance).availableBalance),
    pendingDebit: formatMoney(balance.debitsPending),
    pendingCredit: formatMoney(balance.creditsPending),
    sponsorBankName: program.sponsorBank,
    createdPersonId: owner.personId,
    accountInterestFrequency: 'annual',
    metadata: account.metadata,
    config: formatConfig(configOf(account.config)),
    createdAt: formatInstant(account.createdAt),
    modifiedAt: formatInstant(account.updatedAt),
  };
}

function formatConfig({ send, receive, cards, limits, achPull, fallback }: WholeConfig): ConfigShape {
  return {
    card: formatEach(CARD_TYPES, (type) => ({
      enabled: cards[type].enabled,
      count: String(cards[type].count),
    })),
    send: { ...formatEach(SEND_WAYS, (way) => formatSwitch(send[way])), ach: formatAch(send.ach) },
    receive: {
      ...formatEach(RECEIVE_WAYS, (way) => formatSwitch(receive[way])),
      ach: formatAch(receive.ach),
    },
    limits: {
      send: {
        ...formatLimit(limits.send.overall),
        ...formatEach(SEND_WAYS, (way) => formatLimit(limits.send.ways[way])),
      },
      receive: {
        ...formatLimit(limits.receive.overall),
        ...formatEach(RECEIVE_WAYS, (way) => formatLimit(limits.receive.ways[way])),
      },
    },
    fallback: {
      received: fallback === null ? null : formatEach(COVERED_WAYS, (way) => formatCover(fallback[way])),
    },
    incoming: { achPull },
  };
}

/** A part for each name. */
function formatEach<Name extends string, Part>(
  names: readonly Name[],
  format: (name: Name) => Part,
): Record<Name, Part> {
  return Object.fromEntries(names.map((name) => [name, format(name)])) as Record<Name, Part>;
}

const formatCover = ({ enabled, fallbackId }: Cover) => ({
  enabled,
  fallbackId: formatV1('account', fallbackId),
});
const formatSwitch = ({ enabled }: WaySwitch) => ({ enabled });
const formatAch = ({ enabled, sameDay = true }: WaySwitch) => ({ enabled, sameDay });
const formatAmount = (cents: Cents | null): string => (cents === null ? '' : formatMoney(cents));
const formatLimit = ({ daily, monthly }: MoneyLimit) => ({
  daily: formatAmount(daily),
  monthly: formatAmount(monthly),
});
