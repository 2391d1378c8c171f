/**
 * Notices of a sandbox for its listeners: a caller that waits for an event, a live stream, an advance that reports
 * its effects. Without listeners a notice costs nothing; notices are sent after the commit.
 */
import type { Instant } from '../../bank/kernel/time.ts';
import type { Fact } from '../../bank/model/facts.ts';
import type { JournalEntry } from './journal.ts';

/** One attempt to deliver an event. */
export interface AttemptNotice {
  /** When it was recorded, on the sandbox's clock. */
  at: Instant;
  /** In the format of the webhook's version. */
  webhookId: string;
  /** As in its `webhook-id`; `""` if it could not be rendered. */
  eventId: string;
  kind: string;
  number: number;
  /** `null` without a response. */
  status: number | null;
  error: string;
  state: string;
}

export type Notice =
  | { type: 'fact'; fact: Fact }
  | { type: 'attempt'; attempt: AttemptNotice }
  | { type: 'request'; request: JournalEntry }
  /** The sandbox has another bank: state of the old one is no longer valid. */
  | { type: 'replaced' }
  /** The sandbox is closed; no notice follows. */
  | { type: 'closed' };

export interface Notices {
  /** Calls `listener` for each item until the returned function is called. */
  listen(listener: (item: Notice) => void): () => void;
  emit(item: Notice): void;
  hasListeners(): boolean;
}

/** The notices of one sandbox. */
export function createNotices(): Notices {
  return new ListenerNotices();
}

class ListenerNotices implements Notices {
  #listeners: Set<(item: Notice) => void> | undefined;

  listen(listener: (item: Notice) => void): () => void {
    this.#listeners ??= new Set();
    const listeners = this.#listeners;
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
  emit(item: Notice): void {
    for (const listener of this.#listeners ?? []) listener(item);
  }
  hasListeners(): boolean {
    return this.#listeners !== undefined && this.#listeners.size > 0;
  }
}
