/** The entry `sandbank`: starts a bank in this process, or connects to a running one. */

export { type ConnectOptions, connectSandbank, type Sandbank, type SandboxOptions } from './bank.ts';
export { SandbankError } from './client/error.ts';
export {
  type V1WebhookEvent,
  type V2WebhookEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookSignatureError,
} from './client/webhook.ts';
export type { Clock, When } from './clock.ts';
export type { BankEvent, BankEventOf, BankEvents, EventPattern, WaitOptions } from './events.ts';
export type { Delivery, NextOptions, Receiver, ReceiverOptions } from './receiver.ts';
export type { Seeded } from './seeded.ts';
export { type StartOptions, startSandbank } from './start.ts';
export type { TraceOptions } from './traces.ts';
