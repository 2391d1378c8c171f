/**
 * PATCH /v1/account/{accountId}: changes the label, the metadata, the status and the configuration. What a configuration
 * leaves out stays as it is.
 * Source: the account configuration of the platform's v1 reference; rows 151 and 152 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readAccountChange } from '../../../dialects/v1/readers/account.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Account, AccountChangeBody } from '../../../dialects/v1/shapes/account.ts';
import { viewAccount } from '../../../dialects/v1/views/account.ts';
import { operation } from '../../operation.ts';

export const updateAccount = operation({
  id: 'updateAccount',
  method: 'PATCH',
  path: '/v1/account/:accountId',
  summary: 'Update an account',
  status: 200,
  refuses: ['illegal_step', 'account_not_empty'],
  params: Type.Object({ accountId: Type.String() }),
  body: AccountChangeBody,
  response: Account,
  example: {
    params: ({ seed }) => ({ accountId: seed('account_id') }),
    body: {
      label: 'Household',
      metadata: { externalId: '42' },
      status: 'active',
      config: {
        card: { virtual: { enabled: true, count: '10' }, physical: { enabled: true, count: '2' } },
        send: {
          intrabank: { enabled: true },
          ach: { enabled: true, sameDay: false },
          wire: { enabled: true },
          internationalWire: { enabled: false },
          check: { enabled: true },
          card: { enabled: false },
          debitCard: { enabled: true },
        },
        receive: {
          intrabank: { enabled: true },
          ach: { enabled: true, sameDay: true },
          check: { enabled: true },
          debitCard: { enabled: true },
        },
        limits: {
          send: { daily: '2000.00', monthly: '20000.00', ach: { daily: '1000.00', monthly: '' } },
          receive: { daily: '', monthly: '50000.00', ach: { daily: '5000.00', monthly: '' } },
        },
        fallback: { received: null },
        incoming: {
          achPull: { enabled: true, allowedOriginators: [], blockedOriginators: ['Gray Harbor Loans'] },
        },
      },
    },
  },
  run({ bank }, { params, body }) {
    const id = readId('account', params.accountId);
    return viewAccount(bank.accounts.change(id, readAccountChange(body)), bank.program);
  },
});
