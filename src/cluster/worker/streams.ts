/**
 * A stream of several sandboxes (`x-sandbox-keys`): each is another object and answers with a stream of its own, and
 * the entry of the worker joins them as the server does for the sandboxes of a process.
 */

import type { RefusalCode } from '../../bank/kernel/refusals.ts';
import { KEYS_HEADER, MAX_SANDBOXES } from '../../sandboxes/control/stream.ts';
import { write } from '../../sandboxes/control/stream-items.ts';
import { pathOf } from './target.ts';

const STREAM = '/_sandbox/stream';
const SEEN_HEADER = 'last-event-id';
const END_OF_ITEM = '\n\n';
const COMMENT = ':';
/** The refusals of one sandbox, after which the stream goes on with the others. */
const OF_ONE: readonly RefusalCode[] = ['sandbox_not_found', 'sandboxes_full', 'sandbox_unavailable'];

interface Source {
  /** The items that come before the first one of the stream. */
  readonly begin: string;
  readonly body: ReadableStream<Uint8Array> | null;
}

const listOf = (header: string | null): string[] => (header ?? '').split(',').map((item) => item.trim());

/** The keys of a stream of several sandboxes; none for any other request, and for one that the server refuses. */
export function keysOfStream({ method, url, headers }: Request): readonly string[] {
  if (method !== 'GET' || pathOf(url) !== STREAM) return [];
  const keys = listOf(headers.get(KEYS_HEADER));
  return keys[0] !== '' && keys.length <= MAX_SANDBOXES ? keys : [];
}

/** Opens a stream for each key, and joins them. The first refusal that concerns all of them is the answer. */
export async function joinStreams(
  request: Request,
  keys: readonly string[],
  open: (request: Request) => Promise<Response>,
): Promise<Response> {
  const seen = listOf(request.headers.get(SEEN_HEADER));
  // A host may be no part of a URL; the server reads it from the header.
  const address = new URL(STREAM, URL.canParse(request.url) ? request.url : 'http://localhost');
  const responses = await Promise.all(
    keys.map((key, index) => {
      const headers = new Headers(request.headers);
      headers.delete(KEYS_HEADER);
      headers.delete(SEEN_HEADER);
      headers.delete('accept-encoding');
      headers.set('api-key', key);
      const since = seen[index] ?? '';
      if (since !== '') headers.set(SEEN_HEADER, since);
      return open(new Request(address, { headers }));
    }),
  );
  const sources = await Promise.all(responses.map(sourceOf));
  const refusedAt = sources.indexOf(null);
  if (refusedAt >= 0) {
    for (const source of sources) await source?.body?.cancel();
    return responses[refusedAt] as Response;
  }
  const headers = new Headers(responses.find(({ ok }) => ok)?.headers);
  headers.set('content-type', 'text/event-stream; charset=utf-8');
  return new Response(joined(sources as Source[]), { headers });
}

/** Null for a refusal that concerns all sandboxes. */
async function sourceOf(response: Response): Promise<Source | null> {
  if (response.ok) return { begin: '', body: response.body };
  const answer = (await response.clone().json()) as { error?: { code: RefusalCode; message: string } };
  if (answer.error === undefined || !OF_ONE.includes(answer.error.code)) return null;
  const { code, message } = answer.error;
  return { begin: write('refused', { code, message }), body: null };
}

/**
 * The items of all sources as they come, each batch after the place of its source. It waits for a slow client, and
 * then the objects disconnect it as they would without this.
 */
function joined(sources: readonly Source[]): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const readers = sources.map(({ body }) => body?.pipeThrough(new TextDecoderStream()).getReader());
  const push = (index: number, items: string): Promise<void> => {
    const isSilent = items.split(END_OF_ITEM).every((item) => item === '' || item.startsWith(COMMENT));
    const label = isSilent ? '' : write('sandbox', { index });
    return writer.write(encoder.encode(label + items));
  };
  const copy = async ({ begin }: Source, index: number): Promise<void> => {
    if (begin !== '') await push(index, begin);
    let text = '';
    for (;;) {
      const { value, done = true } = (await readers[index]?.read()) ?? {};
      if (done) return;
      text += value;
      const end = text.lastIndexOf(END_OF_ITEM) + END_OF_ITEM.length;
      if (end < END_OF_ITEM.length) continue;
      await push(index, text.slice(0, end));
      text = text.slice(end);
    }
  };
  const leave = async (error: unknown): Promise<void> => {
    await Promise.allSettled([writer.abort(error), ...readers.map((reader) => reader?.cancel())]);
  };
  // A client that resumes gets what it missed, so the loss of one stream ends the whole.
  Promise.all(sources.map(copy)).catch(leave);
  // The client has gone.
  writer.closed.catch(leave);
  return readable;
}
