/**
 * The entry `sandbank/client`.
 */

import { type Client, type ClientOptions, createClient as createClientWith } from './client.ts';
import { createSend } from './http.ts';

export type { CallOptions, ControlCallOptions } from './call.ts';
export type { Client, ClientOptions } from './client.ts';
export { SandbankError } from './error.ts';
export type { EventRecord, EventType, ReturnCode, V1Events, V2ErrorCode, V2Events } from './event-types.ts';
export type { ControlMethods, V1Methods, V2Methods } from './types.ts';
export type * as V1 from './v1.ts';
export type * as V2 from './v2.ts';
export {
  type V1WebhookEvent,
  type V2WebhookEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookSignatureError,
} from './webhook.ts';

/** A client of the bank at a URL. */
export function createClient(options: ClientOptions): Client {
  return createClientWith(options, createSend());
}
