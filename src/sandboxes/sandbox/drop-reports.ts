/**
 * Reports dropped deliveries: to the log, one line with their number per webhook, reason and minute; to the metrics;
 * and in the bank, which keeps the time of the last drop. Drops that were rolled back are not reported. The end of a
 * webhook is not logged, because a caller or its receiver requested it.
 * Source: decision `delivery-queue-length` in docs/fidelity.md.
 */
import type { Id } from '../../bank/kernel/sequence.ts';
import { type Clock, type Instant, MINUTE_MS } from '../../bank/kernel/time.ts';
import type { DropReason } from '../../bank/outbox/deliveries.ts';
import type { Store } from '../../bank/store/store.ts';

export interface DropReportsDeps {
  /** Stores the last drops, inside the transaction that drops deliveries. */
  meta: Store['meta'];
  /** Registers how to undo a note when its command is rolled back. */
  onUndo(undo: () => void): void;
  clock: Clock;
  log(message: string, detail: Record<string, unknown>): void;
  count(reason: DropReason, count: number): void;
  /** Calls `action` once, in real time; returns a function that cancels the call. */
  setTimer(ms: number, action: () => void): () => void;
}

export interface DropReports {
  /** Records that `count` deliveries were dropped; call it inside the transaction. */
  note(webhookId: Id, count: number, reason: DropReason): void;
  /** Reports that the transaction was committed. */
  committed(): void;
  /** When the last delivery of a webhook was dropped, on the sandbox's clock; `null` if none was. */
  lastDroppedAt(webhookId: Id): Instant | null;
  /** Ends the timers, and logs the drops that were not logged yet. */
  close(): void;
}

const KEY = 'last_drops';
/** The number of webhooks whose last drop is stored: a sandbox has at most this number. */
const KEPT = 100;
const MESSAGES: Readonly<Record<Exclude<DropReason, 'webhook_ended'>, string>> = {
  too_many: 'deliveries were dropped: too many retries were pending for a webhook that accepts nothing',
  too_old: 'deliveries were dropped: they were pending for thirty days',
};

interface Drop {
  readonly webhookId: Id;
  readonly reason: keyof typeof MESSAGES;
  count: number;
}

/** The reports of one bank. */
export function createDropReports({
  meta,
  onUndo,
  clock,
  log,
  count,
  setTimer,
}: DropReportsDeps): DropReports {
  const uncommitted: { webhookId: Id; reason: DropReason; count: number }[] = [];
  /** The drops since the last log line, by webhook and reason, with the function that cancels the next line. */
  const unreported = new Map<string, { drop: Drop; cancel: () => void }>();

  const write = ({ webhookId, reason, count: dropped }: Drop): void =>
    log(MESSAGES[reason], { webhookId, count: dropped });

  const endMinute = (key: string): void => {
    const found = unreported.get(key);
    unreported.delete(key);
    if (found === undefined || found.drop.count === 0) return;
    write(found.drop);
    startMinute(key, found.drop);
  };
  const startMinute = (key: string, drop: Drop): void => {
    unreported.set(key, {
      drop: { ...drop, count: 0 },
      cancel: setTimer(MINUTE_MS, () => endMinute(key)),
    });
  };

  return {
    note(webhookId, dropped, reason) {
      const { length } = uncommitted;
      onUndo(() => void uncommitted.splice(length));
      uncommitted.push({ webhookId, reason, count: dropped });
      const last = { ...meta.read<Record<Id, Instant>>(KEY), [webhookId]: clock.now() };
      // The oldest entries, which include those of deleted webhooks, are removed.
      const newest = Object.entries(last).toSorted(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
      meta.write(KEY, Object.fromEntries(newest.slice(-KEPT)));
    },
    committed() {
      if (uncommitted.length === 0) return;
      for (const { webhookId, reason, count: dropped } of uncommitted.splice(0)) {
        count(reason, dropped);
        if (reason === 'webhook_ended') continue;
        const drop: Drop = { webhookId, reason, count: dropped };
        const key = `${drop.webhookId} ${drop.reason}`;
        const reported = unreported.get(key);
        if (reported !== undefined) {
          reported.drop.count += drop.count;
          continue;
        }
        write(drop);
        startMinute(key, drop);
      }
    },
    lastDroppedAt: (webhookId) => meta.read<Record<Id, Instant>>(KEY)?.[webhookId] ?? null,
    close() {
      for (const { drop, cancel } of unreported.values()) {
        cancel();
        if (drop.count > 0) write(drop);
      }
      unreported.clear();
    },
  };
}
