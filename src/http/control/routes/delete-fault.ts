/**
 * Ends one fault.
 */
import { Type } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import { controlOperation } from '../operation.ts';

export const deleteFault = controlOperation({
  id: 'sandbox_delete_fault',
  method: 'DELETE',
  path: '/_sandbox/faults/:id',
  group: 'Faults',
  summary: 'End a fault',
  status: 204,
  refuses: ['fault_not_found'],
  params: Type.Object({ id: Type.String() }),
  run: ({ sandbox }, { params }) => {
    if (!sandbox.faults.remove(params.id)) throw refuse('fault_not_found');
  },
});
