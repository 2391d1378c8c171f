/**
 * The state of a bank in short, as every operation answers it that went on with another one.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { Counts, text } from './shapes.ts';
import { ClockView, viewClock } from './time-views.ts';

export const StateView = Type.Object({
  sandbox: text('The name of the sandbox.'),
  clock: ClockView,
  counts: Counts,
});

export const SnapshotView = Type.Object({
  name: Type.String(),
  bytes: Type.Integer({ description: 'How large the image is.' }),
});

/** What a bank holds, and where its clock stands. */
export function viewState(sandbox: Sandbox): Static<typeof StateView> {
  return { sandbox: sandbox.name, clock: viewClock(sandbox), counts: sandbox.store.counts() };
}
