/**
 * What a sandbox was asked, and what it answered: the last requests, kept as references to texts that exist anyway, so
 * that writing one down costs a few fields. Masks and everything else that takes time are the reader's business. It
 * outlives the bank: what was asked of one that a reset or a restore exchanged is still here, without what it caused.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';

export interface JournalEntry {
  /** When it was received, on the sandbox's clock. */
  readonly at: Instant;
  /** When it was answered, in real time: a clock that stands still tells nothing apart. */
  readonly wallAt: Instant;
  readonly id: Id;
  readonly dialect: 'v1' | 'v2' | 'control';
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** `''` where none was reached. */
  readonly operation: string;
  /** What was sent; 0 when the connection was broken before an answer. */
  readonly status: number;
  /** Real milliseconds until it was answered. */
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
  /** How many are kept, and how many older ones no longer are. */
  counts(): { kept: number; dropped: number };
}

export const JOURNAL_LENGTH = 1000;
const CONTROL_CALLS = 500;
/** Of bodies: a thousand ordinary requests take a fifth of it, and it keeps four of the largest. */
const JOURNAL_CHARACTERS = 8 * 1024 * 1024;

/** An empty journal, of at most `length` entries with at most `characters` of bodies. */
export function createJournal(length = JOURNAL_LENGTH, characters = JOURNAL_CHARACTERS): Journal {
  // The oldest first.
  const kept: JournalEntry[] = [];
  let dropped = 0;
  let held = 0;

  const size = ({ requestBody, answerBody }: JournalEntry): number => requestBody.length + answerBody.length;

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
      // The newest stays, whatever it weighs.
      while (kept.length > length || (held > characters && kept.length > 1)) {
        held -= size(kept.shift() as JournalEntry);
        dropped += 1;
      }
    },
    entries: () => kept.toReversed(),
    byId: (id) => [...kept, ...controls].findLast((entry) => entry.id === id),
    counts: () => ({ kept: kept.length, dropped }),
  };
}
