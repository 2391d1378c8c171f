/**
 * A webhook. Its secret is no field of the record: it has an operation of its own. `deleted` is a status that only a
 * deletion leads to, so no request may ask for it.
 * Source: the webhook record and "retrieve a webhook secret" of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { WEBHOOK_STATUSES } from '../../../model/vocabulary.ts';
import { listOf } from '../paging.ts';
import { body, record, Text, Timestamp, wordOf } from './scalars.ts';

export const Webhook = record('Webhook', {
  id: Text,
  programId: Text,
  url: Text,
  description: Text,
  status: wordOf(WEBHOOK_STATUSES),
  events: Type.Array(Text),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const WebhookList = listOf('WebhookList', Webhook);
export const WebhookEventList = listOf('WebhookEventList', Text);
export const DeletedWebhook = record('DeletedWebhook', { id: Text, status: wordOf(['deleted']) });
export const WebhookSecret = record('WebhookSecret', { id: Text, secret: Text });

const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Events = Type.Array(Type.String());
const Description = Type.String({ maxLength: 500 });

/** What the list may be filtered by. */
export const WebhookFilters = { status: Type.Optional(wordOf(WEBHOOK_STATUSES)) };

export const NewWebhookBody = body('NewWebhook', {
  url: Url,
  events: Events,
  description: Type.Optional(Description),
  status: Type.Optional(wordOf(['active', 'paused'])),
});

export const WebhookChangeBody = body('WebhookChange', {
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  description: Type.Optional(Description),
  status: Type.Optional(wordOf(['active', 'paused', 'deactivated'])),
});
