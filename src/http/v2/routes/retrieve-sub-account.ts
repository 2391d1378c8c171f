/**
 * Shows a sub account: this is how a balance is read.
 * Source: the sub account operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { SubAccount } from '../../../dialects/v2/shapes/account.ts';
import { viewAccount } from '../../../dialects/v2/views/account.ts';
import { operation } from '../../operation.ts';

export const retrieveSubAccount = operation({
  id: 'v2_retrieve_sub_account',
  method: 'GET',
  path: '/v2/accounts/sub_account/:sub_account_id',
  summary: 'Retrieve a sub account',
  status: 200,
  params: Type.Object({ sub_account_id: Type.String() }),
  response: SubAccount,
  example: {
    params: ({ seed }) => ({ sub_account_id: seed('sub_account_id') }),
  },
  run: ({ bank }, { params }) =>
    viewAccount(bank.accounts.byId(readId('account', params.sub_account_id)), bank.program),
});
