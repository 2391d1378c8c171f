/**
 * Ends a holder's KYC or KYB as told, whatever its number stands for, or the IDV that a person was sent to, and does what only the platform does: lock, unlock.
 */
import { Type } from '@sinclair/typebox';
import { HOLDER_EVENTS } from '../../../bank/party-simulation.ts';
import { readId } from '../../../dialects/v2/ids.ts';
import { SubAccountHolder } from '../../../dialects/v2/shapes/holder.ts';
import { viewHolder } from '../../../dialects/v2/views/holder.ts';
import { controlOperation } from '../operation.ts';
import { readEvent } from '../simulate.ts';

export const simulateHolder = controlOperation({
  id: 'sandbox_simulate_holder',
  method: 'POST',
  path: '/_sandbox/simulate/holders/:id/:event',
  group: 'Simulate',
  summary: "Pass, review or fail a holder's verification or a person's IDV; lock or unlock a holder",
  status: 200,
  refuses: ['holder_not_found', 'illegal_step'],
  params: Type.Object({ id: Type.String(), event: Type.String({ description: HOLDER_EVENTS.join(', ') }) }),
  response: Type.Object({ holder: SubAccountHolder }),
  example: { params: (world) => ({ id: world.seed('person_holder_id'), event: 'lock' }) },
  run: async ({ sandbox }, { params }) => {
    const id = readId('holder', params.id);
    const event = readEvent(params.event, HOLDER_EVENTS);
    const file = await sandbox.commit(() => sandbox.bank.simulation.holder(id, event));
    return { holder: viewHolder(file, sandbox.program) };
  },
});
