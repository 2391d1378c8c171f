/**
 * The state of a bank that is in memory and stored in commits: the setting of its clock, the position of its random
 * sequence, and the time of the last purge of idempotent responses. If a commit fails, the state is rolled back.
 */
import { createSequence, type Sequence, type SequencePosition } from '../../bank/kernel/sequence.ts';
import { type Clock, HOUR_MS, type Instant } from '../../bank/kernel/time.ts';
import { cachesOf } from '../../bank/store/cache.ts';
import type { Connection } from '../../bank/store/open.ts';
import { IDEMPOTENCY_MS, type Store } from '../../bank/store/store.ts';
import { CLOCK_KEY, type ClockSetting, createSandboxClock, type SandboxClock } from './sandbox-clock.ts';

const SEQUENCE_KEY = 'sequence';
const PURGE_EVERY_MS = HOUR_MS;

interface Stored {
  readonly store: Store;
  readonly connection: Connection;
}

export interface StoredClock {
  readonly clock: SandboxClock;
  /** Stores the setting if the clock was set; the real clock has none. */
  save(): void;
  /** Sets the clock and stores its setting; returns the milliseconds by which it moved. */
  set(change: (clock: SandboxClock) => void): number;
}

/** The clock of a bank, which continues from its stored setting and never starts before the last fact. */
export function createStoredClock(
  { store, connection }: Stored,
  base: Clock,
  lastFactAt: Instant | undefined,
): StoredClock {
  let saved = store.meta.read<ClockSetting>(CLOCK_KEY);
  const clock = createSandboxClock(base, saved, lastFactAt);
  const keep = (): void => {
    const before = saved;
    cachesOf(connection.sqlite).onUndo(() => {
      saved = before;
    });
    saved = clock.setting();
    store.meta.write(CLOCK_KEY, saved);
  };
  return {
    clock,
    set(change) {
      const before = clock.now();
      const setting = clock.setting();
      cachesOf(connection.sqlite).onUndo(() => clock.restore(setting));
      change(clock);
      const movedMs = clock.now() - before;
      keep();
      return movedMs;
    },
    save() {
      if (saved !== undefined && clock.setting() !== saved) keep();
    },
  };
}

export interface StoredSequence {
  readonly seed: string;
  readonly sequence: Sequence;
  /** Stores the position if values were drawn. */
  save(): void;
}

/** The random sequence of a bank, which continues from its stored position; `seed` is for a new bank. */
export function createStoredSequence({ store, connection }: Stored, newSeed: string): StoredSequence {
  const stored = store.meta.read<{ seed: string; position: SequencePosition }>(SEQUENCE_KEY);
  const seed = stored?.seed ?? newSeed;
  const sequence = createSequence(seed);
  if (stored !== undefined) sequence.moveTo(stored.position);
  let savedDraws = sequence.position().drawn;
  return {
    seed,
    sequence,
    save() {
      const position = sequence.position();
      if (position.drawn === savedDraws) return;
      const before = savedDraws;
      cachesOf(connection.sqlite).onUndo(() => {
        savedDraws = before;
      });
      store.meta.write(SEQUENCE_KEY, { seed, position });
      savedDraws = position.drawn;
    },
  };
}

/** Removes expired responses to idempotent requests, once an hour. */
export function createAnswerPurge({ store, connection }: Stored, clock: Clock): () => void {
  let purgedAt = clock.now();
  return () => {
    const now = clock.now();
    // In both directions: a clock that was set back must not delay the purge.
    if (Math.abs(now - purgedAt) < PURGE_EVERY_MS) return;
    store.answers.purge(now - IDEMPOTENCY_MS);
    const before = purgedAt;
    cachesOf(connection.sqlite).onUndo(() => {
      purgedAt = before;
    });
    purgedAt = now;
  };
}
