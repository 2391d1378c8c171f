/**
 * The built-in receiver in the control plane: what webhooks delivered to it, header by header, and what it answers.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatWebhookId } from '../api/events.ts';
import { tryParseId } from '../api/ids.ts';
import {
  type Answering,
  type Kept,
  RECEIVER_LENGTH,
  RECEIVER_URL,
  type Receiver,
} from '../delivery/receiver.ts';
import { formatInstant } from '../kernel/time.ts';
import { ApiVersion, EventId, EventKind, Instant, text, WebhookId } from './fields.ts';
import { controlOperation } from './operation.ts';

const MAX_SECONDS = 6 * 60 * 60;
const DEFAULT_LIMIT = 100;
const DEFAULT_STATUS = 200;

const AnswersView = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status.' }),
    times: Type.Union([Type.Integer(), Type.Null()], {
      description: 'For so many more deliveries, then it is 200; null without end.',
    }),
    retry_after: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The header Retry-After, in seconds; null for none.',
    }),
  },
  { description: 'What the next deliveries are answered.' },
);

const DeliveryView = Type.Object({
  number: Type.Integer({ description: 'Counts from 1, in the order of their coming.' }),
  at: Instant,
  webhook_id: WebhookId,
  dialect: ApiVersion,
  event_id: EventId,
  type: EventKind,
  headers: Type.Record(Type.String(), Type.String(), { description: 'All of them, as they were sent.' }),
  body: Type.Unknown({ description: 'Parsed.' }),
  raw_body: text('The text that was signed.'),
  signature_problem: text('What is wrong with the signature; "" when it is right.'),
  status: Type.Integer({ description: 'What it was answered.' }),
});

function formatAnswers({ status, times, retryAfter }: Answering): Static<typeof AnswersView> {
  return { status, times, retry_after: retryAfter };
}

function formatDelivery(kept: Kept): Static<typeof DeliveryView> {
  const { number, at, webhookId, apiVersion, headers, body: raw, problem, status } = kept;
  const body = JSON.parse(raw) as { event_type?: string; eventType?: string };
  return {
    number,
    at: formatInstant(at),
    webhook_id: formatWebhookId({ id: webhookId, apiVersion }),
    dialect: apiVersion,
    event_id: headers['webhook-id'] ?? '',
    type: body.event_type ?? body.eventType ?? '',
    headers,
    body,
    raw_body: raw,
    signature_problem: problem,
    status,
  };
}

/** The newest that fit. */
function newest(
  receiver: Receiver,
  { webhook_id, event_id, limit = String(DEFAULT_LIMIT) }: Partial<Record<string, string>>,
): Kept[] {
  const webhookId = webhook_id === undefined ? undefined : tryParseId('webhook', webhook_id);
  const found: Kept[] = [];
  for (const kept of receiver.kept()) {
    if (found.length === Number(limit)) break;
    if (webhook_id !== undefined && kept.webhookId !== webhookId) continue;
    if (event_id !== undefined && kept.headers['webhook-id'] !== event_id) continue;
    found.push(kept);
  }
  return found;
}

export const RECEIVER_OPERATIONS = [
  controlOperation({
    id: 'sandbox_retrieve_receiver',
    method: 'GET',
    path: '/_sandbox/receiver',
    group: 'Webhooks',
    summary: 'Show what the built-in receiver got',
    description:
      'Shows what webhooks delivered to the built-in receiver, newest first: headers, body, whether the signature is right, and the response. The last 1000 deliveries are kept in memory, also over a reset.',
    answer: 'The deliveries that the receiver got, newest first.',
    status: 200,
    query: Type.Object({
      webhook_id: Type.Optional(Type.String({ maxLength: 100, description: 'Of this webhook alone.' })),
      event_id: Type.Optional(Type.String({ maxLength: 100, description: 'Of this event alone.' })),
      limit: Type.Optional(
        Type.String({
          pattern: '^([1-9]\\d{0,2}|1000)$',
          description: `1 to ${RECEIVER_LENGTH}; ${DEFAULT_LIMIT} when not sent.`,
        }),
      ),
    }),
    response: Type.Object({
      url: text('The address: a webhook of either version that has it delivers to the receiver.'),
      answers: AnswersView,
      kept: Type.Integer({ description: 'How many deliveries it holds.' }),
      dropped: Type.Integer({ description: 'How many older ones it no longer holds.' }),
      deliveries: Type.Array(DeliveryView),
    }),
    run: ({ sandbox: { receiver } }, { query }) => ({
      url: RECEIVER_URL,
      answers: formatAnswers(receiver.answering()),
      ...receiver.counts(),
      deliveries: newest(receiver, query).map(formatDelivery),
    }),
  }),

  controlOperation({
    id: 'sandbox_set_receiver',
    method: 'PUT',
    path: '/_sandbox/receiver',
    group: 'Webhooks',
    summary: 'Set what the built-in receiver answers',
    description:
      'Sets what the built-in receiver responds: an error to see retries, or 410 to have the webhook deactivated. A reset ends it.',
    answer: 'What the receiver answers from now on.',
    status: 200,
    body: Type.Object({
      status: Type.Optional(
        Type.Integer({ minimum: 200, maximum: 599, description: `${DEFAULT_STATUS} when not sent.` }),
      ),
      times: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000_000,
          description: 'For so many deliveries; without end when not sent.',
        }),
      ),
      retry_after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_SECONDS,
          description: 'Seconds, sent as the header Retry-After; none when not sent.',
        }),
      ),
    }),
    response: AnswersView,
    example: { body: { status: 503, times: 2, retry_after: 60 } },
    run: ({ sandbox: { receiver } }, { body }) => {
      const { status = DEFAULT_STATUS, times = null, retry_after = null } = body;
      receiver.setAnswering({ status, times, retryAfter: retry_after });
      return formatAnswers(receiver.answering());
    },
  }),

  controlOperation({
    id: 'sandbox_clear_receiver',
    method: 'DELETE',
    path: '/_sandbox/receiver',
    group: 'Webhooks',
    summary: 'Empty the built-in receiver',
    description: 'Clears the built-in receiver, which then responds with 200. Its webhooks stay.',
    answer: 'The receiver is empty; there is no body.',
    status: 204,
    run: ({ sandbox: { receiver } }) => receiver.clear(),
  }),
] as const;
