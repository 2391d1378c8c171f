/**
 * What the bank's verbs are made of. The clock is the bank's own: while a planned step runs, it stands at the instant
 * for which the step was planned, so that a bank that slept, or was moved a month ahead, has the same history.
 */
import type { Sequence } from '../kernel/sequence.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Program } from '../model/records.ts';
import type { RailsProfile } from '../model/timetable.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Store } from '../store/store.ts';

/**
 * The secret that stands in place of what the sequence drew for it, as long and of the same alphabet. It is drawn from the
 * sequence first in either case, so ids and numbers are the same whether secrets are seeded or not.
 */
export type SecretFor = (drawn: string, alphabet: string) => string;

export interface Dependencies {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly clock: BankClock;
  readonly sequence: Sequence;
  readonly secretFor: SecretFor;
  readonly program: Program;
  /** How the bank keeps time. */
  readonly railsProfile: RailsProfile;
}

export interface BankClock extends Clock {
  /** Runs `action` with the clock standing at `instant`. */
  at<T>(instant: Instant, action: () => T): T;
}

/** A bank's clock over the sandbox's. */
export function createBankClock(clock: Clock): BankClock {
  let fixedTime: Instant | null = null;
  return {
    now: () => fixedTime ?? clock.now(),
    at(instant, action) {
      const before = fixedTime;
      fixedTime = instant;
      try {
        return action();
      } finally {
        fixedTime = before;
      }
    },
  };
}
