/**
 * Webhooks in v2. Only the response to the creation contains the secret. v2 has two statuses: a webhook either gets
 * deliveries or does not, whatever the reason. The bank validates the URL and the event kinds.
 * Source: the webhook record and operations of the platform's v2 reference.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import { formatInstant, formatInstantOrEmpty } from '../../kernel/time.ts';
import { V1_KINDS, V2_KINDS } from '../../model/facts.ts';
import type { Program, Webhook as WebhookRecord } from '../../model/records.ts';
import type { NewWebhook as NewWebhookInput } from '../../verbs/inputs.ts';
import { operation } from '../operation.ts';
import {
  body,
  enumOf,
  formatId,
  IdText,
  ifPresent,
  object,
  parseId,
  record,
  Text,
  TextInput,
  Time,
  Timestamp,
  text,
  URI,
} from './fields.ts';
import { formatPage, listOf, PageQuery, parsePageRequest, takePage } from './paging.ts';

/** The bank refuses an unknown kind and names it. */
const EventType = Type.String({
  title: 'EventType',
  description: 'A kind of event.',
  maxLength: 2000,
  words: [...V2_KINDS],
});

/**
 * Both versions find a webhook by its id, so it may have kinds of v1: decision `webhooks-across-generations` in
 * docs/fidelity.md.
 */
const ShownKind = Type.String({
  title: 'ShownEventKind',
  description: 'A kind of event; a v1 kind if v1 created the webhook.',
  words: [...new Set([...V2_KINDS, ...V1_KINDS])],
});

const fields = {
  id: IdText,
  client_id: IdText,
  description: Text,
  url: text('The URL to which events are sent.', URI),
  events: Type.Array(ShownKind, { description: 'Kinds of event; `GET /v2/webhook/events` lists them.' }),
  status: enumOf(['active', 'inactive']),
  timestamps: object({ created_at: Timestamp, updated_at: Timestamp, deleted_at: Time }),
};

export const Webhook = record('Webhook', 'The URL and the kinds of events.', fields);
export const WebhookWithSecret = record(
  'WebhookWithSecret',
  'A new webhook with its secret, which no other response shows.',
  { ...fields, secret: text('Signs the events that are sent to the webhook.') },
);
const WebhookList = listOf('WebhookList', Webhook);
const WebhookEventList = listOf('WebhookEventList', EventType);

const NewWebhook = body('NewWebhook', 'The fields of a new webhook.', {
  url: { ...TextInput, description: 'The URL to which events are sent; http or https.', ...URI },
  events: Type.Array(EventType, {
    minItems: 1,
    maxItems: 200,
    description: 'Kinds of event; `GET /v2/webhook/events` lists them.',
  }),
  description: Type.Optional(TextInput),
});

/** Parses a new webhook of this version. */
function parseNewWebhook(body: Static<typeof NewWebhook>): NewWebhookInput {
  return {
    apiVersion: 'v2',
    url: body.url,
    events: body.events,
    ...ifPresent('description', body.description),
  };
}

/** Formats a webhook, with its secret only on request. */
export function formatWebhook(
  webhook: WebhookRecord,
  program: Program,
  options: { withSecret: true },
): Static<typeof WebhookWithSecret>;
export function formatWebhook(
  webhook: WebhookRecord,
  program: Program,
  options: { withSecret: false },
): Static<typeof Webhook>;
export function formatWebhook(
  webhook: WebhookRecord,
  program: Program,
  options: { withSecret: boolean },
): Static<typeof Webhook> | Static<typeof WebhookWithSecret> {
  const shown: Static<typeof Webhook> = {
    id: formatId('webhook', webhook.id),
    client_id: formatId('client', program.clientId),
    description: webhook.description,
    url: webhook.url,
    events: webhook.events,
    status: webhook.status === 'active' ? 'active' : 'inactive',
    timestamps: {
      created_at: formatInstant(webhook.createdAt),
      updated_at: formatInstant(webhook.updatedAt),
      deleted_at: formatInstantOrEmpty(webhook.deletedAt),
    },
  };
  return options.withSecret ? { ...shown, secret: webhook.secret } : shown;
}

/** Formats all kinds of events to which a webhook can subscribe, on one page. */
function formatWebhookEvents(): Static<typeof WebhookEventList> {
  return {
    total: V2_KINDS.length,
    data: [...V2_KINDS],
    has_more: 'false',
    starting_after: '',
    ending_before: '',
  };
}

export const WEBHOOK_OPERATIONS = [
  operation({
    id: 'v2_create_webhook',
    method: 'POST',
    path: '/v2/webhook',
    summary: 'Create a webhook',
    description:
      'Subscribes a URL to kinds of events. Only this response shows the secret that signs the deliveries. If the receiver does not answer with 2xx within ten seconds, the delivery is retried.',
    answer: 'The webhook with its secret.',
    status: 201,
    refuses: ['url_invalid', 'webhooks_full'],
    body: NewWebhook,
    response: WebhookWithSecret,
    example: {
      body: {
        url: 'http://hooks.example/v2',
        events: ['transaction.created'],
        description: 'Ledger feed',
      },
    },
    run: ({ bank }, { body }) =>
      formatWebhook(bank.webhooks.create(parseNewWebhook(body)), bank.program, { withSecret: true }),
  }),

  operation({
    id: 'v2_list_webhooks',
    method: 'GET',
    path: '/v2/webhook',
    summary: 'List webhooks',
    description: 'Lists the webhooks that are not deleted, newest first. The list does not contain secrets.',
    answer: 'A page of webhooks without secrets, newest first.',
    decisions: ['list-paging'],
    status: 200,
    query: PageQuery,
    response: WebhookList,
    example: {
      query: { limit: '10' },
    },
    run: ({ bank }, { query }) => {
      const request = parsePageRequest('webhook', query);
      return formatPage(
        'webhook',
        takePage(bank.webhooks.list('v2'), request),
        request,
        (webhook) => formatWebhook(webhook, bank.program, { withSecret: false }),
        ({ id }) => id,
      );
    },
  }),

  operation({
    id: 'v2_list_webhook_events',
    method: 'GET',
    path: '/v2/webhook/events',
    summary: 'List the event kinds',
    description:
      'Lists the kinds of events that a webhook of v2 can subscribe to. All of them are on one page, whatever the limit.',
    answer: 'All kinds of events, on one page.',
    status: 200,
    response: WebhookEventList,
    run: formatWebhookEvents,
  }),

  operation({
    id: 'v2_retrieve_webhook',
    method: 'GET',
    path: '/v2/webhook/:webhook_id',
    summary: 'Retrieve a webhook',
    description: 'Retrieves a webhook without its secret. A deleted webhook returns 404.',
    answer: 'The webhook without its secret.',
    decisions: ['deleted-things'],
    status: 200,
    response: Webhook,
    run: ({ bank }, { params }) => {
      const webhook = bank.webhooks.byId(parseId('webhook', params.webhook_id));
      if (webhook.status === 'deleted') throw refuse('webhook_not_found');
      return formatWebhook(webhook, bank.program, { withSecret: false });
    },
  }),

  operation({
    id: 'v2_delete_webhook',
    method: 'DELETE',
    path: '/v2/webhook/:webhook_id',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook. No more events are delivered to it, and a second request returns 404.',
    answer: 'The webhook was deleted; there is no body.',
    decisions: ['deleted-things'],
    status: 204,
    run: ({ bank }, { params }) => {
      const id = parseId('webhook', params.webhook_id);
      if (bank.webhooks.byId(id).status === 'deleted') throw refuse('webhook_not_found');
      bank.webhooks.remove(id);
    },
  }),
] as const;
