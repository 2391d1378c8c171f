/**
 * Writes a sub account. Its three figures are read off the ledger's four counters: money on its way in is not yet
 * available, money on its way out is no longer.
 * Source: the sub account record of the platform's v2 reference; rows 30 and 31 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { AccountFile } from '../../../bank/inputs.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import type { Program } from '../../../model/records.ts';
import { writeId } from '../ids.ts';
import type { SubAccount } from '../shapes/account.ts';
import { viewOwner } from './fields.ts';

/** Writes a sub account with its balance. */
export function viewAccount(file: AccountFile, program: Program): Static<typeof SubAccount> {
  const { account, balance } = file;
  return {
    id: writeId('account', account.id),
    ...viewOwner(program),
    sub_account_holder_id: writeId('holder', account.holderId),
    sub_account_holder_name: account.holderName,
    label: account.label,
    type: account.type,
    account_number: account.accountNumber,
    routing_number: program.routingNumber,
    sponsor_bank: program.sponsorBank,
    available_balance: formatMoney(balance.creditsPosted - balance.debitsPosted - balance.debitsPending),
    pending_credits: formatMoney(balance.creditsPending),
    pending_debits: formatMoney(balance.debitsPending),
    currency: 'usd',
    external_reference_id: account.externalReferenceId,
    purpose: account.purpose,
    attachments: null,
    metadata: account.metadata,
    status: account.status,
    timestamps: {
      created_at: formatInstant(account.createdAt),
      updated_at: formatInstant(account.updatedAt),
      closed_at: formatInstantOrEmpty(account.closedAt),
    },
  };
}
