/**
 * The sender's thread: sockets and nothing else. Connections are kept alive, redirects are not followed, the answer's
 * head is the outcome and its body is thrown away. A request has one time limit, from its arrival here to that head.
 * Of a question, the body belongs to the outcome and to the time, and its connection is not kept.
 */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type * as Undici from 'undici';
import type { FromWorker, Outcome, ToWorker } from './sender.ts';

// The agent alone: with fetch, caches and web sockets it would take three times the time and twice the memory.
const Agent = createRequire(import.meta.url)('undici/lib/dispatcher/agent.js') as typeof Undici.Agent;

const { timeoutMs } = workerData as { timeoutMs: number };

/** A longer body is not worth a kept connection, and does not answer a question. */
const BODY_AT_MOST_BYTES = 64 * 1024;
/** The other side has gone, between two answers or in the middle of one. */
const CUT_OFF = /^other side closed$|\(Invalid EOF state\)$/;
const TOO_LONG = new Error(`the answer is longer than ${BODY_AT_MOST_BYTES} bytes`);

// Their own limits are off or the same: the timer below is the one that counts, and it is exact.
const limits = { headersTimeout: 0, bodyTimeout: 0 };
const agent = new Agent({ ...limits, connect: { timeout: timeoutMs } });
const questions = new Agent({ ...limits, connect: { timeout: 0 }, pipelining: 0 });
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

/** The user that the address of a question may name, as `http://user:password@host/`. */
function authorizationOf({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
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

function post({ id, url, headers, body, chain, answerWithinMs }: ToWorker[number]): void {
  const startedAt = performance.now();
  const isQuestion = answerWithinMs !== undefined;
  const limitMs = answerWithinMs ?? timeoutMs;
  const outOfTime = new Error(`no answer within ${limitMs} ms`);
  let controller: Undici.Dispatcher.DispatchController | undefined;
  let answered = false;
  let head: Pick<Outcome, 'status' | 'error' | 'retryAfter'> | undefined;
  const chunks: Buffer[] = [];
  let bodyBytes = 0;

  const settle = (outcome: Omit<Outcome, 'durationMs'>): void => {
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
    fail(outOfTime);
    controller?.abort(outOfTime);
  }, limitMs);

  try {
    const target = new URL(url);
    const { origin, pathname, search } = target;
    (isQuestion ? questions : agent).dispatch(
      {
        origin,
        path: pathname + search,
        method: 'POST',
        headers: isQuestion ? { ...headers, ...authorizationOf(target) } : headers,
        body,
      },
      {
        onRequestStart(started) {
          // The connection may have come too late: what was given up must not be sent after all.
          if (answered) started.abort(outOfTime);
          else controller = started;
        },
        onResponseStart(_, status, { 'retry-after': retryAfter }) {
          if (status < 200) return;
          head = { status, error: '', retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
          if (!isQuestion) settle(head);
        },
        onResponseData(current, chunk) {
          bodyBytes += chunk.length;
          if (bodyBytes > BODY_AT_MOST_BYTES) current.abort(TOO_LONG);
          else if (isQuestion) chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          if (isQuestion && head !== undefined)
            settle({ ...head, body: Buffer.concat(chunks).toString('utf8') });
        },
        onResponseError(_, error) {
          // In the words of Node's own client, which the decisions on a question show.
          const isCut = isQuestion && CUT_OFF.test(error.message);
          fail(isCut ? new Error(head === undefined ? 'socket hang up' : 'aborted') : error);
        },
      },
    );
  } catch (error) {
    fail(error as Error);
  }
}

parentPort?.on('message', (requests: ToWorker) => requests.forEach(take));
