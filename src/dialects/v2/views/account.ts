/**
 * Writes sub accounts and the master account. Their three figures are read off the ledger's four counters, each from its
 * side of the books: money on its way in is not yet available, money on its way out is no longer.
 * Source: the account records of the platform's v2 reference; rows 30 and 31 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { AccountFile, MasterFile } from '../../../bank/inputs.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import { routingNumberOf } from '../../../model/account-config.ts';
import { writeId } from '../ids.ts';
import type { MasterAccount, SubAccount } from '../shapes/account.ts';
import { type Viewer, viewAttachments } from './attachment.ts';
import { viewOwner } from './fields.ts';

/** Writes a sub account with its balance. */
export function viewAccount(file: AccountFile, program: Viewer): Static<typeof SubAccount> {
  const { account, balance } = file;
  const closedAt = formatInstantOrEmpty(account.closedAt);
  return {
    id: writeId('account', account.id),
    ...viewOwner(program),
    sub_account_holder_id: writeId('holder', account.holderId),
    sub_account_holder_name: account.holderName,
    label: account.label,
    type: account.type,
    account_number: account.accountNumber,
    routing_number: routingNumberOf(account, program),
    sponsor_bank: program.sponsorBank,
    available_balance: formatMoney(balance.creditsPosted - balance.debitsPosted - balance.debitsPending),
    pending_credits: formatMoney(balance.creditsPending),
    pending_debits: formatMoney(balance.debitsPending),
    currency: 'usd',
    external_reference_id: account.externalReferenceId,
    purpose: account.purpose,
    attachments: viewAttachments(program, account.id),
    metadata: account.metadata,
    status: account.status,
    timestamps: {
      created_at: formatInstant(account.createdAt),
      updated_at: formatInstant(account.updatedAt),
      closed_at: closedAt,
      deactivated_at: closedAt,
    },
  };
}

/** Writes the master account, whose references and metadata are the platform's to set: nothing sets them here. */
export function viewMasterAccount(
  { account, totals }: MasterFile,
  program: Viewer,
): Static<typeof MasterAccount> {
  return {
    id: writeId('master_account', account.id),
    client_id: writeId('client', program.clientId),
    master_account_holder_id: writeId('master_account_holder', program.masterAccountHolderId),
    label: account.label,
    account_number: account.accountNumber,
    routing_number: program.routingNumber,
    sponsor_bank: program.sponsorBank,
    available_balance: formatMoney(totals.availableBalance),
    pending_credits: formatMoney(totals.pendingCredits),
    pending_debits: formatMoney(totals.pendingDebits),
    currency: 'usd',
    external_reference_id: '',
    purpose: '',
    attachments: viewAttachments(program, account.id),
    metadata: null,
    status: account.status,
    timestamps: {
      created_at: formatInstant(account.createdAt),
      updated_at: formatInstant(account.updatedAt),
      closed_at: formatInstantOrEmpty(account.closedAt),
    },
  };
}
