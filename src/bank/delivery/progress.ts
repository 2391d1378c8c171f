/**
 * Whether the receivers of webhooks accept deliveries, by the real clock: the sandbox's clock may be frozen. A
 * webhook without attempts makes no progress and does not stall either, so deliveries that wait while sending pauses
 * are kept.
 * Source: decision `delivery-queue-length` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import { type Clock, type Instant, MINUTE_MS } from '../kernel/time.ts';

/** A receiver that has accepted nothing for this time, in spite of attempts, is stalled. */
const STALLED_MS = MINUTE_MS;

export interface Progress {
  /** An attempt begins. */
  begin(webhookId: Id): void;
  /** It has ended. */
  end(webhookId: Id, isAccepted: boolean): void;
  /** Whether attempts were made and none succeeded for a minute. */
  isStalled(webhookId: Id): boolean;
}

interface State {
  inFlight: number;
  /** The start of the first attempt since the last success; `null` if there is none. */
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
