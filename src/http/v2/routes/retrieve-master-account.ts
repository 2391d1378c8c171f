/**
 * Shows a master account: what the partner bank holds for all sub accounts together.
 * Source: the master account operations of the platform's v2 reference; row 159 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { MasterAccount } from '../../../dialects/v2/shapes/account.ts';
import { viewMasterAccount } from '../../../dialects/v2/views/account.ts';
import { operation } from '../../operation.ts';

export const retrieveMasterAccount = operation({
  id: 'v2_retrieve_master_account',
  method: 'GET',
  path: '/v2/accounts/master_account/:master_account_id',
  summary: 'Retrieve a master account',
  status: 200,
  params: Type.Object({ master_account_id: Type.String() }),
  response: MasterAccount,
  example: {
    params: ({ seed }) => ({ master_account_id: seed('master_account_id') }),
  },
  run: ({ bank }, { params }) =>
    viewMasterAccount(
      bank.accounts.masterById(readId('master_account', params.master_account_id)),
      bank.program,
    ),
});
