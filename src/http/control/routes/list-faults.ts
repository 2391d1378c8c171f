/**
 * Lists the faults in the order in which requests meet them, with what each has done so far.
 */
import { Type } from '@sinclair/typebox';
import { FaultView, viewFault } from '../faults.ts';
import { controlOperation } from '../operation.ts';

export const listFaults = controlOperation({
  id: 'sandbox_list_faults',
  method: 'GET',
  path: '/_sandbox/faults',
  group: 'Faults',
  summary: 'List the faults',
  status: 200,
  response: Type.Object({ faults: Type.Array(FaultView) }),
  run: ({ sandbox }) => ({ faults: sandbox.faults.list().map(viewFault) }),
});
