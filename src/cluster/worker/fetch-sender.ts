/**
 * The HTTP client for runtimes without sockets and threads: `fetch` replaces the worker of the sender. The results
 * are the same, except for the messages of errors, which come from the runtime.
 * Source: decision `delivery-success` in docs/fidelity.md.
 */

import { KEPT_BYTES, KEPT_WITHIN_MS, MAX_BODY_BYTES, TIMEOUT_MS } from '../../bank/delivery/limits.ts';
import type { Outgoing, Send, SendResult } from '../../bank/delivery/sender.ts';
import { targetOf } from '../../bank/kernel/address.ts';

export interface FetchSenderOptions {
  /**
   * The limit from the call to the head of the response, including the connection; a real-time request has its own
   * limit.
   */
  timeoutMs?: number;
  /** The default is the runtime's own. */
  fetch?: typeof globalThis.fetch;
}

/** A sender of one sandbox. */
export function createFetchSender({
  timeoutMs = TIMEOUT_MS,
  fetch = globalThis.fetch,
}: FetchSenderOptions = {}): Send {
  /** The result of the last request of each ordering key. */
  const lastByKey = new Map<string, Promise<SendResult>>();

  return (outgoing) => {
    const { orderingKey } = outgoing;
    const send = (): Promise<SendResult> => post(fetch, outgoing, timeoutMs);
    if (orderingKey === undefined) return send();
    const before = lastByKey.get(orderingKey);
    const sent = before === undefined ? send() : before.then(send);
    lastByKey.set(orderingKey, sent);
    void sent.then(() => {
      if (lastByKey.get(orderingKey) === sent) lastByKey.delete(orderingKey);
    });
    return sent;
  };
}

async function post(
  fetch: typeof globalThis.fetch,
  { url, headers, body, answerWithinMs }: Outgoing,
  timeoutMs: number,
): Promise<SendResult> {
  const startedAt = performance.now();
  const isQuestion = answerWithinMs !== undefined;
  const limitMs = answerWithinMs ?? timeoutMs;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no response within ${limitMs} ms`)), limitMs);
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const target = targetOf(url);
    const response = await fetch(target.url, {
      method: 'POST',
      headers: { ...headers, ...target.headers },
      body,
      redirect: 'manual',
      signal: controller.signal,
    });
    const head = {
      status: response.status,
      durationMs: elapsed(),
      error: '',
      retryAfter: response.headers.get('retry-after'),
    };
    if (isQuestion) {
      const text = await readWhole(response);
      return { ...head, durationMs: elapsed(), body: text };
    }
    return { ...head, headers: Object.fromEntries(response.headers), body: await readBeginning(response) };
  } catch (error) {
    const reason = controller.signal.aborted ? controller.signal.reason : error;
    return { status: null, durationMs: elapsed(), error: describe(reason), retryAfter: null };
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the whole body. Throws if it is too long or incomplete. */
async function readWhole({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`the response is longer than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Reads the part of a body that arrives at once. The head determines the result, so an incomplete body does not
 * change it.
 */
async function readBeginning({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reading = (async () => {
    while (bytes < KEPT_BYTES) {
      const { value, done } = await reader.read();
      if (done) return;
      bytes += value.length;
      chunks.push(value);
    }
  })().catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, KEPT_WITHIN_MS);
  });
  await Promise.race([reading, late]);
  clearTimeout(timer);
  reader.cancel().catch(() => {});
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8');
}

function describe(error: unknown): string {
  const { message, cause } = error as Error;
  // The cause of an error of Node's `fetch` has the details.
  const { message: inner = '', code = '' } = (cause ?? {}) as Error & { code?: string };
  return inner || code || message;
}
