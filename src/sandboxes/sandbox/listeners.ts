/**
 * The listeners of a sandbox: a caller that waits for an event, a live stream, an advance that reports
 * its effects. Without listeners a notification costs nothing; notifications are sent after the commit.
 */
import type { AttemptReport } from '../../bank/delivery/courier.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import type { Fact } from '../../bank/model/facts.ts';
import type { JournalEntry } from './journal.ts';

/** One attempt to deliver an event. */
export interface AttemptNotification extends AttemptReport {
  /** When it was recorded, on the sandbox's clock. */
  at: Instant;
  /** In the format of the webhook's version. */
  webhookId: string;
}

export type Notification =
  | { type: 'fact'; fact: Fact }
  | { type: 'attempt'; attempt: AttemptNotification }
  | { type: 'request'; request: JournalEntry }
  /** The sandbox has another bank: state of the old one is no longer valid. */
  | { type: 'replaced' }
  /** The sandbox is closed; no notification follows. */
  | { type: 'closed' };

export class Listeners {
  #listeners: Set<(item: Notification) => void> | undefined;

  /** Calls `listener` for each item until the returned function is called. */
  listen(listener: (item: Notification) => void): () => void {
    this.#listeners ??= new Set();
    const listeners = this.#listeners;
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
  emit(item: Notification): void {
    for (const listener of this.#listeners ?? []) listener(item);
  }
  hasListeners(): boolean {
    return this.#listeners !== undefined && this.#listeners.size > 0;
  }
}
