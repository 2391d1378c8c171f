/**
 * Reads the body that makes a webhook. Whether the address and the event kinds are ones to deliver is the bank's to say.
 * Source: the webhook operations of the platform's v2 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { NewWebhook as NewWebhookInput } from '../../../bank/inputs.ts';
import type { NewWebhook } from '../shapes/webhook.ts';
import { sent } from './fields.ts';

/** Reads a new webhook of this generation. */
export function readNewWebhook(body: Static<typeof NewWebhook>): NewWebhookInput {
  return {
    dialect: 'v2',
    url: body.url,
    events: body.events,
    ...sent('description', body.description),
  };
}
