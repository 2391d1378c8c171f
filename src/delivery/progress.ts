/**
 * Whether the receivers of webhooks accept anything, by the real clock: the sandbox's may stand still. A webhook that is not
 * attempted makes no progress and does not stall either, so deliveries that wait while nothing is sent are kept.
 * Source: decision `delivery-queue-length` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import { type Clock, type Instant, MINUTE_MS } from '../kernel/time.ts';

/** A receiver that has accepted nothing for so long, although it was attempted, is stalled. */
const STALLED_MS = MINUTE_MS;

export interface Progress {
  /** An attempt begins. */
  begin(webhookId: Id): void;
  /** It has ended. */
  end(webhookId: Id, isAccepted: boolean): void;
  /** Whether it was attempted and has accepted nothing for a minute. */
  isStalled(webhookId: Id): boolean;
}

interface State {
  inFlight: number;
  /** When the first attempt began after which nothing was accepted; `null` while there is none. */
  tryingSince: Instant | null;
}

/** The progress of one courier's webhooks. */
export function createProgress(wallClock: Clock): Progress {
  const states = new Map<Id, State>();
  const stateOf = (webhookId: Id): State => {
    const known = states.get(webhookId);
    if (known !== undefined) return known;
    const state: State = { inFlight: 0, tryingSince: null };
    states.set(webhookId, state);
    return state;
  };
  return {
    begin(webhookId) {
      const state = stateOf(webhookId);
      state.inFlight += 1;
      state.tryingSince ??= wallClock.now();
    },
    end(webhookId, isAccepted) {
      const state = stateOf(webhookId);
      state.inFlight -= 1;
      if (!isAccepted) return;
      state.tryingSince = state.inFlight > 0 ? wallClock.now() : null;
    },
    isStalled(webhookId) {
      const since = states.get(webhookId)?.tryingSince ?? null;
      return since !== null && wallClock.now() - since >= STALLED_MS;
    },
  };
}
