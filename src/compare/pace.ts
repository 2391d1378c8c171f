/**
 * The rate of requests to the other side: no more than so many in a second, evenly spaced, in the order in which they came.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const SECOND_MS = 1_000;
/** Requests in a second to the other side, unless another rate is set. */
export const DEFAULT_RATE = 20;

/** Resolves when the next request may be sent. */
export type Pace = () => Promise<void>;

/** A pace of `perSecond` requests. */
export function paceOf(perSecond: number, now: () => number = performance.now.bind(performance)): Pace {
  const gap = SECOND_MS / perSecond;
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const present = now();
    const at = Math.max(present, next);
    next = at + gap;
    if (at > present) await sleep(at - present);
  };
}

/** No limit. */
export const AT_ONCE: Pace = async () => {};
