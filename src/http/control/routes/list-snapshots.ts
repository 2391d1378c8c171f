/**
 * Lists the snapshots of the sandbox.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';
import { SnapshotView } from '../state.ts';

export const listSnapshots = controlOperation({
  id: 'sandbox_list_snapshots',
  method: 'GET',
  path: '/_sandbox/snapshots',
  group: 'State',
  summary: 'List the snapshots of the sandbox',
  status: 200,
  response: Type.Object({ snapshots: Type.Array(SnapshotView) }),
  run: ({ registry, sandbox }) => ({ snapshots: registry.snapshots.list(sandbox.name) }),
});
