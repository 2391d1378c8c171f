/**
 * GET /v1/account/{accountId}: one account with its balance as it is now.
 * Source: the account object of the platform's v1 reference; rows 30 and 31 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Account } from '../../../dialects/v1/shapes/account.ts';
import { viewAccount } from '../../../dialects/v1/views/account.ts';
import { operation } from '../../operation.ts';

export const retrieveAccount = operation({
  id: 'retrieveAccount',
  method: 'GET',
  path: '/v1/account/:accountId',
  summary: 'Retrieve an account',
  status: 200,
  params: Type.Object({ accountId: Type.String() }),
  response: Account,
  example: {
    params: ({ seed }) => ({ accountId: seed('account_id') }),
  },
  run({ bank }, { params }) {
    return viewAccount(bank.accounts.byId(readId('account', params.accountId)), bank.program);
  },
});
