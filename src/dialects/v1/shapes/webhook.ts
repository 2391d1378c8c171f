/**
 * A webhook. Its secret is no field of the record: it has an operation of its own. `deleted` is a status that only a
 * deletion leads to, so no request may ask for it.
 * Source: the webhook record and "retrieve a webhook secret" of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { V1_KINDS } from '../../../model/facts.ts';
import { WEBHOOK_STATUSES } from '../../../model/vocabulary.ts';
import { listOf } from '../paging.ts';
import { body, IdText, record, Text, Timestamp, text, wordOf } from './scalars.ts';

const KINDS = 'Kinds of event; `GET /v1/webhook/events` lists them.';

/** The bank refuses a kind that there is not, and names it. */
const EventKind = Type.String({
  title: 'EventKind',
  description: 'A kind of event.',
  words: [...V1_KINDS],
});

export const Webhook = record('Webhook', 'Where events are sent to, and which.', {
  id: IdText,
  programId: IdText,
  url: text('Where events are sent to.'),
  description: Text,
  status: wordOf(WEBHOOK_STATUSES),
  events: Type.Array(EventKind, { description: KINDS }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const WebhookList = listOf('WebhookList', Webhook);
export const WebhookEventList = listOf('WebhookEventList', EventKind);
export const DeletedWebhook = record('DeletedWebhook', 'A webhook that was deleted.', {
  id: IdText,
  status: wordOf(['deleted']),
});
export const WebhookSecret = record('WebhookSecret', 'The secret that signs the events of a webhook.', {
  id: IdText,
  secret: text('Signs the events that are sent to the webhook.'),
});

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where events are sent to; http or https.',
});
const Events = Type.Array(EventKind, { description: KINDS });
const Description = Type.String({ maxLength: 500 });

/** What the list may be filtered by. */
export const WebhookFilters = { status: Type.Optional(wordOf(WEBHOOK_STATUSES)) };

export const NewWebhookBody = body('NewWebhook', 'What makes a webhook.', {
  url: Url,
  events: Events,
  description: Type.Optional(Description),
  status: Type.Optional(wordOf(['active', 'paused'])),
});

export const WebhookChangeBody = body(
  'WebhookChange',
  'What of a webhook can be changed; what is left out stays.',
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    status: Type.Optional(wordOf(['active', 'paused', 'deactivated'])),
  },
);
