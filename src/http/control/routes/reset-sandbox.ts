/**
 * Brings the sandbox back to how its bank was founded: the same records under the same ids, and the clock as the process
 * set it. What was asked before runs on the old bank to its end; what is asked after sees nothing of it.
 */
import { controlOperation } from '../operation.ts';
import { StateView, viewState } from '../state.ts';

export const resetSandbox = controlOperation({
  id: 'sandbox_reset',
  method: 'POST',
  path: '/_sandbox/reset',
  group: 'State',
  summary: 'Bring the bank back to how it was founded',
  status: 200,
  response: StateView,
  run: async ({ registry, sandbox }) => {
    await registry.exchange(sandbox, registry.founder.imageOf(sandbox));
    return viewState(sandbox);
  },
});
