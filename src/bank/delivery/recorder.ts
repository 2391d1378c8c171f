/**
 * Records the result of each attempt and the state of the delivery after it: delivered, waiting for a retry, exhausted or
 * dropped. The results of one turn of the event loop are one command, in the order of the responses. When its commit fails, sending pauses for a while:
 * with a full disk the same event would be sent again and again.
 */
import type { Id } from '../kernel/sequence.ts';
import { type Clock, DAY_MS, type Instant, SECOND_MS } from '../kernel/time.ts';
import type { Webhook } from '../model/records.ts';
import type { Due, Queue } from '../outbox/queue.ts';
import type { Commit } from '../store/group-commit.ts';
import type { Attempt } from './attempt.ts';
import { KEPT_BYTES } from './limits.ts';
import { parseRetryAfter, retryDelay } from './schedule.ts';
import type { SendResult } from './sender.ts';

/** One attempt, as it was recorded. */
export interface AttemptReport {
  /** As in its `webhook-id`; `""` if the envelope could not be made. */
  eventId: string;
  kind: string;
  number: number;
  /** `null` without a response. */
  status: number | null;
  error: string;
  /** The new status of the delivery: `waiting` for a retry, or a final status. */
  state: Due['delivery']['state'];
}

export interface RecorderDeps {
  queue: Queue;
  commit: Commit;
  /** The sandbox's clock: retries are due on it. */
  clock: Clock;
  /** The real clock: `Retry-After` may contain a date. */
  wallClock: Clock;
  /** From 0 up to 1, for the jitter; called inside the commit. Deterministic: equal arguments return equal numbers. */
  random(deliverySeq: number, attempt: number): number;
  /** Since when every attempt has failed, stored with the bank; without it no webhook is deactivated for failures. */
  failing?: FailingSince;
  /**
   * Deactivates a webhook that responded with 410 or has failed for days. Called inside the commit that records the
   * response, if the webhook is active or paused.
   */
  onDeactivated?(webhookId: Id): void;
  /** Called with every attempt, after it was recorded. */
  onAttempt?(report: AttemptReport, webhook: Webhook): void;
  /** A result was committed. */
  onRecorded?(): void;
  /** A result could not be committed; by default this is logged. The courier has to be woken after the pause. */
  onRecordFailed?(error: unknown): void;
  log(message: string, error: unknown, detail: Record<string, unknown>): void;
}

/** By webhook, the instant of the first failed attempt since the last success. Written inside a database transaction. */
interface FailingSince {
  read(): Record<Id, Instant>;
  keep(all: Readonly<Record<Id, Instant>>): void;
}

export interface Recorder {
  /** Runs in the order of the calls; false when it could not be committed. */
  record(due: Due, attempt: Attempt, webhook: Webhook): Promise<boolean>;
  /** Drops the queued deliveries of a webhook that was deleted or deactivated. */
  drop(webhookId: Id): Promise<boolean>;
  /** Drops the deliveries of a webhook that have waited since before an instant. */
  dropOlder(webhookId: Id, before: Instant): Promise<boolean>;
  /** How many commands the recorder has committed since the last call. */
  takeCommands(): number;
  /** Until when sending pauses because a commit failed; `null` if it does not pause. */
  pausedUntil(): Instant | null;
  /** Since when every attempt for a webhook has failed; `null` while attempts succeed. */
  failingSince(webhookId: Id): Instant | null;
  /** The numbers of delivered events and of failed attempts. */
  deliveryCounts(): { delivered: number; failed: number };
}

const GONE = 410;
/** A webhook without a success for this time is deactivated: decision `failing-webhook` in docs/fidelity.md. */
const FAILING_MS = 5 * DAY_MS;
const PAUSE_MS = 5 * SECOND_MS;

/** Whether the receiver accepted the event. */
export const isDelivered = ({ status }: SendResult): boolean =>
  status !== null && status >= 200 && status < 300;
/** Whether the receiver responded with 410 Gone, so it does not accept any further event. */
export const isGone = ({ status }: SendResult): boolean => status === GONE;
/** Whether a wait of `waitMs` is not over; false if the clock was set back meanwhile. */
export const isStillWaiting = (until: Instant, now: Instant, waitMs: number): boolean =>
  until > now && until - now <= waitMs;

/** The recorder of one courier. */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { queue, commit, clock, wallClock, log } = deps;
  let pauseEndsAt: Instant = Number.NEGATIVE_INFINITY;
  let pauseBeganAt: Instant = Number.NEGATIVE_INFINITY;
  let delivered = 0;
  let failed = 0;
  let commands = 0;
  /**
   * The results that the next command writes, and its commit; `undefined` before the first result and after the
   * command has run.
   */
  let batch: { works: (() => void)[]; committed: Promise<void> } | undefined;

  const failing = createFailing(deps.failing);

  const beginBatch = (): NonNullable<typeof batch> => {
    const works: (() => void)[] = [];
    commands += 1;
    const committed = commit(() => {
      batch = undefined;
      for (const work of works) work();
    });
    batch = { works, committed };
    return batch;
  };

  const write = async (webhookId: Id, work: () => void): Promise<boolean> => {
    const own = batch ?? beginBatch();
    own.works.push(work);
    try {
      await own.committed;
      deps.onRecorded?.();
      return true;
    } catch (error) {
      // The command may not have run.
      if (batch === own) batch = undefined;
      pauseEndsAt = clock.now() + PAUSE_MS;
      pauseBeganAt = wallClock.now();
      failing.reread();
      if (deps.onRecordFailed !== undefined) deps.onRecordFailed(error);
      else log('a delivery could not be recorded', error, { webhookId });
      return false;
    }
  };

  const isAlive = (webhookId: Id): boolean => {
    const status = queue.webhook(webhookId)?.status;
    return status === 'active' || status === 'paused';
  };

  const deactivate = (webhookId: Id): void => {
    queue.drop(webhookId);
    failing.set(webhookId, null);
    if (isAlive(webhookId)) deps.onDeactivated?.(webhookId);
  };

  /**
   * Updates since when every attempt has failed; true if a delivery is exhausted and no attempt has succeeded for
   * days.
   */
  const updateFailingSince = (webhookId: Id, { at, result, delayMs }: Attempt, state: string): boolean => {
    if (delayMs !== null) return false;
    if (isDelivered(result)) failing.set(webhookId, null);
    // Not later than now: the clock may have been set back.
    else if (isAlive(webhookId)) failing.set(webhookId, Math.min(failing.since(webhookId) ?? at, at));
    const since = failing.since(webhookId);
    return state === 'exhausted' && since !== null && at - since >= FAILING_MS;
  };

  const nextState = (
    { delivery }: Due,
    { result, respondedAt, delayMs }: Attempt,
  ): { state: Due['delivery']['state']; dueAt: Instant } => {
    const { seq, attempts, dueAt } = delivery;
    if (delayMs !== null) return { state: 'waiting', dueAt: respondedAt + delayMs };
    if (isDelivered(result)) return { state: 'delivered', dueAt };
    if (isGone(result)) return { state: 'dropped', dueAt };
    const made = attempts + 1;
    const retryAfterMs = parseRetryAfter(result.retryAfter, wallClock.now());
    const delay = retryDelay(made, () => deps.random(seq, made), retryAfterMs);
    return delay === null ? { state: 'exhausted', dueAt } : { state: 'waiting', dueAt: respondedAt + delay };
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
      const { status, durationMs, error, headers, body = '' } = attempt.result;
      const number = attempts + 1;
      let state: AttemptReport['state'] = 'waiting';
      let hasFailedTooLong = false;
      const isWritten = await write(webhookId, () => {
        state = queue.record({
          deliverySeq: seq,
          number,
          at: attempt.at,
          status,
          durationMs,
          error,
          answerHeaders: headers === undefined ? '' : JSON.stringify(headers),
          answerBody: body.slice(0, KEPT_BYTES).toWellFormed(),
          ...nextState(due, attempt),
        });
        if (state === 'waiting') queue.countRetry(webhookId);
        hasFailedTooLong = updateFailingSince(webhookId, attempt, state);
        if (isGone(attempt.result) || hasFailedTooLong) deactivate(webhookId);
      });
      if (!isWritten) return false;
      if (hasFailedTooLong)
        log('a webhook was deactivated, because no delivery has succeeded for five days', error, {
          webhookId,
        });
      if (isDelivered(attempt.result)) delivered += 1;
      else if (attempt.delayMs === null) failed += 1;
      report({ eventId: attempt.eventId, kind, number, status, error, state }, webhook);
      return true;
    },
    dropOlder: (webhookId, before) => write(webhookId, () => void queue.dropOlder(webhookId, before)),
    drop: (webhookId) => write(webhookId, () => queue.drop(webhookId)),
    failingSince: failing.since,
    takeCommands() {
      const input = commands;
      commands = 0;
      return input;
    },
    pausedUntil() {
      // With a frozen clock it would last forever.
      const isOver =
        wallClock.now() - pauseBeganAt >= PAUSE_MS || !isStillWaiting(pauseEndsAt, clock.now(), PAUSE_MS);
      return isOver ? null : pauseEndsAt;
    },
    deliveryCounts: () => ({ delivered, failed }),
  };
}

/** The stored instant since which every attempt of a webhook has failed. */
function createFailing(stored: RecorderDeps['failing']) {
  let failing: Record<Id, Instant> | undefined;
  const all = (): Record<Id, Instant> => {
    failing ??= stored?.read() ?? {};
    return failing;
  };
  return {
    since: (webhookId: Id): Instant | null => all()[webhookId] ?? null,
    set(webhookId: Id, since: Instant | null): void {
      if ((all()[webhookId] ?? null) === since) return;
      const { [webhookId]: _, ...others } = all();
      const present = since === null ? others : { ...others, [webhookId]: since };
      // In the order of their ids: two banks with the same history are the same.
      failing = Object.fromEntries(Object.entries(present).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      stored?.keep(failing);
    },
    /** After a commit that failed: the value in memory may have been rolled back. */
    reread(): void {
      failing = undefined;
    },
  };
}
