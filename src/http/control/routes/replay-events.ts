/**
 * Queues the events that a webhook wants and was never told of, in their order: because it was paused or deactivated, or
 * because every retry failed. What waits for it already is not queued twice.
 */
import { Type } from '@sinclair/typebox';
import { spellWebhookId } from '../../../dialects/events.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { parseInstant } from '../../../kernel/time.ts';
import { findEvent } from '../../../sandboxes/event-log.ts';
import { type Bound, replay } from '../../../sandboxes/redelivery.ts';
import type { Sandbox } from '../../../sandboxes/sandbox.ts';
import { controlOperation } from '../operation.ts';
import { WebhookId } from '../shapes.ts';
import { WebhookParams, webhookOf } from '../webhooks.ts';

export const replayEvents = controlOperation({
  id: 'sandbox_replay_events',
  method: 'POST',
  path: '/_sandbox/webhooks/:id/replay',
  group: 'Webhooks',
  summary: 'Deliver what a webhook has missed',
  status: 202,
  refuses: ['event_not_found', 'event_unknown', 'webhook_not_active', 'webhook_not_found'],
  params: WebhookParams,
  body: Type.Object({
    since: Type.Optional(
      Type.String({
        description:
          'An event, which is left out, or an instant; what came after the making of the webhook when not sent.',
      }),
    ),
    until: Type.Optional(Type.String({ description: 'An event, which is taken in, or an instant.' })),
  }),
  response: Type.Object({
    webhook_id: WebhookId,
    queued: Type.Integer({ description: 'How many deliveries were planned.' }),
  }),
  example: { body: {} },
  run: async ({ sandbox }, { params, body }) => {
    const webhook = webhookOf(sandbox, params.id);
    const queued = await replay(sandbox, webhook, {
      since: boundOf(sandbox, 'since', body.since),
      until: boundOf(sandbox, 'until', body.until),
    });
    return { webhook_id: spellWebhookId(webhook), queued };
  },
});

function boundOf({ outbox }: Sandbox, field: string, text: string | undefined): Bound | undefined {
  if (text === undefined) return undefined;
  if (text.startsWith('evt')) return { event: findEvent(outbox, text) };
  const at = parseInstant(text);
  if (at === undefined) {
    throw refuse('field_invalid', {
      field,
      message: `${field} is the id of an event or an instant like 2026-03-04T18:00:00Z`,
    });
  }
  return { at };
}
