/**
 * GET /v1/account: the accounts of the program, newest first. Whom a call is made for does not narrow the list; its
 * filters do.
 * Source: the list filters of the platform's v1 reference; rows 16 and 158 of docs/fidelity.md.
 */
import { readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { readAccountFilters } from '../../../dialects/v1/readers/account.ts';
import { AccountList, AccountQuery } from '../../../dialects/v1/shapes/account.ts';
import { viewAccount } from '../../../dialects/v1/views/account.ts';
import { operation } from '../../operation.ts';

export const listAccounts = operation({
  id: 'listAccounts',
  method: 'GET',
  path: '/v1/account',
  summary: 'List accounts',
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
  run({ bank }, { query }) {
    const page = bank.accounts.list(readAccountFilters(query), readWindow(query));
    return writeList(page, (file) => viewAccount(file, bank.program));
  },
});
