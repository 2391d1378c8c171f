/**
 * Formats an account with its balances. The available balance excludes pending debits and pending credits.
 * Source: the account object of the platform's v1 reference; decisions `incoming-money-pending`, `outgoing-money-pending`,
 * `opening-balance` and `v1-shown-person` in docs/fidelity.md.
 */

import type { Static } from '@sinclair/typebox';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant } from '../../../kernel/time.ts';
import { configOf, routingNumberOf } from '../../../model/account-config.ts';
import { totalsOf } from '../../../model/balances.ts';
import type { Program } from '../../../model/records.ts';
import type { AccountWithBalance } from '../../../verbs/inputs.ts';
import { formatV1 } from '../../ids.ts';
import { viewV1 } from '../../view.ts';
import { formatOwner, METADATA } from '../fields.ts';
import { ACCOUNT_STATUSES, accountType } from '../vocabulary.ts';
import { CONFIG } from './config.ts';
import { type Account as AccountShape, LABEL } from './shapes.ts';

export const ACCOUNT_VIEW = viewV1('account', formatAccount);

/** Formats an account. */
export function formatAccount(
  { account, balance }: AccountWithBalance,
  program: Program,
): Static<typeof AccountShape> {
  const owner = formatOwner(account, account.createdBy);
  return {
    id: formatV1('account', account.id),
    ...owner,
    ...LABEL.format(account),
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
    ...METADATA.format(account),
    config: CONFIG.format(configOf(account.config)),
    createdAt: formatInstant(account.createdAt),
    modifiedAt: formatInstant(account.updatedAt),
  };
}
