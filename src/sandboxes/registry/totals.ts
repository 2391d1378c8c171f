/** The pending work of sandboxes, for the metrics. */
import type { Sandbox } from '../sandbox/sandbox.ts';

/** The pending work of sandboxes, added up. */
export interface Totals {
  readonly waitingDeliveries: number;
  readonly plannedSteps: number;
  /** Of the oldest pending delivery, on the clock of its sandbox. */
  readonly longestWaitMs: number;
}

/** The pending work of these sandboxes. */
export function totalsOf(sandboxes: readonly Sandbox[]): Totals {
  const totals = { waitingDeliveries: 0, plannedSteps: 0, longestWaitMs: 0 };
  for (const sandbox of sandboxes) {
    const opened = sandbox.opened();
    if (opened === undefined) continue;
    const { waiting_deliveries: waiting = 0, planned_steps: planned = 0 } = opened.store.counts();
    const since = opened.queue.oldestAt();
    totals.waitingDeliveries += waiting;
    totals.plannedSteps += planned;
    if (since !== null) totals.longestWaitMs = Math.max(totals.longestWaitMs, opened.clock.now() - since);
  }
  return totals;
}
