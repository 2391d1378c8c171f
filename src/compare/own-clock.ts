/**
 * Advances the clock of this bank to the next due step, one step at a time, so that a poll sees every state. The
 * clock of the other side is never moved.
 */

import type { Sandbank } from '../kit/bank.ts';
import { SandbankError } from '../kit/client/error.ts';
import type { Side } from './side.ts';

/** The clock has already passed the instant, or another request moves it. */
const OVERTAKEN: readonly number[] = [400, 409];
const MAX_TIMERS = '50';

/** A side with a movable clock. A bank without a control plane only waits. */
export function ownClock(bank: Pick<Sandbank, 'sandbox'>): Required<Pick<Side, 'pass' | 'passedMs'>> {
  let isAllowed = true;
  let passedMs = 0;
  const pass = async (): Promise<boolean> => {
    if (!isAllowed) return false;
    try {
      const { clock, timers } = await bank.sandbox.listTimers({ query: { limit: MAX_TIMERS } });
      // Scenarios do not wait for retries of deliveries.
      const due = timers.find(({ kind }) => kind === 'step')?.due_at;
      if (due === undefined) return false;
      if (due > clock.now) {
        await bank.sandbox.advanceClock({ body: { to: due } });
        passedMs += Date.parse(due) - Date.parse(clock.now);
      }
      return true;
    } catch (error) {
      if (error instanceof SandbankError && OVERTAKEN.includes(error.status)) return true;
      isAllowed = false;
      return false;
    }
  };
  return { pass, passedMs: () => passedMs };
}
