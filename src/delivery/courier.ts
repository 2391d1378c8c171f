/**
 * Carries the queue's deliveries out, at least once each. First attempts of one webhook begin in the order of the facts,
 * some at a time (`lane.ts`); a retry goes when it is due and holds nothing up; webhooks do not wait for one another.
 * Every answer is recorded at once, in its order and its own commit, so a kill repeats at most what was in flight or
 * answered in that turn of the event loop; no transaction is open meanwhile, so a receiver may call the bank.
 * Source: decision `repeated-events` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import { DAY_MS, type Instant, SECOND_MS } from '../kernel/time.ts';
import type { Webhook } from '../model/records.ts';
import type { Due } from '../outbox/queue.ts';
import { type AttemptDeps, createAttempts, type Rendered } from './attempt.ts';
import type { Chaos } from './chaos.ts';
import { createLane, type Lane } from './lane.ts';
import { createRecorder, isAhead, isDelivered, isGone, type RecorderDeps } from './recorder.ts';
import type { Outcome } from './sender.ts';

/** Timers that run at the speed of the sandbox's clock. */
interface Timers {
  /** Calls `fn` in `ms` milliseconds without keeping the process alive; returns what cancels it. */
  set(ms: number, fn: () => void): () => void;
}

export interface CourierDeps extends AttemptDeps, Omit<RecorderDeps, 'log'> {
  /** `null` where time stands still: whoever moves the clock calls `wake`. */
  timers: Timers | null;
  /** How many first attempts of one webhook are in flight at most; 1 is one after the other. */
  concurrency?: number;
  /** How many events of one thing are handed to `send` at once, where it keeps chains; one, unless given. */
  chainDepth?: number;
  /** How long `stop` waits for what is in flight. */
  stopDeadlineMs?: number;
  log?(message: string, detail: Record<string, unknown>): void;
}

export interface Courier {
  /**
   * Sends what may be sent now. Call it after a commit that published facts or changed a webhook, and when the clock was
   * moved or set going; never inside a transaction. `commands` is how many were in that commit: a turn of the event loop
   * is shared, and the more of them were others' the fewer deliveries begin in it, so that telling slows no payment.
   */
  wake(commands?: number): void;
  /** Sends nothing more and waits for what is in flight, up to the deadline; what has no answer then stays waiting. */
  stop(): Promise<void>;
  /** Sends nothing more and forgets what is in flight: its database is about to close. */
  abandon(): void;
  /** Settles when nothing is being sent or recorded. */
  idle(): Promise<void>;
  /** How many requests are without an answer. */
  inFlight(): number;
  /** How many deliveries have arrived and how many attempts have failed, by this courier. */
  tally(): { delivered: number; failed: number };
  /** The instant of the next retry, `null` without one: where an advancing clock has to stop and wake the courier. */
  nextDueAt(): Instant | null;
  /** Sends an event, marked as an example, past the queue and once; says what came of it. */
  sendExample(rendered: Rendered, webhook: Webhook): Promise<Outcome>;
  /** Since when every attempt for a webhook has failed; `null` while they arrive. */
  failingSince(webhookId: Id): Instant | null;
  /** The chaos of a webhook's deliveries, if any. */
  chaosOf(webhookId: Id): Chaos | undefined;
  /** Whether nothing is sent for a while, because something could not be recorded. */
  isHeld(): boolean;
  /** Whether any webhook has chaos, which is kept here alone. */
  hasChaos(): boolean;
  /** Sets or, with `null`, ends a webhook's chaos. It is kept here alone, and gone with the courier. */
  setChaos(webhookId: Id, chaos: Chaos | null): void;
  /** Sends what waits for others to change places with; true if anything did. */
  release(): boolean;
}

/** The first attempts of one webhook, as they are carried out. */
interface Line {
  readonly lane: Lane;
  /** Nothing begins until it is recorded that the webhook, or a part of what waits for it, has ended. */
  ending: boolean;
  /** When those that wait for others to change places with go without them; `null` when none do. */
  releaseAt: Instant | null;
}

/** In flight for one webhook, unless a setting says otherwise. */
const CONCURRENCY = 16;
/** How many begin in a turn of the event loop that has no commands of others; each of those takes the place of one. */
const DELIVERIES_PER_TURN = 32;
/** What has waited for longer, on the sandbox's clock, is dropped: decision `delivery-wait` in docs/fidelity.md. */
const OLDEST_MS = 30 * DAY_MS;
const RETRIES_AT_ONCE = 16;
const RETRIES_READ_AT_ONCE = 64;
const STOP_DEADLINE_MS = 500;
/** How long first attempts wait for others to change places with. */
const SHUFFLE_MS = SECOND_MS;

/** Chains of different couriers have nothing to do with one another. */
let couriers = 0;

/** Such a receiver gets the events of one record without a turn of the event loop between them. */
const QUICK_MS = 50;
const isQuick = (outcome: Outcome): boolean => isDelivered(outcome) && outcome.durationMs <= QUICK_MS;

/** The courier of one sandbox; nothing happens before the first `wake`. */
export function createCourier(deps: CourierDeps): Courier {
  const { queue, clock, timers, concurrency = CONCURRENCY, chainDepth = 1 } = deps;
  couriers += 1;
  const name = couriers;
  const attempts = createAttempts(deps);
  const lines = new Map<Id, Line>();
  const retrying = new Map<Id, Set<number>>();
  const chaoses = new Map<Id, Chaos>();
  let stopped = false;
  let abandoned = false;
  let underWay = 0;
  let idlers: (() => void)[] = [];
  let disarm = (): void => {};

  const log = (message: string, error: unknown, detail: Record<string, unknown> = {}): void =>
    deps.log?.(message, { ...detail, error: error instanceof Error ? error.message : String(error) });

  const recorder = createRecorder({ ...deps, log });

  /** Counts a piece of work for `idle`; nobody waits for its end, so its failure ends here. */
  const start = async (work: () => Promise<void>): Promise<void> => {
    underWay += 1;
    try {
      await work();
    } catch (error) {
      log('a delivery failed unexpectedly', error);
    }
    underWay -= 1;
    if (underWay > 0) return;
    const waiting = idlers;
    idlers = [];
    for (const resolve of waiting) resolve();
  };

  /** The next of a line whose order chaos changes: the queue must show what is recorded, and nothing else. */
  const nextShuffled = (webhookId: Id, line: Line, chaos: Chaos): Due | undefined => {
    if (!line.lane.isQuiet()) return undefined;
    const now = clock.now();
    const { releaseAt } = line;
    const isReleased = releaseAt !== null && !isAhead(releaseAt, now, SHUFFLE_MS);
    const waiting = queue.firstsWaiting(webhookId, chaos.setting.shuffleWindow);
    const seq = chaos.next(waiting, isReleased);
    line.releaseAt = seq !== undefined || waiting.length === 0 ? null : (releaseAt ?? now + SHUFFLE_MS);
    const due = seq === undefined ? undefined : queue.waitingBySeq(seq);
    if (due !== undefined) line.lane.begin(due);
    return due;
  };

  const deliver = async (due: Due, webhook: Webhook, line: Line, chaos: Chaos | undefined): Promise<void> => {
    const attempt = await attempts.make(due, webhook, {
      effects: chaos?.decide(due.delivery.seq),
      ...(chainDepth > 1 && { chain: `${name}/${webhook.id}/${due.fact.resourceId}` }),
    });
    if (abandoned) return;
    line.lane.answered(due, isQuick(attempt.outcome) && chaos === undefined);
    if (isGone(attempt.outcome)) line.ending = true;
    const isRecorded = await recorder.record(due, attempt, webhook);
    line.lane.recorded(due, isRecorded);
    if (isGone(attempt.outcome)) line.ending = false;
    // Others began with the commit; these had to wait for what came of it.
    if (isGone(attempt.outcome) || isShuffled(chaos)) run(webhook.id, line, 1);
    if (!isRecorded || !isDelivered(attempt.outcome)) lookAhead();
  };

  /** Gives up what waits for a webhook, all of it or what is too old, and goes on when that is committed. */
  const giveUp = (webhookId: Id, line: Line, drop: () => Promise<boolean>): void => {
    line.ending = true;
    void start(async () => {
      await drop();
      line.ending = false;
      run(webhookId, line, 1);
    });
  };

  /** Begins first attempts of a webhook, as many as may be in flight but no more than `most` at once. */
  const run = (webhookId: Id, line: Line, most: number): void => {
    if (stopped || line.ending || recorder.heldUntil() !== null) return;
    const webhook = queue.webhook(webhookId);
    if (webhook === undefined || webhook.status === 'paused') return;
    if (webhook.status !== 'active') {
      if (queue.firstsWaiting(webhookId, 1).length > 0) {
        giveUp(webhookId, line, () => recorder.drop(webhookId));
      }
      return;
    }
    const chaos = chaosOf(webhookId);
    const next = (): Due | undefined =>
      isShuffled(chaos) ? nextShuffled(webhookId, line, chaos) : line.lane.take();
    const tooOld = clock.now() - OLDEST_MS;
    for (let begun = 0; begun < most; begun += 1) {
      const one = next();
      if (one === undefined) return;
      if (one.delivery.dueAt < tooOld) {
        line.lane.answered(one);
        line.lane.recorded(one, false);
        giveUp(webhookId, line, () => recorder.dropOlder(webhookId, tooOld));
        return;
      }
      void start(() => deliver(one, webhook, line, chaos));
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
        const attempt = await attempts.make(due, webhook, { effects: chaos?.decideDelayed(seq) });
        if (abandoned) return;
        await recorder.record(due, attempt, webhook);
      }
    } finally {
      slots.delete(seq);
    }
    lookAhead();
  };

  const slotsOf = (webhookId: Id): Set<number> => {
    const slots = retrying.get(webhookId) ?? new Set();
    retrying.set(webhookId, slots);
    return slots;
  };

  /** Starts every retry that is due, some at once for each webhook; the end of one makes room for the next. */
  const startRetries = (now: Instant): void => {
    let isMore: boolean;
    do {
      const full = [...retrying].filter(([, slots]) => slots.size >= RETRIES_AT_ONCE).map(([id]) => id);
      // Those under way are still in the queue, so as many more have to be read.
      const known = [...retrying.values()].reduce((sum, slots) => sum + slots.size, 0);
      const limit = known + RETRIES_READ_AT_ONCE;
      const due = queue.retriesDue(now, limit, full);
      let started = 0;
      for (const { seq, webhookId } of due) {
        const slots = slotsOf(webhookId);
        if (slots.has(seq) || slots.size >= RETRIES_AT_ONCE) continue;
        void start(() => runRetry(seq, webhookId, slots));
        if (slots.has(seq)) started += 1;
      }
      isMore = due.length === limit && started > 0;
    } while (isMore);
  };

  /** When the first of those goes that wait for others to change places with. */
  const nextReleaseAt = (after: Instant): Instant | null => {
    if (chaoses.size === 0) return null;
    const instants = queue
      .webhooksWaiting()
      .map((webhookId) => lines.get(webhookId)?.releaseAt ?? null)
      .filter((at) => at !== null && at > after);
    return instants.length === 0 ? null : Math.min(...(instants as Instant[]));
  };

  /** When there will be something to do that no commit brings. */
  const nextDueAt = (after: Instant): Instant | null => {
    const heldUntil = recorder.heldUntil();
    if (heldUntil !== null) return heldUntil;
    const retryAt = queue.nextRetryAt(after);
    const releaseAt = nextReleaseAt(after);
    if (retryAt === null || releaseAt === null) return retryAt ?? releaseAt;
    return Math.min(retryAt, releaseAt);
  };

  const runLanes = (others: number): void => {
    const most = Math.max(1, DELIVERIES_PER_TURN - others);
    for (const webhookId of recorder.heldUntil() === null ? queue.webhooksWaiting() : []) {
      const line = lineOf(webhookId);
      line.lane.look();
      void start(async () => run(webhookId, line, most));
    }
  };

  const runRetries = (): void => {
    disarm();
    const now = clock.now();
    let next = nextDueAt(0);
    if (next !== null && next <= now) {
      startRetries(now);
      next = nextDueAt(now);
    }
    // A timer cannot wait for more than 24 days; waking too early does no harm.
    if (timers !== null && next !== null) disarm = timers.set(Math.min(next - now, DAY_MS), () => wake());
  };

  const wake = (commands = 0): void => {
    const others = Math.max(0, commands - recorder.takeCommands());
    if (stopped) return;
    runLanes(others);
    runRetries();
  };

  /** After an attempt: it may have planned a retry, or made room for one. */
  const lookAhead = (): void => {
    if (chaoses.size > 0) wake();
    else if (!stopped) runRetries();
  };

  const lineOf = (webhookId: Id): Line => {
    const known = lines.get(webhookId);
    if (known !== undefined) return known;
    const lane = createLane({
      queue,
      webhookId,
      concurrency,
      chainDepth,
      // By their order, not by who is answered first: the same deliveries meet the same chaos each time.
      onRead: ({ delivery }) => void chaosOf(webhookId)?.decide(delivery.seq),
    });
    const line: Line = { lane, ending: false, releaseAt: null };
    lines.set(webhookId, line);
    return line;
  };

  const chaosOf = (webhookId: Id): Chaos | undefined =>
    chaoses.size === 0 ? undefined : chaoses.get(webhookId);

  const idle = (): Promise<void> =>
    underWay === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve));

  return {
    wake,
    async stop() {
      stopped = true;
      disarm();
      let deadline: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => {
        deadline = setTimeout(resolve, deps.stopDeadlineMs ?? STOP_DEADLINE_MS);
      });
      await Promise.race([idle(), timeUp]);
      clearTimeout(deadline);
      abandoned = true;
    },
    abandon() {
      stopped = true;
      abandoned = true;
      disarm();
    },
    idle,
    inFlight: attempts.inFlight,
    tally: recorder.tally,
    failingSince: recorder.failingSince,
    nextDueAt: () => nextDueAt(0),
    sendExample(rendered, webhook) {
      const outcome = attempts.sendExample(rendered, webhook);
      void start(async () => void (await outcome));
      return outcome;
    },
    chaosOf,
    isHeld: () => recorder.heldUntil() !== null,
    hasChaos: () => chaoses.size > 0,
    setChaos(webhookId, chaos) {
      if (chaos === null) chaoses.delete(webhookId);
      else chaoses.set(webhookId, chaos);
      const line = lines.get(webhookId);
      if (line !== undefined) {
        line.releaseAt = null;
        line.lane.reread();
      }
      wake();
    },
    release() {
      const now = clock.now();
      const holding = [...lines.values()].filter(({ releaseAt }) => releaseAt !== null);
      for (const line of holding) line.releaseAt = now;
      if (holding.length > 0) wake();
      return holding.length > 0;
    },
  };
}

const isShuffled = (chaos: Chaos | undefined): chaos is Chaos =>
  chaos !== undefined && chaos.setting.shuffleWindow > 1;
