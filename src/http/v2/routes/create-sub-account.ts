/**
 * Opens a sub account at 0.00 for a holder who has passed verification.
 * Source: the sub account operations of the platform's v2 reference; rows 43 and 157 of docs/fidelity.md.
 */
import { readNewAccount } from '../../../dialects/v2/readers/account.ts';
import { NewSubAccount, SubAccount } from '../../../dialects/v2/shapes/account.ts';
import { viewAccount } from '../../../dialects/v2/views/account.ts';
import { operation } from '../../operation.ts';

export const createSubAccount = operation({
  id: 'v2_create_sub_account',
  method: 'POST',
  path: '/v2/accounts/sub_account',
  summary: 'Create a sub account',
  status: 201,
  refuses: ['holder_not_verified', 'holder_not_active'],
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
  run: ({ bank }, { body }) => viewAccount(bank.accounts.open(readNewAccount(body)), bank.program),
});
