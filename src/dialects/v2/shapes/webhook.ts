/**
 * A webhook on v2's wire, and the body that makes one. The secret is shown once, in the answer to the creation.
 * Source: the webhook operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { body, IdText, part, record, Text, TextInput, Time, word } from './fields.ts';
import { listOf } from './page.ts';

const fields = {
  id: IdText,
  client_id: IdText,
  description: Text,
  url: Text,
  events: Type.Array(Text),
  status: word(['active', 'inactive']),
  timestamps: part({ created_at: Time, updated_at: Time, deleted_at: Time }),
};

export const Webhook = record('Webhook', fields);
export const WebhookWithSecret = record('WebhookWithSecret', { ...fields, secret: Text });
export const WebhookList = listOf('WebhookList', Webhook);
export const WebhookEventList = listOf('WebhookEventList', Text);

export const NewWebhook = body('NewWebhook', {
  url: TextInput,
  events: Type.Array(TextInput, { minItems: 1, maxItems: 200 }),
  description: Type.Optional(TextInput),
});
