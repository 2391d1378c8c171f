/**
 * The entry `sandbank/webhooks`: verifies the signature of a webhook delivery, in tests and in production. It uses
 * only modules of Node, so importing it does not load a bank.
 * Source: decisions `delivery-signature` and `secret-rotation` in docs/fidelity.md; standard-webhooks/spec.
 */
import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { TextDecoder } from 'node:util';
import type { V1Events, V2Events } from './event-types.ts';

/** The body of a delivery to a v2 webhook; `event_type` determines the record in `data`. */
export type V2WebhookEvent = {
  [Kind in keyof V2Events]: {
    readonly id: string;
    readonly event_type: Kind;
    readonly client_id: string;
    readonly env: string;
    /** ISO 8601, UTC. */
    readonly created_at: string;
    readonly data: V2Events[Kind];
  };
}[keyof V2Events];

/** The body of a delivery to a v1 webhook; `eventType` determines the record in `data`. */
export type V1WebhookEvent = {
  [Kind in keyof V1Events]: {
    readonly eventType: Kind;
    readonly programId: string;
    readonly env: string;
    readonly data: V1Events[Kind];
  };
}[keyof V1Events];

/** The body of a delivery to a webhook of either version. */
export type WebhookEvent = V2WebhookEvent | V1WebhookEvent;

/** The headers of a request, as in `fetch`, node:http and frameworks based on them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** The maximum difference in seconds between the time of the delivery and now. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The current time. Default: the real time. */
  readonly now?: Date;
}

/** The reason why a delivery must not be trusted. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

const DEFAULT_TOLERANCE_SECONDS = 300;
/** Kept from before a test could fake `Date`: a bank signs with the real time. */
const realNow = Date.now;

/**
 * Verifies that a delivery was signed with the secret of the webhook, and returns its parsed body. `body` is the raw body,
 * as text or bytes; `secret` is the text that the bank shows, or `whsec_` with this text in Base64. With
 * `webhook-signature` (Standard Webhooks) the id and the time are verified too; without it `sd-webhook-sha256-signature`
 * decides. While a secret is being rotated, pass both secrets. The type of the result is
 * the caller's promise about the webhook: `verifyWebhook<V2WebhookEvent>(...)`; the body itself is not validated. Throws
 * `WebhookSignatureError`.
 */
export function verifyWebhook<Event = WebhookEvent>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Event {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.includes('')) {
    throw new TypeError('the secret of the webhook is missing or empty');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const standard = headerOf(headers, 'webhook-signature');
  const platform = headerOf(headers, 'sd-webhook-sha256-signature');
  if (standard !== undefined) verifyStandard(standard, text, headers, secrets, options);
  else if (platform !== undefined) verifyPlatform(platform, text, secrets);
  else {
    throw new WebhookSignatureError(
      'the delivery has no signature: neither the header webhook-signature nor sd-webhook-sha256-signature',
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WebhookSignatureError('the body of the delivery is not JSON', { cause: error });
  }
}

function verifyStandard(
  signatures: string,
  text: string,
  headers: WebhookHeaders,
  secrets: readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = new Date(realNow()) }: VerifyOptions,
): void {
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookSignatureError(
      `webhook-timestamp is ${JSON.stringify(timestamp)}; expected whole seconds since 1970`,
    );
  }
  const input = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => one.slice('v1,'.length));
  const content = `${id}.${timestamp}.${text}`;
  if (!anyMatches(input, secrets, content, 'base64')) {
    throw new WebhookSignatureError(
      'webhook-signature does not match the body and the secret: pass the raw body, and the secret of this webhook',
    );
  }
  const away = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (away > toleranceSeconds) {
    throw new WebhookSignatureError(
      `webhook-timestamp is ${Math.round(away)} seconds away from now; at most ${toleranceSeconds} are allowed`,
    );
  }
}

function verifyPlatform(signature: string, text: string, secrets: readonly string[]): void {
  if (!anyMatches([signature], secrets, text, 'hex')) {
    throw new WebhookSignatureError(
      'sd-webhook-sha256-signature does not match the body and the secret: pass the raw body, and the secret of this webhook',
    );
  }
}

function anyMatches(
  input: readonly string[],
  secrets: readonly string[],
  content: string,
  encoding: 'hex' | 'base64',
): boolean {
  return secrets.flatMap(keysOf).some((key) => {
    const expected = Buffer.from(createHmac('sha256', key).update(content, 'utf8').digest(encoding));
    return input.some((one) => {
      const actual = Buffer.from(one);
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    });
  });
}

const STANDARD = 'whsec_';

/** The keys that a secret can mean: its text, or with the prefix of Standard Webhooks the bytes in Base64 after it. */
function keysOf(secret: string): (string | Buffer)[] {
  return secret.startsWith(STANDARD)
    ? [secret, Buffer.from(secret.slice(STANDARD.length), 'base64')]
    : [secret];
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value === undefined) throw new WebhookSignatureError(`the delivery has no header ${name}`);
  return value;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  // Not by its class: each test environment has another one.
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' || value === undefined ? value : value[0];
}
