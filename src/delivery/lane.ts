/**
 * The line of one webhook's first attempts: which of them begins next. They begin in the order of the facts, so many at a
 * time; what is sent about one record never overlaps, so an event waits until the one before it of the same record has its
 * answer, and those of other things pass it meanwhile. The queue is read a stretch at a time.
 * Source: decision `delivery-order` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Due, Queue } from '../outbox/queue.ts';

export interface Lane {
  /** The next that may begin now; from here on it is in flight. */
  take(): Due | undefined;
  /** Counts one as in flight that was not taken from here. */
  begin(due: Due): void;
  /** It is answered: its place, and the record that it is about, are free; `isQuick` where the receiver is. */
  answered(due: Due, isQuick?: boolean): void;
  /** Its answer is recorded; one that could not be is made again in its place. */
  recorded(due: Due, isRecorded: boolean): void;
  /** Nothing is in flight, and no recording waits for its commit. */
  isQuiet(): boolean;
  /** The queue may have more. */
  look(): void;
  /** Reads anew what was read ahead. */
  reread(): void;
}

export interface LaneDeps {
  queue: Queue;
  webhookId: Id;
  /** How many are in flight at most; 1 is strictly one after the other. */
  concurrency: number;
  /** How many of one record may be handed on at once to a receiver that is quick; one of them is in flight. */
  chainDepth: number;
  /** Called for each that is read, in the order of the facts. */
  onRead(due: Due): void;
}

/** How far an event may be passed by others, and how many are read at once. */
const AHEAD = 256;

/** The line of one webhook, from its front. */
export function createLane({ queue, webhookId, concurrency, chainDepth, onRead }: LaneDeps): Lane {
  /** Read and not begun, in their order. */
  let ahead: Due[] = [];
  /** The last one read; 0 for the front of the line. */
  let readUpTo = 0;
  let isDry = false;
  let givenUp = queue.timesGivenUp();
  /** How many of one record are handed on at once: more than one only while the receiver is quick. */
  let depth = 1;
  /** Begun and not recorded: the queue still shows them. */
  const begun = new Set<number>();
  /** The records that are being sent at this moment, and how many events of each were handed on: one of them is in flight. */
  const busy = new Map<Id, number>();

  const reread = (): void => {
    ahead = [];
    readUpTo = 0;
    isDry = false;
  };

  const read = (): void => {
    const limit = AHEAD - ahead.length + (readUpTo === 0 ? begun.size : 0);
    const found = queue.firstsBehind(webhookId, readUpTo, limit);
    isDry = found.length < limit;
    readUpTo = found.at(-1)?.delivery.seq ?? readUpTo;
    for (const due of found) {
      if (begun.has(due.delivery.seq)) continue;
      onRead(due);
      ahead.push(due);
    }
  };

  const begin = ({ delivery, fact }: Due): void => {
    begun.add(delivery.seq);
    busy.set(fact.resourceId, (busy.get(fact.resourceId) ?? 0) + 1);
  };

  /** What is sent about a record keeps its order, so one that must wait keeps those behind it. */
  const mayBegin = ({ fact }: Due): boolean => {
    const handedOn = busy.get(fact.resourceId);
    return handedOn === undefined ? busy.size < concurrency : handedOn < depth;
  };

  return {
    take() {
      if (busy.size >= concurrency && depth === 1) return undefined;
      if (givenUp !== queue.timesGivenUp()) {
        givenUp = queue.timesGivenUp();
        reread();
      }
      if (!isDry && ahead.length < AHEAD / 2) read();
      const place = ahead.findIndex(mayBegin);
      const [due] = place === -1 ? [] : ahead.splice(place, 1);
      if (due !== undefined) begin(due);
      return due;
    },
    begin,
    answered({ fact }, isQuick = false) {
      depth = isQuick ? chainDepth : 1;
      const left = (busy.get(fact.resourceId) ?? 1) - 1;
      if (left === 0) busy.delete(fact.resourceId);
      else busy.set(fact.resourceId, left);
    },
    recorded({ delivery }, isRecorded) {
      begun.delete(delivery.seq);
      if (!isRecorded) reread();
    },
    isQuiet: () => begun.size === 0,
    look() {
      isDry = false;
    },
    reread,
  };
}
