/**
 * The one outward function: posts a body and says what came of it, never by throwing. Webhooks and questions in real time
 * both go this way. The sockets live in a worker thread, which all sandboxes of the process share, so that slow receivers
 * and TLS cost the bank's thread nothing. The worker starts at the first send and keeps the process alive only while
 * something is in flight.
 * Source: decision `delivery-success` in docs/fidelity.md.
 */
import { Worker } from 'node:worker_threads';

/** What is to be sent, whatever it is: a POST. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Those of one chain are sent one after the other, in the order of the calls, each when the one before has its answer. */
  chain?: string;
  /**
   * It is a question: its whole answer is wanted, within so many milliseconds from the call to the end of the body. Its
   * connection is used once, because a kept one that the other side has just closed would count as silence.
   */
  answerWithinMs?: number;
}

/** What came of it. `status` is `null` when nobody answered; `error` then says why, and is `''` otherwise. */
export interface Outcome {
  status: number | null;
  durationMs: number;
  error: string;
  /** The answer's `Retry-After` header, as it was written. */
  retryAfter: string | null;
  /** What a question was answered; not there when nobody answered it, or when it was none. */
  body?: string;
}

/** Posts once, follows no redirect, and settles within the time limit; it does not reject. */
export type Send = (outgoing: Outgoing) => Promise<Outcome>;

export interface Sender {
  send: Send;
  /** Ends the worker; what is in flight is given up and settles as an error, as does every later send. */
  close(): Promise<void>;
}

/** What the two threads say to each other, gathered by turns of their event loops. */
export type ToWorker = (Outgoing & { id: number })[];
export type FromWorker = (Outcome & { id: number })[];

export interface SenderOptions {
  /** From the call of `send` in the worker to the answer's head, connecting included; a question has its own. */
  timeoutMs?: number;
  /** Another worker, for tests of its failures. */
  script?: URL;
}

const TIMEOUT_MS = 10_000;

// As source this is a .ts file, compiled a .js file, and so is the worker beside it.
const SCRIPT = import.meta.url.endsWith('.ts')
  ? new URL('./sender-worker.ts', import.meta.url)
  : new URL('./sender-worker.js', import.meta.url);

const failure = (error: string): Outcome => ({ status: null, durationMs: 0, error, retryAfter: null });

/** A sender without a worker yet; `timeoutMs` is 10 s unless given. */
export function createSender({ timeoutMs = TIMEOUT_MS, script = SCRIPT }: SenderOptions = {}): Sender {
  let line: Line | undefined;
  let closed = false;
  let lastId = 0;

  return {
    send(outgoing) {
      if (closed) return Promise.resolve(failure('the sender is closed'));
      if (line === undefined) {
        const opened = openLine(script, timeoutMs, () => {
          if (line === opened) line = undefined;
        });
        line = opened;
      }
      lastId += 1;
      return line.post(lastId, outgoing);
    },
    async close() {
      closed = true;
      await line?.close();
    },
  };
}

/** One worker and what it has in hand. */
interface Line {
  post(id: number, outgoing: Outgoing): Promise<Outcome>;
  close(): Promise<void>;
}

function openLine(script: URL, timeoutMs: number, onEnd: () => void): Line {
  // The flags of the process are not the worker's: with `node --input-type=module -e` it would not even start.
  const worker = new Worker(script, { name: 'sender', workerData: { timeoutMs }, execArgv: [] });
  const inFlight = new Map<number, (outcome: Outcome) => void>();
  let batch: ToWorker = [];
  worker.unref();

  const settle = (id: number, outcome: Outcome): void => {
    inFlight.get(id)?.(outcome);
    inFlight.delete(id);
    if (inFlight.size === 0) worker.unref();
  };
  const giveUp = (reason: string): void => {
    onEnd();
    for (const id of [...inFlight.keys()]) settle(id, failure(reason));
  };
  const flush = (): void => {
    worker.postMessage(batch satisfies ToWorker);
    batch = [];
  };

  worker.on('message', (answers: FromWorker) => {
    for (const { id, ...outcome } of answers) settle(id, outcome);
  });
  worker.on('error', (error) => giveUp(`the sender failed: ${error.message}`));
  worker.on('exit', () => giveUp('the sender stopped'));

  return {
    post: (id, outgoing) =>
      new Promise((resolve) => {
        if (inFlight.size === 0) worker.ref();
        inFlight.set(id, resolve);
        batch.push({ id, ...outgoing });
        // Before the commit at the end of this turn, so that both threads work meanwhile.
        if (batch.length === 1) queueMicrotask(flush);
      }),
    async close() {
      await worker.terminate();
    },
  };
}
