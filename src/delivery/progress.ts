/**
 * Whether the receivers of webhooks accept anything, by the real clock: the sandbox's may stand still. A webhook that is not
 * attempted makes no progress and does not stall either, so deliveries that wait while nothing is sent are kept.
 * Source: decision `delivery-queue-length` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../kernel/time.ts';

/** A receiver that has accepted nothing for so long, although it was attempted, is stalled. */
const STALLED_MS = MINUTE_MS;
/** Requests wait for a receiver only if it has accepted something within so long. */
const ACCEPTING_MS = SECOND_MS;

export interface Progress {
  /** An attempt begins. */
  begin(webhookId: Id): void;
  /** It has ended. */
  end(webhookId: Id, isAccepted: boolean): void;
  /** Whether it was attempted and has accepted nothing for a minute. */
  isStalled(webhookId: Id): boolean;
  /** Whether it has accepted something within the last second. */
  isAccepting(webhookId: Id): boolean;
}

interface State {
  inFlight: number;
  /** When the first attempt began after which nothing was accepted; `null` while there is none. */
  tryingSince: Instant | null;
  acceptedAt: Instant;
}

/** The progress of one courier's webhooks. */
export function createProgress(wallClock: Clock): Progress {
  const states = new Map<Id, State>();
  const stateOf = (webhookId: Id): State => {
    const known = states.get(webhookId);
    if (known !== undefined) return known;
    const state: State = { inFlight: 0, tryingSince: null, acceptedAt: Number.NEGATIVE_INFINITY };
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
      state.acceptedAt = wallClock.now();
      state.tryingSince = state.inFlight > 0 ? state.acceptedAt : null;
    },
    isStalled(webhookId) {
      const since = states.get(webhookId)?.tryingSince ?? null;
      return since !== null && wallClock.now() - since >= STALLED_MS;
    },
    isAccepting(webhookId) {
      const acceptedAt = states.get(webhookId)?.acceptedAt;
      return acceptedAt !== undefined && wallClock.now() - acceptedAt < ACCEPTING_MS;
    },
  };
}
