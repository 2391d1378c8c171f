/**
 * The items of the stream as server-sent events: facts with the event kinds of both API versions, delivery attempts,
 * requests, and what happens to the sandbox itself.
 */

import { formatEventId } from '../api/events.ts';
import { formatV1, formatV2 } from '../api/ids.ts';
import { formatInstant } from '../kernel/time.ts';
import type { Fact } from '../model/facts.ts';
import type { JournalEntry } from '../sandbox/journal.ts';
import type { AttemptNotice, Notice } from '../sandbox/notices.ts';

export function write(event: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** An item of the bank that is the given one of its sandbox; only facts have an id to resume from. */
export function formatItem(item: Notice, bank: number): string {
  switch (item.type) {
    case 'fact':
      return write('fact', formatFact(item.fact), `${bank}.${item.fact.seq}`);
    case 'attempt':
      return write('attempt', formatAttempt(item.attempt));
    case 'request':
      return write('request', formatRequestLine(item.request));
    case 'replaced':
    case 'closed':
      return write(item.type, {});
  }
}

/** A fact without its record, which `GET /_sandbox/events` shows. */
function formatFact(fact: Fact): object {
  const eventsOf = (generation: 'v1' | 'v2', kinds: readonly string[]) =>
    kinds.map((kind, ordinal) => ({ id: formatEventId(generation, fact, ordinal), kind, generation }));
  return {
    seq: fact.seq,
    at: formatInstant(fact.at),
    resource: fact.resource,
    resource_id: formatV2(fact.resource, fact.resourceId),
    change: fact.change,
    events: [...eventsOf('v2', fact.kindsV2), ...eventsOf('v1', fact.kindsV1)],
  };
}

function formatAttempt({
  at,
  webhookId,
  eventId,
  kind,
  number,
  status,
  error,
  state,
}: AttemptNotice): object {
  const when = formatInstant(at);
  return { at: when, webhook_id: webhookId, event_id: eventId, kind, number, status, error, state };
}

/** Without bodies, which `GET /_sandbox/requests/{id}` shows masked. */
function formatRequestLine({
  id,
  dialect,
  at,
  method,
  url,
  operation,
  status,
  ms,
  fault,
  factsBefore,
  factsAfter,
}: JournalEntry): object {
  return {
    id: (dialect === 'v1' ? formatV1 : formatV2)('request', id),
    at: formatInstant(at),
    method,
    path: url.split('?', 1)[0] ?? '',
    operation,
    status,
    ms: Math.round(ms * 100) / 100,
    fault,
    facts: factsAfter === factsBefore ? null : { from: factsBefore + 1, to: factsAfter },
  };
}
