/** The limits of outgoing requests, for every HTTP client. */

/** From the call to the head of the response, including the connection. */
export const TIMEOUT_MS = 10_000;
/** The stored length of a response. */
export const KEPT_BYTES = 4096;
/** How long a sender waits for the body after the head. */
export const KEPT_WITHIN_MS = 50;
/** After a longer body the connection is closed, and it is not a valid response to a real-time request. */
export const MAX_BODY_BYTES = 64 * 1024;
