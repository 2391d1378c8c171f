/**
 * Signs what is sent, twice with one key, the UTF-8 bytes of the webhook's secret: the platform's own header over the
 * raw body, and the three headers of Standard Webhooks, which cover the id and the time as well.
 * Source: decisions `delivery-signature` and `secret-rotation` in docs/fidelity.md; standard-webhooks/spec.
 */
import { createHmac } from 'node:crypto';

/** What is signed. `body` is signed as its UTF-8 bytes, so these must be the bytes that are sent. */
export interface Signed {
  /** Newest first while a rotation overlaps; one otherwise. */
  secret: string | readonly [string, ...string[]];
  /** The event's id, the same at every attempt. */
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
