/**
 * Sends the queued deliveries, each at least once. First attempts of one webhook begin in the order of the facts,
 * several at a time (`webhook-queue.ts`); a retry is sent when it is due and delays nothing else; webhooks do not
 * wait for one another. Every result is recorded immediately, in the order of the responses and in its own commit, so
 * a kill repeats at most the deliveries that were in flight or answered in that turn of the event loop. No database
 * transaction is open while a request is in flight, so a receiver may call the bank.
 * Source: decision `repeated-events` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import { DAY_MS, type Instant, SECOND_MS } from '../kernel/time.ts';
import type { Webhook } from '../model/records.ts';
import type { Due } from '../outbox/queue.ts';
import { type AttemptDeps, type Attempts, createAttempts, type Envelope } from './attempt.ts';
import { type Chaos, isShuffled } from './chaos.ts';
import { createProgress } from './progress.ts';
import { createRecorder, isDelivered, isGone, isStillWaiting, type RecorderDeps } from './recorder.ts';
import type { SendResult } from './sender.ts';
import { createWaitReader, type WaitBehind, type WaitingDelivery } from './wait-reader.ts';
import { whyWaiting } from './waiting.ts';
import { createWebhookQueue, type WebhookQueue } from './webhook-queue.ts';

/** Timers that run at the speed of the sandbox's clock. */
interface Timers {
  /** Calls `fn` in `ms` milliseconds without keeping the process alive; returns a function that cancels the call. */
  set(ms: number, fn: () => void): () => void;
}

export interface CourierDeps extends AttemptDeps, Omit<RecorderDeps, 'log'> {
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
  /** The maximum number of first attempts in flight for one webhook; 1 means sequential. */
  concurrency?: number;
  /**
   * The maximum number of events about one resource that are passed to `send` together, which sends them
   * sequentially; 1 by default.
   */
  resourceConcurrency?: number;
  /** How long `stop` waits for requests in flight. */
  stopDeadlineMs?: number;
  /** Runs a wake and handles its failure: no caller of `wake` receives it, and the courier is woken again later. */
  runJob?(wake: () => void): void;
  /** Called after a failure that has no caller; the courier has to be woken again later. */
  onFailure?(error: unknown): void;
  log?(message: string, detail: Record<string, unknown>): void;
}

export interface Courier {
  /**
   * Sends the deliveries that may be sent now. Does not throw if `runJob` is given. Call it after a commit that
   * published facts or changed a webhook, and after the clock was moved or started; never inside a database
   * transaction. `commands` is how many commands were in that commit. While clients send commands, few deliveries
   * begin, so that most of the processor time is left to payments.
   */
  wake(commands?: number): void;
  /**
   * Stops sending and waits, up to the deadline, for requests in flight; a delivery without a response then stays
   * queued. A patient stop has no deadline, because another process would send the delivery again: each attempt ends
   * with its own time limit.
   */
  stop(isPatient?: boolean): Promise<void>;
  /** Stops sending and ignores requests in flight, because the database is about to close. */
  abandon(): void;
  /** Starts the deliveries that may be sent, and resolves when no delivery is being sent or recorded. */
  idle(): Promise<void>;
  /** The number of requests without a response. */
  inFlight(): number;
  /** The deliveries without a recorded response: the first attempts of each webhook in their order, then the retries. */
  deliveriesInFlight(): { seq: number; webhookId: Id }[];
  /**
   * Why a delivery waits, and behind which other delivery. `undefined` if it does not wait: it begins in this turn of
   * the event loop.
   */
  waitOf(delivery: WaitingDelivery, resourceId: Id): WaitBehind | undefined;
  /** The numbers of delivered events and failed attempts of this courier. */
  deliveryCounts(): { delivered: number; failed: number };
  /** The instant of the next retry, `null` for none: an advancing clock has to stop there and wake the courier. */
  nextDueAt(): Instant | null;
  /** Sends an event once, marked as an example, without the queue; returns the result. */
  sendExample(envelope: Envelope, webhook: Webhook): Promise<SendResult>;
  /** Since when every attempt for a webhook has failed; `null` while attempts succeed. */
  failingSince(webhookId: Id): Instant | null;
  /** Whether attempts to a webhook's receiver were made and none succeeded for a minute. */
  isStalled(webhookId: Id): boolean;
  /** The chaos of a webhook's deliveries, if any. */
  chaosOf(webhookId: Id): Chaos | undefined;
  /** Whether sending pauses because a result could not be recorded. */
  isPaused(): boolean;
  /** The webhooks that have chaos. */
  chaoses(): ReadonlyMap<Id, Chaos>;
  /** Sets or, with `null`, ends a webhook's chaos. The next wake sends the deliveries that it held back. */
  setChaos(webhookId: Id, chaos: Chaos | null): void;
  /** Sends the deliveries that chaos holds back for reordering; true if there were any. */
  flushShuffled(): boolean;
}

/** The courier's state of one webhook. */
interface WebhookState {
  readonly firstAttempts: WebhookQueue;
  /** Some or all of its deliveries are being dropped: none begins until this is recorded. */
  isEnding: boolean;
  /** When first attempts that chaos holds back are sent at the latest; `null` if there are none. */
  flushAt: Instant | null;
}

/** The default maximum in flight for one webhook. */
const CONCURRENCY = 16;
/** How many begin together. */
const DELIVERIES_AT_ONCE = 32;
/**
 * While every turn of the event loop has commands of clients, deliveries begin after this number of commands.
 * Starting several together also costs less: the sender's thread is woken once for all of them.
 */
const COMMANDS_BETWEEN = 128;
/**
 * A delivery that has waited longer, on the sandbox's clock, is dropped: decision `delivery-wait` in
 * docs/fidelity.md.
 */
const OLDEST_MS = 30 * DAY_MS;
const RETRIES_AT_ONCE = 16;
const RETRIES_READ_AT_ONCE = 64;
const STOP_DEADLINE_MS = 500;
/** How long chaos holds first attempts back until there are enough to change their order. */
const SHUFFLE_MS = SECOND_MS;

/** A number for each courier, so that the ordering keys of two couriers differ. */
let couriers = 0;

/**
 * A receiver that responds within this time gets the events of one record without a turn of the event loop between
 * them.
 */
const FAST_MS = 50;
const isFast = (result: SendResult): boolean => isDelivered(result) && result.durationMs <= FAST_MS;

/** The courier of one sandbox; nothing happens before the first `wake`. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its parts share what is in flight; queues, attempts and records are in files of their own
export function createCourier(deps: CourierDeps): Courier {
  const { queue, clock, timers, concurrency = CONCURRENCY, resourceConcurrency = 1 } = deps;
  const { runJob = (wake) => wake() } = deps;
  couriers += 1;
  const name = couriers;
  const attempts = createAttempts(deps);
  const progress = createProgress(deps.wallClock);
  const webhookStates = new Map<Id, WebhookState>();
  const retrying = new Map<Id, Set<number>>();
  const chaoses = new Map<Id, Chaos>();
  let stopped = false;
  let abandoned = false;
  let running = 0;
  let idleWaiters: (() => void)[] = [];
  let cancelTimer = (): void => {};
  /** The number of client commands since deliveries last began. */
  let commandsSince = 0;
  let isPostponed = false;

  const log = (message: string, error: unknown, detail: Record<string, unknown> = {}): void =>
    deps.log?.(message, { ...detail, error: error instanceof Error ? error.message : String(error) });

  const recorder = createRecorder({ ...deps, log });

  /** Counts a task for `idle`; no caller waits for its end, so its failure is handled here. */
  const start = async (work: () => Promise<void>): Promise<void> => {
    running += 1;
    try {
      await work();
    } catch (error) {
      log('a delivery failed unexpectedly', error);
      deps.onFailure?.(error);
    }
    running -= 1;
    try {
      if (running === 0 && idleWaiters.length > 0) beginPostponed();
    } catch (error) {
      // No caller awaits this promise, so it must not reject.
      log('a delivery failed unexpectedly', error);
    }
    if (running > 0) return;
    const waiting = idleWaiters;
    idleWaiters = [];
    for (const resolve of waiting) resolve();
  };

  /**
   * The next delivery when chaos changes the order. No delivery may be in flight, because the queue shows only
   * recorded results.
   */
  const nextShuffled = (webhookId: Id, webhookState: WebhookState, chaos: Chaos): Due | undefined => {
    if (!webhookState.firstAttempts.isIdle()) return undefined;
    const now = clock.now();
    const { flushAt } = webhookState;
    const isFlushed = flushAt !== null && !isStillWaiting(flushAt, now, SHUFFLE_MS);
    const waiting = queue.firstsWaiting(webhookId, chaos.setting.shuffleSize);
    const seq = chaos.next(waiting, isFlushed);
    webhookState.flushAt = seq !== undefined || waiting.length === 0 ? null : (flushAt ?? now + SHUFFLE_MS);
    const due = seq === undefined ? undefined : queue.waitingBySeq(seq);
    if (due !== undefined) webhookState.firstAttempts.markStarted(due);
    return due;
  };

  const attemptAt: Attempts['make'] = async (due, webhook, options) => {
    progress.begin(webhook.id);
    const attempt = await attempts.make(due, webhook, options);
    progress.end(webhook.id, isDelivered(attempt.result));
    return attempt;
  };

  const deliver = async (
    due: Due,
    webhook: Webhook,
    webhookState: WebhookState,
    chaos: Chaos | undefined,
  ): Promise<void> => {
    const attempt = await attemptAt(due, webhook, {
      effects: chaos?.decide(due.delivery.seq),
      ...(resourceConcurrency > 1 && { orderingKey: `${name}/${webhook.id}/${due.fact.resourceId}` }),
    });
    if (abandoned) return;
    webhookState.firstAttempts.answered(due, isFast(attempt.result) && chaos === undefined);
    if (isGone(attempt.result)) webhookState.isEnding = true;
    const isRecorded = await recorder.record(due, attempt, webhook);
    webhookState.firstAttempts.recorded(due, isRecorded);
    if (isGone(attempt.result)) webhookState.isEnding = false;
    // The commit has begun the next deliveries of other webhooks. Here they had to wait for the result.
    if (isGone(attempt.result) || isShuffled(chaos)) run(webhook.id, webhookState, 1);
    if (!isRecorded || !isDelivered(attempt.result)) runNext();
  };

  /** Drops all queued deliveries of a webhook, or those that are too old, and continues after the commit. */
  const dropWaiting = (webhookId: Id, webhookState: WebhookState, drop: () => Promise<boolean>): void => {
    webhookState.isEnding = true;
    void start(async () => {
      await drop();
      webhookState.isEnding = false;
      run(webhookId, webhookState, 1);
    });
  };

  /** The reasons that keep the deliveries of all webhooks waiting. */
  const stateOfAll = () =>
    ({ state: 'waiting', commitFailedUntil: recorder.pausedUntil(), now: clock.now() }) as const;

  /** Begins first attempts of a webhook, up to the limit in flight and at most `max` together. */
  const run = (webhookId: Id, webhookState: WebhookState, max: number): void => {
    if (stopped || webhookState.isEnding) return;
    const webhook = queue.webhook(webhookId);
    if (webhook === undefined) return;
    const wait = whyWaiting({ ...stateOfAll(), webhook: webhook.status });
    if (wait?.reason === 'dropped' && queue.firstsWaiting(webhookId, 1).length > 0) {
      dropWaiting(webhookId, webhookState, () => recorder.drop(webhookId));
    }
    if (wait !== undefined) return;
    const chaos = chaosOf(webhookId);
    const next = (): Due | undefined =>
      isShuffled(chaos) ? nextShuffled(webhookId, webhookState, chaos) : webhookState.firstAttempts.take();
    const tooOld = clock.now() - OLDEST_MS;
    for (let started = 0; started < max; started += 1) {
      const one = next();
      if (one === undefined) return;
      if (one.delivery.dueAt < tooOld) {
        webhookState.firstAttempts.answered(one);
        webhookState.firstAttempts.recorded(one, false);
        dropWaiting(webhookId, webhookState, () => recorder.dropOlder(webhookId, tooOld));
        return;
      }
      void start(() => deliver(one, webhook, webhookState, chaos));
    }
  };

  const runRetry = async (seq: number, webhookId: Id, slots: Set<number>): Promise<void> => {
    slots.add(seq);
    try {
      const due = queue.waitingBySeq(seq);
      const webhook = queue.webhook(webhookId);
      if (due === undefined || webhook === undefined) return;
      if (webhook.status !== 'active') {
        await recorder.drop(webhookId);
      } else if (due.delivery.dueAt < clock.now() - OLDEST_MS) {
        await recorder.dropOlder(webhookId, clock.now() - OLDEST_MS);
      } else {
        const chaos = due.delivery.attempts === 1 ? chaosOf(webhookId) : undefined;
        const attempt = await attemptAt(due, webhook, { effects: chaos?.decideDelayed(seq) });
        if (abandoned) return;
        await recorder.record(due, attempt, webhook);
      }
    } finally {
      slots.delete(seq);
    }
    runNext();
  };

  const slotsOf = (webhookId: Id): Set<number> => {
    const slots = retrying.get(webhookId) ?? new Set();
    retrying.set(webhookId, slots);
    return slots;
  };

  /** Starts every due retry, several at a time for each webhook; the end of one makes room for the next. */
  const startRetries = (now: Instant): void => {
    let isMore: boolean;
    do {
      const full = [...retrying].filter(([, slots]) => slots.size >= RETRIES_AT_ONCE).map(([id]) => id);
      // Retries in flight are still in the queue, so as many more have to be read.
      const known = [...retrying.values()].reduce((sum, slots) => sum + slots.size, 0);
      const limit = known + RETRIES_READ_AT_ONCE;
      const due = queue.retriesDue(now, limit, full);
      let started = 0;
      for (const { seq, webhookId } of due) {
        const slots = slotsOf(webhookId);
        const wait = whyWaiting({
          ...stateOfAll(),
          webhook: 'active',
          isInFlight: slots.has(seq),
          isReceiverFull: slots.size >= RETRIES_AT_ONCE,
        });
        if (wait !== undefined) continue;
        void start(() => runRetry(seq, webhookId, slots));
        if (slots.has(seq)) started += 1;
      }
      isMore = due.length === limit && started > 0;
    } while (isMore);
  };

  /** When the first of the attempts that chaos holds back is sent at the latest. */
  const nextFlushAt = (after: Instant): Instant | null => {
    if (chaoses.size === 0) return null;
    const instants = queue
      .webhooksWaiting()
      .map((webhookId) => webhookStates.get(webhookId)?.flushAt ?? null)
      .filter((at) => at !== null && at > after);
    return instants.length === 0 ? null : Math.min(...(instants as Instant[]));
  };

  /** When the courier has to wake, even if nothing is committed until then. */
  const nextDueAt = (after: Instant): Instant | null => {
    const pausedUntil = recorder.pausedUntil();
    if (pausedUntil !== null) return pausedUntil;
    const retryAt = queue.nextRetryAt(after);
    const flushAt = nextFlushAt(after);
    if (retryAt === null || flushAt === null) return retryAt ?? flushAt;
    return Math.min(retryAt, flushAt);
  };

  /** Begins first attempts of every webhook. */
  const runFirstAttempts = (): void => {
    commandsSince = 0;
    isPostponed = false;
    for (const webhookId of recorder.pausedUntil() === null ? queue.webhooksWaiting() : []) {
      const webhookState = webhookStateOf(webhookId);
      webhookState.firstAttempts.expectMore();
      run(webhookId, webhookState, DELIVERIES_AT_ONCE);
    }
  };

  /** Gives clients priority: deliveries begin in a turn without client commands, or after many such commands. */
  const postpone = (nextTurn: (action: () => void) => void): void => {
    if (isPostponed) return;
    isPostponed = true;
    const look = (): void => {
      if (stopped || !isPostponed) return;
      // Their commit may fail, and then it would begin nothing.
      if (deps.hasCommands?.() === true) nextTurn(look);
      else beginPostponed();
    };
    nextTurn(look);
  };

  const beginPostponed = (): void => {
    if (isPostponed && !stopped) runJob(runFirstAttempts);
  };

  const runRetries = (): void => {
    cancelTimer();
    const now = clock.now();
    let next = nextDueAt(0);
    if (next !== null && next <= now) {
      startRetries(now);
      next = nextDueAt(now);
    }
    // A timer cannot wait for more than 24 days; waking too early does no harm.
    if (timers !== null && next !== null)
      cancelTimer = timers.set(Math.min(next - now, DAY_MS), () => wake());
  };

  const wake = (commands = 0): void => {
    const others = Math.max(0, commands - recorder.takeCommands());
    if (stopped) return;
    commandsSince += others;
    const isBusy = others > 0 && commandsSince < COMMANDS_BETWEEN && idleWaiters.length === 0;
    runJob(() => {
      if (isBusy && deps.nextTurn !== undefined) postpone(deps.nextTurn);
      else runFirstAttempts();
      runRetries();
    });
  };

  /** After an attempt: it may have planned a retry, or made room for one. */
  const runNext = (): void => {
    if (chaoses.size > 0) wake();
    else if (!stopped) runRetries();
  };

  const webhookStateOf = (webhookId: Id): WebhookState => {
    const known = webhookStates.get(webhookId);
    if (known !== undefined) return known;
    const firstAttempts = createWebhookQueue({
      queue,
      webhookId,
      concurrency,
      resourceConcurrency,
      // Decided in the order of the queue, not of the responses, so that chaos has the same effects on the same
      // deliveries.
      onRead: ({ delivery }) => void chaosOf(webhookId)?.decide(delivery.seq),
    });
    const webhookState: WebhookState = { firstAttempts, isEnding: false, flushAt: null };
    webhookStates.set(webhookId, webhookState);
    return webhookState;
  };

  const chaosOf = (webhookId: Id): Chaos | undefined =>
    chaoses.size === 0 ? undefined : chaoses.get(webhookId);

  const idle = (): Promise<void> => {
    beginPostponed();
    return running === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve));
  };

  return {
    wake,
    async stop(isPatient = false) {
      stopped = true;
      cancelTimer();
      let deadline: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => {
        if (!isPatient) deadline = setTimeout(resolve, deps.stopDeadlineMs ?? STOP_DEADLINE_MS);
      });
      await Promise.race([idle(), timeUp]);
      clearTimeout(deadline);
      abandoned = true;
    },
    abandon() {
      stopped = true;
      abandoned = true;
      cancelTimer();
    },
    idle,
    inFlight: attempts.inFlight,
    deliveriesInFlight: () => [
      ...[...webhookStates].flatMap(([webhookId, { firstAttempts }]) =>
        firstAttempts.inFlight().map((seq) => ({ seq, webhookId })),
      ),
      ...[...retrying].flatMap(([webhookId, slots]) => [...slots].map((seq) => ({ seq, webhookId }))),
    ],
    waitOf: createWaitReader({
      queue,
      stateOfAll,
      stateOf: (webhookId) => webhookStates.get(webhookId),
      retrying: (webhookId) => retrying.get(webhookId),
      retriesAtOnce: RETRIES_AT_ONCE,
      chaosOf,
      isClockStopped: () => deps.isClockStopped?.() === true,
    }),
    deliveryCounts: recorder.deliveryCounts,
    failingSince: recorder.failingSince,
    nextDueAt: () => nextDueAt(0),
    sendExample(envelope, webhook) {
      const result = attempts.sendExample(envelope, webhook);
      void start(async () => void (await result));
      return result;
    },
    isStalled: progress.isStalled,
    chaosOf,
    isPaused: () => recorder.pausedUntil() !== null,
    chaoses: () => chaoses,
    setChaos(webhookId, chaos) {
      if (chaos === null) chaoses.delete(webhookId);
      else chaoses.set(webhookId, chaos);
      const webhookState = webhookStates.get(webhookId);
      if (webhookState !== undefined) {
        webhookState.flushAt = null;
        webhookState.firstAttempts.reread();
      }
    },
    flushShuffled() {
      const now = clock.now();
      const shuffling = [...webhookStates.values()].filter(({ flushAt }) => flushAt !== null);
      for (const webhookState of shuffling) webhookState.flushAt = now;
      if (shuffling.length > 0) wake();
      return shuffling.length > 0;
    },
  };
}
