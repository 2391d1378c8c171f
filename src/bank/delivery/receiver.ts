/**
 * The built-in receiver: a webhook with its address sends nothing over the network; the sandbox keeps each delivery
 * as it would have been sent, checks its signature, and returns the configured response. Deliveries can thus be read
 * without a listening program. The receiver outlives the bank.
 * Source: decision `built-in-receiver` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import { Tape, type TapeOptions } from '../kernel/tape.ts';
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
interface Post {
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

/** The webhook that sends a delivery, and when. */
interface From {
  readonly webhook: Webhook;
  readonly secrets: readonly string[];
  /** On the sandbox's clock. */
  readonly at: Instant;
  /** In real time, which is signed. */
  readonly wallNow: Instant;
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
  return new Receiver({ length, characters, sizeOf, ...(onChange && { onChange }) });
}

const sizeOf = ({ body }: Kept): number => body.length;

export class Receiver {
  readonly #options: TapeOptions<Kept>;
  #deliveries: Tape<Kept> | undefined;
  #answering = ACCEPTING;

  constructor(options: TapeOptions<Kept>) {
    this.#options = options;
  }

  /** Most sandboxes get no delivery. */
  get deliveries(): Tape<Kept> {
    this.#deliveries ??= new Tape(this.#options);
    return this.#deliveries;
  }

  /** Keeps a delivery and returns the response. `secrets` are those that the webhook signs with at `at`. */
  take({ headers, body }: Post, { webhook, secrets, at, wallNow }: From): SendResult {
    const { status, retryAfter } = this.#draw();
    const problem = signatureProblem({ headers, body }, secrets, wallNow);
    const { deliveries } = this;
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
  }
  /** The newest first. */
  kept(): readonly Kept[] {
    return this.deliveries.newest();
  }
  /** The number of stored entries, and of older ones that were discarded. */
  counts(): { kept: number; dropped: number } {
    return this.deliveries.counts();
  }
  answering(): Answering {
    return this.#answering;
  }
  setAnswering(next: Answering): void {
    this.#answering = next;
  }
  /** Removes every delivery and responds with 200 from now on. Returns a function that undoes this. */
  clear(): () => void {
    const before = this.#answering;
    const undo = this.deliveries.clear();
    this.#answering = ACCEPTING;
    return () => {
      undo();
      this.#answering = before;
    };
  }
  state(): ReceiverState {
    return { answering: this.#answering, ...this.deliveries.numbers() };
  }

  /** The response to the next delivery. */
  #draw(): Answering {
    const answer = this.#answering;
    if (answer.times !== null) {
      this.#answering = answer.times > 1 ? { ...answer, times: answer.times - 1 } : ACCEPTING;
    }
    return answer;
  }
}
