/**
 * Reads a new webhook and the change of one. Whether an address can be called and whether an event kind exists is the
 * bank's to say.
 * Source: the webhook operations of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { NewWebhook, WebhookChange } from '../../../bank/inputs.ts';
import type { NewWebhookBody, WebhookChangeBody } from '../shapes/webhook.ts';
import { sent } from './values.ts';

/** A webhook that gets v1's kinds in v1's envelope. */
export function readNewWebhook(body: Static<typeof NewWebhookBody>): NewWebhook {
  return { dialect: 'v1', ...sent(body, ['url', 'events', 'description', 'status']) };
}

/** What is not sent stays. */
export function readWebhookChange(body: Static<typeof WebhookChangeBody>): WebhookChange {
  return sent(body, ['url', 'events', 'description', 'status']);
}
