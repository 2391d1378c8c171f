/**
 * Does to a sub account what only the platform does: lock, unlock.
 */
import { Type } from '@sinclair/typebox';
import { ACCOUNT_EVENTS } from '../../../bank/party-simulation.ts';
import { readId } from '../../../dialects/v2/ids.ts';
import { SubAccount } from '../../../dialects/v2/shapes/account.ts';
import { viewAccount } from '../../../dialects/v2/views/account.ts';
import { controlOperation } from '../operation.ts';
import { readEvent } from '../simulate.ts';

export const simulateAccount = controlOperation({
  id: 'sandbox_simulate_account',
  method: 'POST',
  path: '/_sandbox/simulate/accounts/:id/:event',
  group: 'Simulate',
  summary: 'Lock or unlock a sub account',
  status: 200,
  refuses: ['account_not_found', 'illegal_step'],
  params: Type.Object({ id: Type.String(), event: Type.String({ description: ACCOUNT_EVENTS.join(', ') }) }),
  response: Type.Object({ account: SubAccount }),
  example: { params: (world) => ({ id: world.seed('sub_account_id'), event: 'lock' }) },
  run: async ({ sandbox }, { params }) => {
    const id = readId('account', params.id);
    const event = readEvent(params.event, ACCOUNT_EVENTS);
    const file = await sandbox.commit(() => sandbox.bank.simulation.account(id, event));
    return { account: viewAccount(file, sandbox.program) };
  },
});
