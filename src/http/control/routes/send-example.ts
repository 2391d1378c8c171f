/**
 * Sends a webhook an event of a kind that it may not have seen yet, signed like any other and marked by a header. It is
 * sent once, past the queue, and the answer says what the receiver answered. What it is made from: row 261 of
 * docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { spellWebhookId } from '../../../dialects/events.ts';
import { controlOperation } from '../operation.ts';
import { EventKind, HttpStatus, Milliseconds, Problem, WebhookId } from '../shapes.ts';
import { courierOf, WebhookParams, webhookOf } from '../webhooks.ts';

export const sendExample = controlOperation({
  id: 'sandbox_send_example',
  method: 'POST',
  path: '/_sandbox/webhooks/:id/send_example',
  group: 'Webhooks',
  summary: 'Send an example event',
  status: 200,
  params: WebhookParams,
  refuses: ['webhook_not_found', 'event_unknown', 'webhook_deleted', 'webhook_not_active'],
  body: Type.Object({
    type: Type.String({
      description: 'A kind of the version that the webhook is of; of every kind there is an example.',
    }),
  }),
  response: Type.Object({
    webhook_id: WebhookId,
    event_id: Type.String({ description: 'Of the example alone: it is in no log.' }),
    type: EventKind,
    made_from: Type.String({
      description: 'The event whose record it carries; "" where the sandbox had none of the kind yet.',
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
    const { id, body: text, from } = await registry.examples.make(sandbox, webhook.dialect, body.type);
    const { status, durationMs, error } = await courier.sendExample({ id, body: text }, webhook);
    return {
      webhook_id: spellWebhookId(webhook),
      event_id: id,
      type: body.type,
      made_from: from?.id ?? '',
      delivered: status !== null && status >= 200 && status < 300,
      status,
      duration_ms: durationMs,
      error,
    };
  },
});
