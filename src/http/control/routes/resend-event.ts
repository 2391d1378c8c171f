/**
 * Sends an event once more, to whoever wants its kind or to the webhook that is named: with its own id, and a signature of
 * now. It is queued; a drain waits for it.
 */
import { Type } from '@sinclair/typebox';
import { spellWebhookId } from '../../../dialects/events.ts';
import { findEvent } from '../../../sandboxes/event-log.ts';
import { resend } from '../../../sandboxes/redelivery.ts';
import { EventParams } from '../events.ts';
import { controlOperation } from '../operation.ts';
import { EventId, WebhookId } from '../shapes.ts';
import { webhookOf } from '../webhooks.ts';

export const resendEvent = controlOperation({
  id: 'sandbox_resend_event',
  method: 'POST',
  path: '/_sandbox/events/:id/resend',
  group: 'Events',
  summary: 'Send an event once more',
  status: 202,
  refuses: ['event_not_found', 'webhook_not_active', 'webhook_not_found'],
  params: EventParams,
  body: Type.Object({
    webhook_id: Type.Optional(
      Type.String({ description: 'Every active webhook that wants the event, when not sent.' }),
    ),
  }),
  response: Type.Object({
    event_id: EventId,
    deliveries: Type.Array(
      Type.Object({ delivery: Type.Integer({ description: 'Its number.' }), webhook_id: WebhookId }),
    ),
  }),
  example: { body: {} },
  run: async ({ sandbox }, { params, body }) => {
    const event = findEvent(sandbox.outbox, params.id);
    const only = body.webhook_id === undefined ? undefined : webhookOf(sandbox, body.webhook_id).id;
    const queued = await resend(sandbox, event, only);
    return {
      event_id: event.id,
      deliveries: queued.map(({ seq, webhook }) => ({ delivery: seq, webhook_id: spellWebhookId(webhook) })),
    };
  },
});
