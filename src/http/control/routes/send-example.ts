/**
 * Sends a webhook an event of a kind that it may not have seen yet, made from a record of the sandbox, signed like any
 * other and marked by a header. It is sent once, past the queue, and the answer says what the receiver answered. A kind
 * of which the sandbox has no record, or none could have one, has no example.
 */
import { Type } from '@sinclair/typebox';
import { spellWebhookId } from '../../../dialects/events.ts';
import { makeExample } from '../../../sandboxes/example.ts';
import { controlOperation } from '../operation.ts';
import { courierOf, WebhookParams, webhookOf } from '../webhooks.ts';

export const sendExample = controlOperation({
  id: 'sandbox_send_example',
  method: 'POST',
  path: '/_sandbox/webhooks/:id/send_example',
  group: 'Webhooks',
  summary: 'Send an example event; 409 where the sandbox has no record to make it of',
  status: 200,
  params: WebhookParams,
  body: Type.Object({
    type: Type.String({
      description:
        'A kind of the webhook’s generation. Without a record of the sort that it tells of there is no example of it: 409 example_missing.',
    }),
  }),
  response: Type.Object({
    webhook_id: Type.String(),
    event_id: Type.String({ description: 'Of the example alone: it is in no log.' }),
    type: Type.String(),
    made_from: Type.String({ description: 'The event whose record it carries.' }),
    delivered: Type.Boolean(),
    status: Type.Union([Type.Integer(), Type.Null()]),
    duration_ms: Type.Integer(),
    error: Type.String(),
  }),
  run: async ({ sandbox }, { params, body }) => {
    const webhook = webhookOf(sandbox, params.id);
    const courier = courierOf(sandbox);
    const { id, body: text, from } = await makeExample(sandbox, webhook.dialect, body.type);
    const { status, durationMs, error } = await courier.sendExample({ id, body: text }, webhook);
    return {
      webhook_id: spellWebhookId(webhook),
      event_id: id,
      type: body.type,
      made_from: from.id,
      delivered: status !== null && status >= 200 && status < 300,
      status,
      duration_ms: durationMs,
      error,
    };
  },
});
