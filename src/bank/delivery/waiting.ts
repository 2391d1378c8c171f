/**
 * Why a delivery waits. One pure function decides it from the state of the delivery, its webhook and the courier. The
 * courier starts only deliveries that this function releases, and the control plane shows its result, so the two
 * cannot differ.
 * Source: decision `delivery-order` in docs/fidelity.md.
 */
import type { Instant } from '../kernel/time.ts';
import type { Webhook } from '../model/records.ts';

/** Every reason, in the usual order. */
export const WAIT_REASONS = [
  'no_webhook',
  'webhook_paused',
  'behind_event',
  'in_flight',
  'retry_due',
  'chaos_hold',
  'receiver_busy',
  'commit_failed',
  'clock_stopped',
  'dropped',
  'delivered',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** The state of a delivery at one moment. */
export interface WaitFacts {
  /** `none` if the webhook has no delivery of the event. */
  readonly state: 'none' | 'waiting' | 'delivered' | 'exhausted' | 'dropped';
  /** `null` if there is no webhook. */
  readonly webhook: Webhook['status'] | null;
  /** Its request was sent and has no response yet, or the response is not recorded yet. */
  readonly isInFlight?: boolean;
  /** The maximum number of earlier events of the same record is in flight. */
  readonly isBehind?: boolean;
  /** The maximum number of requests is in flight for the webhook. */
  readonly isReceiverFull?: boolean;
  /** Sending pauses until this instant, because a result could not be committed; `null` if it does not pause. */
  readonly commitFailedUntil?: Instant | null;
  /** Chaos holds it back until this instant, to delay it or to change the order; `null` if it does not. */
  readonly chaosUntil?: Instant | null;
  /** When its retry is due; `null` for a first attempt. */
  readonly retryAt?: Instant | null;
  readonly now: Instant;
  /** The clock of the sandbox is frozen. */
  readonly isClockStopped?: boolean;
}

export interface Wait {
  readonly reason: WaitReason;
  /** On the sandbox's clock; `null` where no instant is known. */
  readonly until: Instant | null;
}

const because = (reason: WaitReason, until: Instant | null = null): Wait => ({ reason, until });

/** Why a delivery is not sent at this moment; `undefined` if it may be sent. */
export function whyWaiting(facts: WaitFacts): Wait | undefined {
  const { state, webhook, now, commitFailedUntil = null, chaosUntil = null, retryAt = null } = facts;
  if (state === 'delivered') return because('delivered');
  if (state === 'none') return because(webhook === 'paused' ? 'webhook_paused' : 'no_webhook');
  if (state !== 'waiting') return because('dropped');
  if (facts.isInFlight === true) return because(facts.isBehind === true ? 'behind_event' : 'in_flight');
  if (webhook === 'paused') return because('webhook_paused');
  if (commitFailedUntil !== null) return because('commit_failed', commitFailedUntil);
  // Deliveries of a webhook that ended are dropped as soon as the queue is read.
  if (webhook !== 'active') return because('dropped');
  if (facts.isBehind === true) return because('behind_event');
  if (chaosUntil !== null && chaosUntil > now) return because('chaos_hold', chaosUntil);
  if (retryAt !== null && retryAt > now) {
    return because(facts.isClockStopped === true ? 'clock_stopped' : 'retry_due', retryAt);
  }
  return facts.isReceiverFull === true ? because('receiver_busy') : undefined;
}
