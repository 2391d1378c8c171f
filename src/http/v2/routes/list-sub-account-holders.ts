/**
 * Lists sub account holders, newest first: all, the holder of one sub account, or those of a reference of the client's.
 * Source: the sub account holder operations of the platform's v2 reference; rows 16 and 137 of docs/fidelity.md.
 */
import { readPageRequest, writePage } from '../../../dialects/v2/paging.ts';
import { readHolderFilters } from '../../../dialects/v2/readers/holder.ts';
import { SubAccountHolderList, SubAccountHolderQuery } from '../../../dialects/v2/shapes/holder.ts';
import { viewHolder } from '../../../dialects/v2/views/holder.ts';
import { operation } from '../../operation.ts';

export const listSubAccountHolders = operation({
  id: 'v2_list_sub_account_holders',
  method: 'GET',
  path: '/v2/accounts/sub_account_holder',
  summary: 'List sub account holders',
  status: 200,
  query: SubAccountHolderQuery,
  response: SubAccountHolderList,
  example: {
    query: ({ seed }) => ({
      master_account_id: seed('master_account_id'),
      sub_account_id: seed('account_id'),
      external_reference_id: '',
      limit: '10',
    }),
  },
  run: ({ bank }, { query }) => {
    const window = readPageRequest('holder', query);
    const { where, accountId } = readHolderFilters(query, bank.program);
    return writePage(
      'holder',
      bank.holders.list(where, window, accountId),
      window,
      (file) => viewHolder(file, bank.program),
      ({ holder }) => holder.id,
    );
  },
});
