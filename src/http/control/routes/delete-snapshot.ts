/**
 * Deletes a snapshot; banks that were made from it are not touched.
 */
import { refuse } from '../../../kernel/refusal.ts';
import { NameParams, readSnapshotName } from '../names.ts';
import { controlOperation } from '../operation.ts';

export const deleteSnapshot = controlOperation({
  id: 'sandbox_delete_snapshot',
  method: 'DELETE',
  path: '/_sandbox/snapshots/:name',
  group: 'State',
  summary: 'Delete a snapshot',
  status: 204,
  refuses: ['snapshot_not_found'],
  params: NameParams,
  example: { params: { name: 'payday' } },
  run: ({ registry, sandbox }, { params }) => {
    const name = readSnapshotName(params.name);
    if (registry.snapshots.remove(sandbox.name, name)) return;
    throw refuse('snapshot_not_found', { message: `the sandbox ${sandbox.name} has no snapshot ${name}` });
  },
});
