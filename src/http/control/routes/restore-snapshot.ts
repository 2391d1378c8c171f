/**
 * Goes on with the bank of a snapshot, as if nothing had happened since: the same calls then get the same answers. A
 * clock that stood still or was moved does so again; one that follows the real time goes on with it.
 */
import { NameParams, snapshotOf } from '../names.ts';
import { controlOperation } from '../operation.ts';
import { StateView, viewState } from '../state.ts';

export const restoreSnapshot = controlOperation({
  id: 'sandbox_restore_snapshot',
  method: 'POST',
  path: '/_sandbox/snapshots/:name/restore',
  group: 'State',
  summary: 'Go on with the bank of a snapshot',
  status: 200,
  refuses: ['snapshot_not_found', 'image_invalid'],
  params: NameParams,
  response: StateView,
  example: { params: { name: 'payday' } },
  run: async ({ registry, sandbox }, { params }) => {
    await registry.exchange(sandbox, await snapshotOf(registry, sandbox.name, params.name));
    return viewState(sandbox);
  },
});
