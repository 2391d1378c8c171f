/**
 * Writes down what came of an attempt, and what follows from it: delivered, to be tried again and when, or given up. Each
 * in a commit of its own, in the order of the answers. Where that fails nothing is sent for a while, lest a full disk has
 * the same event sent again and again.
 */
import type { Id } from '../kernel/sequence.ts';
import { type Clock, DAY_MS, type Instant, SECOND_MS } from '../kernel/time.ts';
import type { Webhook } from '../model/records.ts';
import type { Due, Queue } from '../outbox/queue.ts';
import type { Commit } from '../store/group-commit.ts';
import type { Attempt } from './attempt.ts';
import { parseRetryAfter, retryDelay } from './schedule.ts';
import type { Outcome } from './sender.ts';

/** One attempt, as it was recorded. */
interface AttemptReport {
  /** `""` if the event could not be rendered. */
  eventId: string;
  kind: string;
  number: number;
  /** `null` when nobody answered. */
  status: number | null;
  error: string;
  /** What the delivery is now: `waiting` for a retry, or over. */
  state: string;
}

export interface RecorderDeps {
  queue: Queue;
  commit: Commit;
  /** The sandbox's: retries are due on it. */
  clock: Clock;
  /** The real one: a receiver may ask for a date. */
  wallClock: Clock;
  /** From 0 up to 1, for the jitter; called inside the commit. Made from its arguments it does not depend on the order of answers. */
  draw(deliverySeq: number, attempt: number): number;
  /** Since when nothing has arrived at a webhook, kept with the bank; without it nobody is deactivated for that. */
  failing?: FailingSince;
  /** The webhook answered 410, or has failed for days: makes it deactivated. Called inside the commit that records the answer, if it is active or paused. */
  onDeactivated?(webhookId: Id): void;
  /** Told of every attempt, after it was recorded. */
  onAttempt?(report: AttemptReport, webhook: Webhook): void;
  log(message: string, error: unknown, detail: Record<string, unknown>): void;
}

/** By webhook, the instant of the first attempt that failed since the last that arrived. Kept inside a transaction. */
export interface FailingSince {
  read(): Record<Id, Instant>;
  keep(all: Readonly<Record<Id, Instant>>): void;
}

export interface Recorder {
  /** Runs in the order of the calls; false when it could not be committed. */
  record(due: Due, attempt: Attempt, webhook: Webhook): Promise<boolean>;
  /** Gives up what waits for a webhook that ended. */
  drop(webhookId: Id): Promise<boolean>;
  /** Gives up what has waited for a webhook since before an instant. */
  dropOlder(webhookId: Id, before: Instant): Promise<boolean>;
  /** How many commands it has given since this was asked last. */
  takeCommands(): number;
  /** Until when nothing may be sent, because something could not be committed; `null` mostly. */
  heldUntil(): Instant | null;
  /** Since when every attempt for a webhook has failed; `null` while they arrive. */
  failingSince(webhookId: Id): Instant | null;
  /** How many deliveries have arrived and how many attempts have failed. */
  tally(): { delivered: number; failed: number };
}

const GONE = 410;
/** A webhook at which nothing arrives for so long is deactivated: decision `failing-webhook` in docs/fidelity.md. */
const FAILING_MS = 5 * DAY_MS;
const HOLD_MS = 5 * SECOND_MS;

/** Whether an answer is one of success. */
export const isDelivered = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300;
/** Whether the receiver wants nothing more, ever. */
export const isGone = ({ status }: Outcome): boolean => status === GONE;
/** Whether a wait that began no more than `waitMs` ago goes on; not when the clock was set back meanwhile. */
export const isAhead = (until: Instant, now: Instant, waitMs: number): boolean =>
  until > now && until - now <= waitMs;

/** The recorder of one courier. */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { queue, commit, clock, wallClock, log } = deps;
  let held: Instant = Number.NEGATIVE_INFINITY;
  let heldSince: Instant = Number.NEGATIVE_INFINITY;
  let delivered = 0;
  let failed = 0;
  let commands = 0;

  let failing: Record<Id, Instant> | undefined;

  const failingOf = (): Record<Id, Instant> => {
    failing ??= deps.failing?.read() ?? {};
    return failing;
  };
  const setFailing = (webhookId: Id, since: Instant | null): void => {
    if ((failingOf()[webhookId] ?? null) === since) return;
    const { [webhookId]: _, ...others } = failingOf();
    const present = since === null ? others : { ...others, [webhookId]: since };
    // In the order of their ids: two banks with the same history are the same.
    failing = Object.fromEntries(Object.entries(present).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    deps.failing?.keep(failing);
  };

  const write = async (webhookId: Id, work: () => void): Promise<boolean> => {
    commands += 1;
    try {
      await commit(work);
      return true;
    } catch (error) {
      held = clock.now() + HOLD_MS;
      heldSince = wallClock.now();
      // What it remembers may have been taken back.
      failing = undefined;
      log('a delivery could not be recorded', error, { webhookId });
      return false;
    }
  };

  const isAlive = (webhookId: Id): boolean => {
    const status = queue.webhook(webhookId)?.status;
    return status === 'active' || status === 'paused';
  };

  const deactivate = (webhookId: Id): void => {
    queue.drop(webhookId);
    setFailing(webhookId, null);
    if (isAlive(webhookId)) deps.onDeactivated?.(webhookId);
  };

  /** Remembers since when nothing arrives; true when an event was given up and none has arrived for days. */
  const noteHealth = (webhookId: Id, { at, outcome, delayMs }: Attempt, state: string): boolean => {
    if (delayMs !== null) return false;
    if (isDelivered(outcome)) setFailing(webhookId, null);
    // Not later than now: the clock may have been set back.
    else if (isAlive(webhookId)) setFailing(webhookId, Math.min(failingOf()[webhookId] ?? at, at));
    const since = failingOf()[webhookId];
    return state === 'exhausted' && since !== undefined && at - since >= FAILING_MS;
  };

  const consequence = (
    { delivery }: Due,
    { outcome, answeredAt, delayMs }: Attempt,
  ): { state: Due['delivery']['state']; dueAt: Instant } => {
    const { seq, attempts, dueAt } = delivery;
    if (delayMs !== null) return { state: 'waiting', dueAt: answeredAt + delayMs };
    if (isDelivered(outcome)) return { state: 'delivered', dueAt };
    if (isGone(outcome)) return { state: 'dropped', dueAt };
    const made = attempts + 1;
    const retryAfterMs = parseRetryAfter(outcome.retryAfter, wallClock.now());
    const delay = retryDelay(made, () => deps.draw(seq, made), retryAfterMs);
    return delay === null ? { state: 'exhausted', dueAt } : { state: 'waiting', dueAt: answeredAt + delay };
  };

  const report = (attempt: AttemptReport, webhook: Webhook): void => {
    try {
      deps.onAttempt?.(attempt, webhook);
    } catch (error) {
      log('an attempt could not be reported', error, { webhookId: webhook.id });
    }
  };

  return {
    async record(due, attempt, webhook) {
      const { seq, webhookId, kind, attempts } = due.delivery;
      const { status, durationMs, error } = attempt.outcome;
      const number = attempts + 1;
      let state = '';
      let isTooLong = false;
      const isWritten = await write(webhookId, () => {
        state = queue.record({
          deliverySeq: seq,
          number,
          at: attempt.at,
          status,
          durationMs,
          error,
          ...consequence(due, attempt),
        });
        if (state === 'waiting') queue.countRetry(webhookId);
        isTooLong = noteHealth(webhookId, attempt, state);
        if (isGone(attempt.outcome) || isTooLong) deactivate(webhookId);
      });
      if (!isWritten) return false;
      if (isTooLong)
        log('a webhook was deactivated, because nothing has arrived for five days', error, { webhookId });
      if (isDelivered(attempt.outcome)) delivered += 1;
      else if (attempt.delayMs === null) failed += 1;
      report({ eventId: attempt.eventId, kind, number, status, error, state }, webhook);
      return true;
    },
    async dropOlder(webhookId, before) {
      let count = 0;
      const isWritten = await write(webhookId, () => {
        count = queue.dropOlder(webhookId, before);
      });
      if (isWritten) log('deliveries that had waited for thirty days were dropped', '', { webhookId, count });
      return isWritten;
    },
    drop: (webhookId) => write(webhookId, () => queue.drop(webhookId)),
    failingSince: (webhookId) => failingOf()[webhookId] ?? null,
    takeCommands() {
      const given = commands;
      commands = 0;
      return given;
    },
    heldUntil() {
      // On a clock that stands still it would last forever.
      const isOver = wallClock.now() - heldSince >= HOLD_MS || !isAhead(held, clock.now(), HOLD_MS);
      return isOver ? null : held;
    },
    tally: () => ({ delivered, failed }),
  };
}
