/** The limits of a request that is sent out, by whichever client. */

/** From the call to the head of the response, connecting included. */
export const TIMEOUT_MS = 10_000;
/** How much of a response is kept. */
export const KEPT_BYTES = 4096;
/** How long a sender waits for it, after the head. */
export const KEPT_WITHIN_MS = 50;
/** A longer body is not worth a kept connection, and is no valid response to a real-time request. */
export const MAX_BODY_BYTES = 64 * 1024;
