/**
 * Snapshots of a sandbox: list, retrieve, take, delete and restore.
 */
import { Type } from '@sinclair/typebox';
import { refuse } from '../kernel/refusal.ts';
import { controlOperation } from './operation.ts';
import { NameParams, parseSnapshotName, snapshotOf } from './sandboxes.ts';
import { exchange, formatState, SnapshotView, StateView } from './state.ts';

export const SNAPSHOT_OPERATIONS = [
  /**
   * Lists the snapshots of the sandbox.
   */
  controlOperation({
    id: 'sandbox_list_snapshots',
    method: 'GET',
    path: '/_sandbox/snapshots',
    group: 'State',
    summary: 'List the snapshots of the sandbox',
    status: 200,
    response: Type.Object({ snapshots: Type.Array(SnapshotView) }),
    run: ({ registry, sandbox }) => ({ snapshots: registry.snapshots.list(sandbox.name) }),
  }),

  /**
   * Shows what is in a snapshot: its bank is opened separately and read.
   */
  controlOperation({
    id: 'sandbox_retrieve_snapshot',
    method: 'GET',
    path: '/_sandbox/snapshots/:name',
    group: 'State',
    summary: 'Show what is in a snapshot',
    status: 200,
    refuses: ['snapshot_not_found'],
    params: NameParams,
    response: Type.Intersect([SnapshotView, StateView]),
    example: { params: { name: 'payday' } },
    run: async ({ registry, sandbox }, { params: { name } }) => {
      const image = await snapshotOf(registry, sandbox.name, name);
      const state = registry.seedImages.withTemporary(image, (bank) => formatState(sandbox.name, bank));
      const [row] = registry.snapshots.list(sandbox.name).filter((one) => one.name === name);
      return { ...state, name, bytes: row?.bytes ?? 0 };
    },
  }),

  /**
   * Stores the bank as it is under a name, and replaces a snapshot of that name: data, clock, planned steps, deliveries and
   * the place in the random sequence.
   */
  controlOperation({
    id: 'sandbox_take_snapshot',
    method: 'PUT',
    path: '/_sandbox/snapshots/:name',
    group: 'State',
    summary: 'Take a snapshot',
    status: 200,
    params: NameParams,
    response: SnapshotView,
    example: { params: { name: 'payday' } },
    run: async ({ registry, sandbox }, { params }) => {
      const name = parseSnapshotName(params.name);
      return { name, bytes: await registry.snapshots.take(sandbox, name) };
    },
  }),

  /**
   * Deletes a snapshot; banks that were made from it are not touched.
   */
  controlOperation({
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
      const name = parseSnapshotName(params.name);
      if (registry.snapshots.remove(sandbox.name, name)) return;
      throw refuse('snapshot_not_found', { message: `the sandbox ${sandbox.name} has no snapshot ${name}` });
    },
  }),

  /**
   * Restores the bank of a snapshot: the same calls then get the same answers. A clock that was frozen or moved is so
   * again; one that follows real time goes on with it.
   */
  controlOperation({
    id: 'sandbox_restore_snapshot',
    method: 'POST',
    path: '/_sandbox/snapshots/:name/restore',
    group: 'State',
    summary: 'Restore a snapshot',
    status: 200,
    refuses: ['snapshot_not_found', 'image_invalid'],
    params: NameParams,
    response: StateView,
    example: { params: { name: 'payday' } },
    run: async ({ registry, sandbox }, { params }) => {
      return exchange(registry, sandbox, await snapshotOf(registry, sandbox.name, params.name));
    },
  }),
] as const;
