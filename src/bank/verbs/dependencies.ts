/**
 * The dependencies of the bank's verbs. While a scheduled step runs, the bank's clock shows the scheduled time, so
 * that a bank that was stopped, or advanced by a month, has the same history.
 */
import type { Sequence } from '../kernel/sequence.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Program } from '../model/records.ts';
import type { RailsProfile } from '../model/timetable.ts';
import type { Shortfall } from '../model/vocabulary.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Store } from '../store/store.ts';

/**
 * Returns the secret for a value of the sequence, with the same length and alphabet. A value is always taken from the
 * sequence, so ids and numbers do not depend on whether secrets are seeded.
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
  /** The rails profile. */
  readonly railsProfile: RailsProfile;
  /** The default of the setting `shortfall`. */
  readonly shortfall: Shortfall;
}

export interface BankClock extends Clock {
  /** Runs `action` with the clock at `instant`. */
  at<T>(instant: Instant, action: () => T): T;
}

/** Creates a bank's clock from the sandbox's clock. */
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
