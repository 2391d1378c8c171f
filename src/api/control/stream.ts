/**
 * What happens in a sandbox as server-sent events: facts with the event kinds of both API versions, delivery
 * attempts, and requests. Facts come from the log, in order and each once, so a client that was disconnected
 * continues after the last one that it saw; the rest is sent only to clients that are connected.
 */
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { formatInstant } from '../../kernel/time.ts';
import type { Fact } from '../../model/facts.ts';
import type { JournalEntry } from '../../sandboxes/journal.ts';
import type { AttemptNotice, Notice } from '../../sandboxes/notices.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { formatEventId } from '../events.ts';
import { formatV1, formatV2 } from '../ids.ts';
import { controlOperation } from './operation.ts';

export interface StreamOptions {
  /** The `id` of the last event that was seen, or the number of a fact; `''` for what comes from now on. */
  since: string;
  signal: AbortSignal;
  heartbeatMs: number;
}

/** A client that reads slower than this is disconnected, and may reconnect after the last fact that it saw. */
const MOST_WAITING = 10_000;

/** What is told as it happens; facts are read from the log. */
type Live = Exclude<Notice, { type: 'fact' }>;

/** The text of the stream, until the signal or the end of the sandbox. */
export async function* streamNotices(
  sandbox: Sandbox,
  { since, signal, heartbeatMs }: StreamOptions,
): AsyncGenerator<string, void, undefined> {
  const waiting: Live[] = [];
  let isOver = signal.aborted;
  let isClosed = false;
  let wake = (): void => {};
  let seq = startOf(sandbox, since);

  const unlisten = sandbox.notices.listen((item) => {
    if (item.type === 'closed') isClosed = true;
    if (isClosed || waiting.length === MOST_WAITING) isOver = true;
    // The log of the bank that is there now has numbers of its own.
    if (item.type === 'replaced') seq = sandbox.outbox.latestSeq();
    if (item.type !== 'fact' && !isOver) waiting.push(item);
    wake();
  });
  const end = (): void => {
    isOver = true;
    wake();
  };
  signal.addEventListener('abort', end);

  /** True when something happened before the time was up. */
  const moreFacts = (): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), heartbeatMs);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });

  try {
    yield `: ${sandbox.name}\n\n`;
    while (!isOver) {
      if (seq < sandbox.outbox.latestSeq()) {
        seq += 1;
        const fact = sandbox.outbox.fact(seq);
        if (fact !== undefined) yield write('fact', formatFact(fact), `${sandbox.banksBefore}.${seq}`);
        continue;
      }
      const item = waiting.shift();
      if (item !== undefined) yield formatItem(item);
      else if (!(await moreFacts())) yield ': still here\n\n';
    }
    if (isClosed) yield formatItem({ type: 'closed' });
  } finally {
    unlisten();
    signal.removeEventListener('abort', end);
  }
}

/** The number of the last fact that is not wanted. */
function startOf(sandbox: Sandbox, since: string): number {
  const latest = sandbox.outbox.latestSeq();
  const [, bank, seq] = /^(?:(\d+)\.)?(\d+)$/.exec(since) ?? [];
  // A position in a former bank has no meaning in this one.
  if (seq === undefined || (bank !== undefined && Number(bank) !== sandbox.banksBefore)) return latest;
  return Math.min(Number(seq), latest);
}

function write(event: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function formatItem(item: Live): string {
  switch (item.type) {
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

const HEARTBEAT_MS = 15_000;

export const STREAM_OPERATIONS = [
  /**
   * Streams what happens in the sandbox as server-sent events, from now on or from where a listener left off.
   */
  controlOperation({
    id: 'sandbox_stream',
    method: 'GET',
    path: '/_sandbox/stream',
    group: 'Look',
    summary: 'Stream what happens',
    status: 200,
    query: Type.Object({
      since: Type.Optional(
        Type.String({
          pattern: '^(\\d{1,15}\\.)?\\d{1,15}$',
          description:
            'After this fact: its seq, or the id of its event in this stream. The header Last-Event-ID goes before it; from now on when neither is sent.',
        }),
      ),
    }),
    contentType: 'text/event-stream; charset=utf-8',
    response: Type.Unsafe<Readable>({ type: 'string' }),
    example: { query: { since: '0' } },
    run: ({ sandbox, signal, headers }, { query }) => {
      const seen = headers['last-event-id'];
      const since = typeof seen === 'string' && seen !== '' ? seen : (query.since ?? '');
      return Readable.from(streamNotices(sandbox, { since, signal, heartbeatMs: HEARTBEAT_MS }));
    },
  }),
] as const;
