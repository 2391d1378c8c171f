/** Limits the rate of requests to the other side: a maximum per second, evenly spaced, in order. */
import { setTimeout as sleep } from 'node:timers/promises';

const SECOND_MS = 1_000;
/** The default number of requests per second to the other side. */
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
