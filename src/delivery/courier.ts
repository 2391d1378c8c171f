/**
 * Carries the queue's deliveries out, at least once each. First attempts of one webhook go one at a time in the order of
 * the facts; a retry goes when it is due and holds nothing up; webhooks do not wait for one another.
 * Every answer is recorded at once, in its order and its own commit, so a kill repeats at most what was in flight or
 * answered in that turn of the event loop; no transaction is open meanwhile, so a receiver may call the bank.
 */
import type { Id } from '../kernel/sequence.ts';
import { type Clock, DAY_MS, type Instant, SECOND_MS } from '../kernel/time.ts';
import type { Fact } from '../model/facts.ts';
import type { Webhook } from '../model/records.ts';
import type { Due, Queue } from '../outbox/queue.ts';
import type { Commit } from '../store/group-commit.ts';
import { parseRetryAfter, retryDelay } from './schedule.ts';
import type { Outcome, Send } from './sender.ts';
import { signatureHeaders } from './signature.ts';

/** One event as its receiver gets it: `id` is the same at every attempt. */
export interface Rendered {
  id: string;
  body: string;
}

/** Timers that run at the speed of the sandbox's clock. */
export interface Timers {
  /** Calls `fn` in `ms` milliseconds without keeping the process alive; returns what cancels it. */
  set(ms: number, fn: () => void): () => void;
}

export interface CourierDeps {
  queue: Queue;
  commit: Commit;
  send: Send;
  /** A pure function of its arguments. `ordinal` is the place of the kind among the fact's kinds of that dialect. */
  render(fact: Fact, kind: string, ordinal: number, webhook: Webhook): Rendered;
  /** The sandbox's: retries are due on it. */
  clock: Clock;
  /** The real one: signatures carry its time. */
  wallClock: Clock;
  /** From 0 up to 1, for the jitter; called inside the commit. Made from its arguments it does not depend on the order of answers. */
  draw(deliverySeq: number, attempt: number): number;
  /** `null` where time stands still: whoever moves the clock calls `wake`. */
  timers: Timers | null;
  /** The webhook answered 410: makes it deactivated. Called inside the commit that records the answer, if it is active or paused. */
  onDeactivated?(webhookId: Id): void;
  /** How long `stop` waits for what is in flight. */
  stopDeadlineMs?: number;
  log?(message: string, detail: Record<string, unknown>): void;
}

export interface Courier {
  /**
   * Sends what may be sent now. Call it after a commit that published facts or changed a webhook, and when the clock was
   * moved or set going; never inside a transaction.
   */
  wake(): void;
  /** Sends nothing more and waits for what is in flight, up to the deadline; what has no answer then stays waiting. */
  stop(): Promise<void>;
  /** Settles when nothing is being sent or recorded. */
  idle(): Promise<void>;
  /** How many requests are without an answer. */
  inFlight(): number;
  /** The instant of the next retry, `null` without one: where an advancing clock has to stop and wake the courier. */
  nextDueAt(): Instant | null;
}

/** The first attempts of one webhook, in their order. */
interface Lane {
  busy: boolean;
  /** The last one sent; the queue still shows it while its recording waits for the commit. */
  last: number;
  unrecorded: number;
}

/** What one attempt came to. */
interface Attempt {
  at: Instant;
  answeredAt: Instant;
  outcome: Outcome;
}

const GONE = 410;
const RETRIES_AT_ONCE = 16;
const RETRIES_READ_AT_ONCE = 64;
const STOP_DEADLINE_MS = 500;
/** After an attempt that could not be recorded: lest a full disk has the same event sent again and again. */
const HOLD_MS = 5 * SECOND_MS;

const isDelivered = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The courier of one sandbox; nothing happens before the first `wake`. */
export function createCourier(deps: CourierDeps): Courier {
  const { queue, commit, clock, wallClock, timers } = deps;
  const lanes = new Map<Id, Lane>();
  const retrying = new Map<Id, Set<number>>();
  let stopped = false;
  let abandoned = false;
  let inFlight = 0;
  let underWay = 0;
  let heldUntil: Instant = Number.NEGATIVE_INFINITY;
  let idlers: (() => void)[] = [];
  let disarm = (): void => {};

  const log = (message: string, error: unknown, detail: Record<string, unknown>): void =>
    deps.log?.(message, { ...detail, error: messageOf(error) });

  /** Counts a piece of work for `idle`; nobody waits for its end, so its failure ends here. */
  const start = async (work: () => Promise<void>): Promise<void> => {
    underWay += 1;
    try {
      await work();
    } catch (error) {
      log('a delivery failed unexpectedly', error, {});
    }
    underWay -= 1;
    if (underWay > 0) return;
    const waiting = idlers;
    idlers = [];
    for (const resolve of waiting) resolve();
  };

  const send = async ({ delivery, fact }: Due, webhook: Webhook): Promise<Attempt> => {
    const at = clock.now();
    let outcome: Outcome;
    inFlight += 1;
    try {
      const { id, body } = deps.render(fact, delivery.kind, delivery.ordinal, webhook);
      const timestampSeconds = Math.floor(wallClock.now() / SECOND_MS);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'sandbank',
        ...signatureHeaders({ secret: webhook.secret, id, timestampSeconds, body }),
      };
      outcome = await deps.send({ url: webhook.url, headers, body });
    } catch (error) {
      outcome = { status: null, durationMs: 0, error: messageOf(error), retryAfter: null };
    }
    inFlight -= 1;
    return { at, answeredAt: clock.now(), outcome };
  };

  const isHeld = (): boolean => {
    const left = heldUntil - clock.now();
    // More than that is left only when the clock was set back.
    return left > 0 && left <= HOLD_MS;
  };

  /** Runs in the order of the calls; false, and nothing is sent for a while, when it could not be committed. */
  const write = async (webhookId: Id, work: () => void): Promise<boolean> => {
    try {
      await commit(work);
      return true;
    } catch (error) {
      heldUntil = clock.now() + HOLD_MS;
      log('a delivery could not be recorded', error, { webhookId });
      return false;
    }
  };

  const drop = (webhookId: Id): Promise<boolean> => write(webhookId, () => queue.drop(webhookId));

  const deactivate = (webhookId: Id): void => {
    queue.drop(webhookId);
    const status = queue.webhook(webhookId)?.status;
    if (status === 'active' || status === 'paused') deps.onDeactivated?.(webhookId);
  };

  const consequence = (
    { delivery }: Due,
    { outcome, answeredAt }: Attempt,
  ): { state: Due['delivery']['state']; dueAt: Instant } => {
    const { seq, attempts, dueAt } = delivery;
    if (isDelivered(outcome)) return { state: 'delivered', dueAt };
    if (outcome.status === GONE) return { state: 'dropped', dueAt };
    const made = attempts + 1;
    const asked = parseRetryAfter(outcome.retryAfter, wallClock.now());
    const delay = retryDelay(made, () => deps.draw(seq, made), asked);
    return delay === null ? { state: 'exhausted', dueAt } : { state: 'waiting', dueAt: answeredAt + delay };
  };

  const record = (due: Due, attempt: Attempt): Promise<boolean> => {
    const { seq, webhookId, attempts } = due.delivery;
    const { status, durationMs, error } = attempt.outcome;
    return write(webhookId, () => {
      queue.record({
        deliverySeq: seq,
        number: attempts + 1,
        at: attempt.at,
        status,
        durationMs,
        error,
        ...consequence(due, attempt),
      });
      if (status === GONE) deactivate(webhookId);
    });
  };

  const runLane = async (webhookId: Id, lane: Lane): Promise<void> => {
    lane.busy = true;
    try {
      while (!stopped && !isHeld()) {
        const due = queue.nextFirst(webhookId, lane.unrecorded === 0 ? 0 : lane.last);
        const webhook = queue.webhook(webhookId);
        if (due === undefined || webhook === undefined || webhook.status === 'paused') return;
        if (webhook.status !== 'active') {
          await drop(webhookId);
          continue;
        }
        const attempt = await send(due, webhook);
        if (abandoned) return;
        lane.last = due.delivery.seq;
        lane.unrecorded += 1;
        const recorded = start(async () => {
          const isKept = await record(due, attempt);
          lane.unrecorded -= 1;
          if (!isKept || !isDelivered(attempt.outcome)) runRetries();
        });
        if (attempt.outcome.status === GONE) await recorded;
      }
    } finally {
      lane.busy = false;
    }
  };

  const runRetry = async (seq: number, webhookId: Id, slots: Set<number>): Promise<void> => {
    slots.add(seq);
    try {
      const due = queue.waitingBySeq(seq);
      const webhook = queue.webhook(webhookId);
      if (due === undefined || webhook === undefined) return;
      if (webhook.status === 'active') {
        const attempt = await send(due, webhook);
        if (abandoned) return;
        await record(due, attempt);
      } else {
        await drop(webhookId);
      }
    } finally {
      slots.delete(seq);
    }
    runRetries();
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

  /** When there will be something to do that no commit tells of. */
  const nextDueAt = (after: Instant): Instant | null => (isHeld() ? heldUntil : queue.nextRetryAt(after));

  const runRetries = (): void => {
    if (stopped) return;
    disarm();
    const now = clock.now();
    let next = nextDueAt(0);
    if (next !== null && next <= now) {
      startRetries(now);
      next = nextDueAt(now);
    }
    // A timer cannot wait for more than 24 days; waking too early does no harm.
    if (timers !== null && next !== null) disarm = timers.set(Math.min(next - now, DAY_MS), wake);
  };

  const wake = (): void => {
    if (stopped) return;
    for (const webhookId of isHeld() ? [] : queue.webhooksWaiting()) {
      const lane = lanes.get(webhookId) ?? { busy: false, last: 0, unrecorded: 0 };
      lanes.set(webhookId, lane);
      if (!lane.busy) void start(() => runLane(webhookId, lane));
    }
    runRetries();
  };

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
    idle,
    inFlight: () => inFlight,
    nextDueAt: () => nextDueAt(0),
  };
}
