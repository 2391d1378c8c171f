/**
 * The built-in receiver: a webhook with its address sends nothing over the network; the sandbox keeps each delivery
 * as it would have been sent, checks its signature, and returns the configured response. Deliveries can thus be read
 * without a listening program. The receiver outlives the bank.
 * Source: decision `built-in-receiver` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import { createTape, type Tape } from '../kernel/tape.ts';
import type { Instant } from '../kernel/time.ts';
import type { Webhook } from '../model/records.ts';
import type { SendResult } from './sender.ts';
import { signatureProblem } from './signature.ts';

/** The address of the receiver. The name does not resolve: RFC 6761 reserves `.invalid`. */
export const RECEIVER_URL = 'http://receiver.sandbank.invalid/';
const ORIGIN = RECEIVER_URL.slice(0, -1);

/** Whether a webhook with this address delivers to the built-in receiver. */
export function isReceiverUrl(url: string): boolean {
  return url === ORIGIN || url.startsWith(RECEIVER_URL);
}

/** A delivery as the receiver gets it. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One delivery that was kept. */
export interface Kept extends Post {
  /** Number of the delivery, from 1, in the order of arrival. */
  readonly number: number;
  /** On the sandbox's clock. */
  readonly at: Instant;
  readonly webhookId: Id;
  readonly apiVersion: Webhook['apiVersion'];
  /** What is wrong with the signature; `''` if it is valid. */
  readonly problem: string;
  /** The status of the response. */
  readonly status: number;
}

/** The response to the next deliveries. */
export interface Answering {
  readonly status: number;
  /** For how many deliveries; `null` for all. Afterwards the response is 200 again. */
  readonly times: number | null;
  /** The header `Retry-After`, in seconds; `null` for none. */
  readonly retryAfter: number | null;
}

/** The stored state of a receiver besides its deliveries: its response, and its counts. */
export interface ReceiverState {
  readonly answering: Answering;
  readonly next: number;
  readonly from: number;
}

export interface Receiver {
  /** Keeps a delivery and returns the response. `secrets` are those that the webhook signs with at `at`. */
  take(
    post: Post,
    from: { webhook: Webhook; secrets: readonly string[]; at: Instant; wallNow: Instant },
  ): SendResult;
  /** The newest first. */
  kept(): readonly Kept[];
  /** The number of stored entries, and of older ones that were discarded. */
  counts(): { kept: number; dropped: number };
  answering(): Answering;
  setAnswering(answering: Answering): void;
  /** Removes every delivery and responds with 200 from now on. Returns a function that undoes this. */
  clear(): () => void;
  /** Its stored entries. */
  readonly deliveries: Tape<Kept>;
  state(): ReceiverState;
}

export const ACCEPTING: Answering = { status: 200, times: null, retryAfter: null };
export const RECEIVER_LENGTH = 1000;
/** The limit for all bodies. */
const RECEIVER_CHARACTERS = 8 * 1024 * 1024;

/** An empty receiver, which responds with 200. */
export function createReceiver(
  length = RECEIVER_LENGTH,
  characters = RECEIVER_CHARACTERS,
  onChange?: () => void,
): Receiver {
  const deliveries = createTape<Kept>({
    length,
    characters,
    sizeOf: ({ body }) => body.length,
    ...(onChange && { onChange }),
  });
  let answering = ACCEPTING;

  /** The response to the next delivery. */
  const draw = (): Answering => {
    const answer = answering;
    if (answer.times !== null) {
      answering = answer.times > 1 ? { ...answer, times: answer.times - 1 } : ACCEPTING;
    }
    return answer;
  };

  return {
    take({ headers, body }, { webhook, secrets, at, wallNow }) {
      const { status, retryAfter } = draw();
      const problem = signatureProblem({ headers, body }, secrets, wallNow);
      deliveries.push({
        number: deliveries.numbers().next + 1,
        at,
        webhookId: webhook.id,
        apiVersion: webhook.apiVersion,
        headers,
        body,
        problem,
        status,
      });
      return {
        status,
        durationMs: 0,
        error: '',
        retryAfter: retryAfter === null ? null : String(retryAfter),
      };
    },
    kept: deliveries.newest,
    counts: deliveries.counts,
    answering: () => answering,
    setAnswering(next) {
      answering = next;
    },
    clear() {
      const before = answering;
      const takeBack = deliveries.clear();
      answering = ACCEPTING;
      return () => {
        takeBack();
        answering = before;
      };
    },
    deliveries,
    state: () => ({ answering, ...deliveries.numbers() }),
  };
}
