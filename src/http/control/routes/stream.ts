/**
 * Streams what happens in the sandbox as server-sent events, from now on or from where a listener left off.
 */
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';
import { streamNews } from '../stream.ts';

const HEARTBEAT_MS = 15_000;

export const stream = controlOperation({
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
    return Readable.from(streamNews(sandbox, { since, signal, heartbeatMs: HEARTBEAT_MS }));
  },
});
