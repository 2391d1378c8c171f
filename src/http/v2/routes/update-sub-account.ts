/**
 * Changes a sub account: its label, references, metadata and status, each only when it is sent. Closing is for good.
 * Source: the sub account operations of the platform's v2 reference; rows 46 and 151 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { readAccountChange } from '../../../dialects/v2/readers/account.ts';
import { SubAccount, SubAccountUpdate } from '../../../dialects/v2/shapes/account.ts';
import { viewAccount } from '../../../dialects/v2/views/account.ts';
import { operation } from '../../operation.ts';

export const updateSubAccount = operation({
  id: 'v2_update_sub_account',
  method: 'PATCH',
  path: '/v2/accounts/sub_account/:sub_account_id',
  summary: 'Update a sub account',
  status: 200,
  refuses: ['illegal_step', 'account_not_empty'],
  params: Type.Object({ sub_account_id: Type.String() }),
  body: SubAccountUpdate,
  response: SubAccount,
  example: {
    params: ({ seed }) => ({ sub_account_id: seed('sub_account_id') }),
    body: {
      label: 'Rent',
      external_reference_id: 'ledger-8',
      purpose: 'Housing',
      metadata: { team: 'south' },
      status: 'open',
    },
  },
  run: ({ bank }, { params, body }) =>
    viewAccount(
      bank.accounts.change(readId('account', params.sub_account_id), readAccountChange(body)),
      bank.program,
    ),
});
