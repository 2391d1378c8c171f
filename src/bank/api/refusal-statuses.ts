/**
 * The HTTP status of each kind of refusal, the same in both versions and in the control plane.
 */
import type { RefusalKind } from '../kernel/refusals.ts';

export const STATUS_OF_KIND: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  too_slow: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media: 415,
  rate_limited: 429,
  headers_too_large: 431,
  failure: 500,
  unavailable: 503,
  not_emulated: 501,
};
