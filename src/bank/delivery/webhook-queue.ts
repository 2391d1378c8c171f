/**
 * The queue of one webhook's first attempts, which decides the next to begin. They begin in the order of the facts,
 * several at a time. Two events about the same record are never in flight together: the second waits for the response
 * to the first, while events about other records overtake it. The deliveries are read from the database in batches.
 * Source: decision `delivery-order` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Due, Queue } from '../outbox/queue.ts';
import { whyWaiting } from './waiting.ts';

export interface WebhookQueue {
  /** Takes the next delivery that may begin; it counts as in flight from then on. */
  take(): Due | undefined;
  /** Counts a delivery as in flight that was not taken from this queue. */
  markStarted(due: Due): void;
  /** The delivery has its response, so another may begin. `isFast`: the receiver responded fast. */
  answered(due: Due, isFast?: boolean): void;
  /** Its result is recorded. If recording failed, the delivery is attempted again at its position. */
  recorded(due: Due, isRecorded: boolean): void;
  /** No delivery is in flight, and no result waits for its commit. */
  isIdle(): boolean;
  /** The database may have more deliveries. */
  expectMore(): void;
  /** Reads the buffered deliveries again. */
  reread(): void;
  /** The started deliveries without a recorded result, in the order of their start. */
  inFlight(): number[];
  /**
   * Why a delivery of a record waits here: whether it was started, which started delivery precedes it, and whether the
   * queue is full.
   */
  placeOf(
    deliverySeq: number,
    resourceId: Id,
  ): { isInFlight: boolean; behind: number | null; isFull: boolean };
}

export interface WebhookQueueDeps {
  queue: Queue;
  webhookId: Id;
  /** The maximum in flight; 1 means strictly sequential. */
  concurrency: number;
  /**
   * For a fast receiver: the maximum number of events about one record that are passed to `send` together, which
   * sends them sequentially.
   */
  resourceConcurrency: number;
  /** Called for each delivery that is read, in the order of the facts. */
  onRead(due: Due): void;
}

/** The size of a batch, which is also how many deliveries may overtake a waiting event. */
const BUFFER_SIZE = 256;

/** Creates the queue of one webhook, starting at its front. */
export function createWebhookQueue({
  queue,
  webhookId,
  concurrency,
  resourceConcurrency,
  onRead,
}: WebhookQueueDeps): WebhookQueue {
  /** Deliveries that were read and not started, in order. */
  let buffered: Due[] = [];
  /** The last delivery that was read; 0 for the front of the queue. */
  let readUpTo = 0;
  let isReadToEnd = false;
  let dropsSeen = queue.timesDropped();
  /** How many events about one record may be in flight: more than one only while the receiver is fast. */
  let perResource = 1;
  /** Started deliveries without a recorded result: the database still has them as waiting. */
  const started = new Map<number, Id>();
  /** The resources with events in flight, and how many events each has. */
  const inFlightByResource = new Map<Id, number>();

  const reread = (): void => {
    buffered = [];
    readUpTo = 0;
    isReadToEnd = false;
  };

  const read = (): void => {
    const limit = BUFFER_SIZE - buffered.length + (readUpTo === 0 ? started.size : 0);
    const found = queue.firstsBehind(webhookId, readUpTo, limit);
    isReadToEnd = found.length < limit;
    readUpTo = found.at(-1)?.delivery.seq ?? readUpTo;
    for (const due of found) {
      if (started.has(due.delivery.seq)) continue;
      onRead(due);
      buffered.push(due);
    }
  };

  const markStarted = ({ delivery, fact }: Due): void => {
    started.set(delivery.seq, fact.resourceId);
    inFlightByResource.set(fact.resourceId, (inFlightByResource.get(fact.resourceId) ?? 0) + 1);
  };

  /** Events about one record keep their order, so an event that must wait delays the later ones. */
  const mayStart = ({ fact }: Due): boolean => {
    const inFlight = inFlightByResource.get(fact.resourceId);
    const wait = whyWaiting({
      state: 'waiting',
      webhook: 'active',
      isBehind: inFlight !== undefined && inFlight >= perResource,
      isReceiverFull: inFlight === undefined && inFlightByResource.size >= concurrency,
      now: 0,
    });
    return wait === undefined;
  };

  const firstStartedBefore = (deliverySeq: number, resourceId: Id): number | null => {
    for (const [seq, resource] of started) if (resource === resourceId && seq < deliverySeq) return seq;
    return null;
  };

  return {
    take() {
      if (inFlightByResource.size >= concurrency && perResource === 1) return undefined;
      if (dropsSeen !== queue.timesDropped()) {
        dropsSeen = queue.timesDropped();
        reread();
      }
      if (!isReadToEnd && buffered.length < BUFFER_SIZE / 2) read();
      const index = buffered.findIndex(mayStart);
      const [due] = index === -1 ? [] : buffered.splice(index, 1);
      if (due !== undefined) markStarted(due);
      return due;
    },
    markStarted,
    answered({ fact }, isFast = false) {
      perResource = isFast ? resourceConcurrency : 1;
      const remaining = (inFlightByResource.get(fact.resourceId) ?? 1) - 1;
      if (remaining === 0) inFlightByResource.delete(fact.resourceId);
      else inFlightByResource.set(fact.resourceId, remaining);
    },
    recorded({ delivery }, isRecorded) {
      started.delete(delivery.seq);
      if (!isRecorded) reread();
    },
    isIdle: () => started.size === 0,
    expectMore() {
      isReadToEnd = false;
    },
    reread,
    inFlight: () => [...started.keys()],
    placeOf: (deliverySeq, resourceId) => ({
      isInFlight: started.has(deliverySeq),
      behind: firstStartedBefore(deliverySeq, resourceId),
      isFull: inFlightByResource.size >= concurrency,
    }),
  };
}
