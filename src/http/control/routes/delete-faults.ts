/**
 * Ends all faults; a request that hangs already stays so until its caller gives up.
 */
import { controlOperation } from '../operation.ts';

export const deleteFaults = controlOperation({
  id: 'sandbox_delete_faults',
  method: 'DELETE',
  path: '/_sandbox/faults',
  group: 'Faults',
  summary: 'End all faults',
  status: 204,
  run: ({ sandbox }) => {
    sandbox.faults.clear();
  },
});
