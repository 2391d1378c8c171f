/**
 * Reads from a running courier why one delivery waits: it collects the courier's state for `whyWaiting`. It changes
 * nothing.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Due, Queue } from '../outbox/queue.ts';
import { type Chaos, isShuffled } from './chaos.ts';
import { type Wait, type WaitFacts, whyWaiting } from './waiting.ts';
import type { WebhookQueue } from './webhook-queue.ts';

/** A waiting delivery; `seq` is `null` while it has no row, and then it is behind all deliveries with a row. */
export type WaitingDelivery = Pick<Due['delivery'], 'webhookId' | 'attempts' | 'dueAt'> & {
  readonly seq: number | null;
};

/** `behind` is the delivery that must end first. */
export interface WaitBehind extends Wait {
  readonly behind: Due | undefined;
}

interface WaitSources {
  queue: Queue;
  /** The values that are the same for every delivery. */
  stateOfAll(): Pick<WaitFacts, 'state' | 'commitFailedUntil' | 'now'>;
  /** `undefined` for a webhook without any attempt yet. */
  stateOf(webhookId: Id): { firstAttempts: WebhookQueue; flushAt: Instant | null } | undefined;
  /** The retries in flight. */
  retrying(webhookId: Id): ReadonlySet<number> | undefined;
  /** Their maximum number. */
  retriesAtOnce: number;
  chaosOf(webhookId: Id): Chaos | undefined;
  isClockStopped(): boolean;
}

/** Returns `undefined` if the delivery does not wait. */
export function createWaitReader(
  sources: WaitSources,
): (delivery: WaitingDelivery, resourceId: Id) => WaitBehind | undefined {
  const { queue, stateOfAll } = sources;
  const statusOf = (webhookId: Id) => queue.webhook(webhookId)?.status ?? null;

  const ofRetry = ({ seq, webhookId, attempts, dueAt }: WaitingDelivery): Wait | undefined => {
    const slots = sources.retrying(webhookId);
    const isDelayed =
      seq !== null && attempts === 1 && sources.chaosOf(webhookId)?.decideDelayed(seq) !== undefined;
    return whyWaiting({
      ...stateOfAll(),
      webhook: statusOf(webhookId),
      isInFlight: seq !== null && slots?.has(seq) === true,
      isReceiverFull: (slots?.size ?? 0) >= sources.retriesAtOnce,
      chaosUntil: isDelayed ? dueAt : null,
      retryAt: dueAt,
      isClockStopped: sources.isClockStopped(),
    });
  };

  const ofFirst = ({ seq, webhookId }: WaitingDelivery, resourceId: Id): WaitBehind | undefined => {
    const place = seq ?? Number.MAX_SAFE_INTEGER;
    const state = sources.stateOf(webhookId);
    const own = state?.firstAttempts.placeOf(place, resourceId);
    const isInFlight = own?.isInFlight === true;
    // Chaos uses its own order.
    const isMixed = isShuffled(sources.chaosOf(webhookId));
    const started = own === undefined || own.behind === null ? undefined : queue.waitingBySeq(own.behind);
    const ahead =
      started ?? (isMixed || isInFlight ? undefined : queue.firstBefore(webhookId, place, resourceId));
    const wait = whyWaiting({
      ...stateOfAll(),
      webhook: statusOf(webhookId),
      isInFlight,
      isBehind: ahead !== undefined,
      // Without a row it is behind hundreds of deliveries with rows; when chaos changes the order, one delivery is in
      // flight at a time.
      isReceiverFull:
        seq === null || own?.isFull === true || (isMixed && state?.firstAttempts.isIdle() === false),
      chaosUntil: isMixed ? (state?.flushAt ?? null) : null,
    });
    return wait && { ...wait, behind: wait.reason === 'behind_event' ? ahead : undefined };
  };

  return (delivery, resourceId) => {
    if (delivery.attempts === 0) return ofFirst(delivery, resourceId);
    const wait = ofRetry(delivery);
    return wait && { ...wait, behind: undefined };
  };
}
