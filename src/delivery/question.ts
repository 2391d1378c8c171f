/**
 * Asks a client a question and waits for what it says: a signed POST whose answer has a body. It never throws, follows
 * no redirect, and has one time limit from the call to the end of the answer. A connection is used once, because a kept
 * one that the receiver has just closed would count as silence.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { signatureHeaders } from './signature.ts';

interface Question {
  url: string;
  secret: string;
  /** The same in every header and in the body. */
  id: string;
  /** When it is asked, on the real clock. */
  timestampSeconds: number;
  body: string;
  timeoutMs: number;
}

/** What came back. `status` is `null` when nobody answered in time; `error` then says why, and is `''` otherwise. */
export interface Reply {
  status: number | null;
  body: string;
  error: string;
  durationMs: number;
}

/** An answer is one word; whoever sends more than this does not answer. */
const ANSWER_AT_MOST_BYTES = 64 * 1024;

/** Asks once. */
export async function sendQuestion({
  url,
  secret,
  id,
  timestampSeconds,
  body,
  timeoutMs,
}: Question): Promise<Reply> {
  const startedAt = performance.now();
  // Most receivers are on this machine and speak plain http, which is loaded anyway.
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise<Reply>((resolve) => {
    let sent: ClientRequest | undefined;
    const settle = (reply: Pick<Reply, 'status' | 'body' | 'error'>): void => {
      clearTimeout(timer);
      resolve({ ...reply, durationMs: Math.round(performance.now() - startedAt) });
      sent?.destroy();
    };
    const fail = (error: string): void => settle({ status: null, body: '', error });
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);

    try {
      sent = request(
        url,
        {
          method: 'POST',
          agent: false,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...signatureHeaders({ secret, id, timestampSeconds, body }),
          },
        },
        (answer) => read(answer, settle, fail),
      );
      sent.on('error', (error: NodeJS.ErrnoException) => fail(error.message || error.code || error.name));
      sent.end(body);
    } catch (error) {
      fail(String(error));
    }
  });
}

function read(
  answer: IncomingMessage,
  settle: (reply: Pick<Reply, 'status' | 'body' | 'error'>) => void,
  fail: (error: string) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > ANSWER_AT_MOST_BYTES) fail(`the answer is longer than ${ANSWER_AT_MOST_BYTES} bytes`);
    else chunks.push(chunk);
  });
  answer.on('end', () =>
    settle({ status: answer.statusCode ?? null, body: Buffer.concat(chunks).toString('utf8'), error: '' }),
  );
  answer.on('error', ({ message }) => fail(message));
}
