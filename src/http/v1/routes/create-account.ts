/**
 * POST /v1/account: opens an account for a business, a family, or the person on whose behalf the call is made. It begins
 * with 1000.00, as in the platform's sandbox.
 * Source: "create an account" of the platform's v1 reference; rows 43, 150 and 158 of docs/fidelity.md.
 */
import { readNewAccount } from '../../../dialects/v1/readers/account.ts';
import { Account, NewAccountBody } from '../../../dialects/v1/shapes/account.ts';
import { viewAccount } from '../../../dialects/v1/views/account.ts';
import { operation } from '../../operation.ts';

export const createAccount = operation({
  id: 'createAccount',
  method: 'POST',
  path: '/v1/account',
  summary: 'Create an account',
  status: 201,
  refuses: ['holder_not_verified', 'holder_not_active'],
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
      metadata: { externalId: '42' },
    },
  },
  run({ bank, personId }, { body }) {
    return viewAccount(bank.accounts.open(readNewAccount(body, personId)), bank.program);
  },
});
