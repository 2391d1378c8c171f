/**
 * Sends the queued deliveries, each at least once. First attempts of one webhook begin in the order of the facts,
 * several at a time (`first-attempts.ts`); a retry is sent when it is due and delays nothing else (`retries.ts`); webhooks do not
 * wait for one another. Every result is recorded immediately, in the order of the responses and in its own commit, so
 * a kill repeats at most the deliveries that were in flight or answered in that turn of the event loop. No database
 * transaction is open while a request is in flight, so a receiver may call the bank.
 * Source: decision `repeated-events` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import { DAY_MS, type Instant } from '../kernel/time.ts';
import type { Webhook } from '../model/records.ts';
import { type AttemptDeps, type Attempts, createAttempts, type Envelope } from './attempt.ts';
import type { Chaos } from './chaos.ts';
import { ClientPriority } from './client-priority.ts';
import { type FirstAttemptLimits, FirstAttempts } from './first-attempts.ts';
import { createProgress, type Progress } from './progress.ts';
import {
  type AttemptReport,
  createRecorder,
  isDelivered,
  type Recorder,
  type RecorderDeps,
} from './recorder.ts';
import { RETRIES_AT_ONCE, Retries } from './retries.ts';
import type { SendResult } from './sender.ts';
import type { Sending } from './sending.ts';
import { Tasks } from './tasks.ts';
import { createWaitReader, type WaitBehind, type WaitingDelivery } from './wait-reader.ts';

/** Timers that run at the speed of the sandbox's clock. */
interface Timers {
  /** Calls `fn` in `ms` milliseconds without keeping the process alive; returns a function that cancels the call. */
  set(ms: number, fn: () => void): () => void;
}

export type { AttemptReport };

export interface CourierDeps extends AttemptDeps, FirstAttemptLimits, Omit<RecorderDeps, 'log'> {
  /** `null` for a frozen clock: the caller that moves the clock calls `wake`. */
  timers: Timers | null;
  /**
   * Calls back in the next turn of the event loop, so that deliveries begin when no command is waiting; without it
   * they begin immediately.
   */
  nextTurn?(action: () => void): void;
  /** Whether commands wait for their commit. */
  hasCommands?(): boolean;
  /** Whether the clock is frozen, so that no retry becomes due. */
  isClockStopped?(): boolean;
  /** How long `stop` waits for requests in flight. */
  stopDeadlineMs?: number;
  /** Runs a wake and handles its failure: no caller of `wake` receives it, and the courier is woken again later. */
  runJob?(wake: () => void): void;
  /** Called after a failure that has no caller; the courier has to be woken again later. */
  onFailure?(error: unknown): void;
  log?(message: string, detail: Record<string, unknown>): void;
}

const STOP_DEADLINE_MS = 500;

/** The courier of one sandbox; nothing happens before the first `wake`. */
export function createCourier(deps: CourierDeps): Courier {
  return new Courier(deps);
}

export class Courier {
  /**
   * Why a delivery waits, and behind which other delivery. `undefined` if it does not wait: it begins in this turn of
   * the event loop.
   */
  readonly waitOf: (delivery: WaitingDelivery, resourceId: Id) => WaitBehind | undefined;
  readonly #deps: CourierDeps;
  readonly #attempts: Attempts;
  readonly #progress: Progress;
  readonly #recorder: Recorder;
  readonly #tasks: Tasks;
  readonly #sending: Sending;
  readonly #firstAttempts: FirstAttempts;
  readonly #retries: Retries;
  readonly #priority: ClientPriority;
  readonly #chaoses = new Map<Id, Chaos>();
  #state: 'running' | 'stopped' | 'abandoned' = 'running';
  #cancelTimer = (): void => {};

  constructor(deps: CourierDeps) {
    this.#deps = deps;
    this.#attempts = createAttempts(deps);
    this.#progress = createProgress(deps.wallClock);
    this.#recorder = createRecorder({
      ...deps,
      log: (message, error, detail) => this.#log(message, error, detail),
    });
    this.#tasks = new Tasks({
      onFailure: (error) => {
        this.#log('a delivery failed unexpectedly', error);
        deps.onFailure?.(error);
      },
      beforeIdle: () => this.#priority.beginPostponed(),
    });
    this.#sending = this.#createSending();
    this.#firstAttempts = new FirstAttempts(this.#sending, deps);
    this.#retries = new Retries(this.#sending);
    this.#priority = new ClientPriority({
      begin: () => this.#firstAttempts.run(),
      runJob: (begin) => this.#runJob(begin),
      isStopped: this.#sending.isStopped,
      ...(deps.nextTurn !== undefined && { nextTurn: deps.nextTurn }),
      ...(deps.hasCommands !== undefined && { hasCommands: deps.hasCommands }),
    });
    this.waitOf = createWaitReader({
      queue: deps.queue,
      stateOfAll: this.#sending.stateOfAll,
      stateOf: (webhookId) => this.#firstAttempts.stateOf(webhookId),
      retrying: (webhookId) => this.#retries.of(webhookId),
      retriesAtOnce: RETRIES_AT_ONCE,
      chaosOf: this.#sending.chaosOf,
      isClockStopped: () => deps.isClockStopped?.() === true,
    });
  }

  /**
   * Sends the deliveries that may be sent now. Does not throw if `runJob` is given. Call it after a commit that
   * published facts or changed a webhook, and after the clock was moved or started; never inside a database
   * transaction. `commands` is how many commands were in that commit. While clients send commands, few deliveries
   * begin, so that most of the processor time is left to payments.
   */
  wake(commands = 0): void {
    const ofClients = Math.max(0, commands - this.#recorder.takeCommands());
    if (this.#isStopped()) return;
    this.#runJob(() => {
      this.#priority.beginAfter(ofClients, this.#tasks.isAwaited());
      this.#runRetries();
    });
  }

  /**
   * Stops sending and waits, up to the deadline, for requests in flight; a delivery without a response then stays
   * queued.
   */
  async stop(): Promise<void> {
    if (this.#state === 'running') this.#state = 'stopped';
    this.#cancelTimer();
    let deadline: NodeJS.Timeout | undefined;
    const timeUp = new Promise<void>((resolve) => {
      deadline = setTimeout(resolve, this.#deps.stopDeadlineMs ?? STOP_DEADLINE_MS);
    });
    await Promise.race([this.idle(), timeUp]);
    clearTimeout(deadline);
    this.#state = 'abandoned';
  }

  /** Stops sending and ignores requests in flight, because the database is about to close. */
  abandon(): void {
    this.#state = 'abandoned';
    this.#cancelTimer();
  }

  /** Starts the deliveries that may be sent, and resolves when no delivery is being sent or recorded. */
  idle(): Promise<void> {
    return this.#tasks.idle();
  }

  /** The number of requests without a response. */
  inFlight(): number {
    return this.#attempts.inFlight();
  }

  /** The deliveries without a recorded response: the first attempts of each webhook in their order, then the retries. */
  deliveriesInFlight(): { seq: number; webhookId: Id }[] {
    return [...this.#firstAttempts.inFlight(), ...this.#retries.inFlight()];
  }

  /** The numbers of delivered events and failed attempts of this courier. */
  deliveryCounts(): { delivered: number; failed: number } {
    return this.#recorder.deliveryCounts();
  }

  /** Since when every attempt for a webhook has failed; `null` while attempts succeed. */
  failingSince(webhookId: Id): Instant | null {
    return this.#recorder.failingSince(webhookId);
  }

  /** Whether attempts to a webhook's receiver were made and none succeeded for a minute. */
  isStalled(webhookId: Id): boolean {
    return this.#progress.isStalled(webhookId);
  }

  /** Whether sending pauses because a result could not be recorded. */
  isPaused(): boolean {
    return this.#recorder.pausedUntil() !== null;
  }

  /** The instant of the next retry, `null` for none: an advancing clock has to stop there and wake the courier. */
  nextDueAt(): Instant | null {
    return this.#nextDueAfter(0);
  }

  /** Sends an event once, marked as an example, without the queue; returns the result. */
  sendExample(envelope: Envelope, webhook: Webhook): Promise<SendResult> {
    const result = this.#attempts.sendExample(envelope, webhook);
    void this.#tasks.start(async () => void (await result));
    return result;
  }

  /** The chaos of a webhook's deliveries, if any. */
  chaosOf(webhookId: Id): Chaos | undefined {
    return this.#chaoses.size === 0 ? undefined : this.#chaoses.get(webhookId);
  }

  /** The webhooks that have chaos. */
  chaoses(): ReadonlyMap<Id, Chaos> {
    return this.#chaoses;
  }

  /** Sets or, with `null`, ends a webhook's chaos. The next wake sends the deliveries that it held back. */
  setChaos(webhookId: Id, chaos: Chaos | null): void {
    if (chaos === null) this.#chaoses.delete(webhookId);
    else this.#chaoses.set(webhookId, chaos);
    this.#firstAttempts.chaosChanged(webhookId);
  }

  /** Sends the deliveries that chaos holds back for reordering; true if there were any. */
  flushShuffled(): boolean {
    const isFlushed = this.#firstAttempts.flushShuffled();
    if (isFlushed) this.wake();
    return isFlushed;
  }

  #isStopped(): boolean {
    return this.#state !== 'running';
  }

  #runJob(work: () => void): void {
    if (this.#deps.runJob === undefined) work();
    else this.#deps.runJob(work);
  }

  #log(message: string, error: unknown, detail: Record<string, unknown> = {}): void {
    this.#deps.log?.(message, { ...detail, error: error instanceof Error ? error.message : String(error) });
  }

  #createSending(): Sending {
    const { queue, clock } = this.#deps;
    const recorder = this.#recorder;
    return {
      queue,
      clock,
      recorder,
      tasks: this.#tasks,
      attempt: async (due, webhook, options) => {
        this.#progress.begin(webhook.id);
        const made = await this.#attempts.make(due, webhook, options);
        this.#progress.end(webhook.id, isDelivered(made.result));
        return made;
      },
      chaosOf: (webhookId) => this.chaosOf(webhookId),
      stateOfAll: () => ({ state: 'waiting', commitFailedUntil: recorder.pausedUntil(), now: clock.now() }),
      isStopped: () => this.#isStopped(),
      isAbandoned: () => this.#state === 'abandoned',
      afterAttempt: () => this.#runNext(),
    };
  }

  /** After an attempt: it may have scheduled a retry, or made room for one. */
  #runNext(): void {
    if (this.#chaoses.size > 0) this.wake();
    else if (!this.#isStopped()) this.#runRetries();
  }

  /** Starts the due retries, and sets the timer for the next. */
  #runRetries(): void {
    this.#cancelTimer();
    const { clock, timers } = this.#deps;
    const now = clock.now();
    let next = this.#nextDueAfter(0);
    if (next !== null && next <= now) {
      this.#retries.run(now);
      next = this.#nextDueAfter(now);
    }
    // A timer cannot wait for more than 24 days; waking too early does no harm.
    if (timers !== null && next !== null)
      this.#cancelTimer = timers.set(Math.min(next - now, DAY_MS), () => this.wake());
  }

  /** When the courier has to wake, even if nothing is committed until then. */
  #nextDueAfter(after: Instant): Instant | null {
    const pausedUntil = this.#recorder.pausedUntil();
    if (pausedUntil !== null) return pausedUntil;
    const retryAt = this.#deps.queue.nextRetryAt(after);
    const flushAt = this.#chaoses.size === 0 ? null : this.#firstAttempts.nextFlushAt(after);
    if (retryAt === null || flushAt === null) return retryAt ?? flushAt;
    return Math.min(retryAt, flushAt);
  }
}
