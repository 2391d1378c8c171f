/**
 * What a sandbox was asked, and what it answered: the last requests, kept as references to texts that exist anyway, so
 * that writing one down costs a few fields. Masks and everything else that takes time are the reader's business. It
 * outlives the bank: what was asked of one that a reset or a restore exchanged is still here, without what it caused.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';

/** What the platform answered to the same call, as a proxy between a program and the platform received it. */
export interface PlatformAnswer {
  /** The address of the platform. */
  readonly address: string;
  readonly status: number;
  /** JSON; `''` for none. */
  readonly body: string;
  /** Where it differs from the answer of the bank. */
  readonly differences: readonly PlatformDifference[];
}

export interface PlatformDifference {
  readonly cause: string;
  readonly field: string;
  /** As it is printed: a value, a form or a type. */
  readonly here: string;
  readonly there: string;
  /** The slug of the decision that explains it; `''` for none. */
  readonly decision: string;
}

export interface JournalEntry {
  /** When it was received, on the sandbox's clock. */
  readonly at: Instant;
  /** When it was answered, in real time: a clock that stands still tells nothing apart. */
  readonly wallAt: Instant;
  readonly id: Id;
  readonly apiVersion: 'v1' | 'v2' | 'control';
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** `''` where none was reached. */
  readonly operation: string;
  /** What was sent; 0 when the connection was broken before an answer. */
  readonly status: number;
  /** Real milliseconds until the response. */
  readonly ms: number;
  readonly hint: string;
  readonly idempotencyKey: string;
  /** The answer is the one that was kept under the key. */
  readonly replayed: boolean;
  /** The fault that it met; `''` for none. */
  readonly fault: string;
  readonly requestBody: string;
  readonly answerBody: string;
  /** The facts that it wrote: from the first that is not older to the last; equal for none. */
  readonly factsBefore: number;
  readonly factsAfter: number;
  /** How many banks the sandbox had had before this one. */
  readonly bank: number;
  /** Absent unless a proxy sent the call to the platform too. */
  readonly platform?: PlatformAnswer;
}

export interface Journal {
  record(entry: JournalEntry): void;
  /** A call of the control plane: it moves no other entry out. */
  recordControl(entry: JournalEntry): void;
  /** Those of both API versions, newest first. */
  entries(): Iterable<JournalEntry>;
  /** Those of the control plane that may have changed something, newest first. */
  controlCalls(): Iterable<JournalEntry>;
  byId(id: Id): JournalEntry | undefined;
  /** Keeps the platform's answer to a request of an API version; answers whether the request is here. */
  keepPlatformAnswer(id: Id, platform: PlatformAnswer): boolean;
  /** How many are kept, and how many older ones no longer are. */
  counts(): { kept: number; dropped: number };
}

export const JOURNAL_LENGTH = 1000;
const CONTROL_CALLS = 500;
/** Of bodies: a thousand ordinary requests take a fifth of it, and it keeps four of the largest. */
const JOURNAL_CHARACTERS = 8 * 1024 * 1024;

/** An empty journal, of at most `length` entries with at most `characters` of bodies. */
export function createJournal(length = JOURNAL_LENGTH, characters = JOURNAL_CHARACTERS): Journal {
  // Oldest first.
  const kept: JournalEntry[] = [];
  let dropped = 0;
  let held = 0;

  const size = ({ requestBody, answerBody, platform }: JournalEntry): number =>
    requestBody.length + answerBody.length + (platform?.body.length ?? 0);
  // The newest stays, whatever it weighs.
  const dropOldest = (): void => {
    while (kept.length > length || (held > characters && kept.length > 1)) {
      held -= size(kept.shift() as JournalEntry);
      dropped += 1;
    }
  };

  const controls: JournalEntry[] = [];

  return {
    recordControl(entry) {
      controls.push(entry);
      if (controls.length > CONTROL_CALLS) controls.shift();
    },
    controlCalls: () => controls.toReversed(),
    record(entry) {
      kept.push(entry);
      held += size(entry);
      dropOldest();
    },
    keepPlatformAnswer(id, platform) {
      const at = kept.findLastIndex((entry) => entry.id === id);
      const entry = kept[at];
      if (entry === undefined) return false;
      const changed = { ...entry, platform };
      held += size(changed) - size(entry);
      kept[at] = changed;
      dropOldest();
      return true;
    },
    entries: () => kept.toReversed(),
    byId: (id) => [...kept, ...controls].findLast((entry) => entry.id === id),
    counts: () => ({ kept: kept.length, dropped }),
  };
}
