/**
 * The line of one webhook's first attempts: which of them begins next. They begin in the order of the facts, so many at a
 * time; what is sent about one record never overlaps, so an event waits until the one before it of the same record has its
 * answer, and those of other things pass it meanwhile. The queue is read a stretch at a time.
 * Source: decision `delivery-order` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Due, Queue } from '../outbox/queue.ts';

export interface WebhookQueue {
  /** The next that may begin now; from here on it is in flight. */
  take(): Due | undefined;
  /** Counts one as in flight that was not taken from here. */
  markStarted(due: Due): void;
  /** It is answered: its place, and the record that it is about, are free; `isQuick` where the receiver is. */
  answered(due: Due, isFast?: boolean): void;
  /** Its answer is recorded; one that could not be is made again in its place. */
  recorded(due: Due, isRecorded: boolean): void;
  /** Nothing is in flight, and no recording waits for its commit. */
  isIdle(): boolean;
  /** The queue may have more. */
  expectMore(): void;
  /** Reads anew what was read ahead. */
  reread(): void;
}

export interface WebhookQueueDeps {
  queue: Queue;
  webhookId: Id;
  /** How many are in flight at most; 1 is strictly one after the other. */
  concurrency: number;
  /** How many of one record may be handed on at once to a receiver that is quick; one of them is in flight. */
  resourceConcurrency: number;
  /** Called for each that is read, in the order of the facts. */
  onRead(due: Due): void;
}

/** How far an event may be passed by others, and how many are read at once. */
const BUFFER_SIZE = 256;

/** The line of one webhook, from its front. */
export function createWebhookQueue({
  queue,
  webhookId,
  concurrency,
  resourceConcurrency,
  onRead,
}: WebhookQueueDeps): WebhookQueue {
  /** Read and not begun, in their order. */
  let buffered: Due[] = [];
  /** The last one read; 0 for the front of the line. */
  let readUpTo = 0;
  let isReadToEnd = false;
  let dropsSeen = queue.timesDropped();
  /** How many of one record are handed on at once: more than one only while the receiver is quick. */
  let perResource = 1;
  /** Begun and not recorded: the queue still shows them. */
  const started = new Set<number>();
  /** The records that are being sent at this moment, and how many events of each were handed on: one of them is in flight. */
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
    started.add(delivery.seq);
    inFlightByResource.set(fact.resourceId, (inFlightByResource.get(fact.resourceId) ?? 0) + 1);
  };

  /** What is sent about a record keeps its order, so one that must wait keeps those behind it. */
  const mayStart = ({ fact }: Due): boolean => {
    const inFlight = inFlightByResource.get(fact.resourceId);
    return inFlight === undefined ? inFlightByResource.size < concurrency : inFlight < perResource;
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
  };
}
