/**
 * The operations on accounts: open, list, retrieve and update one. The accounts of a program are the same list under
 * the path of the program.
 * Source: the account and program pages of the platform's v1 reference; decisions `opening-balance` and
 * `v1-account-owner` in docs/fidelity.md.
 */
import { refuse } from '../../../kernel/refusal.ts';
import type { Id } from '../../../kernel/sequence.ts';
import type { Bank } from '../../../verbs/bank.ts';
import { operation } from '../../operation.ts';
import { ownAccounts, requireHolder } from '../callers.ts';
import { parseId, requireProgram } from '../fields.ts';
import { formatList, parseWindow } from '../paging.ts';
import { ACCOUNT_VIEW, formatAccount } from './format.ts';
import { parseAccountChange, parseAccountFilters, parseNewAccount } from './parse.ts';
import { Account, AccountChangeBody, AccountList, AccountQuery, NewAccountBody } from './shapes.ts';

/**
 * Issues the physical card that is requested with a new account. Refuses: `details_missing` for a person without an
 * address.
 */
function issueFirstCard({ cardHolders, cards }: Bank, accountId: Id, personId: Id | ''): void {
  const { id: cardHolderId, person } = cardHolders.ofPerson(accountId, personId);
  if (person.address === null) {
    const message = 'address of the person is not set, and a physical card is sent there';
    throw refuse('details_missing', { field: 'address', message });
  }
  cards.issue({ type: 'physical', cardHolderId, shippingAddress: person.address });
}

export const ACCOUNT_OPERATIONS = [
  operation({
    id: 'createAccount',
    method: 'POST',
    path: '/v1/account',
    summary: 'Create an account',
    description:
      "Opens an account for a business, a family, or the person of `sd-person-id`. The account is open at once and starts with 1000.00, as in the platform's sandbox. The holder must have passed its KYC or KYB.",
    answer: 'The new account, with a balance of 1000.00.',
    decisions: ['opening-balance', 'account-creation-credit', 'v1-account-owner'],
    status: 201,
    refuses: [
      'account_holder_not_verified',
      'account_holder_not_active',
      'card_holder_not_active',
      'details_missing',
      'card_type_off',
    ],
    body: NewAccountBody,
    response: Account,
    example: {
      headers: ({ seed }) => ({ 'sd-person-id': seed('person_id') }),
      body: {
        businessId: '',
        familyId: '',
        label: 'Savings',
        acceptedTerms: true,
        type: 'personalChecking',
        createPhysicalCard: false,
        currency: 'USD',
        metadata: { externalId: '42' },
      },
    },
    run({ bank, personId, show }, { body }) {
      const file = bank.accounts.open(parseNewAccount(body, personId));
      if (body.createPhysicalCard === true) issueFirstCard(bank, file.account.id, personId);
      return show(ACCOUNT_VIEW, file);
    },
  }),

  operation({
    id: 'listAccounts',
    method: 'GET',
    path: '/v1/account',
    summary: 'List accounts',
    description:
      'Lists the accounts of the person of `sd-person-id`, newest first. Without `sd-person-id` it lists those of the whole program.',
    answer: 'A page of accounts, newest first.',
    decisions: ['list-paging', 'lists-by-person', 'v1-account-owner'],
    status: 200,
    query: AccountQuery,
    response: AccountList,
    example: {
      query: ({ seed }) => ({
        personId: seed('person_id'),
        status: 'active',
        type: 'personalChecking',
        offset: '0',
        limit: '10',
      }),
    },
    run({ bank, personId }, { query }) {
      const where = [...ownAccounts({ bank, personId }), ...parseAccountFilters(query)];
      const page = bank.accounts.list(where, parseWindow(query));
      return formatList(page, (file) => formatAccount(file, bank.program));
    },
  }),

  operation({
    id: 'retrieveAccount',
    method: 'GET',
    path: '/v1/account/:accountId',
    summary: 'Retrieve an account',
    description:
      'Retrieves an account with its balances as they are now. The available balance does not include amounts on hold for pending payments.',
    answer: 'The account with its balances now.',
    decisions: ['incoming-money-pending', 'outgoing-money-pending'],
    status: 200,
    response: Account,
    run({ bank }, { params }) {
      return formatAccount(bank.accounts.byId(parseId('account', params.accountId)), bank.program);
    },
  }),

  operation({
    id: 'updateAccount',
    method: 'PATCH',
    path: '/v1/account/:accountId',
    summary: 'Update an account',
    description:
      'Updates the label, the metadata, the status and the configuration of an account; fields that are not sent keep their values. Closing is final: a check for the balance is mailed to the address of the holder. It is refused while a payment is pending, while the balance is negative, and while another account uses this one as its fallback.',
    answer: 'The account after the change.',
    decisions: ['account-status-changes', 'closing-balance', 'account-config-changes'],
    status: 200,
    refuses: ['illegal_step', 'account_not_empty', 'account_is_fallback', 'not_account_holder'],
    body: AccountChangeBody,
    response: Account,
    example: {
      body: {
        label: 'Household',
        metadata: { externalId: '42' },
        status: 'active',
        config: {
          card: { virtual: { enabled: true, count: '10' }, physical: { enabled: true, count: '2' } },
          send: {
            intrabank: { enabled: true },
            ach: { enabled: true, sameDay: false },
            wire: { enabled: true },
            internationalWire: { enabled: false },
            check: { enabled: true },
            card: { enabled: false },
            debitCard: { enabled: true },
          },
          receive: {
            intrabank: { enabled: true },
            ach: { enabled: true, sameDay: true },
            check: { enabled: true },
            debitCard: { enabled: true },
          },
          limits: {
            send: { daily: '2000.00', monthly: '20000.00', ach: { daily: '1000.00', monthly: '' } },
            receive: { daily: '', monthly: '50000.00', ach: { daily: '5000.00', monthly: '' } },
          },
          fallback: { received: null },
          incoming: {
            achPull: { enabled: true, allowedOriginators: [], blockedOriginators: ['Gray Harbor Loans'] },
          },
        },
      },
    },
    run(call, { params, body }) {
      const { bank, show } = call;
      const id = parseId('account', params.accountId);
      requireHolder(call, id);
      return show(ACCOUNT_VIEW, bank.accounts.change(id, parseAccountChange(body)));
    },
  }),

  operation({
    id: 'listProgramAccounts',
    method: 'GET',
    path: '/v1/program/:programId/account',
    summary: 'List the accounts of a program',
    description:
      'Lists the accounts of the program, with the filters of the list of accounts. The header `sd-person-id` does not limit the list.',
    answer: 'A page of accounts, newest first.',
    decisions: ['v1-account-owner'],
    status: 200,
    query: AccountQuery,
    response: AccountList,
    example: {
      query: { status: 'active', offset: '0', limit: '10' },
    },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      const page = bank.accounts.list(parseAccountFilters(query), parseWindow(query));
      return formatList(page, (file) => formatAccount(file, bank.program));
    },
  }),
] as const;
