/**
 * A webhook on v2's wire, and the body that makes one. The secret is shown once, in the answer to the creation.
 * Source: the webhook operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { V2_KINDS } from '../../../model/facts.ts';
import { body, IdText, part, record, Text, TextInput, Time, text, word } from './fields.ts';
import { listOf } from './page.ts';

/** The bank refuses a kind that there is not, and names it. */
const EventKind = Type.String({
  title: 'EventKind',
  description: 'A kind of event.',
  maxLength: 2000,
  words: [...V2_KINDS],
});

const fields = {
  id: IdText,
  client_id: IdText,
  description: Text,
  url: text('Where events are sent to.'),
  events: Type.Array(EventKind, { description: 'Kinds of event; `GET /v2/webhook/events` lists them.' }),
  status: word(['active', 'inactive']),
  timestamps: part({ created_at: Time, updated_at: Time, deleted_at: Time }),
};

export const Webhook = record('Webhook', 'Where events are sent to, and which.', fields);
export const WebhookWithSecret = record(
  'WebhookWithSecret',
  'A webhook as its creation shows it: with its secret, and never again.',
  { ...fields, secret: text('Signs the events that are sent to the webhook.') },
);
export const WebhookList = listOf('WebhookList', Webhook);
export const WebhookEventList = listOf('WebhookEventList', EventKind);

export const NewWebhook = body('NewWebhook', 'What makes a webhook.', {
  url: { ...TextInput, description: 'Where events are sent to; http or https.' },
  events: Type.Array(EventKind, {
    minItems: 1,
    maxItems: 200,
    description: 'Kinds of event; `GET /v2/webhook/events` lists them.',
  }),
  description: Type.Optional(TextInput),
});
