/**
 * The sender's thread: sockets and nothing else. Connections are kept alive, redirects are not followed, the answer's
 * head is the outcome and its body is thrown away. A request has one time limit, from its arrival here to that head.
 */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type * as Undici from 'undici';
import type { FromWorker, Outcome, ToWorker } from './sender.ts';

// The agent alone: with fetch, caches and web sockets it would take three times the time and twice the memory.
const Agent = createRequire(import.meta.url)('undici/lib/dispatcher/agent.js') as typeof Undici.Agent;

const { timeoutMs } = workerData as { timeoutMs: number };

/** A longer body is not worth a kept connection. */
const BODY_AT_MOST_BYTES = 64 * 1024;
const OUT_OF_TIME = new Error(`no answer within ${timeoutMs} ms`);

// Its own limits are off or the same: the timer below is the one that counts, and it is exact.
const agent = new Agent({ connect: { timeout: timeoutMs }, headersTimeout: 0, bodyTimeout: 0 });
let answers: FromWorker = [];
/** What waits for the one before it of the same chain, which is on its way. */
const chains = new Map<string, ToWorker>();

function answer(id: number, outcome: Outcome): void {
  answers.push({ id, ...outcome });
  if (answers.length === 1) {
    setImmediate(() => {
      parentPort?.postMessage(answers);
      answers = [];
    });
  }
}

function describe(error: Error & { code?: string }): string {
  return error.message || error.code || error.name;
}

/** Sends a request, or keeps it until those of its chain that came before have their answers. */
function take(request: ToWorker[number]): void {
  const { chain } = request;
  if (chain === undefined) {
    post(request);
    return;
  }
  const before = chains.get(chain);
  if (before !== undefined) {
    before.push(request);
    return;
  }
  chains.set(chain, []);
  post(request);
}

function goOn(chain: string): void {
  const next = chains.get(chain)?.shift();
  if (next === undefined) chains.delete(chain);
  else post(next);
}

function post({ id, url, headers, body, chain }: ToWorker[number]): void {
  const startedAt = performance.now();
  let controller: Undici.Dispatcher.DispatchController | undefined;
  let answered = false;
  let bodyBytes = 0;

  const settle = (outcome: Pick<Outcome, 'status' | 'error' | 'retryAfter'>): void => {
    if (answered) return;
    answered = true;
    answer(id, { ...outcome, durationMs: Math.round(performance.now() - startedAt) });
    if (chain !== undefined) goOn(chain);
  };
  const fail = (error: Error): void => {
    clearTimeout(timer);
    settle({ status: null, error: describe(error), retryAfter: null });
  };
  const timer = setTimeout(() => {
    settle({ status: null, error: OUT_OF_TIME.message, retryAfter: null });
    controller?.abort(OUT_OF_TIME);
  }, timeoutMs);

  try {
    const { origin, pathname, search } = new URL(url);
    agent.dispatch(
      { origin, path: pathname + search, method: 'POST', headers, body },
      {
        onRequestStart(started) {
          // The connection may have come too late: what was given up must not be sent after all.
          if (answered) started.abort(OUT_OF_TIME);
          else controller = started;
        },
        onResponseStart(_, status, { 'retry-after': retryAfter }) {
          if (status < 200) return;
          settle({ status, error: '', retryAfter: typeof retryAfter === 'string' ? retryAfter : null });
        },
        onResponseData(current, chunk) {
          bodyBytes += chunk.length;
          if (bodyBytes > BODY_AT_MOST_BYTES) current.abort(new Error('the rest of the body is not wanted'));
        },
        onResponseEnd() {
          clearTimeout(timer);
        },
        onResponseError(_, error) {
          fail(error);
        },
      },
    );
  } catch (error) {
    fail(error as Error);
  }
}

parentPort?.on('message', (requests: ToWorker) => requests.forEach(take));
