/**
 * The sender's thread, which handles only sockets. Connections are kept alive, redirects are not followed, and the
 * head of the response is the outcome; the start of its body is kept if it arrives together with the head. A request
 * has one time limit, from its arrival here to the head of the response. For a real-time request the outcome and the
 * time limit include the body, and its connection is not kept.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Dispatcher } from 'undici';
import { targetOf } from '../kernel/address.ts';
import { KEPT_BYTES, KEPT_WITHIN_MS, MAX_BODY_BYTES } from './limits.ts';
import { createHostPolicy, lookupWithin, requireAllowed } from './receiver-hosts.ts';
import type { FromWorker, SendResult, ToWorker, WorkerData } from './sender.ts';
import Agent from './undici-agent.cjs';

const { timeoutMs, hosts } = workerData as WorkerData;

/** The other side closed the connection, between two responses or during one. */
const CUT_OFF = /^other side closed$|\(Invalid EOF state\)$/;
const TOO_LONG = new Error(`the response is longer than ${MAX_BODY_BYTES} bytes`);

// The client's own limits are off or equal: the timer below applies, and it is exact.
const limits = { headersTimeout: 0, bodyTimeout: 0 };
const policy = createHostPolicy(hosts);
const lookup = lookupWithin(policy);
const agent = new Agent({ ...limits, connect: { timeout: timeoutMs, lookup } });
const questionAgent = new Agent({ ...limits, connect: { timeout: 0, lookup }, pipelining: 0 });
let results: FromWorker = [];
/** By ordering key, the requests that wait for the one in flight. */
const waitingByKey = new Map<string, ToWorker>();

function postResult(id: number, result: SendResult): void {
  results.push({ id, ...result });
  if (results.length === 1) {
    setImmediate(() => {
      parentPort?.postMessage(results);
      results = [];
    });
  }
}

function describe(error: Error & { code?: string }): string {
  return error.message || error.code || error.name;
}

/** Joins the values of a repeated header into one text. */
function textsOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** Sends a request, or keeps it until the earlier ones with its ordering key have their responses. */
function enqueue(request: ToWorker[number]): void {
  const { orderingKey } = request;
  if (orderingKey === undefined) {
    sendRequest(request);
    return;
  }
  const before = waitingByKey.get(orderingKey);
  if (before !== undefined) {
    before.push(request);
    return;
  }
  waitingByKey.set(orderingKey, []);
  sendRequest(request);
}

function sendNext(orderingKey: string): void {
  const next = waitingByKey.get(orderingKey)?.shift();
  if (next === undefined) waitingByKey.delete(orderingKey);
  else sendRequest(next);
}

function sendRequest({ id, url, headers, body, orderingKey, answerWithinMs }: ToWorker[number]): void {
  const startedAt = performance.now();
  const isQuestion = answerWithinMs !== undefined;
  const limitMs = answerWithinMs ?? timeoutMs;
  const outOfTime = new Error(`no response within ${limitMs} ms`);
  let controller: Dispatcher.DispatchController | undefined;
  let isFinished = false;
  let head: Pick<SendResult, 'status' | 'durationMs' | 'error' | 'retryAfter' | 'headers'> | undefined;
  let bodyTimer: NodeJS.Timeout | undefined;
  const chunks: Buffer[] = [];
  let bodyBytes = 0;

  const elapsed = (): number => Math.round(performance.now() - startedAt);
  const finish = (result: SendResult): void => {
    if (isFinished) return;
    isFinished = true;
    clearTimeout(bodyTimer);
    postResult(id, result);
    if (orderingKey !== undefined) sendNext(orderingKey);
  };
  /** The outcome is the head, with the part of the body that has arrived. */
  const finishWithHead = (): void => {
    if (head !== undefined)
      finish({ ...head, body: Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8') });
  };
  const fail = (error: Error): void => {
    clearTimeout(timer);
    // An incomplete body does not change the outcome.
    if (!isQuestion && head !== undefined) finishWithHead();
    else finish({ status: null, durationMs: elapsed(), error: describe(error), retryAfter: null });
  };
  const timer = setTimeout(() => {
    fail(outOfTime);
    controller?.abort(outOfTime);
  }, limitMs);

  try {
    const { url: bare, headers: credentials } = targetOf(url);
    const target = new URL(bare);
    requireAllowed(target, policy);
    const { origin, pathname, search } = target;
    (isQuestion ? questionAgent : agent).dispatch(
      {
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...headers, ...credentials },
        body,
      },
      {
        onRequestStart(started) {
          // The connection may be established after the time limit. Nothing may be sent then.
          if (isFinished) started.abort(outOfTime);
          else controller = started;
        },
        onResponseStart(_, status, headers) {
          if (status < 200) return;
          const { 'retry-after': retryAfter } = headers;
          head = {
            status,
            durationMs: elapsed(),
            error: '',
            retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
            ...(!isQuestion && { headers: textsOf(headers) }),
          };
          if (!isQuestion) bodyTimer = setTimeout(finishWithHead, KEPT_WITHIN_MS);
        },
        onResponseData(current, chunk) {
          bodyBytes += chunk.length;
          if (bodyBytes > MAX_BODY_BYTES) current.abort(TOO_LONG);
          else if (isQuestion || bodyBytes - chunk.length < KEPT_BYTES) chunks.push(chunk);
          if (!isQuestion && bodyBytes >= KEPT_BYTES) finishWithHead();
        },
        onResponseEnd() {
          clearTimeout(timer);
          if (!isQuestion) finishWithHead();
          else if (head !== undefined)
            finish({ ...head, durationMs: elapsed(), body: Buffer.concat(chunks).toString('utf8') });
        },
        onResponseError(_, error) {
          // The wording of Node's own client, which the real-time decisions show.
          const isCutOff = isQuestion && CUT_OFF.test(error.message);
          fail(isCutOff ? new Error(head === undefined ? 'socket hang up' : 'aborted') : error);
        },
      },
    );
  } catch (error) {
    fail(error as Error);
  }
}

parentPort?.on('message', (requests: ToWorker) => requests.forEach(enqueue));
