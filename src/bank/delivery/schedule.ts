/**
 * When a failed delivery is retried: six times with growing delays, then never. A pure function of the number of
 * attempts, of a random number that the caller draws, and of the receiver's `Retry-After`.
 * Source: decision `delivery-retries` in docs/fidelity.md.
 */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../kernel/time.ts';

/** The wait before each retry; after the last one a delivery is exhausted. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
] as const;
/**
 * A delivery that has waited longer, on the sandbox's clock, is dropped: decision `delivery-wait` in
 * docs/fidelity.md.
 */
export const OLDEST_MS = 30 * DAY_MS;

const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;

/**
 * Milliseconds to wait after the `attemptsMade`-th attempt (from 1) has failed; `null` when it was the last. The
 * delay of the schedule varies by up to a tenth with `draw` (from 0 up to 1). It is never shorter than the receiver's
 * request `askedMs`, which counts up to six hours. A request does not add attempts.
 */
export function retryDelay(attemptsMade: number, random: () => number, retryAfterMs = 0): number | null {
  const planned = RETRY_DELAYS_MS[attemptsMade - 1];
  if (planned === undefined) return null;
  const jittered = Math.round(planned * (1 - JITTER + 2 * JITTER * random()));
  return Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** The value of a `Retry-After` header in milliseconds from `wallNow`: seconds or an HTTP date; 0 for anything else. */
export function parseRetryAfter(header: string | null, wallNow: Instant): number {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  // Without GMT it is not an HTTP date, and Date.parse would read it in the machine's time zone.
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - wallNow);
}
