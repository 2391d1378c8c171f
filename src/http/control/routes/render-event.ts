/**
 * An event as it leaves: the very text and the headers of a delivery, signed now, for whoever carries it to a receiver
 * that this server cannot reach. Nothing is sent and nothing is counted.
 */
import { Type } from '@sinclair/typebox';
import { secretsOf } from '../../../delivery/attempt.ts';
import { signatureHeaders } from '../../../delivery/signature.ts';
import { spellWebhookId, writeEventFor } from '../../../dialects/events.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { SECOND_MS } from '../../../kernel/time.ts';
import { findEvent } from '../../../sandboxes/event-log.ts';
import { EventParams } from '../events.ts';
import { controlOperation } from '../operation.ts';
import { WebhookId } from '../shapes.ts';
import { webhookOf } from '../webhooks.ts';

export const renderEvent = controlOperation({
  id: 'sandbox_render_event',
  method: 'GET',
  path: '/_sandbox/events/:id/delivery',
  group: 'Events',
  summary: 'Show an event as it is delivered',
  status: 200,
  refuses: ['event_not_found'],
  params: EventParams,
  query: Type.Object({
    webhook_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The webhook whose secret signs it; the one that the bank was founded with unless sent.',
      }),
    ),
  }),
  response: Type.Object({
    webhook_id: WebhookId,
    headers: Type.Record(Type.String(), Type.String(), { description: 'By their names.' }),
    body: Type.String({ description: 'To be sent byte for byte: the signature is over it.' }),
  }),
  run: ({ sandbox }, { params, query }) => {
    const event = findEvent(sandbox.outbox, params.id);
    const webhook =
      query.webhook_id === undefined
        ? sandbox.store.webhooks.byId(sandbox.seeded.webhookId)
        : webhookOf(sandbox, query.webhook_id);
    if (webhook === undefined) throw refuse('webhook_not_found');
    const body = writeEventFor(event.generation, { ...event, program: sandbox.program });
    return {
      webhook_id: spellWebhookId(webhook),
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders({
          secret: secretsOf(webhook, sandbox.clock.now()),
          id: event.id,
          timestampSeconds: Math.floor(Date.now() / SECOND_MS),
          body,
        }),
      },
      body,
    };
  },
});
