/**
 * Webhooks. The secret is not in the record; a separate operation returns it. Only a deletion sets the status
 * `deleted`, so requests cannot set it. The bank validates the URL and the kinds of events.
 * Source: the webhook record, the webhook operations and "retrieve a webhook secret" of the platform's v1 reference.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatInstant } from '../../kernel/time.ts';
import { V1_KINDS, V2_KINDS } from '../../model/facts.ts';
import type { Program, Webhook as WebhookRecord } from '../../model/records.ts';
import { WEBHOOK_STATUSES } from '../../model/vocabulary.ts';
import type { NewWebhook, WebhookChange } from '../../verbs/inputs.ts';
import { formatV1 } from '../ids.ts';
import { operation } from '../operation.ts';
import { body, enumOf, IdText, parseId, pickSent, record, Text, Timestamp, text, URI } from './fields.ts';
import { formatList, listOf, parseWindow, plainListQuery } from './paging.ts';

const KINDS = 'Kinds of event; `GET /v1/webhook/events` lists them.';

/** The bank refuses an unknown kind and names it. */
const EventType = Type.String({
  title: 'EventType',
  description: 'A kind of event.',
  words: [...V1_KINDS],
});

/**
 * Both versions find a webhook by its id, so it may have kinds of v2: decision `webhooks-across-generations` in
 * docs/fidelity.md.
 */
const ShownKind = Type.String({
  title: 'ShownEventKind',
  description: 'A kind of event; a v2 kind if v2 created the webhook.',
  words: [...new Set([...V1_KINDS, ...V2_KINDS])],
});

export const Webhook = record('Webhook', 'The URL and the kinds of events.', {
  id: IdText,
  programId: IdText,
  url: text('The URL to which events are sent.', URI),
  description: Text,
  status: enumOf(WEBHOOK_STATUSES),
  events: Type.Array(ShownKind, { description: KINDS }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

const WebhookList = listOf('WebhookList', Webhook);
const WebhookEventList = listOf('WebhookEventList', EventType);
export const DeletedWebhook = record('DeletedWebhook', 'A deleted webhook.', {
  id: IdText,
  status: enumOf(['deleted']),
});
export const WebhookSecret = record('WebhookSecret', 'The secret that signs the events of a webhook.', {
  id: IdText,
  secret: text('Signs the events that are sent to the webhook.'),
});

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The URL to which events are sent; http or https.',
  ...URI,
});
const Events = Type.Array(EventType, { description: KINDS });
const Description = Type.String({ maxLength: 500 });

/** The filters of the list. */
const WebhookFilters = { status: Type.Optional(enumOf(WEBHOOK_STATUSES)) };

const NewWebhookBody = body('NewWebhook', 'The fields of a new webhook.', {
  url: Url,
  events: Events,
  description: Type.Optional(Description),
  status: Type.Optional(enumOf(['active', 'paused'])),
});

const WebhookChangeBody = body(
  'WebhookChange',
  'The fields of a webhook that can be updated; fields that are not sent keep their values.',
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    status: Type.Optional(enumOf(['active', 'paused', 'deactivated'])),
  },
);

/** Parses a new webhook of v1. */
function parseNewWebhook(body: Static<typeof NewWebhookBody>): NewWebhook {
  return { apiVersion: 'v1', ...pickSent(body, ['url', 'events', 'description', 'status']) };
}

/** Parses a change; fields that are not sent do not change. */
function parseWebhookChange(body: Static<typeof WebhookChangeBody>): WebhookChange {
  return pickSent(body, ['url', 'events', 'description', 'status']);
}

/** Formats a webhook. */
export function formatWebhook(webhook: WebhookRecord, program: Program): Static<typeof Webhook> {
  return {
    id: formatV1('webhook', webhook.id),
    programId: formatV1('program', program.programId),
    url: webhook.url,
    description: webhook.description,
    status: webhook.status,
    events: webhook.events,
    createdAt: formatInstant(webhook.createdAt),
    modifiedAt: formatInstant(webhook.updatedAt),
  };
}

/** Formats the secret that signs a webhook's deliveries. */
function formatWebhookSecret({ id, secret }: WebhookRecord): Static<typeof WebhookSecret> {
  return { id: formatV1('webhook', id), secret };
}

/** Formats the response to the deletion of a webhook. */
function formatDeletedWebhook({ id }: WebhookRecord): Static<typeof DeletedWebhook> {
  return { id: formatV1('webhook', id), status: 'deleted' };
}

/** Formats all kinds of events to which a webhook can subscribe, on one page. */
function formatWebhookEvents(): Static<typeof WebhookEventList> {
  return { total: V1_KINDS.length, data: [...V1_KINDS] };
}

export const WEBHOOK_OPERATIONS = [
  operation({
    id: 'createWebhook',
    method: 'POST',
    path: '/v1/webhook',
    summary: 'Create a webhook',
    description:
      'Subscribes a URL to kinds of events. The secret that signs the deliveries is retrieved by a separate operation. If the receiver does not answer with 2xx within ten seconds, the delivery is retried.',
    answer: 'The webhook without its secret.',
    decisions: ['v1-success-status'],
    status: 201,
    refuses: ['url_invalid', 'webhooks_full'],
    body: NewWebhookBody,
    response: Webhook,
    example: {
      body: {
        url: 'http://hooks.example/v1',
        events: ['card.spend'],
        description: 'Mine',
        status: 'active',
      },
    },
    run({ bank }, { body }) {
      return formatWebhook(bank.webhooks.create(parseNewWebhook(body)), bank.program);
    },
  }),

  operation({
    id: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhook',
    summary: 'List webhooks',
    description:
      'Lists the webhooks that v1 created, newest first. Deleted webhooks are listed only with the filter `status`.',
    answer: 'A page of webhooks, newest first.',
    decisions: ['deleted-things', 'webhooks-across-generations', 'v1-webhook-lists'],
    status: 200,
    query: plainListQuery(WebhookFilters),
    response: WebhookList,
    example: {
      query: { offset: '0', limit: '10', status: 'paused' },
    },
    run({ bank }, { query }) {
      const page = bank.webhooks.page('v1', query.status, parseWindow(query));
      return formatList(page, (webhook) => formatWebhook(webhook, bank.program));
    },
  }),

  operation({
    id: 'listWebhookEvents',
    method: 'GET',
    path: '/v1/webhook/events',
    summary: 'List the kinds of events',
    description:
      'Lists the kinds of events that a webhook of v1 can subscribe to. All of them are on one page.',
    answer: 'All kinds of events, on one page.',
    decisions: ['v1-webhook-lists'],
    status: 200,
    response: WebhookEventList,
    run: formatWebhookEvents,
  }),

  operation({
    id: 'retrieveWebhook',
    method: 'GET',
    path: '/v1/webhook/:webhookId',
    summary: 'Retrieve a webhook',
    description: 'Retrieves a webhook. A deleted webhook can still be retrieved, with the status `deleted`.',
    answer: 'The webhook.',
    decisions: ['deleted-things'],
    status: 200,
    response: Webhook,
    run({ bank }, { params }) {
      return formatWebhook(bank.webhooks.byId(parseId('webhook', params.webhookId)), bank.program);
    },
  }),

  operation({
    id: 'retrieveWebhookSecret',
    method: 'GET',
    path: '/v1/webhook/:webhookId/secret',
    summary: 'Retrieve the secret of a webhook',
    description:
      'Retrieves the secret with which the deliveries of a webhook are signed. It can be read at any time.',
    answer: 'The secret.',
    status: 200,
    response: WebhookSecret,
    run({ bank }, { params }) {
      return formatWebhookSecret(bank.webhooks.byId(parseId('webhook', params.webhookId)));
    },
  }),

  operation({
    id: 'updateWebhook',
    method: 'PATCH',
    path: '/v1/webhook/:webhookId',
    summary: 'Update a webhook',
    description:
      'Pauses, resumes or changes a webhook; fields that are not sent keep their values. A paused webhook keeps its kinds of events, and events during the pause are not delivered to it.',
    answer: 'The webhook after the change.',
    decisions: ['inactive-webhook-queue'],
    status: 200,
    refuses: ['url_invalid', 'webhook_deleted', 'illegal_step'],
    body: WebhookChangeBody,
    response: Webhook,
    example: {
      body: {
        url: 'http://hooks.example/v1',
        events: ['card.spend'],
        description: 'Ledger feed',
        status: 'paused',
      },
    },
    run({ bank }, { params, body }) {
      const id = parseId('webhook', params.webhookId);
      return formatWebhook(bank.webhooks.change(id, parseWebhookChange(body)), bank.program);
    },
  }),

  operation({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhook/:webhookId',
    summary: 'Delete a webhook',
    description:
      'Deletes a webhook. No more events are delivered to it, and pending deliveries are dropped. It stays readable with the status `deleted`.',
    answer: 'The deleted webhook.',
    decisions: ['deleted-things', 'v1-webhook-lists'],
    status: 200,
    response: DeletedWebhook,
    run({ bank }, { params }) {
      return formatDeletedWebhook(bank.webhooks.remove(parseId('webhook', params.webhookId)));
    },
  }),
] as const;
