/**
 * The HTTP client: posts a body and returns the result; it never throws. Webhooks and real-time authorizations both
 * use it. The sockets live in a worker thread, which all sandboxes of the process share, so that slow receivers and
 * TLS cost the bank's thread nothing. The worker starts at the first send and keeps the process alive only while a
 * request is in flight.
 * Source: decision `delivery-success` in docs/fidelity.md.
 */
import { Worker } from 'node:worker_threads';
import { TIMEOUT_MS } from './limits.ts';
import { EVERY_HOST } from './receiver-hosts.ts';

/** A POST request. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Requests with the same key are sent sequentially, in the order of the calls, each after the previous response. */
  orderingKey?: string;
  /**
   * For a real-time request: the time limit in milliseconds from the call to the end of the response's body. Its
   * connection is used once, because a kept connection that the other side has just closed would count as no
   * response.
   */
  answerWithinMs?: number;
}

/** The result of a request. `status` is `null` without a response; `error` then says why, and is `''` otherwise. */
export interface SendResult {
  status: number | null;
  durationMs: number;
  error: string;
  /** The `Retry-After` header of the response, as it was written. */
  retryAfter: string | null;
  /**
   * The body of the response to a real-time request; for any other request the start of the body that arrived with
   * the head.
   */
  body?: string;
  /** The headers of the response. */
  headers?: Readonly<Record<string, string>>;
}

/** Posts once, follows no redirect, and resolves within the time limit; it does not reject. */
export type Send = (outgoing: Outgoing) => Promise<SendResult>;

export interface Sender {
  send: Send;
  /** Ends the worker; requests in flight and later sends fail. */
  close(): Promise<void>;
}

/** The messages of the two threads, batched by turns of their event loops. */
export type ToWorker = (Outgoing & { id: number })[];
export type FromWorker = (SendResult & { id: number })[];

export interface SenderOptions {
  /**
   * From the call of `send` in the worker to the head of the response, including the connection; a real-time request
   * has its own limit.
   */
  timeoutMs?: number;
  /** The hosts to which it sends: names, addresses, networks and words, as in SANDBANK_WEBHOOK_HOSTS. */
  hosts?: readonly string[];
  /** Another worker, for tests of its failures. */
  script?: URL;
}

// In the sources this is a .ts file and in the bundle a .js file, like the worker in the same folder.
const SCRIPT = import.meta.url.endsWith('.ts')
  ? new URL('./sender-worker.ts', import.meta.url)
  : new URL('./sender-worker.js', import.meta.url);

const failure = (error: string): SendResult => ({ status: null, durationMs: 0, error, retryAfter: null });

/** A sender without a worker yet; by default the time limit is 10 s, and every host is allowed. */
export function createSender({
  timeoutMs = TIMEOUT_MS,
  hosts = EVERY_HOST,
  script = SCRIPT,
}: SenderOptions = {}): Sender {
  let handle: WorkerHandle | undefined;
  let closed = false;
  let lastId = 0;

  return {
    send(outgoing) {
      if (closed) return Promise.resolve(failure('the sender is closed'));
      if (handle === undefined) {
        const startedHandle = startWorker(script, { timeoutMs, hosts }, () => {
          if (handle === startedHandle) handle = undefined;
        });
        handle = startedHandle;
      }
      lastId += 1;
      return handle.sendRequest(lastId, outgoing);
    },
    async close() {
      closed = true;
      await handle?.close();
    },
  };
}

/** One worker and its requests in flight. */
interface WorkerHandle {
  sendRequest(id: number, outgoing: Outgoing): Promise<SendResult>;
  close(): Promise<void>;
}

/** What the thread needs to know. */
export interface WorkerData {
  readonly timeoutMs: number;
  readonly hosts: readonly string[];
}

function startWorker(script: URL, workerData: WorkerData, onEnd: () => void): WorkerHandle {
  // The worker must not inherit the flags of the process: with `node --input-type=module -e` it would not start.
  const worker = new Worker(script, { name: 'sender', workerData, execArgv: [] });
  const inFlight = new Map<number, (result: SendResult) => void>();
  let batch: ToWorker = [];
  worker.unref();

  const resolveRequest = (id: number, result: SendResult): void => {
    inFlight.get(id)?.(result);
    inFlight.delete(id);
    if (inFlight.size === 0) worker.unref();
  };
  const failAll = (reason: string): void => {
    onEnd();
    for (const id of [...inFlight.keys()]) resolveRequest(id, failure(reason));
  };
  const flush = (): void => {
    const requests = batch;
    batch = [];
    try {
      worker.postMessage(requests satisfies ToWorker);
    } catch (error) {
      // This has no caller: an error that is thrown here would end the process.
      for (const { id } of requests)
        resolveRequest(id, failure(`the sender failed: ${(error as Error).message}`));
    }
  };

  worker.on('message', (results: FromWorker) => {
    for (const { id, ...result } of results) resolveRequest(id, result);
  });
  worker.on('error', (error) => failAll(`the sender failed: ${error.message}`));
  worker.on('exit', () => failAll('the sender stopped'));

  return {
    sendRequest: (id, outgoing) =>
      new Promise((resolve) => {
        if (inFlight.size === 0) worker.ref();
        inFlight.set(id, resolve);
        batch.push({ id, ...outgoing });
        // Before the commit at the end of this turn, so that both threads work at the same time.
        if (batch.length === 1) queueMicrotask(flush);
      }),
    async close() {
      await worker.terminate();
    },
  };
}
