/**
 * The built-in receiver in the control plane: its deliveries with every header, and its response.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatWebhookId } from '../../bank/api/events.ts';
import { tryParseId } from '../../bank/api/ids.ts';
import {
  type Answering,
  type Kept,
  RECEIVER_LENGTH,
  RECEIVER_URL,
  type Receiver,
} from '../../bank/delivery/receiver.ts';
import { formatInstant } from '../../bank/kernel/time.ts';
import { ApiVersion, Bodies, EventId, EventType, Instant, text, WebhookId } from './fields.ts';
import { controlOperation } from './operation.ts';

const MAX_SECONDS = 6 * 60 * 60;
const DEFAULT_LIMIT = 100;
const DEFAULT_STATUS = 200;
const NUMBER = '^([1-9]\\d{0,14})?$';

const AnswersView = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status.' }),
    times: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Number of further deliveries that get this response; later ones get 200. Null for no limit.',
    }),
    retry_after: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The header Retry-After, in seconds; null for none.',
    }),
  },
  { description: 'The response to the next deliveries.' },
);

const DeliveryView = Type.Object({
  number: Type.Integer({ description: 'Number of the delivery, from 1, in the order of arrival.' }),
  at: Instant,
  webhook_id: WebhookId,
  api_version: ApiVersion,
  event_id: EventId,
  type: EventType,
  headers: Type.Record(Type.String(), Type.String(), { description: 'All headers, as they were sent.' }),
  body: Type.Unknown({ description: 'The body, parsed.' }),
  raw_body: text('The signed body.'),
  signature_problem: text('The problem of the signature; "" if it is valid.'),
  status: Type.Integer({ description: 'The status of the response.' }),
});

function formatAnswers({ status, times, retryAfter }: Answering): Static<typeof AnswersView> {
  return { status, times, retry_after: retryAfter };
}

function formatDelivery(kept: Kept, hasBodies: boolean): Static<typeof DeliveryView> {
  const { number, at, webhookId, apiVersion, headers, body: raw, problem, status } = kept;
  const body = JSON.parse(raw) as { event_type?: string; eventType?: string };
  const eventId = headers['webhook-id'] ?? '';
  return {
    number,
    at: formatInstant(at),
    webhook_id: formatWebhookId({ id: webhookId, apiVersion }),
    api_version: apiVersion,
    event_id: eventId,
    type: body.event_type ?? body.eventType ?? '',
    ...(hasBodies
      ? { headers, body, raw_body: raw }
      : { headers: { 'webhook-id': eventId }, body: null, raw_body: '' }),
    signature_problem: problem,
    status,
  };
}

/** The newest matching entries, and the cursor of older ones. */
function newest(
  receiver: Receiver,
  { webhook_id, event_id, number, cursor = '', limit = String(DEFAULT_LIMIT) }: Query,
): { shown: Kept[]; cursor: string } {
  const webhookId = webhook_id === undefined ? undefined : tryParseId('webhook', webhook_id);
  const found = receiver
    .kept()
    .filter(
      (kept) =>
        (webhook_id === undefined || kept.webhookId === webhookId) &&
        (event_id === undefined || kept.headers['webhook-id'] === event_id) &&
        (number === undefined || kept.number === Number(number)) &&
        (cursor === '' || kept.number < Number(cursor)),
    );
  const shown = found.slice(0, Number(limit));
  return { shown, cursor: found.length > shown.length ? String(shown.at(-1)?.number ?? '') : '' };
}

type Query = Partial<Record<'webhook_id' | 'event_id' | 'number' | 'cursor' | 'limit', string>>;

export const RECEIVER_OPERATIONS = [
  controlOperation({
    id: 'sandbox_retrieve_receiver',
    method: 'GET',
    path: '/_sandbox/receiver',
    group: 'Webhooks',
    summary: 'List the deliveries to the built-in receiver',
    description:
      'Lists the deliveries to the built-in receiver, newest first: headers, body, whether the signature is valid, and the response. The last 1000 deliveries are kept; a reset does not delete them, and neither does a restart of a bank with a data directory.',
    answer: 'The deliveries, newest first.',
    status: 200,
    query: Type.Object({
      webhook_id: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only deliveries of this webhook.' }),
      ),
      event_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only deliveries of this event.' })),
      limit: Type.Optional(
        Type.String({
          pattern: '^([1-9]\\d{0,2}|1000)$',
          description: `1 to ${RECEIVER_LENGTH}; default: ${DEFAULT_LIMIT}.`,
        }),
      ),
      number: Type.Optional(
        Type.String({ pattern: '^[1-9]\\d{0,14}$', description: 'The delivery of this number.' }),
      ),
      cursor: Type.Optional(
        Type.String({ pattern: NUMBER, description: 'The `cursor` of an earlier response, for older ones.' }),
      ),
      bodies: Bodies('`body` is null, `raw_body` is "", and `headers` contains only the id of the event.'),
    }),
    response: Type.Object({
      url: text('The URL: a webhook of either version with this URL delivers to the receiver.'),
      answers: AnswersView,
      kept: Type.Integer({ description: 'Number of stored deliveries.' }),
      dropped: Type.Integer({ description: 'Number of older deliveries that were discarded.' }),
      deliveries: Type.Array(DeliveryView),
      cursor: text('Send it to get older ones; "" if there are none.'),
    }),
    run: ({ sandbox: { receiver } }, { query }) => {
      const { shown, cursor } = newest(receiver, query);
      return {
        url: RECEIVER_URL,
        answers: formatAnswers(receiver.answering()),
        ...receiver.counts(),
        deliveries: shown.map((kept) => formatDelivery(kept, query.bodies !== 'false')),
        cursor,
      };
    },
  }),

  controlOperation({
    id: 'sandbox_set_receiver',
    method: 'PUT',
    path: '/_sandbox/receiver',
    group: 'Webhooks',
    summary: 'Set the response of the built-in receiver',
    description:
      'Sets the response of the built-in receiver: for example an error to see retries, or 410 to deactivate the webhook. A reset ends it.',
    answer: 'The new response of the receiver.',
    status: 200,
    body: Type.Object({
      status: Type.Optional(
        Type.Integer({ minimum: 200, maximum: 599, description: `Default: ${DEFAULT_STATUS}.` }),
      ),
      times: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000_000,
          description: 'Number of deliveries; default: no limit.',
        }),
      ),
      retry_after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_SECONDS,
          description: 'Seconds, sent as the header Retry-After; default: no header.',
        }),
      ),
    }),
    response: AnswersView,
    example: { body: { status: 503, times: 2, retry_after: 60 } },
    command: ({ sandbox: { receiver, surroundings } }, { body }) => {
      const { status = DEFAULT_STATUS, times = null, retry_after = null } = body;
      const answering = { status, times, retryAfter: retry_after };
      surroundings.change('receiver', () => receiver.setAnswering(answering));
      return formatAnswers(receiver.answering());
    },
  }),

  controlOperation({
    id: 'sandbox_clear_receiver',
    method: 'DELETE',
    path: '/_sandbox/receiver',
    group: 'Webhooks',
    summary: 'Clear the built-in receiver',
    description: 'Clears the built-in receiver, which then responds with 200. Its webhooks stay.',
    answer: 'The receiver was cleared; there is no body.',
    status: 204,
    command: ({ sandbox: { receiver, surroundings, store } }) =>
      surroundings.change('receiver', () => store.onUndo(receiver.clear())),
  }),
] as const;
