/**
 * Master accounts and sub accounts in v2, with their three balances. A client opens and changes sub accounts; the
 * platform creates master accounts. The three balances come from the ledger's four counters: incoming money is
 * available when it is posted, and outgoing money is unavailable when it is held. A filter by an id that does not
 * exist matches nothing; so does a holder's status, which the reference of the list prints but no account has.
 * Source: the master account and sub account operations of the platform's v2 reference; its field table of a sub
 * account calls the time of closing `closed_at`, its examples `deactivated_at`. Decisions `v2-sub-accounts`,
 * `closed-at-names`, `incoming-money-pending` and `outgoing-money-pending` in docs/fidelity.md.
 */

import { type Static, Type } from '@sinclair/typebox';
import { formatMoney } from '../../kernel/money.ts';
import { formatInstant, formatInstantOrEmpty } from '../../kernel/time.ts';
import { routingNumberOf } from '../../model/account-config.ts';
import { totalsOf } from '../../model/balances.ts';
import { on } from '../../model/conditions.ts';
import type { AccountCondition } from '../../model/filters.ts';
import type { Program } from '../../model/records.ts';
import {
  ACCOUNT_STATUSES,
  ACCOUNT_TYPES,
  type AccountStatus,
  HOLDER_STATUSES,
} from '../../model/vocabulary.ts';
import type {
  AccountChange,
  AccountWithBalance,
  MasterAccountWithBalance,
  NewAccount,
} from '../../verbs/inputs.ts';
import { as, fields, plain } from '../codec.ts';
import { tryParseId } from '../ids.ts';
import { operation } from '../operation.ts';
import { type Viewer, viewV2 } from '../view.ts';
import { formatAttachments } from './attachments.ts';
import {
  AccountNumber,
  Attachments,
  body,
  ExternalIdInput,
  enumOf,
  formatId,
  formatOwner,
  IdInput,
  IdText,
  ifPresent,
  METADATA,
  Money,
  object,
  parseId,
  RoutingNumber,
  record,
  SignedMoney,
  Text,
  TextInput,
  Time,
  Timestamp,
  text,
  Usd,
  WORDS,
} from './fields.ts';
import { formatPage, listOf, PageQuery, parsePageRequest, takePage } from './paging.ts';

const Status = enumOf(ACCOUNT_STATUSES);

const BANKED = {
  account_number: AccountNumber,
  routing_number: RoutingNumber,
  sponsor_bank: text('The name of the bank that holds the money.'),
};

export const MasterAccount = record(
  'MasterAccount',
  'The account at the partner bank that holds the money of all sub accounts.',
  {
    id: IdText,
    client_id: IdText,
    master_account_holder_id: IdText,
    label: Text,
    ...BANKED,
    available_balance: SignedMoney,
    pending_credits: Money,
    pending_debits: Money,
    currency: Usd,
    ...WORDS.outputs,
    attachments: Attachments,
    ...METADATA.outputs,
    status: Status,
    timestamps: object({ created_at: Timestamp, updated_at: Timestamp, closed_at: Time }),
  },
);

const MasterAccountList = listOf('MasterAccountList', MasterAccount);

const MasterAccountQuery = Type.Object({
  ...PageQuery.properties,
  master_account_holder_id: Type.Optional(IdInput),
  status: Type.Optional(Status),
});

const LABEL = fields({ label: as('label', plain(TextInput, Text)) });

export const SubAccount = record('SubAccount', 'An account of a holder with its balances.', {
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_holder_name: text('First and last name of a person, legal name of a business.'),
  ...LABEL.outputs,
  type: enumOf(ACCOUNT_TYPES),
  ...BANKED,
  available_balance: SignedMoney,
  pending_credits: Money,
  pending_debits: Money,
  currency: Usd,
  ...WORDS.outputs,
  attachments: Attachments,
  ...METADATA.outputs,
  status: Status,
  timestamps: object({ created_at: Timestamp, updated_at: Timestamp, closed_at: Time, deactivated_at: Time }),
});

const SubAccountList = listOf('SubAccountList', SubAccount);

/** The statuses that a filter accepts, of accounts and of holders. */
const FILTERED_STATUSES = [...new Set([...ACCOUNT_STATUSES, ...HOLDER_STATUSES])];

const SubAccountQuery = Type.Object({
  ...PageQuery.properties,
  sub_account_holder_id: Type.Optional(IdInput),
  master_account_id: Type.Optional(IdInput),
  status: Type.Optional(enumOf(FILTERED_STATUSES)),
  external_reference_id: Type.Optional(ExternalIdInput),
});

const CHANGEABLE = { ...LABEL.inputs, ...WORDS.inputs, ...METADATA.inputs };

const NewSubAccount = body('NewSubAccount', 'The fields of a new sub account.', {
  sub_account_holder_id: IdInput,
  type: enumOf(ACCOUNT_TYPES),
  ...CHANGEABLE,
});

const SubAccountUpdate = body(
  'SubAccountUpdate',
  'The fields of a sub account that can be updated; fields that are not sent keep their values.',
  {
    ...CHANGEABLE,
    status: Type.Optional(enumOf(['open', 'closed', 'credit_blocked', 'debit_blocked', 'blocked'])),
  },
);

/** The account statuses that each filter value matches; only some of the holder statuses have a counterpart. */
const FILTERS: Readonly<Record<(typeof FILTERED_STATUSES)[number], readonly AccountStatus[]>> = {
  open: ['open'],
  closed: ['closed'],
  credit_blocked: ['credit_blocked'],
  debit_blocked: ['debit_blocked'],
  blocked: ['blocked'],
  locked: ['locked'],
  pending_activation: [],
  activated: ['open'],
  suspended: ['blocked', 'credit_blocked', 'debit_blocked'],
  deactivated: ['closed'],
};

/** Parses a new sub account. Refuses: `holder_not_found`. */
function parseNewAccount(body: Static<typeof NewSubAccount>): NewAccount {
  return {
    holderId: parseId('holder', body.sub_account_holder_id),
    type: body.type,
    ...parseWords(body),
  };
}

/** Parses a change of a sub account. */
function parseAccountChange(body: Static<typeof SubAccountUpdate>): AccountChange {
  return { ...parseWords(body), ...ifPresent('status', body.status) };
}

/** Parses the filters of the list of sub accounts. */
function parseAccountFilters(
  query: Static<typeof SubAccountQuery>,
  { masterAccountId }: Program,
): AccountCondition[] {
  const { sub_account_holder_id: holder, master_account_id: master, status } = query;
  const elsewhere = isFilter(master) && tryParseId('master_account', master) !== masterAccountId;
  return [
    ...(isFilter(holder) ? [on('holderId', { is: tryParseId('holder', holder) ?? '' })] : []),
    ...(elsewhere ? [on('id', { is: '' })] : []),
    ...(status === undefined ? [] : [on('status', { oneOf: FILTERS[status] })]),
    ...(isFilter(query.external_reference_id)
      ? [on('externalReferenceId', { is: query.external_reference_id })]
      : []),
  ];
}

/** Whether a master account matches the filters of the list. */
function matchesFilters(
  { account }: MasterAccountWithBalance,
  { master_account_holder_id: holder, status }: Static<typeof MasterAccountQuery>,
  { masterAccountHolderId }: Program,
): boolean {
  if (isFilter(holder) && tryParseId('master_account_holder', holder) !== masterAccountHolderId) return false;
  return status === undefined || status === account.status;
}

function parseWords(body: Static<typeof SubAccountUpdate>) {
  return { ...LABEL.parse(body), ...WORDS.parse(body), ...METADATA.parse(body) };
}

const isFilter = (text: string | undefined): text is string => text !== undefined && text !== '';

export const ACCOUNT_VIEW = viewV2('account', formatAccount);

/** Formats a sub account with its balance. */
export function formatAccount(
  file: AccountWithBalance,
  { program, attachments }: Viewer,
): Static<typeof SubAccount> {
  const { account, balance } = file;
  const closedAt = formatInstantOrEmpty(account.closedAt);
  return {
    id: formatId('account', account.id),
    ...formatOwner(program),
    sub_account_holder_id: formatId('holder', account.holderId),
    sub_account_holder_name: account.holderName,
    ...LABEL.format(account),
    type: account.type,
    account_number: account.accountNumber,
    routing_number: routingNumberOf(account, program),
    sponsor_bank: program.sponsorBank,
    available_balance: formatMoney(totalsOf(balance).availableBalance),
    pending_credits: formatMoney(balance.creditsPending),
    pending_debits: formatMoney(balance.debitsPending),
    currency: 'usd',
    ...WORDS.format(account),
    attachments: formatAttachments(attachments, account.id),
    ...METADATA.format(account),
    status: account.status,
    timestamps: {
      created_at: formatInstant(account.createdAt),
      updated_at: formatInstant(account.updatedAt),
      closed_at: closedAt,
      deactivated_at: closedAt,
    },
  };
}

/** Formats the master account. Its references and metadata, which only the platform sets, are empty. */
export function formatMasterAccount(
  { account, totals }: MasterAccountWithBalance,
  { program, attachments }: Viewer,
): Static<typeof MasterAccount> {
  return {
    id: formatId('master_account', account.id),
    client_id: formatId('client', program.clientId),
    master_account_holder_id: formatId('master_account_holder', program.masterAccountHolderId),
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
    attachments: formatAttachments(attachments, account.id),
    metadata: null,
    status: account.status,
    timestamps: {
      created_at: formatInstant(account.createdAt),
      updated_at: formatInstant(account.updatedAt),
      closed_at: formatInstantOrEmpty(account.closedAt),
    },
  };
}

export const ACCOUNT_OPERATIONS = [
  operation({
    id: 'v2_list_master_accounts',
    method: 'GET',
    path: '/v2/accounts/master_account',
    summary: 'List master accounts',
    description:
      'Lists the master accounts of the program. A sandbox has exactly one: the account at the partner bank that holds the money of all sub accounts.',
    answer: 'The master account, as a list of one.',
    decisions: ['list-paging', 'master-account'],
    status: 200,
    query: MasterAccountQuery,
    response: MasterAccountList,
    example: {
      query: { status: 'open', limit: '10' },
    },
    run: ({ bank }, { query }) => {
      const request = parsePageRequest('master_account', query);
      const file = bank.accounts.master();
      const found = matchesFilters(file, query, bank.program) ? [{ id: file.account.id, file }] : [];
      return formatPage(
        'master_account',
        takePage(found, request),
        request,
        ({ file: one }) => formatMasterAccount(one, bank),
        ({ id }) => id,
      );
    },
  }),

  operation({
    id: 'v2_retrieve_master_account',
    method: 'GET',
    path: '/v2/accounts/master_account/:master_account_id',
    summary: 'Retrieve a master account',
    description:
      'Retrieves a master account, which holds the money of all sub accounts. Incoming money without a sub account stays in suspense on it until it is sub-ledgered.',
    answer: 'The master account with its balance.',
    decisions: ['master-account'],
    status: 200,
    response: MasterAccount,
    run: ({ bank }, { params }) =>
      formatMasterAccount(
        bank.accounts.masterById(parseId('master_account', params.master_account_id)),
        bank,
      ),
  }),

  operation({
    id: 'v2_create_sub_account',
    method: 'POST',
    path: '/v2/accounts/sub_account',
    summary: 'Create a sub account',
    description:
      'Opens a sub account for a holder whose verification has passed. The account is `open` at once, has an account number and a routing number, and starts at 0.00. To fund it, simulate an incoming payment or originate a pull.',
    answer: 'The new account, open, with a balance of 0.00.',
    decisions: ['opening-balance', 'v2-sub-accounts'],
    status: 201,
    refuses: ['account_holder_not_verified', 'account_holder_not_active'],
    body: NewSubAccount,
    response: SubAccount,
    example: {
      body: ({ seed }) => ({
        sub_account_holder_id: seed('person_holder_id'),
        type: 'checking',
        label: 'Payroll',
        external_reference_id: 'ledger-7',
        purpose: 'Wages',
        metadata: { team: 'north' },
      }),
    },
    run: ({ bank, show }, { body }) => show(ACCOUNT_VIEW, bank.accounts.open(parseNewAccount(body))),
  }),

  operation({
    id: 'v2_list_sub_accounts',
    method: 'GET',
    path: '/v2/accounts/sub_account',
    summary: 'List sub accounts',
    description:
      'Lists sub accounts with their balances, newest first. An account is listed if all filters match it.',
    answer: 'A page of sub accounts with their balances, newest first.',
    decisions: ['list-paging', 'v2-sub-accounts'],
    status: 200,
    query: SubAccountQuery,
    response: SubAccountList,
    example: {
      query: ({ seed }) => ({ master_account_id: seed('master_account_id'), status: 'open', limit: '10' }),
    },
    run: ({ bank }, { query }) => {
      const request = parsePageRequest('account', query);
      return formatPage(
        'account',
        bank.accounts.list(parseAccountFilters(query, bank.program), request),
        request,
        (file) => formatAccount(file, bank),
        ({ account }) => account.id,
      );
    },
  }),

  operation({
    id: 'v2_retrieve_sub_account',
    method: 'GET',
    path: '/v2/accounts/sub_account/:sub_account_id',
    summary: 'Retrieve a sub account',
    description:
      'Retrieves a sub account with its available and pending balances. Pending credits are incoming payments that have not settled, pending debits are amounts on hold for outgoing payments.',
    answer: 'The account with its balances now.',
    status: 200,
    response: SubAccount,
    run: ({ bank }, { params }) =>
      formatAccount(bank.accounts.byId(parseId('account', params.sub_account_id)), bank),
  }),

  operation({
    id: 'v2_update_sub_account',
    method: 'PATCH',
    path: '/v2/accounts/sub_account/:sub_account_id',
    summary: 'Update a sub account',
    description:
      'Updates the label, the references, the metadata or the status of a sub account; a field that is not sent keeps its value. `closed` is final, and is refused while a balance or a pending amount is not zero, or while another open account uses this one as its fallback. An account that the platform locked cannot be unlocked here.',
    answer: 'The account after the change.',
    decisions: ['metadata-changes', 'account-status-changes'],
    status: 200,
    refuses: ['illegal_step', 'account_not_empty', 'account_is_fallback'],
    body: SubAccountUpdate,
    response: SubAccount,
    example: {
      body: {
        label: 'Rent',
        external_reference_id: 'ledger-8',
        purpose: 'Housing',
        metadata: { team: 'south' },
        status: 'open',
      },
    },
    run: ({ bank, show }, { params, body }) =>
      show(
        ACCOUNT_VIEW,
        bank.accounts.change(parseId('account', params.sub_account_id), parseAccountChange(body)),
      ),
  }),
] as const;
