/**
 * A sandbox's clock: it follows the real clock, is frozen, or runs at another rate, from the instant to which it was
 * set. Its setting is three numbers, stored with the bank, so that a restart, a snapshot or a clone continues from
 * the same instant.
 * Source: decisions `clock-set-back` and `machine-clock-changes` in docs/fidelity.md.
 */
import type { Clock, Instant } from '../../bank/kernel/time.ts';

/** The place in which a bank stores the setting. */
export const CLOCK_KEY = 'clock';

export type ClockMode = 'live' | 'frozen' | 'scaled';

/** How the clock runs: at the real instant `setAt` it showed `shows`, and since then it runs at `rate`. */
export interface ClockSetting {
  mode: ClockMode;
  shows: Instant;
  setAt: Instant;
  /** Seconds of the sandbox per real second: 1 when live, 0 when frozen. */
  rate: number;
}

export interface SandboxClock extends Clock {
  setting(): ClockSetting;
  /** Sets the clock to `now` (default: its current instant), running in the mode `mode`. */
  set(mode: ClockMode, now?: Instant, rate?: number): void;
  /** Sets another instant and keeps the mode. */
  moveTo(now: Instant): void;
  /** Restores an earlier setting, because the later one was not stored. */
  restore(setting: ClockSetting): void;
  /** Real milliseconds until the clock shows `instant`; `null` if it never will by itself. */
  realUntil(instant: Instant): number | null;
}

/**
 * A clock based on the real one, with `setting`; without a setting it is the real clock, but never before `floor`,
 * the last instant that the bank has shown. It moves back only when it is set back: if the real clock is set back, it
 * continues from its last instant.
 */
export function createSandboxClock(
  wall: Clock,
  setting?: ClockSetting,
  floor = Number.NEGATIVE_INFINITY,
): SandboxClock {
  const start = wall.now();
  let current: ClockSetting = setting ?? {
    mode: 'live',
    shows: Math.max(start, floor),
    setAt: start,
    rate: 1,
  };
  let lastWall = current.setAt;

  const shown = (wallNow: Instant): Instant =>
    current.rate === 0 ? current.shows : Math.floor(current.shows + (wallNow - current.setAt) * current.rate);

  const readWall = (): Instant => {
    const wallNow = wall.now();
    if (wallNow < lastWall) current = { ...current, shows: shown(lastWall), setAt: wallNow };
    lastWall = wallNow;
    return wallNow;
  };

  const now = (): Instant => shown(readWall());

  const rateOf = (mode: ClockMode, rate: number): number => {
    if (mode === 'frozen') return 0;
    return mode === 'live' ? 1 : rate;
  };

  return {
    now,
    setting: () => current,
    set(mode, at = now(), rate = current.rate || 1) {
      current = { mode, shows: at, setAt: readWall(), rate: rateOf(mode, rate) };
    },
    moveTo(at) {
      const setAt = readWall();
      current = { ...current, shows: at, setAt };
    },
    restore(setting) {
      current = setting;
    },
    realUntil(instant) {
      const wait = instant - now();
      if (wait <= 0) return 0;
      return current.rate === 0 ? null : wait / current.rate;
    },
  };
}
