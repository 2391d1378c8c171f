/**
 * The activity of a sandbox as server-sent events. Facts come from the log, in order and each once, so a client that
 * was disconnected continues after the last fact that it received; other items are sent only to connected clients.
 * One connection can carry several sandboxes, because a browser opens at most six connections to a host.
 */
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { OBSERVER_HEADER } from '../registry/keys.ts';
import type { Observers } from '../registry/observers.ts';
import type { Registry } from '../registry/registry.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { controlOperation } from './operation.ts';
import { hubOf, type Sink } from './stream-hub.ts';
import { write } from './stream-items.ts';

/** An observer with more unread bytes than this is disconnected, and may resume after the last fact that it saw. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** While it resumes, it gets at most this amount at once. */
const ENOUGH_BYTES = 256 * 1024;
/** Of one stream. */
export const MAX_SANDBOXES = 100;
/** The keys of several sandboxes. */
export const KEYS_HEADER = 'x-sandbox-keys';

interface Observed {
  readonly sandbox: Sandbox;
  readonly since: string;
  /** The line before each batch of a stream with several sandboxes. */
  readonly label?: string;
}

/** The response to one observer. */
export function openStream(
  observed: readonly Observed[],
  { observers, signal, begin = '' }: { observers: Observers; signal: AbortSignal; begin?: string },
): Readable {
  const release = observers.admit();
  const leaves: (() => void)[] = [];
  let isOver = false;
  let wake = (): void => {};
  const stream = new Readable({
    read: () => wake(),
    destroy(error, done) {
      leave();
      done(error);
    },
  });
  const leave = (): void => {
    if (isOver) return;
    isOver = true;
    for (const one of leaves) one();
    release();
    wake();
  };
  const end = (): void => {
    leave();
    stream.push(null);
  };
  const push = (chunk: Buffer): void => {
    if (isOver) return;
    if (stream.readableLength <= MAX_UNREAD_BYTES) {
      stream.push(chunk);
      return;
    }
    observers.noteCutOff();
    stream.destroy();
  };
  const ready = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    while (!isOver && stream.readableLength > ENOUGH_BYTES) await new Promise<void>((room) => (wake = room));
  };

  push(Buffer.from(begin));
  for (const { sandbox, since, label } of observed) {
    const prefix = label === undefined ? undefined : Buffer.from(label);
    const sink: Sink = {
      ready,
      push: (chunk) => push(prefix === undefined ? chunk : Buffer.concat([prefix, chunk])),
      // A stream of several sandboxes continues with the others.
      end: () => prefix === undefined && end(),
    };
    push(Buffer.from(`: ${sandbox.name}\n\n`));
    leaves.push(hubOf(sandbox).join(sink, since));
  }
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return stream;
}

/** The sandboxes of the keys in a header, each with its position; a sandbox that cannot be observed becomes an item. */
function parseSeveral(
  registry: Registry,
  keys: readonly string[],
  seen: readonly string[],
  isObserver: boolean,
): { observed: Observed[]; begin: string } {
  if (keys.length > MAX_SANDBOXES) {
    throw refuse('field_invalid', {
      field: KEYS_HEADER,
      message: `${KEYS_HEADER} has ${keys.length} keys; a stream can have at most ${MAX_SANDBOXES} sandboxes`,
    });
  }
  const observed: Observed[] = [];
  let begin = '';
  keys.forEach((key, index) => {
    const label = write('sandbox', { index });
    try {
      const sandbox = registry.byKey(key, isObserver);
      if (sandbox === undefined) throw refuse('sandbox_not_found');
      // The file of the sandbox may be unusable.
      sandbox.outbox.latestSeq();
      observed.push({ sandbox, since: seen[index] ?? '', label });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      begin += label + write('refused', { code: error.code, message: error.message });
    }
  });
  return { observed, begin };
}

function listOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}

export const STREAM_OPERATIONS = [
  controlOperation({
    id: 'sandbox_stream',
    method: 'GET',
    path: '/_sandbox/stream',
    group: 'Inspect',
    summary: 'Stream activity',
    description:
      'Streams activity as server-sent events: requests, events, deliveries and clock changes, from now or after `Last-Event-ID` or `since`. It ends only when the client closes it.',
    answer: 'The stream of events.',
    status: 200,
    query: Type.Object({
      since: Type.Optional(
        Type.String({
          pattern: '^(\\d{1,15}\\.)?\\d{1,15}$',
          description:
            'The seq of a fact, or the id of its event in this stream; the stream continues after it. The header Last-Event-ID overrides it. Default: from now on.',
        }),
      ),
    }),
    contentType: 'text/event-stream; charset=utf-8',
    response: Type.Unsafe<Readable>({ type: 'string' }),
    refuses: ['observers_full', 'field_invalid'],
    example: { query: { since: '0' } },
    run: ({ sandbox, registry, observers, signal, headers }, { query }) => {
      const seen = headers['last-event-id'];
      const keys = listOf(headers[KEYS_HEADER]);
      if (keys.length > 0) {
        const { observed, begin } = parseSeveral(
          registry,
          keys,
          listOf(seen),
          headers[OBSERVER_HEADER] !== undefined,
        );
        return openStream(observed, { observers, signal, begin });
      }
      const since = typeof seen === 'string' && seen !== '' ? seen : (query.since ?? '');
      return openStream([{ sandbox, since }], { observers, signal });
    },
  }),
] as const;
