/**
 * Signs requests in two formats with one key, the UTF-8 bytes of the webhook's secret: the platform's own header over
 * the raw body, and the three headers of Standard Webhooks, which also cover the id and the time.
 * Source: decisions `delivery-signature` and `secret-rotation` in docs/fidelity.md; standard-webhooks/spec.
 */
import { createHmac } from 'node:crypto';
import { type Instant, MINUTE_MS, SECOND_MS } from '../kernel/time.ts';

/** The signed parts. `body` is signed as its UTF-8 bytes, so these must be the bytes that are sent. */
export interface Signed {
  /** During a rotation both secrets, newest first; otherwise one secret. */
  secret: string | readonly [string, ...string[]];
  /** The event's id, the same for every attempt. */
  id: string;
  /** Whole seconds since 1970, by the wall clock. */
  timestampSeconds: number;
  body: string;
}

/** The signature headers of one attempt. Only the standard one can carry a signature for each of several secrets. */
export function signatureHeaders({ secret, id, timestampSeconds, body }: Signed): Record<string, string> {
  const secrets: readonly [string, ...string[]] = typeof secret === 'string' ? [secret] : secret;
  const content = `${id}.${timestampSeconds}.${body}`;
  return {
    'sd-webhook-sha256-signature': hmac(secrets[0], body, 'hex'),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((key) => `v1,${hmac(key, content, 'base64')}`).join(' '),
  };
}

function hmac(key: string, content: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(content, 'utf8').digest(encoding);
}

/** Receivers accept signatures of the last minutes. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** The error that a receiver with these secrets finds in a delivery, by the standard headers; `''` for none. */
export function signatureProblem(
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  secrets: readonly string[],
  wallNow: Instant,
): string {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': input = '',
  } = headers;
  const content = `${id}.${timestamp}.${body}`;
  const expected = secrets.map((key) => `v1,${hmac(key, content, 'base64')}`);
  if (!input.split(' ').some((one) => expected.includes(one))) {
    return 'webhook-signature does not match the body and the secret of the webhook';
  }
  const awayMs = Math.abs(wallNow - Number(timestamp) * SECOND_MS);
  if (awayMs > TOLERANCE_MS) {
    return `webhook-timestamp is ${Math.round(awayMs / SECOND_MS)} seconds away from now; receivers allow ${TOLERANCE_MS / SECOND_MS}`;
  }
  return '';
}
