/**
 * Events on the wire of the control plane: what a search may ask for, and how an event, its deliveries and its attempts
 * are shown.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Duration } from 'luxon';
import { readResourceId, spellResourceId, spellWebhookId, viewEventData } from '../../dialects/events.ts';
import { refuse } from '../../kernel/refusal.ts';
import { formatInstant, formatInstantOrEmpty, MINUTE_MS, SECOND_MS } from '../../kernel/time.ts';
import { RESOURCES, type Resource, V1_KINDS, V2_KINDS } from '../../model/facts.ts';
import type { FactFilter } from '../../outbox/fact-log.ts';
import type { DeliveryCounts, FactDelivery } from '../../outbox/queue.ts';
import {
  afterFact,
  BEGINNING,
  type EventQuery,
  findEvent,
  type LoggedEvent,
  type Position,
  positionOf,
} from '../../sandboxes/event-log.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import {
  DeliveryState,
  EventKind,
  Generation,
  HttpStatus,
  Instant,
  Milliseconds,
  Problem,
  text,
  WebhookId,
  word,
} from './shapes.ts';

const MOST_EVENTS = 1_000;
const USUAL_EVENTS = 100;
const LONGEST_WAIT_MS = MINUTE_MS;
const FOUNDING = 'founding';

export const EventsQuery = Type.Object({
  type: Type.Optional(
    Type.String({
      description: 'A kind of either generation, or the beginning of kinds and `*`: `transaction.*`.',
    }),
  ),
  resource: Type.Optional(
    Type.String({
      description: `The id of a record in either spelling, or one of ${RESOURCES.join(', ')}.`,
    }),
  ),
  since: Type.Optional(
    Type.String({
      description:
        'Only what came after this event, the oldest first; empty for the beginning, `founding` for what came after the bank was founded. Without it the newest come first.',
    }),
  ),
  dialect: Type.Optional(Generation),
  limit: Type.Optional(
    Type.String({ description: `At most so many, up to ${MOST_EVENTS}; ${USUAL_EVENTS} when not sent.` }),
  ),
  wait: Type.Optional(
    Type.String({
      description:
        'How long to wait for a first event where there is none: real seconds like `5` or `5s`, or an ISO 8601 duration, up to 60 s.',
    }),
  ),
});

export const EventParams = Type.Object({ id: Type.String({ description: 'In either spelling.' }) });

export const CountsView = Type.Object({
  waiting: Type.Integer({ description: 'For a first attempt or a retry.' }),
  delivered: Type.Integer({ description: 'Taken by the receiver.' }),
  exhausted: Type.Integer({ description: 'Every retry has failed.' }),
  dropped: Type.Integer({ description: 'The webhook was deleted or deactivated.' }),
});

export const EventView = Type.Object({
  id: Type.String({ description: 'The same as in `webhook-id` and in the envelope of v2.' }),
  type: EventKind,
  dialect: Generation,
  at: Instant,
  resource: word(RESOURCES),
  resource_id: text('The record that it is about, in the spelling of the generation.'),
  data: Type.Unknown({ description: "The record as it was, in the dialect's view." }),
  deliveries: CountsView,
});

export const EventList = Type.Object({
  events: Type.Array(EventView),
  cursor: Type.String({
    description: 'Send it as `since` to get what comes next; "" while the log is empty.',
  }),
});

export const AttemptView = Type.Object({
  webhook_id: WebhookId,
  delivery: Type.Integer({ description: 'A resend and a replay are deliveries of their own.' }),
  number: Type.Integer({ description: 'Which attempt of the delivery, from 1.' }),
  at: Instant,
  status: HttpStatus,
  duration_ms: Milliseconds,
  error: Problem,
  state: DeliveryState,
  next_due_at: text(
    'ISO 8601 in UTC: after the last attempt of a delivery that waits for a retry; "" otherwise.',
  ),
});

const wrong = (field: string, message: string) =>
  refuse('field_invalid', { field, message: `${field} ${message}` });

/** Reads a search. Refuses: `field_invalid`, `field_unknown`, `event_unknown`, `event_not_found` for `since`. */
export function readEventsQuery(
  sandbox: Sandbox,
  query: Static<typeof EventsQuery>,
): { query: EventQuery; waitMs: number } {
  // A misspelt filter would be no filter, and an endless wait.
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(EventsQuery.properties, name));
  if (unknown.length > 0) {
    throw refuse('field_unknown', { message: `this operation does not know ${unknown.join(', ')}` });
  }
  const { type, resource, since, dialect, limit, wait } = query;
  return {
    query: {
      filter: {
        ...(type !== undefined && { kind: readKind(type) }),
        ...(resource !== undefined && readResource(resource)),
        ...(dialect !== undefined && { generation: dialect }),
      },
      ...(since !== undefined && { since: readSince(sandbox, since) }),
      limit: readLimit(limit),
    },
    waitMs: readWait(wait),
  };
}

function readSince({ outbox, seeded }: Sandbox, since: string): Position {
  if (since === '') return BEGINNING;
  return since === FOUNDING ? afterFact(seeded.lastFact ?? 0) : positionOf(findEvent(outbox, since));
}

const KINDS = new Set([...V1_KINDS, ...V2_KINDS]);

function readKind(type: string): string {
  const isKnown = /^[a-z0-9_.]+\*$/.test(type)
    ? [...KINDS].some((kind) => kind.startsWith(type.slice(0, -1)))
    : type === '*' || KINDS.has(type);
  if (!isKnown) {
    throw refuse('event_unknown', {
      field: 'type',
      message: `${type} is no event kind of either generation`,
    });
  }
  return type;
}

function readResource(text: string): Pick<FactFilter, 'resource' | 'resourceId'> {
  const named = RESOURCES.find((resource) => resource === text);
  if (named !== undefined) return { resource: named };
  const found = readResourceId(text);
  if (found === undefined) throw wrong('resource', `is an id, or one of ${RESOURCES.join(', ')}`);
  return { resource: found.resource satisfies Resource, resourceId: found.id };
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return USUAL_EVENTS;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_EVENTS) throw wrong('limit', `is a whole number from 1 to ${MOST_EVENTS}`);
  return limit;
}

function readWait(text: string | undefined): number {
  if (text === undefined) return 0;
  const seconds = /^(\d+(?:\.\d+)?)s?$/.exec(text)?.[1];
  const ms = seconds === undefined ? readDuration('wait', text) : Number(seconds) * SECOND_MS;
  return Math.min(ms, LONGEST_WAIT_MS);
}

/** Reads an ISO 8601 duration of zero or more, in milliseconds. Refuses: `field_invalid`. */
export function readDuration(field: string, text: string): number {
  const ms = Duration.fromISO(text).toMillis();
  if (!(ms >= 0)) throw wrong(field, `is an ISO 8601 duration like PT30S or P1D; got "${text}"`);
  return ms;
}

/** Shows events, each with how its deliveries stand. */
export function viewEvents(sandbox: Sandbox, events: readonly LoggedEvent[]): Static<typeof EventView>[] {
  const deliveries = sandbox.queue.deliveriesOf([...new Set(events.map(({ fact }) => fact.seq))]);
  const counts = new Map<string, DeliveryCounts>();
  for (const { factSeq, dialect, ordinal, state } of deliveries) {
    const place = `${factSeq}/${dialect}/${ordinal}`;
    const count = counts.get(place) ?? noDeliveries();
    count[state] += 1;
    counts.set(place, count);
  }
  return events.map(({ id, fact, generation, kind, ordinal }) => ({
    id,
    type: kind,
    dialect: generation,
    at: formatInstant(fact.at),
    resource: fact.resource,
    resource_id: spellResourceId(generation, fact, kind),
    data: viewEventData(generation, { fact, kind, ordinal, program: sandbox.program }),
    deliveries: counts.get(`${fact.seq}/${generation}/${ordinal}`) ?? noDeliveries(),
  }));
}

/** No deliveries in any state. */
export function noDeliveries(): DeliveryCounts {
  return { waiting: 0, delivered: 0, exhausted: 0, dropped: 0 };
}

/** Shows the attempts to deliver an event, delivery by delivery. */
export function viewAttempts({ queue }: Sandbox, event: LoggedEvent): Static<typeof AttemptView>[] {
  const { fact, generation, ordinal } = event;
  const deliveries = new Map(
    queue
      .deliveriesOf([fact.seq])
      .filter((delivery) => delivery.dialect === generation && delivery.ordinal === ordinal)
      .map((delivery) => [delivery.seq, delivery]),
  );
  return queue.attempts(fact.seq).flatMap(({ deliverySeq, number, at, status, durationMs, error }) => {
    const delivery = deliveries.get(deliverySeq);
    if (delivery === undefined) return [];
    return {
      webhook_id: spellWebhookId({ id: delivery.webhookId, dialect: delivery.dialect }),
      delivery: deliverySeq,
      number,
      at: formatInstant(at),
      status,
      duration_ms: durationMs,
      error,
      state: delivery.state,
      next_due_at: formatInstantOrEmpty(nextDueAt(delivery, number)),
    };
  });
}

function nextDueAt({ state, attempts, dueAt }: FactDelivery, number: number): number | null {
  return state === 'waiting' && attempts === number ? dueAt : null;
}
