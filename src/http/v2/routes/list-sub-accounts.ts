/**
 * Lists sub accounts with their balances, newest first.
 * Source: the sub account operations of the platform's v2 reference; rows 16 and 157 of docs/fidelity.md.
 */
import { readPageRequest, writePage } from '../../../dialects/v2/paging.ts';
import { readAccountFilters } from '../../../dialects/v2/readers/account.ts';
import { SubAccountList, SubAccountQuery } from '../../../dialects/v2/shapes/account.ts';
import { viewAccount } from '../../../dialects/v2/views/account.ts';
import { operation } from '../../operation.ts';

export const listSubAccounts = operation({
  id: 'v2_list_sub_accounts',
  method: 'GET',
  path: '/v2/accounts/sub_account',
  summary: 'List sub accounts',
  status: 200,
  query: SubAccountQuery,
  response: SubAccountList,
  example: {
    query: ({ seed }) => ({ master_account_id: seed('master_account_id'), status: 'open', limit: '10' }),
  },
  run: ({ bank }, { query }) => {
    const request = readPageRequest('account', query);
    return writePage(
      'account',
      bank.accounts.list(readAccountFilters(query, bank.program), request),
      request,
      (file) => viewAccount(file, bank.program),
      ({ account }) => account.id,
    );
  },
});
