/**
 * The entry `sandbank/client`.
 */
export type { CallOptions, ControlCallOptions } from './call.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
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
