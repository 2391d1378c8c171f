/**
 * Snapshots of a sandbox: list, retrieve, take, delete and restore.
 */
import { Type } from '@sinclair/typebox';
import { refuse } from '../../bank/kernel/refusal.ts';
import { parseName } from '../registry/names.ts';
import { controlOperation } from './operation.ts';
import { NameParams } from './sandboxes.ts';
import { exchange, formatState, SnapshotView, StateView } from './state.ts';

export const SNAPSHOT_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_snapshots',
    method: 'GET',
    path: '/_sandbox/snapshots',
    group: 'State',
    summary: 'List the snapshots of the sandbox',
    description:
      'Lists the snapshots of the sandbox with their sizes and the times on its clock. A reset keeps them.',
    answer: 'The snapshots with their sizes.',
    status: 200,
    response: Type.Object({ snapshots: Type.Array(SnapshotView) }),
    run: ({ registry, sandbox }) => ({ snapshots: registry.snapshots.list(sandbox.name) }),
  }),

  controlOperation({
    id: 'sandbox_retrieve_snapshot',
    method: 'GET',
    path: '/_sandbox/snapshots/:name',
    group: 'State',
    summary: 'Show what is in a snapshot',
    description:
      'Shows what a snapshot contains: its clock, its counts and the state of its books. The bank of the sandbox does not change.',
    answer: 'What the snapshot contains.',
    status: 200,
    refuses: ['snapshot_not_found', 'field_invalid'],
    params: NameParams,
    response: Type.Intersect([SnapshotView, StateView]),
    example: { params: { name: 'payday' } },
    run: async ({ registry, sandbox }, { params: { name } }) => {
      const image = await registry.images.ofSnapshot(sandbox.name, name);
      const state = registry.seedImages.withTemporary(image, (bank) => formatState(sandbox.name, bank));
      const [row] = registry.snapshots.list(sandbox.name).filter((one) => one.name === name);
      return { ...state, name, bytes: row?.bytes ?? 0 };
    },
  }),

  controlOperation({
    id: 'sandbox_take_snapshot',
    method: 'PUT',
    path: '/_sandbox/snapshots/:name',
    group: 'State',
    summary: 'Take a snapshot',
    description:
      'Stores the bank under a name: data, clock, scheduled steps, deliveries and the position in the random sequence. An existing snapshot with that name is replaced.',
    answer: 'The snapshot.',
    status: 200,
    refuses: ['field_invalid'],
    params: NameParams,
    response: SnapshotView,
    example: { params: { name: 'payday' } },
    run: async ({ registry, sandbox }, { params }) => {
      const name = parseName(params.name);
      return { name, bytes: await registry.snapshots.take(sandbox, name) };
    },
  }),

  controlOperation({
    id: 'sandbox_delete_snapshot',
    method: 'DELETE',
    path: '/_sandbox/snapshots/:name',
    group: 'State',
    summary: 'Delete a snapshot',
    description: 'Deletes a snapshot. Sandboxes that were created from it do not change.',
    answer: 'The snapshot was deleted; there is no body.',
    status: 204,
    refuses: ['snapshot_not_found', 'field_invalid'],
    params: NameParams,
    example: { params: { name: 'payday' } },
    run: ({ registry, sandbox }, { params }) => {
      const name = parseName(params.name);
      if (registry.snapshots.remove(sandbox.name, name)) return;
      throw refuse('snapshot_not_found', { message: `the sandbox ${sandbox.name} has no snapshot ${name}` });
    },
  }),

  controlOperation({
    id: 'sandbox_restore_snapshot',
    method: 'POST',
    path: '/_sandbox/snapshots/:name/restore',
    group: 'State',
    summary: 'Restore a snapshot',
    description:
      'Restores the bank of a snapshot; the same requests then get the same responses. A clock that was frozen or moved is restored, and a live clock follows the real time.',
    answer: 'The restored bank.',
    status: 200,
    refuses: ['snapshot_not_found', 'image_invalid', 'field_invalid'],
    params: NameParams,
    response: StateView,
    example: { params: { name: 'payday' } },
    run: async ({ registry, sandbox }, { params }) => {
      return exchange(registry, sandbox, await registry.images.ofSnapshot(sandbox.name, params.name));
    },
  }),
] as const;
