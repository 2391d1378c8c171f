/**
 * The items of the stream as server-sent events: facts with the event types of both API versions, delivery attempts,
 * requests, and changes of the sandbox itself.
 */

import { type Static, Type } from '@sinclair/typebox';
import { formatEventId, formatWebhookId } from '../../bank/api/events.ts';
import { formatV1, formatV2 } from '../../bank/api/ids.ts';
import { formatInstant } from '../../bank/kernel/time.ts';
import { type Fact, RESOURCES } from '../../bank/model/facts.ts';
import type { FactAttempt, FactDelivery } from '../../bank/outbox/delivery-history.ts';
import type { JournalEntry } from '../sandbox/journal.ts';
import type { AttemptNotification, Notification } from '../sandbox/listeners.ts';
import { FactSummary, summaryOf } from './fact-summary.ts';
import {
  ApiVersion,
  DeliveryState,
  EventId,
  EventType,
  enumOf,
  HttpStatus,
  Instant,
  Problem,
  text,
  WebhookId,
} from './fields.ts';

export function write(event: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** An item with the number of its bank in the sandbox; only facts have an id to resume from. */
export function formatItem(item: Notification, bank: number): string {
  switch (item.type) {
    case 'fact':
      return write('fact', factItem(item.fact), `${bank}.${item.fact.seq}`);
    case 'attempt':
      return write('attempt', formatAttempt(item.attempt));
    case 'request':
      return write('request', requestItem(item.request));
    case 'replaced':
    case 'closed':
      return write(item.type, {});
  }
}

/** A fact without its record, which `GET /_sandbox/events` shows. */
const FactItem = Type.Object({
  type: Type.Literal('fact'),
  seq: Type.Integer({ description: 'Number of the fact in the log.' }),
  at: Instant,
  resource: enumOf(RESOURCES),
  resource_id: text('The record, with its id in the format of v2.'),
  change: text('The change, like `created` or `status`.'),
  summary: FactSummary,
  events: Type.Array(Type.Object({ id: EventId, type: EventType, api_version: ApiVersion })),
});
const AttemptItem = Type.Object({
  type: Type.Literal('attempt'),
  at: Instant,
  webhook_id: WebhookId,
  event_id: EventId,
  event_type: EventType,
  number: Type.Integer({ description: 'Number of the attempt, from 1.' }),
  status: HttpStatus,
  error: Problem,
  state: DeliveryState,
});
/** Without bodies, which `GET /_sandbox/requests/{id}` shows masked. */
const RequestItem = Type.Object({
  type: Type.Literal('request'),
  id: text('The id, as in `x-request-id`; the id of a control-plane request is only in this list.'),
  at: Instant,
  wall_at: Instant,
  api_version: enumOf(['v1', 'v2', 'control'], 'The API version, or the control plane.'),
  method: Type.String({ description: 'The HTTP method.' }),
  path: Type.String({ description: 'Path of the request, without the query.' }),
  operation: text('The operationId; "" for none.'),
  status: Type.Integer({ description: 'The HTTP status; 0 if a fault broke the connection.' }),
  error_code: text('The code of the error, in the words of its API version; "" for none.'),
  ms: Type.Number({ description: 'Real milliseconds until the response.' }),
  fault: text('The id of the fault that was applied; "" for none.'),
  facts: Type.Union(
    [
      Type.Object({
        from: Type.Integer({ description: 'Number of the first fact.' }),
        to: Type.Integer({ description: 'Number of the last fact.' }),
      }),
      Type.Null(),
    ],
    {
      description: 'The numbers of the first and the last fact that the request wrote; null for none.',
    },
  ),
});

/** An item of the activity. */
export const ActivityView = Type.Union([RequestItem, FactItem, AttemptItem]);
export type ActivityItem = Static<typeof ActivityView>;

export function factItem(fact: Fact): Static<typeof FactItem> {
  const eventsOf = (apiVersion: 'v1' | 'v2', kinds: readonly string[]) =>
    kinds.map((kind, ordinal) => ({
      id: formatEventId(apiVersion, fact, ordinal),
      type: kind,
      api_version: apiVersion,
    }));
  return {
    type: 'fact',
    seq: fact.seq,
    at: formatInstant(fact.at),
    resource: fact.resource,
    resource_id: formatV2(fact.resource, fact.resourceId),
    change: fact.change,
    summary: summaryOf(fact),
    events: [...eventsOf('v2', fact.kindsV2), ...eventsOf('v1', fact.kindsV1)],
  };
}

/** An attempt that is in the log. */
export function attemptItem(
  fact: Fact,
  { at, number, status, error }: FactAttempt,
  { webhookId, apiVersion, ordinal, kind, state, attempts }: FactDelivery,
): Static<typeof AttemptItem> {
  return {
    type: 'attempt',
    at: formatInstant(at),
    webhook_id: formatWebhookId({ id: webhookId, apiVersion }),
    event_id: formatEventId(apiVersion, fact, ordinal),
    event_type: kind,
    number,
    status,
    error,
    state: number === attempts ? state : 'waiting',
  };
}

function formatAttempt({
  at,
  webhookId: webhook_id,
  eventId: event_id,
  kind: event_type,
  ...attempt
}: AttemptNotification): Static<typeof AttemptItem> {
  return { type: 'attempt', at: formatInstant(at), webhook_id, event_id, event_type, ...attempt };
}

/** The code of a refused request, in the words of its API version; a body that a fault wrote may have none. */
export function errorCodeOf({ status, answerBody: body }: JournalEntry): string {
  if (status < 400 || !body.startsWith('{')) return '';
  // v1 has it at the top.
  const { code, error } = JSON.parse(body) as { code?: unknown; error?: { code?: unknown } };
  const found = error?.code ?? code;
  return typeof found === 'string' ? found : '';
}

export function requestItem(entry: JournalEntry): Static<typeof RequestItem> {
  const { id, apiVersion, at, wallAt, method, url, operation, status, ms, fault, factsBefore, factsAfter } =
    entry;
  return {
    type: 'request',
    id: (apiVersion === 'v1' ? formatV1 : formatV2)('request', id),
    at: formatInstant(at),
    wall_at: formatInstant(wallAt),
    api_version: apiVersion,
    method,
    path: url.split('?', 1)[0] ?? '',
    operation,
    status,
    error_code: errorCodeOf(entry),
    ms: Math.round(ms * 100) / 100,
    fault,
    facts: factsAfter === factsBefore ? null : { from: factsBefore + 1, to: factsAfter },
  };
}
