/**
 * Delays the commands of clients a little while a webhook is far behind whose receiver accepts what it is sent, so that
 * deliveries get their turns. No command waits for longer than `HOLD_MS`: a receiver that hangs stops no payment.
 * The bank's own commands, the results of deliveries above all, do not pass here.
 */
import type { Commit } from '../store/group-commit.ts';

/** So long a command waits at most. */
export const HOLD_MS = 20;

export interface BackPressure {
  /** Runs a command, now or a little later; the order of the calls is kept. */
  run: Commit;
  /** After a commit: runs what waits if nothing is behind any more. */
  look(): void;
  /** Runs everything that waits, now. */
  release(): void;
  /** Whether no command waits. */
  isEmpty(): boolean;
}

/** The back-pressure of one bank. `setTimer` calls back once and answers how to cancel that. */
export function createBackPressure(
  run: Commit,
  isBehind: () => boolean,
  setTimer: (ms: number, action: () => void) => () => void,
): BackPressure {
  let held: (() => void)[] = [];
  let cancel = (): void => {};

  const release = (): void => {
    cancel();
    const commands = held;
    held = [];
    for (const command of commands) command();
  };

  return {
    run<T>(command: () => T): Promise<T> {
      if (held.length === 0 && !isBehind()) return run(command);
      return new Promise<T>((resolve, reject) => {
        held.push(() => void run(command).then(resolve, reject));
        if (held.length === 1) cancel = setTimer(HOLD_MS, release);
      });
    },
    look() {
      if (held.length > 0 && !isBehind()) release();
    },
    release,
    isEmpty: () => held.length === 0,
  };
}
