/**
 * The open sandboxes of a registry, and when the resting ones are due. Requests and timers search only these, because
 * thousands of resting sandboxes without planned work must not delay them.
 */
import type { Instant } from '../../bank/kernel/time.ts';

interface Openable {
  isOpen(): boolean;
}

export interface OpenSandboxes<E extends Openable> {
  /** Notes that the bank of a sandbox was opened. */
  opened(name: string): void;
  /** The open sandboxes, in the order in which they were opened. */
  list(): [string, E][];
  /** At least the number of open sandboxes, without searching them. */
  atMost(): number;
  /** Sets the real time at which a resting sandbox must be opened; `null` for never. */
  setDue(name: string, at: Instant | null): void;
  /** When a resting sandbox must be opened; `null` for never. */
  dueAt(name: string): Instant | null;
  /** The sandboxes that must be opened, and when. */
  due(): Iterable<readonly [string, Instant]>;
}

/** The open sandboxes among `entries`, which has all sandboxes by their names. */
export function createOpenSandboxes<E extends Openable>(entries: ReadonlyMap<string, E>): OpenSandboxes<E> {
  /** Those that were opened, and some that were closed since the last search. */
  const opened = new Set<string>();
  const dueTimes = new Map<string, Instant>();
  return {
    opened(name) {
      opened.add(name);
      // From now on its own timers start its work.
      dueTimes.delete(name);
    },
    list() {
      const open: [string, E][] = [];
      for (const name of opened) {
        const entry = entries.get(name);
        if (entry?.isOpen() === true) open.push([name, entry]);
        else opened.delete(name);
      }
      return open;
    },
    atMost: () => opened.size,
    setDue(name, at) {
      if (at === null) dueTimes.delete(name);
      else dueTimes.set(name, at);
    },
    dueAt: (name) => dueTimes.get(name) ?? null,
    due: () => dueTimes,
  };
}
