/**
 * Tells what is in a snapshot: the bank is opened aside and looked at.
 */
import { Type } from '@sinclair/typebox';
import { NameParams, snapshotOf } from '../names.ts';
import { controlOperation } from '../operation.ts';
import { SnapshotView, StateView, viewState } from '../state.ts';

export const retrieveSnapshot = controlOperation({
  id: 'sandbox_retrieve_snapshot',
  method: 'GET',
  path: '/_sandbox/snapshots/:name',
  group: 'State',
  summary: 'What is in a snapshot',
  status: 200,
  refuses: ['snapshot_not_found'],
  params: NameParams,
  response: Type.Intersect([SnapshotView, StateView]),
  example: { params: { name: 'payday' } },
  run: async ({ registry, sandbox }, { params: { name } }) => {
    const image = await snapshotOf(registry, sandbox.name, name);
    const state = registry.founder.aside(image, viewState);
    const [row] = registry.snapshots.list(sandbox.name).filter((one) => one.name === name);
    return { ...state, sandbox: sandbox.name, name, bytes: row?.bytes ?? 0 };
  },
});
