/**
 * The state of a bank in short, as every operation answers it that went on with another one.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { ClockView, viewClock } from './time-views.ts';

export const StateView = Type.Object({
  sandbox: Type.String(),
  clock: ClockView,
  counts: Type.Record(Type.String(), Type.Integer()),
});

export const SnapshotView = Type.Object({ name: Type.String(), bytes: Type.Integer() });

/** What a bank holds, and where its clock stands. */
export function viewState(sandbox: Sandbox): Static<typeof StateView> {
  return { sandbox: sandbox.name, clock: viewClock(sandbox), counts: sandbox.store.counts() };
}
