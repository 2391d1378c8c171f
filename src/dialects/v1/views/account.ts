/**
 * An account and what the ledger says of it. Money on its way out has left the available balance; money on its way in
 * is not part of it yet. The configuration is the program's: every emulated rail is open and nothing is limited.
 * Source: the account object of the platform's v1 reference; rows 30, 31 and 43 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { AccountFile } from '../../../bank/inputs.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant } from '../../../kernel/time.ts';
import type { Program } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import { spellOwner } from '../ids.ts';
import type { AccountConfig, Account as AccountShape } from '../shapes/account.ts';
import { ACCOUNT_STATUSES, accountType } from '../vocabulary.ts';

const ON = { enabled: true };
const OFF = { enabled: false };
const ACH = { enabled: true, sameDay: true };
const NO_LIMIT = { daily: '', monthly: '' };

const CONFIG: Static<typeof AccountConfig> = {
  card: { virtual: { enabled: true, count: '1000' }, physical: { enabled: true, count: '100' } },
  send: { intrabank: ON, ach: ACH, wire: ON, internationalWire: ON, check: ON, card: OFF, debitCard: ON },
  receive: { intrabank: ON, ach: ACH, check: ON, debitCard: ON },
  limits: {
    send: {
      ...NO_LIMIT,
      intrabank: NO_LIMIT,
      ach: NO_LIMIT,
      wire: NO_LIMIT,
      internationalWire: NO_LIMIT,
      check: NO_LIMIT,
      card: NO_LIMIT,
      debitCard: NO_LIMIT,
    },
    receive: { ...NO_LIMIT, intrabank: NO_LIMIT, ach: NO_LIMIT, check: NO_LIMIT, debitCard: NO_LIMIT },
  },
  fallback: { received: null },
  incoming: { achPull: { enabled: true, allowedOriginators: [], blockedOriginators: [] } },
};

/** An account. */
export function viewAccount(
  { account, balance }: AccountFile,
  program: Program,
): Static<typeof AccountShape> {
  const { personId, businessId, familyId } = spellOwner(account.holderType, account.holderId);
  return {
    id: spellV1('account', account.id),
    businessId,
    familyId,
    label: account.label,
    routingNumber: program.routingNumber,
    accountNumber: account.accountNumber,
    status: ACCOUNT_STATUSES[account.status],
    type: accountType(account.holderType, account.type),
    programId: spellV1('program', program.programId),
    isVerified: false,
    verifiedAt: '',
    acceptedTerms: true,
    interest: '0.00',
    fees: '0.00',
    currency: 'USD',
    availableBalance: formatMoney(balance.creditsPosted - balance.debitsPosted - balance.debitsPending),
    pendingDebit: formatMoney(balance.debitsPending),
    pendingCredit: formatMoney(balance.creditsPending),
    sponsorBankName: program.sponsorBank,
    createdPersonId: account.createdBy === '' ? personId : spellV1('person', account.createdBy),
    accountInterestFrequency: 'annual',
    metadata: account.metadata,
    config: CONFIG,
    createdAt: formatInstant(account.createdAt),
    modifiedAt: formatInstant(account.updatedAt),
  };
}
