/**
 * The retries of one courier. A retry is sent when it is due and delays nothing else; several are in flight for each
 * webhook.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { OLDEST_MS } from './schedule.ts';
import type { Sending } from './sending.ts';
import { whyWaiting } from './waiting.ts';

/** The maximum number of retries in flight for one webhook. */
export const RETRIES_AT_ONCE = 16;
const RETRIES_READ_AT_ONCE = 64;

export class Retries {
  readonly #sending: Sending;
  /** By webhook, the deliveries whose retry is in flight. */
  readonly #retrying = new Map<Id, Set<number>>();

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  /** Starts every due retry, several at a time for each webhook; the end of one makes room for the next. */
  run(now: Instant): void {
    const { queue, tasks, stateOfAll } = this.#sending;
    let isMore: boolean;
    do {
      const all = [...this.#retrying];
      const full = all.filter(([, slots]) => slots.size >= RETRIES_AT_ONCE).map(([id]) => id);
      // Retries in flight are still in the queue, so as many more have to be read.
      const known = all.reduce((sum, [, slots]) => sum + slots.size, 0);
      const limit = known + RETRIES_READ_AT_ONCE;
      const due = queue.retriesDue(now, limit, full);
      let started = 0;
      for (const { seq, webhookId } of due) {
        const slots = this.#slotsOf(webhookId);
        const wait = whyWaiting({
          ...stateOfAll(),
          webhook: 'active',
          isInFlight: slots.has(seq),
          isReceiverFull: slots.size >= RETRIES_AT_ONCE,
        });
        if (wait !== undefined) continue;
        void tasks.start(() => this.#retry(seq, webhookId, slots));
        if (slots.has(seq)) started += 1;
      }
      isMore = due.length === limit && started > 0;
    } while (isMore);
  }

  /** The deliveries of a webhook whose retry is in flight. */
  of(webhookId: Id): ReadonlySet<number> | undefined {
    return this.#retrying.get(webhookId);
  }

  inFlight(): { seq: number; webhookId: Id }[] {
    return [...this.#retrying].flatMap(([webhookId, slots]) => [...slots].map((seq) => ({ seq, webhookId })));
  }

  #slotsOf(webhookId: Id): Set<number> {
    const slots = this.#retrying.get(webhookId) ?? new Set();
    this.#retrying.set(webhookId, slots);
    return slots;
  }

  async #retry(seq: number, webhookId: Id, slots: Set<number>): Promise<void> {
    const { queue, clock, recorder, attempt, chaosOf, isAbandoned, afterAttempt } = this.#sending;
    slots.add(seq);
    try {
      const due = queue.waitingBySeq(seq);
      const webhook = queue.webhook(webhookId);
      if (due === undefined || webhook === undefined) return;
      const tooOld = clock.now() - OLDEST_MS;
      if (webhook.status !== 'active') {
        await recorder.drop(webhookId);
      } else if (due.delivery.dueAt < tooOld) {
        await recorder.dropOlder(webhookId, tooOld);
      } else {
        const chaos = due.delivery.attempts === 1 ? chaosOf(webhookId) : undefined;
        const made = await attempt(due, webhook, { effects: chaos?.decideDelayed(seq) });
        if (isAbandoned()) return;
        await recorder.record(due, made, webhook);
      }
    } finally {
      slots.delete(seq);
    }
    afterAttempt();
  }
}
