/**
 * Has requests of the sandbox go wrong: late, refused, or with a broken connection, before they are carried out or after.
 */
import { refuse } from '../../../kernel/refusal.ts';
import { FaultInput, FaultView, MOST_FAULTS, readFault, viewFault } from '../faults.ts';
import { controlOperation } from '../operation.ts';

export const createFault = controlOperation({
  id: 'sandbox_create_fault',
  method: 'POST',
  path: '/_sandbox/faults',
  group: 'Faults',
  summary: 'Have requests go wrong',
  status: 201,
  body: FaultInput,
  response: FaultView,
  example: { body: { match: { method: 'POST', route: '/v2/payments/*' }, error: { status: 503 }, times: 1 } },
  run: ({ sandbox }, { body }) => {
    const setting = readFault(body);
    if (sandbox.faults.list().length >= MOST_FAULTS) {
      throw refuse('field_invalid', {
        message: `a sandbox has at most ${MOST_FAULTS} faults; delete those that are over`,
      });
    }
    return viewFault(sandbox.faults.add(setting));
  },
});
