/**
 * The first attempts of one courier. Those of one webhook begin in the order of the facts, several at a time
 * (`webhook-queue.ts`), unless chaos changes the order; webhooks do not wait for one another.
 * Source: decision `delivery-order` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import { type Instant, SECOND_MS } from '../kernel/time.ts';
import type { Webhook } from '../model/records.ts';
import type { Due } from '../outbox/queue.ts';
import { type Chaos, isShuffled } from './chaos.ts';
import { isDelivered, isGone, isStillWaiting } from './recorder.ts';
import { OLDEST_MS } from './schedule.ts';
import type { SendResult } from './sender.ts';
import type { Sending } from './sending.ts';
import { whyWaiting } from './waiting.ts';
import { createWebhookQueue, type WebhookQueue } from './webhook-queue.ts';

/** The state of one webhook. */
export interface WebhookState {
  readonly firstAttempts: WebhookQueue;
  /** Some or all of its deliveries are being dropped: none begins until this is recorded. */
  isEnding: boolean;
  /** When first attempts that chaos holds back are sent at the latest; `null` if there are none. */
  flushAt: Instant | null;
}

export interface FirstAttemptLimits {
  /** The maximum number of first attempts in flight for one webhook; 1 means sequential. */
  concurrency?: number;
  /**
   * The maximum number of events about one resource that are passed to `send` together, which sends them
   * sequentially; 1 by default.
   */
  resourceConcurrency?: number;
}

/** The default maximum in flight for one webhook. */
const CONCURRENCY = 16;
/** How many begin together. */
const DELIVERIES_AT_ONCE = 32;
/** How long chaos holds first attempts back until there are enough to change their order. */
const SHUFFLE_MS = SECOND_MS;
/**
 * A receiver that responds within this time gets the events of one record without a turn of the event loop between
 * them.
 */
const FAST_MS = 50;
const isFast = (result: SendResult): boolean => isDelivered(result) && result.durationMs <= FAST_MS;

/** How many couriers were created, so that their ordering keys differ. */
let couriers = 0;

export class FirstAttempts {
  readonly #sending: Sending;
  readonly #concurrency: number;
  readonly #resourceConcurrency: number;
  readonly #courier: number;
  readonly #states = new Map<Id, WebhookState>();

  constructor(sending: Sending, limits: FirstAttemptLimits) {
    this.#sending = sending;
    this.#concurrency = limits.concurrency ?? CONCURRENCY;
    this.#resourceConcurrency = limits.resourceConcurrency ?? 1;
    couriers += 1;
    this.#courier = couriers;
  }

  /** Begins first attempts of every webhook. */
  run(): void {
    const { queue, recorder } = this.#sending;
    for (const webhookId of recorder.pausedUntil() === null ? queue.webhooksWaiting() : []) {
      const state = this.#newOrKnownState(webhookId);
      state.firstAttempts.expectMore();
      this.#begin(webhookId, state, DELIVERIES_AT_ONCE);
    }
  }

  /** `undefined` for a webhook without any attempt yet. */
  stateOf(webhookId: Id): WebhookState | undefined {
    return this.#states.get(webhookId);
  }

  /** The deliveries without a recorded response, those of each webhook in their order. */
  inFlight(): { seq: number; webhookId: Id }[] {
    return [...this.#states].flatMap(([webhookId, { firstAttempts }]) =>
      firstAttempts.inFlight().map((seq) => ({ seq, webhookId })),
    );
  }

  /** When, after `after`, the first of the attempts that chaos holds back is sent at the latest. */
  nextFlushAt(after: Instant): Instant | null {
    const instants = this.#sending.queue
      .webhooksWaiting()
      .map((webhookId) => this.#states.get(webhookId)?.flushAt ?? null)
      .filter((at) => at !== null && at > after);
    return instants.length === 0 ? null : Math.min(...(instants as Instant[]));
  }

  /** Releases the deliveries that chaos holds back, at the next `run`; true if there were any. */
  flushShuffled(): boolean {
    const now = this.#sending.clock.now();
    const shuffling = [...this.#states.values()].filter(({ flushAt }) => flushAt !== null);
    for (const state of shuffling) state.flushAt = now;
    return shuffling.length > 0;
  }

  /** The chaos of a webhook was set or ended. */
  chaosChanged(webhookId: Id): void {
    const state = this.#states.get(webhookId);
    if (state === undefined) return;
    state.flushAt = null;
    state.firstAttempts.reread();
  }

  #newOrKnownState(webhookId: Id): WebhookState {
    const known = this.#states.get(webhookId);
    if (known !== undefined) return known;
    const { queue, chaosOf } = this.#sending;
    const firstAttempts = createWebhookQueue({
      queue,
      webhookId,
      concurrency: this.#concurrency,
      resourceConcurrency: this.#resourceConcurrency,
      // Decided in the order of the queue, not of the responses, so that chaos has the same effects on the same
      // deliveries.
      onRead: ({ delivery }) => void chaosOf(webhookId)?.decide(delivery.seq),
    });
    const state: WebhookState = { firstAttempts, isEnding: false, flushAt: null };
    this.#states.set(webhookId, state);
    return state;
  }

  /** Begins first attempts of a webhook, up to the limit in flight and at most `max` together. */
  #begin(webhookId: Id, state: WebhookState, max: number): void {
    const { queue, clock, recorder, tasks, chaosOf, stateOfAll, isStopped } = this.#sending;
    if (isStopped() || state.isEnding) return;
    const webhook = queue.webhook(webhookId);
    if (webhook === undefined) return;
    const wait = whyWaiting({ ...stateOfAll(), webhook: webhook.status });
    if (wait?.reason === 'dropped' && queue.firstsWaiting(webhookId, 1).length > 0) {
      this.#drop(webhookId, state, () => recorder.drop(webhookId));
    }
    if (wait !== undefined) return;
    const chaos = chaosOf(webhookId);
    const tooOld = clock.now() - OLDEST_MS;
    for (let started = 0; started < max; started += 1) {
      const due = isShuffled(chaos)
        ? this.#nextShuffled(webhookId, state, chaos)
        : state.firstAttempts.take();
      if (due === undefined) return;
      if (due.delivery.dueAt < tooOld) {
        state.firstAttempts.answered(due);
        state.firstAttempts.recorded(due, false);
        this.#drop(webhookId, state, () => recorder.dropOlder(webhookId, tooOld));
        return;
      }
      void tasks.start(() => this.#deliver(due, webhook, state, chaos));
    }
  }

  /**
   * The next delivery when chaos changes the order. No delivery may be in flight, because the queue shows only
   * recorded results.
   */
  #nextShuffled(webhookId: Id, state: WebhookState, chaos: Chaos): Due | undefined {
    if (!state.firstAttempts.isIdle()) return undefined;
    const { queue, clock } = this.#sending;
    const now = clock.now();
    const { flushAt } = state;
    const isFlushed = flushAt !== null && !isStillWaiting(flushAt, now, SHUFFLE_MS);
    const waiting = queue.firstsWaiting(webhookId, chaos.setting.shuffleSize);
    const seq = chaos.next(waiting, isFlushed);
    state.flushAt = seq !== undefined || waiting.length === 0 ? null : (flushAt ?? now + SHUFFLE_MS);
    const due = seq === undefined ? undefined : queue.waitingBySeq(seq);
    if (due !== undefined) state.firstAttempts.markStarted(due);
    return due;
  }

  async #deliver(due: Due, webhook: Webhook, state: WebhookState, chaos: Chaos | undefined): Promise<void> {
    const { attempt, recorder, isAbandoned, afterAttempt } = this.#sending;
    const made = await attempt(due, webhook, {
      effects: chaos?.decide(due.delivery.seq),
      ...(this.#resourceConcurrency > 1 && {
        orderingKey: `${this.#courier}/${webhook.id}/${due.fact.resourceId}`,
      }),
    });
    if (isAbandoned()) return;
    state.firstAttempts.answered(due, isFast(made.result) && chaos === undefined);
    if (isGone(made.result)) state.isEnding = true;
    const isRecorded = await recorder.record(due, made, webhook);
    state.firstAttempts.recorded(due, isRecorded);
    if (isGone(made.result)) state.isEnding = false;
    // The commit has begun the next deliveries of other webhooks. Here they had to wait for the result.
    if (isGone(made.result) || isShuffled(chaos)) this.#begin(webhook.id, state, 1);
    if (!isRecorded || !isDelivered(made.result)) afterAttempt();
  }

  /** Drops all queued deliveries of a webhook, or those that are too old, and continues after the commit. */
  #drop(webhookId: Id, state: WebhookState, drop: () => Promise<boolean>): void {
    state.isEnding = true;
    void this.#sending.tasks.start(async () => {
      await drop();
      state.isEnding = false;
      this.#begin(webhookId, state, 1);
    });
  }
}
