/**
 * Lists the master accounts, of which a sandbox has one.
 * Source: the master account operations of the platform's v2 reference; rows 16 and 159 of docs/fidelity.md.
 */
import { readPageRequest, takePage, writePage } from '../../../dialects/v2/paging.ts';
import { isAskedFor } from '../../../dialects/v2/readers/account.ts';
import { MasterAccountList, MasterAccountQuery } from '../../../dialects/v2/shapes/account.ts';
import { viewMasterAccount } from '../../../dialects/v2/views/account.ts';
import { operation } from '../../operation.ts';

export const listMasterAccounts = operation({
  id: 'v2_list_master_accounts',
  method: 'GET',
  path: '/v2/accounts/master_account',
  summary: 'List master accounts',
  status: 200,
  query: MasterAccountQuery,
  response: MasterAccountList,
  example: {
    query: { status: 'open', limit: '10' },
  },
  run: ({ bank }, { query }) => {
    const request = readPageRequest('master_account', query);
    const file = bank.accounts.master();
    const found = isAskedFor(file, query, bank.program) ? [{ id: file.account.id, file }] : [];
    return writePage(
      'master_account',
      takePage(found, request),
      request,
      ({ file: one }) => viewMasterAccount(one, bank.program),
      ({ id }) => id,
    );
  },
});
