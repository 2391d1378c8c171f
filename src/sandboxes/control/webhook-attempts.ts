/**
 * The attempts to deliver to one webhook, in the control plane: their list with the responses of the receiver, and
 * sending again.
 */
import { Type } from '@sinclair/typebox';
import { formatEventId, formatWebhookId } from '../../bank/api/events.ts';
import { formatInstant, formatInstantOrEmpty } from '../../bank/kernel/time.ts';
import { RESENT_AT_ONCE, resendFailed } from '../sandbox/redelivery.ts';
import { AnswerView, AttemptView, formatAnswer } from './events.ts';
import { Bodies, EventId, EventType, text, WebhookId, wrong } from './fields.ts';
import { controlOperation } from './operation.ts';
import { WebhookParams, webhookOf } from './webhooks.ts';

const DEFAULT_LIMIT = 100;

/** The position after an attempt, from a `cursor`. */
function parseCursor(cursor: string): { deliverySeq: number; number: number } {
  const [, seq, number] = /^(\d{1,15})\.(\d{1,6})$/.exec(cursor) ?? [];
  if (seq === undefined || number === undefined) {
    throw wrong('cursor', 'must be the `cursor` of an earlier response');
  }
  return { deliverySeq: Number(seq), number: Number(number) };
}

export const WEBHOOK_ATTEMPT_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_webhook_attempts',
    method: 'GET',
    path: '/_sandbox/webhooks/:id/attempts',
    group: 'Webhooks',
    summary: 'List the delivery attempts of a webhook',
    description:
      'Lists the delivery attempts of a webhook, newest deliveries first, with the responses of its receiver. Use it to find out which deliveries failed, and why.',
    answer: 'The attempts, with the responses of the receiver.',
    status: 200,
    refuses: ['webhook_not_found'],
    params: WebhookParams,
    query: Type.Object({
      outcome: Type.Optional(
        Type.Unsafe<'failed' | 'delivered'>(
          Type.String({
            enum: ['failed', 'delivered'],
            description: 'Only successful attempts (2xx), or only failed ones.',
          }),
        ),
      ),
      limit: Type.Optional(
        Type.String({
          pattern: '^([1-9]\\d{0,2}|1000)$',
          description: `A whole number from 1 to 1000; default: ${DEFAULT_LIMIT}.`,
        }),
      ),
      cursor: Type.Optional(
        Type.String({ description: 'The `cursor` of an earlier response, for older attempts.' }),
      ),
      bodies: Bodies('each `answer` is null. GET /_sandbox/events/{id}/attempts has those of an event.'),
    }),
    response: Type.Object({
      webhook_id: WebhookId,
      attempts: Type.Array(
        Type.Object({
          event_id: EventId,
          type: EventType,
          ...AttemptView.properties,
          answer: AnswerView,
        }),
      ),
      cursor: text('Send it to get older attempts; "" if there are none.'),
    }),
    example: { params: (world) => ({ id: world.seed('webhook_id') }) },
    run: ({ sandbox }, { params, query }) => {
      const webhook = webhookOf(sandbox, params.id);
      const limit = Number(query.limit ?? DEFAULT_LIMIT);
      const found = sandbox.queue.attemptsOf(webhook.id, {
        before: query.cursor === undefined ? undefined : parseCursor(query.cursor),
        outcome: query.outcome,
        limit: limit + 1,
      });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1)?.attempt : undefined;
      return {
        webhook_id: formatWebhookId(webhook),
        attempts: shown.map(({ attempt, delivery, fact }) => ({
          event_id: formatEventId(webhook.apiVersion, fact, delivery.ordinal),
          type: delivery.kind,
          webhook_id: formatWebhookId(webhook),
          delivery: delivery.seq,
          number: attempt.number,
          at: formatInstant(attempt.at),
          status: attempt.status,
          duration_ms: attempt.durationMs,
          error: attempt.error,
          answer: query.bodies === 'false' ? null : formatAnswer(attempt),
          state: delivery.state,
          next_due_at: formatInstantOrEmpty(
            delivery.state === 'waiting' && delivery.attempts === attempt.number ? delivery.dueAt : null,
          ),
        })),
        cursor: last === undefined ? '' : `${last.deliverySeq}.${last.number}`,
      };
    },
  }),

  controlOperation({
    id: 'sandbox_resend_failed',
    method: 'POST',
    path: '/_sandbox/webhooks/:id/resend_failed',
    group: 'Webhooks',
    summary: 'Send all failed deliveries of a webhook again',
    description:
      'Sends everything again that the receiver of a webhook did not accept: dropped and exhausted deliveries are queued again, and pending retries are due at once. To send one event again, use POST /_sandbox/events/{id}/resend.',
    answer: 'The number of queued deliveries, and of those that are due now.',
    status: 202,
    refuses: ['webhook_not_active', 'webhook_not_found'],
    params: WebhookParams,
    response: Type.Object({
      webhook_id: WebhookId,
      queued: Type.Integer({
        description: `Number of dropped and exhausted deliveries that were queued again, at most ${RESENT_AT_ONCE}: repeat the request for more.`,
      }),
      retried: Type.Integer({ description: 'Number of pending retries that are due now.' }),
    }),
    example: { params: (world) => ({ id: world.seed('webhook_id') }) },
    command: ({ sandbox }, { params }) => {
      const webhook = webhookOf(sandbox, params.id);
      return { webhook_id: formatWebhookId(webhook), ...resendFailed(sandbox, webhook) };
    },
  }),
] as const;
