/**
 * Keeps the bank as it is under a name, in place of what had the name before: data, clock, planned steps, deliveries and
 * the place in the random sequence.
 */
import { NameParams, readSnapshotName } from '../names.ts';
import { controlOperation } from '../operation.ts';
import { SnapshotView } from '../state.ts';

export const takeSnapshot = controlOperation({
  id: 'sandbox_take_snapshot',
  method: 'PUT',
  path: '/_sandbox/snapshots/:name',
  group: 'State',
  summary: 'Keep the bank as it is',
  status: 200,
  params: NameParams,
  response: SnapshotView,
  example: { params: { name: 'payday' } },
  run: async ({ registry, sandbox }, { params }) => {
    const name = readSnapshotName(params.name);
    return { name, bytes: await registry.snapshots.take(sandbox, name) };
  },
});
