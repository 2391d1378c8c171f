/**
 * Lets time pass on this bank: its clock is moved to the instant at which something is due next, one step at a time, so that
 * a poll sees every state. Of the other side no clock is ever moved.
 */
import { SandbankError } from '../client/error.ts';
import type { Sandbank } from '../kit/bank.ts';

/** The clock passed the instant by itself, or something else moves it. */
const OVERTAKEN: readonly number[] = [400, 409];
const MOST_TIMERS = '50';

/** Moves the clock to what is due next; answers whether anything was. A bank without a control plane only waits. */
export function passOn(bank: Pick<Sandbank, 'sandbox'>): () => Promise<boolean> {
  let isAllowed = true;
  return async () => {
    if (!isAllowed) return false;
    try {
      const { clock, timers } = await bank.sandbox.listTimers({ query: { limit: MOST_TIMERS } });
      // A retry of a delivery is not what a scenario waits for.
      const due = timers.find(({ kind }) => kind === 'step')?.due_at;
      if (due === undefined) return false;
      if (due > clock.now) await bank.sandbox.advanceClock({ body: { to: due } });
      return true;
    } catch (error) {
      if (error instanceof SandbankError && OVERTAKEN.includes(error.status)) return true;
      isAllowed = false;
      return false;
    }
  };
}
