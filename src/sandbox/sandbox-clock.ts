/**
 * A sandbox's clock: it goes with the real one, stands still, or goes at another rate, from wherever it was set. Its
 * setting is three numbers, kept with the bank, so that a restart, a snapshot or a clone goes on where it was.
 * Source: decisions `clock-set-back` and `machine-clock-changes` in docs/fidelity.md.
 */
import type { Clock, Instant } from '../kernel/time.ts';

/** Where a bank keeps the setting. */
export const CLOCK_KEY = 'clock';

export type ClockMode = 'live' | 'frozen' | 'scaled';

/** How the clock runs: at the real instant `setAt` it showed `shows`, and since then goes at `rate`. */
export interface ClockSetting {
  mode: ClockMode;
  shows: Instant;
  setAt: Instant;
  /** Seconds of the sandbox per real second: 1 when live, 0 when frozen. */
  rate: number;
}

export interface SandboxClock extends Clock {
  setting(): ClockSetting;
  /** Sets the clock to `now` (where it is, if not given), going as `mode` says. */
  set(mode: ClockMode, now?: Instant, rate?: number): void;
  /** Shows another instant and goes on as before. */
  moveTo(now: Instant): void;
  /** Goes on with an earlier setting: what was set since was not kept. */
  restore(setting: ClockSetting): void;
  /** Real milliseconds until the clock shows `instant`; `null` when it never will by itself. */
  realUntil(instant: Instant): number | null;
}

/**
 * A clock over the real one, as `setting` left it; without one it is the real one, though not before `floor`, the last
 * instant that the bank has shown. It goes back only where it is set back: when the real clock is put back, it goes on
 * from what it showed last.
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
