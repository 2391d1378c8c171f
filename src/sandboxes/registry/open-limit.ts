/**
 * Limits the number of open banks, because the C library does not return the memory of closed banks to the system.
 * Beyond the limit, the least recently used banks rest at once instead of after a minute. A sandbox that is used again
 * within that minute raises the limit by one, because without the limit it would still be open. So sandboxes that are
 * used alternately soon stay open, whatever their number, and a thousand sandboxes that are used once do not.
 * Source: docs/decisions/0032-rest-in-memory.md.
 */
import type { Clock, Instant } from '../../bank/kernel/time.ts';
import type { OpenSandboxes } from './open-sandboxes.ts';

/** The properties of a sandbox that the limit uses. */
interface Openable {
  isOpen(): boolean;
  readonly sandbox: { usedAt(): Instant };
}

interface OpenLimitOptions<E extends Openable> {
  sandboxes: OpenSandboxes<E>;
  isInMemory: boolean;
  wallClock: Clock;
  /** Real milliseconds without use after which a sandbox rests anyway. */
  restAfterMs: number;
  rest: RestJob<E>;
}

/** Makes a sandbox rest unless it has work that is due within `idleMs`. Throws if its file cannot be written. */
export type RestJob<E> = (name: string, entry: E, idleMs: number) => 'rests' | 'stays' | 'fails';

export interface OpenLimit {
  /** Notes that the bank of a sandbox was opened. */
  opened(name: string): void;
  /** Lowers the limit to the number of open banks. */
  lowerToOpen(): void;
  close(): void;
}

/** The minimum of the limit. A bank in memory rests within a millisecond, and then takes little memory. */
export const FEWEST_IN_MEMORY = 32;
/** The minimum for files. Closing a file takes longer, because its log is written into it. */
const FEWEST_FILES = 400;
/** The number of banks that rest together; requests are answered between two groups. */
const AT_ONCE = 8;
const NEXT_AFTER_MS = 5;
/**
 * A bank in memory that was used within this time stays open. It is short, because all that are opened within it take
 * memory at the same time.
 */
const JUST_USED_IN_MEMORY_MS = 25;
/** The same for files. */
const JUST_USED_FILES_MS = 250;
/** The pause after a failed write: a full disk is full for the next file, too. */
const AFTER_FAILURE_MS = 5000;
/** A bank with work that is due within this time stays open, because it would soon be opened again. */
const DUE_SOON_MS = 1000;

/** The limit of one registry. */
export function createOpenLimit<E extends Openable>(options: OpenLimitOptions<E>): OpenLimit {
  const { sandboxes, isInMemory, wallClock, restAfterMs, rest } = options;
  const fewest = isInMemory ? FEWEST_IN_MEMORY : FEWEST_FILES;
  const justUsedMs = isInMemory ? JUST_USED_IN_MEMORY_MS : JUST_USED_FILES_MS;
  /** Those that rest because of the limit, and since when. */
  const pressed = new Map<string, Instant>();
  let most = fewest;
  let timer: NodeJS.Timeout | undefined;

  const press = (): void => {
    timer = undefined;
    const open = sandboxes.list();
    const tooMany = open.length - most;
    const now = wallClock.now();
    const unused = open
      .map(([name, entry]) => ({ name, entry, usedAt: entry.sandbox.usedAt() }))
      .filter(({ usedAt }) => now - usedAt >= justUsedMs)
      .toSorted((a, b) => a.usedAt - b.usedAt);
    let rested = 0;
    for (const { name, entry } of unused) {
      if (rested >= Math.min(tooMany, AT_ONCE)) break;
      const result = rest(name, entry, DUE_SOON_MS);
      if (result === 'fails') {
        arm(AFTER_FAILURE_MS);
        return;
      }
      if (result === 'stays') continue;
      pressed.set(name, now);
      rested += 1;
    }
    if (tooMany > rested) arm(rested === AT_ONCE ? NEXT_AFTER_MS : justUsedMs);
  };
  const arm = (afterMs: number): void => {
    timer ??= setTimeout(press, afterMs).unref();
  };

  return {
    opened(name) {
      const pressedAt = pressed.get(name);
      pressed.delete(name);
      if (pressedAt !== undefined && wallClock.now() - pressedAt < restAfterMs) most += 1;
      if (sandboxes.atMost() > most) arm(NEXT_AFTER_MS);
    },
    lowerToOpen() {
      most = Math.max(fewest, Math.min(most, sandboxes.list().length));
      const now = wallClock.now();
      for (const [name, at] of pressed) if (now - at >= restAfterMs) pressed.delete(name);
    },
    close: () => clearTimeout(timer),
  };
}
