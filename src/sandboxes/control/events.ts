/**
 * Events in the control plane: the filters of a search, and an event with its deliveries and attempts.
 */
import { type Static, Type } from '@sinclair/typebox';
import {
  formatEventData,
  formatEventFor,
  formatResourceId,
  formatWebhookId,
  parseResourceId,
} from '../../bank/api/events.ts';
import { secretsOf } from '../../bank/delivery/attempt.ts';
import { signatureHeaders } from '../../bank/delivery/signature.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import { formatInstant, formatInstantOrEmpty, MINUTE_MS, SECOND_MS } from '../../bank/kernel/time.ts';
import { RESOURCES, type Resource, V1_KINDS, V2_KINDS } from '../../bank/model/facts.ts';
import type { Webhook } from '../../bank/model/records.ts';
import type { DeliveryCounts, FactDelivery } from '../../bank/outbox/delivery-history.ts';
import type { FactFilter } from '../../bank/outbox/fact-log.ts';
import { isDatabaseFailure } from '../../bank/store/open.ts';
import {
  afterFact,
  awaitEvents,
  BEGINNING,
  type EventQuery,
  findEvent,
  type LoggedEvent,
  type Position,
  positionOf,
} from '../sandbox/event-log.ts';
import { resend } from '../sandbox/redelivery.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { nextDueAt as nextDueOf, waitUntilQuiet } from '../sandbox/time-travel.ts';
import { DeliveryWaitView, formatWaits, WhyView } from './event-waits.ts';
import {
  ApiVersion,
  Bodies,
  CountsView,
  DeliveryState,
  EventId,
  EventType,
  enumOf,
  HttpStatus,
  Instant,
  Milliseconds,
  noDeliveries,
  Problem,
  parseDuration,
  text,
  WebhookId,
  wrong,
} from './fields.ts';
import { controlOperation } from './operation.ts';
import { webhookOf } from './webhooks.ts';

const MAX_EVENTS = 1_000;
const DEFAULT_EVENTS = 100;
const LONGEST_WAIT_MS = MINUTE_MS;
const AFTER_SEED = 'seeded';

const EventsQuery = Type.Object({
  type: Type.Optional(
    Type.String({
      description: 'A kind of v1 or v2, or the beginning of a kind followed by `*`: `transaction.*`.',
    }),
  ),
  resource: Type.Optional(
    Type.String({
      description: `The id of a record in either format, or one of ${RESOURCES.join(', ')}.`,
    }),
  ),
  since: Type.Optional(
    Type.String({
      description:
        'Only events after this one, oldest first; empty for all events, `seeded` for those after the seed. Without it, events are listed newest first.',
    }),
  ),
  before: Type.Optional(
    Type.String({
      description: 'Only events before this event, newest first: the `older` of an earlier response.',
    }),
  ),
  api_version: Type.Optional(ApiVersion),
  bodies: Bodies('each `data` is null.'),
  limit: Type.Optional(
    Type.String({
      description: `Maximum number of events, up to ${MAX_EVENTS}; default: ${DEFAULT_EVENTS}.`,
    }),
  ),
  wait: Type.Optional(
    Type.String({
      description:
        'How long to wait for the first event if there is none: real seconds like `5` or `5s`, or an ISO 8601 duration, up to 60 s.',
    }),
  ),
});

const EventParams = Type.Object({
  id: Type.String({ description: 'The id, in the format of either version.' }),
});

export const EventView = Type.Object({
  id: Type.String({ description: 'The same as in `webhook-id` and in the envelope of v2.' }),
  type: EventType,
  api_version: ApiVersion,
  at: Instant,
  resource: enumOf(RESOURCES),
  resource_id: text('The record, with its id in the format of this version.'),
  data: Type.Unknown({ description: 'The record at that time, in the format of this version.' }),
  deliveries: CountsView,
});

const EventList = Type.Object({
  events: Type.Array(EventView),
  cursor: Type.String({
    description: 'Send it as `since` to get the next events; "" while the log is empty.',
  }),
  older: Type.String({
    description: 'Send it as `before` to get older ones; "" if there are none, and for a call with `since`.',
  }),
});

export const AnswerView = Type.Union(
  [
    Type.Object({
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'The headers by name, in lower case.',
      }),
      body: text('The first 4096 characters of the body, if they arrived together with the headers.'),
    }),
    Type.Null(),
  ],
  { description: 'The response of the receiver; null if there was none.' },
);

/** Formats the response of a receiver. */
export function formatAnswer({
  status,
  answerHeaders,
  answerBody,
}: {
  status: number | null;
  answerHeaders: string;
  answerBody: string;
}): Static<typeof AnswerView> {
  if (status === null || answerHeaders === '') return null;
  return { headers: JSON.parse(answerHeaders) as Record<string, string>, body: answerBody };
}

export const AttemptView = Type.Object({
  webhook_id: WebhookId,
  delivery: Type.Integer({
    description: 'Number of the delivery; a resend and a replay are separate deliveries.',
  }),
  number: Type.Integer({ description: 'Number of the attempt, from 1.' }),
  at: Instant,
  status: HttpStatus,
  duration_ms: Milliseconds,
  error: Problem,
  answer: AnswerView,
  state: DeliveryState,
  next_due_at: text(
    'ISO 8601 in UTC: after the last attempt of a delivery that waits for a retry; "" otherwise.',
    { form: 'date-time', orEmpty: true },
  ),
});

/** Parses a search. Refuses: `field_invalid`, `field_unknown`, `event_unknown`, `event_not_found` for `since`. */
function parseEventsQuery(
  sandbox: Sandbox,
  query: Static<typeof EventsQuery>,
): { query: EventQuery; waitMs: number } {
  // A misspelt filter would be ignored without this check.
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(EventsQuery.properties, name));
  if (unknown.length > 0) {
    throw refuse('field_unknown', { message: `this operation does not accept ${unknown.join(', ')}` });
  }
  const { type, resource, since, before, api_version: apiVersion, limit, wait } = query;
  if (since !== undefined && before !== undefined)
    throw wrong('before', 'and since exclude each other: since lists later events');
  return {
    query: {
      filter: {
        ...(type !== undefined && { kind: parseKind(type) }),
        ...(resource !== undefined && parseResource(resource)),
        ...(apiVersion !== undefined && { version: apiVersion }),
      },
      ...(since !== undefined && { since: parseSince(sandbox, since) }),
      ...(before !== undefined && { before: positionOf(findEvent(sandbox.outbox, before)) }),
      limit: parseLimit(limit),
    },
    waitMs: parseWait(wait),
  };
}

function parseSince({ outbox, seeded }: Sandbox, since: string): Position {
  if (since === '') return BEGINNING;
  return since === AFTER_SEED ? afterFact(seeded.lastFact ?? 0) : positionOf(findEvent(outbox, since));
}

const KINDS = new Set([...V1_KINDS, ...V2_KINDS]);

function parseKind(type: string): string {
  const isKnown = /^[a-z0-9_.]+\*$/.test(type)
    ? [...KINDS].some((kind) => kind.startsWith(type.slice(0, -1)))
    : type === '*' || KINDS.has(type);
  if (!isKnown) {
    throw refuse('event_unknown', {
      field: 'type',
      message: `${type} is not an event type of v1 or v2`,
    });
  }
  return type;
}

function parseResource(text: string): Pick<FactFilter, 'resource' | 'resourceId'> {
  const named = RESOURCES.find((resource) => resource === text);
  if (named !== undefined) return { resource: named };
  const found = parseResourceId(text);
  if (found === undefined) throw wrong('resource', `is an id, or one of ${RESOURCES.join(', ')}`);
  return { resource: found.resource satisfies Resource, resourceId: found.id };
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_EVENTS;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_EVENTS) throw wrong('limit', `must be a whole number from 1 to ${MAX_EVENTS}`);
  return limit;
}

function parseWait(text: string | undefined): number {
  if (text === undefined) return 0;
  const seconds = /^(\d+(?:\.\d+)?)s?$/.exec(text)?.[1];
  const ms = seconds === undefined ? parseDuration('wait', text) : Number(seconds) * SECOND_MS;
  return Math.min(ms, LONGEST_WAIT_MS);
}

/** Formats events, each with the status of its deliveries. */
export function formatEvents(
  sandbox: Sandbox,
  events: readonly LoggedEvent[],
  hasBodies = true,
): Static<typeof EventView>[] {
  const deliveries = sandbox.queue.statesOf([...new Set(events.map(({ fact }) => fact.seq))]);
  const counts = new Map<string, DeliveryCounts>();
  for (const { factSeq, apiVersion, ordinal, state } of deliveries) {
    const place = `${factSeq}/${apiVersion}/${ordinal}`;
    const count = counts.get(place) ?? noDeliveries();
    count[state] += 1;
    counts.set(place, count);
  }
  return events.map(({ id, fact, version, kind, ordinal }) => ({
    id,
    type: kind,
    api_version: version,
    at: formatInstant(fact.at),
    resource: fact.resource,
    resource_id: formatResourceId(version, fact, kind),
    data: hasBodies ? formatEventData(version, { fact, kind, ordinal, program: sandbox.program }) : null,
    deliveries: counts.get(`${fact.seq}/${version}/${ordinal}`) ?? noDeliveries(),
  }));
}

/** Formats the attempts to deliver an event, delivery by delivery. */
export function formatAttempts({ queue }: Sandbox, event: LoggedEvent): Static<typeof AttemptView>[] {
  const { fact, version, ordinal } = event;
  const deliveries = new Map(
    queue
      .deliveriesOf([fact.seq])
      .filter((delivery) => delivery.apiVersion === version && delivery.ordinal === ordinal)
      .map((delivery) => [delivery.seq, delivery]),
  );
  return queue.attempts(fact.seq).flatMap((attempt) => {
    const { deliverySeq, number, at, status, durationMs, error } = attempt;
    const delivery = deliveries.get(deliverySeq);
    if (delivery === undefined) return [];
    return {
      webhook_id: formatWebhookId({ id: delivery.webhookId, apiVersion: delivery.apiVersion }),
      delivery: deliverySeq,
      number,
      at: formatInstant(at),
      status,
      duration_ms: durationMs,
      error,
      answer: formatAnswer(attempt),
      state: delivery.state,
      next_due_at: formatInstantOrEmpty(nextDueAt(delivery, number)),
    };
  });
}

/** The oldest webhook of a version, or the seeded one. */
function signerOf({ store, seeded }: Sandbox, version: Webhook['apiVersion']): Webhook | undefined {
  const ofVersion = store.webhooks.present().findLast(({ apiVersion }) => apiVersion === version);
  return ofVersion ?? store.webhooks.byId(seeded.webhookId);
}

function nextDueAt({ state, attempts, dueAt }: FactDelivery, number: number): number | null {
  return state === 'waiting' && attempts === number ? dueAt : null;
}

function formatQuiet(sandbox: Sandbox) {
  const { first, retry } = sandbox.queue.waiting();
  return {
    ...(sandbox.courier?.deliveryCounts() ?? { delivered: 0, failed: 0 }),
    waiting: first + retry,
    in_flight: sandbox.courier?.inFlight() ?? 0,
    next_due_at: formatInstantOrEmpty(nextDueOf(sandbox) ?? null),
  };
}

const DEFAULT_DEADLINE_MS = 5_000;

export const EVENT_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_events',
    method: 'GET',
    path: '/_sandbox/events',
    group: 'Events',
    summary: 'List the events, or wait for one',
    description:
      'Lists the events of the sandbox, whether or not a webhook subscribes to them, newest first or after a given event. With `wait`, the response is sent as soon as an event matches, so a test does not have to poll. The filters select by kind, record and version.',
    answer: 'Events, newest first or after a given one.',
    status: 200,
    refuses: ['event_not_found', 'event_unknown', 'field_unknown'],
    query: EventsQuery,
    response: EventList,
    run: async ({ sandbox, signal }, request) => {
      const { query, waitMs } = parseEventsQuery(sandbox, request.query);
      const { events, cursor, older } = await awaitEvents(sandbox, query, waitMs, signal);
      const hasBodies = request.query.bodies !== 'false';
      return { events: events.length === 0 ? [] : formatEvents(sandbox, events, hasBodies), cursor, older };
    },
  }),

  controlOperation({
    id: 'sandbox_retrieve_event',
    method: 'GET',
    path: '/_sandbox/events/:id',
    group: 'Events',
    summary: 'Retrieve an event',
    description:
      'Retrieves an event by the id that its deliveries have in `webhook-id`. The payload is the one that a webhook receives.',
    answer: 'The event with its payload.',
    status: 200,
    refuses: ['event_not_found'],
    params: EventParams,
    response: EventView,
    run: ({ sandbox }, { params }) => {
      const [event] = formatEvents(sandbox, [findEvent(sandbox.outbox, params.id)]);
      if (event === undefined) throw refuse('event_not_found');
      return event;
    },
  }),

  controlOperation({
    id: 'sandbox_render_event',
    method: 'GET',
    path: '/_sandbox/events/:id/delivery',
    group: 'Events',
    summary: 'Show the delivery of an event',
    description:
      'Shows the exact body and headers of a delivery, signed now, for a receiver that this server cannot reach. Nothing is sent or counted.',
    answer: 'The body and the headers of a delivery.',
    status: 200,
    refuses: ['event_not_found'],
    params: EventParams,
    query: Type.Object({
      webhook_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            'The webhook whose secret signs it; default: the oldest webhook of the API version of the event, or the seeded one.',
        }),
      ),
    }),
    response: Type.Object({
      webhook_id: WebhookId,
      headers: Type.Record(Type.String(), Type.String(), { description: 'The headers by name.' }),
      body: Type.String({ description: 'The signed body: send it without any change.' }),
    }),
    run: ({ sandbox }, { params, query }) => {
      const event = findEvent(sandbox.outbox, params.id);
      const webhook =
        query.webhook_id === undefined
          ? signerOf(sandbox, event.version)
          : webhookOf(sandbox, query.webhook_id);
      if (webhook === undefined) throw refuse('webhook_not_found');
      const body = formatEventFor(event.version, { ...event, program: sandbox.program });
      return {
        webhook_id: formatWebhookId(webhook),
        headers: {
          'content-type': 'application/json',
          ...signatureHeaders({
            secret: secretsOf(webhook, sandbox.clock.now()),
            id: event.id,
            timestampSeconds: Math.floor(sandbox.wallClock.now() / SECOND_MS),
            body,
          }),
        },
        body,
      };
    },
  }),

  controlOperation({
    id: 'sandbox_list_event_attempts',
    method: 'GET',
    path: '/_sandbox/events/:id/attempts',
    group: 'Events',
    summary: 'List the attempts to deliver an event',
    description:
      'Lists every attempt to deliver an event: to which webhook, when, with which result, and when the next attempt is due. It also explains why the event has not arrived.',
    answer:
      'Why the event has not arrived, its deliveries, and the attempts with the responses of the receivers.',
    status: 200,
    refuses: ['event_not_found'],
    params: EventParams,
    response: Type.Object({
      why: WhyView,
      deliveries: Type.Array(DeliveryWaitView, {
        description: 'Each delivery of the event, and each webhook that missed it.',
      }),
      attempts: Type.Array(AttemptView),
    }),
    run: ({ sandbox }, { params }) => {
      const event = findEvent(sandbox.outbox, params.id);
      return { ...formatWaits(sandbox, event), attempts: formatAttempts(sandbox, event) };
    },
  }),

  controlOperation({
    id: 'sandbox_resend_event',
    method: 'POST',
    path: '/_sandbox/events/:id/resend',
    group: 'Events',
    summary: 'Resend an event',
    description:
      'Queues an event again, for every webhook that subscribes to its kind or for the one in `webhook_id`. The event keeps its id and gets a new signature. `POST /_sandbox/drain` waits for the delivery.',
    answer: 'The deliveries that were queued.',
    status: 202,
    refuses: ['event_not_found', 'webhook_not_active', 'webhook_not_found'],
    params: EventParams,
    body: Type.Object({
      webhook_id: Type.Optional(
        Type.String({ description: 'Default: every active webhook that is subscribed to the event.' }),
      ),
    }),
    response: Type.Object({
      event_id: EventId,
      deliveries: Type.Array(
        Type.Object({
          delivery: Type.Integer({ description: 'Number of the delivery.' }),
          webhook_id: WebhookId,
        }),
      ),
    }),
    example: { body: {} },
    command: ({ sandbox }, { params, body }) => {
      const event = findEvent(sandbox.outbox, params.id);
      const only = body.webhook_id === undefined ? undefined : webhookOf(sandbox, body.webhook_id).id;
      const queued = resend(sandbox, event, only);
      return {
        event_id: event.id,
        deliveries: queued.map(({ seq, webhook }) => ({
          delivery: seq,
          webhook_id: formatWebhookId(webhook),
        })),
      };
    },
  }),

  controlOperation({
    id: 'sandbox_drain',
    method: 'POST',
    path: '/_sandbox/drain',
    group: 'Events',
    summary: 'Wait until no delivery is due',
    description:
      'Waits until no delivery is due or in flight. The clock does not move, so it does not wait for later retries. Deliveries that chaos delays are sent.',
    answer: 'The numbers of deliveries.',
    status: 200,
    body: Type.Object({
      deadline_ms: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 600_000,
          description: `Real milliseconds; default: ${DEFAULT_DEADLINE_MS}.`,
        }),
      ),
    }),
    response: Type.Object({
      quiescent: Type.Boolean({ description: 'False if the deadline was reached.' }),
      delivered: Type.Integer({ description: 'Deliveries that succeeded since the bank was opened.' }),
      failed: Type.Integer({ description: 'Attempts that have failed since then.' }),
      waiting: Type.Integer({
        description: 'Deliveries that are pending: for a retry, or because the webhook is paused.',
      }),
      in_flight: Type.Integer({ description: 'Deliveries that are being sent.' }),
      next_due_at: Type.String({
        description: 'When the next scheduled step or retry is due, ISO 8601 in UTC; "" if there is none.',
      }),
    }),
    example: { body: { deadline_ms: 5000 } },
    run: async ({ sandbox, signal }, { body }) => {
      const deadline = performance.now() + (body.deadline_ms ?? DEFAULT_DEADLINE_MS);
      // Waits until the commands before this one have run.
      await sandbox.commit(() => undefined);
      try {
        let quiescent: boolean;
        do quiescent = await waitUntilQuiet(sandbox, Math.max(0, deadline - performance.now()), signal);
        while (quiescent && sandbox.courier?.flushShuffled() === true);
        return { quiescent, ...formatQuiet(sandbox) };
      } catch (error) {
        if (!isDatabaseFailure(error)) throw error;
        throw refuse('data_not_written', {
          message: `due steps or deliveries could not be executed or read (${(error as Error).message}): the bank retries it automatically; free space on the disk of its data directory and drain again`,
        });
      }
    },
  }),
] as const;
