/**
 * Webhooks in the control plane: those of both API versions in one shape, with their secrets and the state of their
 * deliveries.
 */

import { type Static, Type } from '@sinclair/typebox';
import { formatWebhookId } from '../../bank/api/events.ts';
import { tryParseId } from '../../bank/api/ids.ts';
import type { Courier } from '../../bank/delivery/courier.ts';
import { isReceiverUrl, RECEIVER_URL } from '../../bank/delivery/receiver.ts';
import { maskAddresses } from '../../bank/kernel/address.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import { formatInstant, formatInstantOrEmpty, parseInstant } from '../../bank/kernel/time.ts';
import { V1_KINDS, V2_KINDS } from '../../bank/model/facts.ts';
import type { Webhook } from '../../bank/model/records.ts';
import { WEBHOOK_STATUSES } from '../../bank/model/vocabulary.ts';
import type { DeliveryCounts } from '../../bank/outbox/delivery-history.ts';
import { findEvent } from '../sandbox/event-log.ts';
import { type Bound, replay } from '../sandbox/redelivery.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import {
  ApiVersion,
  CountsView,
  EventType,
  enumOf,
  HttpStatus,
  Instant,
  InstantOrNone,
  Milliseconds,
  noDeliveries,
  Problem,
  parseDuration,
  text,
  WebhookId,
  wrong,
} from './fields.ts';
import { controlOperation } from './operation.ts';

export const WebhookParams = Type.Object({
  id: Type.String({ description: 'The id, in the format of either version.' }),
});

export const WebhookView = Type.Object({
  id: WebhookId,
  api_version: ApiVersion,
  url: text('The URL to which events are sent, with `***` for a user and password.'),
  receiver: Type.Boolean({ description: 'Whether it delivers to the built-in receiver.' }),
  description: Type.String(),
  events: Type.Array(Type.String(), { description: 'Event types.' }),
  status: enumOf(WEBHOOK_STATUSES),
  secret: text('Signs the events.'),
  previous_secret: Type.String({
    description: 'The old secret after a rotation, while it still signs; "" otherwise.',
  }),
  previous_secret_until: InstantOrNone,
  deliveries: CountsView,
  failing_since: Type.Unsafe<string>({
    ...InstantOrNone,
    description:
      'The time of the first failed attempt since the last success; "" while attempts succeed. After five days without a success the webhook is deactivated.',
  }),
  last_dropped_at: Type.Unsafe<string>({
    ...InstantOrNone,
    description:
      'The time, in ISO 8601, at which the last of the deliveries in `deliveries.dropped` was dropped, because too many retries were pending for a receiver that accepted nothing, because they were pending for thirty days, or because the webhook was deactivated; "" if none was dropped.',
  }),
  chaos: Type.Boolean({ description: 'Whether delivery chaos is set for it.' }),
  created_at: Instant,
  updated_at: Instant,
});

/** The webhook of an id in either format, unless it was deleted. Refuses: `webhook_not_found`. */
export function webhookOf({ bank }: Sandbox, text: string): Webhook {
  const id = tryParseId('webhook', text);
  const webhook = id === undefined ? undefined : bank.webhooks.byId(id);
  if (webhook === undefined || webhook.status === 'deleted') throw refuse('webhook_not_found');
  return webhook;
}

/** The courier of a sandbox; a bank that only creates an image has none. */
export function courierOf({ courier }: Sandbox): Courier {
  if (courier === null) throw refuse('failure', { message: 'this sandbox delivers no events' });
  return courier;
}

/** Formats a webhook. */
function formatWebhook(
  sandbox: Sandbox,
  webhook: Webhook,
  counts: DeliveryCounts = noDeliveries(),
): Static<typeof WebhookView> {
  const { previousSecret, previousSecretUntil } = webhook;
  const overlaps = previousSecretUntil !== null && sandbox.clock.now() < previousSecretUntil;
  return {
    id: formatWebhookId(webhook),
    api_version: webhook.apiVersion,
    url: maskAddresses(webhook.url),
    receiver: isReceiverUrl(webhook.url),
    description: webhook.description,
    events: webhook.events,
    status: webhook.status,
    secret: webhook.secret,
    previous_secret: overlaps ? (previousSecret ?? '') : '',
    previous_secret_until: overlaps ? formatInstantOrEmpty(previousSecretUntil) : '',
    deliveries: counts,
    failing_since: formatInstantOrEmpty(sandbox.courier?.failingSince(webhook.id) ?? null),
    last_dropped_at: formatInstantOrEmpty(sandbox.lastDroppedAt(webhook.id)),
    chaos: sandbox.courier?.chaosOf(webhook.id) !== undefined,
    created_at: formatInstant(webhook.createdAt),
    updated_at: formatInstant(webhook.updatedAt),
  };
}

function boundOf({ outbox }: Sandbox, field: string, text: string | undefined): Bound | undefined {
  if (text === undefined) return undefined;
  if (text.startsWith('evt')) return { event: findEvent(outbox, text) };
  const at = parseInstant(text);
  if (at === undefined) {
    throw refuse('field_invalid', {
      field,
      message: `${field} must be the id of an event or a time like 2026-03-04T18:00:00Z`,
    });
  }
  return { at };
}

const DEFAULT_OVERLAP = 'PT24H';

export const WEBHOOK_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_webhooks',
    method: 'GET',
    path: '/_sandbox/webhooks',
    group: 'Webhooks',
    summary: 'List the webhooks of both versions',
    description:
      'Lists the webhooks of both versions that are not deleted, newest first. The response contains their secrets and the state of their deliveries.',
    answer: 'The webhooks with their secrets, newest first.',
    status: 200,
    response: Type.Object({ webhooks: Type.Array(WebhookView) }),
    run: ({ sandbox }) => {
      const counts = sandbox.queue.counts();
      return {
        webhooks: sandbox.bank.webhooks
          .list()
          .map((webhook) => formatWebhook(sandbox, webhook, counts.get(webhook.id))),
      };
    },
  }),

  controlOperation({
    id: 'sandbox_create_webhook',
    method: 'POST',
    path: '/_sandbox/webhooks',
    group: 'Webhooks',
    summary: 'Create a webhook of v1 or v2',
    description:
      'Creates a webhook of v1 or v2 for some or all of its event types. With `receiver` instead of an address, the sandbox itself stores the deliveries and `GET /_sandbox/receiver` shows them, so no program has to listen.',
    answer: 'The webhook with its secret.',
    status: 201,
    refuses: ['event_unknown', 'field_invalid', 'url_invalid', 'webhooks_full'],
    body: Type.Object({
      api_version: Type.String({ enum: ['v1', 'v2'] }),
      url: Type.Optional(
        Type.String({ minLength: 1, maxLength: 2048, description: 'The URL, unless `receiver` is true.' }),
      ),
      receiver: Type.Optional(
        Type.Boolean({ description: 'True for the built-in receiver; then leave out `url`.' }),
      ),
      events: Type.Array(Type.String(), {
        maxItems: 200,
        description: 'Kinds of its version, or ["*"] for all of them.',
      }),
      description: Type.Optional(Type.String({ maxLength: 500 })),
    }),
    response: WebhookView,
    example: {
      body: { api_version: 'v2', url: 'http://hooks.example/v2', events: ['*'], description: 'Ledger feed' },
    },
    command: ({ sandbox }, { body }) => {
      const { events, description, receiver = false } = body;
      const url = receiver ? RECEIVER_URL : body.url;
      if (url === undefined || (receiver && body.url !== undefined)) {
        throw wrong('url', 'or "receiver": true is required, but not both');
      }
      const apiVersion = body.api_version === 'v1' ? 'v1' : 'v2';
      const all = apiVersion === 'v1' ? V1_KINDS : V2_KINDS;
      const webhook = sandbox.bank.webhooks.create({
        apiVersion,
        url,
        events: events.includes('*') ? [...all] : events,
        ...(description !== undefined && { description }),
      });
      return formatWebhook(sandbox, webhook);
    },
  }),

  controlOperation({
    id: 'sandbox_delete_webhook',
    method: 'DELETE',
    path: '/_sandbox/webhooks/:id',
    group: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook of either version and drops its pending deliveries.',
    answer: 'The webhook was deleted; there is no body.',
    status: 204,
    refuses: ['webhook_not_found'],
    params: WebhookParams,
    example: { params: (world) => ({ id: world.seed('webhook_id') }) },
    command: ({ sandbox }, { params }) => {
      sandbox.bank.webhooks.remove(webhookOf(sandbox, params.id).id);
    },
  }),

  controlOperation({
    id: 'sandbox_send_example',
    method: 'POST',
    path: '/_sandbox/webhooks/:id/send_example',
    group: 'Webhooks',
    summary: 'Send an example event',
    description:
      "Sends an example event of any kind to a webhook, signed like every delivery and marked by a header. It is sent once, without retries, and the response contains the receiver's response.",
    answer: 'The response of the receiver.',
    status: 200,
    params: WebhookParams,
    refuses: ['webhook_not_found', 'event_unknown', 'webhook_deleted', 'webhook_not_active'],
    body: Type.Object({
      type: Type.String({
        description: "A kind of the webhook's version; every kind has an example.",
      }),
    }),
    response: Type.Object({
      webhook_id: WebhookId,
      event_id: Type.String({ description: 'The id of the example; it is not in the event log.' }),
      type: EventType,
      made_from: Type.String({
        description: 'The event whose record it contains; "" if the sandbox has no event of the kind yet.',
      }),
      delivered: Type.Boolean(),
      status: HttpStatus,
      duration_ms: Milliseconds,
      error: Problem,
    }),
    example: { body: { type: 'card.spend' } },
    run: async ({ sandbox, registry }, { params, body }) => {
      const webhook = webhookOf(sandbox, params.id);
      const courier = courierOf(sandbox);
      const { id, body: text, from } = await registry.examples.make(sandbox, webhook.apiVersion, body.type);
      const { status, durationMs, error } = await courier.sendExample({ id, body: text }, webhook);
      return {
        webhook_id: formatWebhookId(webhook),
        event_id: id,
        type: body.type,
        made_from: from?.id ?? '',
        delivered: status !== null && status >= 200 && status < 300,
        status,
        duration_ms: durationMs,
        error,
      };
    },
  }),

  controlOperation({
    id: 'sandbox_replay_events',
    method: 'POST',
    path: '/_sandbox/webhooks/:id/replay',
    group: 'Webhooks',
    summary: 'Replay the events that a webhook missed',
    description:
      'Queues the events that a webhook missed, in order: because it was paused or deactivated, or because all retries failed. Events with a pending delivery are not queued twice.',
    answer: 'The number of queued events.',
    status: 202,
    refuses: ['event_not_found', 'event_unknown', 'webhook_not_active', 'webhook_not_found'],
    params: WebhookParams,
    body: Type.Object({
      since: Type.Optional(
        Type.String({
          description:
            'Only events after this event or time. Default: all events since the webhook was created.',
        }),
      ),
      until: Type.Optional(
        Type.String({ description: 'Only events up to and including this event, or up to this time.' }),
      ),
    }),
    response: Type.Object({
      webhook_id: WebhookId,
      queued: Type.Integer({ description: 'Number of queued deliveries.' }),
      problem: text(
        'Why the replay ended early, such as a full disk; "" otherwise. Repeat the request for the rest: no event is queued twice.',
      ),
    }),
    example: { body: {} },
    run: async ({ sandbox }, { params, body }) => {
      const webhook = webhookOf(sandbox, params.id);
      const { queued, problem } = await replay(sandbox, webhook, {
        since: boundOf(sandbox, 'since', body.since),
        until: boundOf(sandbox, 'until', body.until),
      });
      return { webhook_id: formatWebhookId(webhook), queued, problem };
    },
  }),

  controlOperation({
    id: 'sandbox_rotate_secret',
    method: 'POST',
    path: '/_sandbox/webhooks/:id/rotate_secret',
    group: 'Webhooks',
    summary: 'Rotate the secret of a webhook',
    description:
      "Gives a webhook a new secret. For 24 hours of the sandbox's clock, or for `overlap`, the standard signature contains both signatures, so that a receiver can switch to the new secret; the platform's own header has only the new signature.",
    answer: 'The webhook with its new secret.',
    status: 200,
    refuses: ['webhook_not_found'],
    params: WebhookParams,
    body: Type.Object({
      overlap: Type.Optional(
        Type.String({
          description: `How long the old secret also signs, an ISO 8601 duration on the sandbox's clock; default: ${DEFAULT_OVERLAP}; PT0S for no overlap.`,
        }),
      ),
    }),
    response: WebhookView,
    example: { params: (world) => ({ id: world.seed('webhook_id') }), body: { overlap: 'PT1H' } },
    command: ({ sandbox }, { params, body }) => {
      const { id } = webhookOf(sandbox, params.id);
      const overlapMs = parseDuration('overlap', body.overlap ?? DEFAULT_OVERLAP);
      const webhook = sandbox.bank.webhooks.rotateSecret(id, overlapMs);
      return formatWebhook(sandbox, webhook, sandbox.queue.counts().get(id));
    },
  }),
] as const;
