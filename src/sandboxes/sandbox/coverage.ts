/**
 * Coverage of a sandbox: which operations, states and transitions of every rail and machine, event types of both
 * versions, refusal codes and ACH return codes were exercised. Calls are counted when they are answered; the rest is
 * read from the log of facts when a report is requested, so that counting adds no cost to a payment. Like the
 * journal, coverage outlives the bank: the facts of a bank that is replaced are read before it is closed.
 */
import type { RefusalCode } from '../../bank/kernel/refusals.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import type { Fact } from '../../bank/model/facts.ts';
import type { Outbox } from '../../bank/outbox/outbox.ts';
import {
  COVERED,
  type Covered,
  EXISTING,
  stateName,
  trackedStateOf,
  transitionBetween,
} from './coverage-catalogue.ts';

/**
 * One kind of counted items, such as operations or states: how often each item was exercised, and how many of all
 * items were.
 */
interface Share {
  exists: number;
  exercised: number;
  percent: number;
  counts: Record<string, number>;
  missing: string[];
}

interface CoverageReport {
  percent: number;
  /** Facts of banks that were replaced before the facts could be read. */
  factsNotRead: number;
  shares: Record<Covered, Share>;
}

type Counts = Map<string, number>;

const NO_COUNTS: ReadonlyMap<string, number> = new Map();

const SLICE = 500;
const MAX_FACTS_ON_LEAVING = 10_000;
/** How many facts back the previous state of a record is searched for. */
const FACTS_TO_LOOK_BACK = 5000;
const MAX_KNOWN = 20_000;

/** Called, as the facts are read, for each state that a record of a rail or machine reached. */
export type CountState = (name: string, state: string) => void;

/** A class whose maps are created at their first use, because a process has one for each of thousands of sandboxes. */
export class Coverage {
  readonly #countState: CountState | undefined;
  readonly #counts: Partial<Record<Covered, Counts>> = {};
  /** The last known state of each record; of payments only while they are in flight. */
  #known: Map<Id, string> | undefined;
  #readUpTo: number | undefined;
  #factsNotRead = 0;
  #reading: Promise<void> | undefined;
  #current: Outbox | undefined;

  constructor(countState: CountState | undefined) {
    this.#countState = countState;
  }

  countOperation(id: string): void {
    this.#count('operations', id);
  }

  countRefusal(code: RefusalCode): void {
    this.#count('error_codes', code);
  }

  /** Reads the facts since the last reading, in slices, so that the bank answers requests meanwhile. */
  catchUp(log: Outbox): Promise<void> {
    // A reading that failed must not prevent the next one.
    this.#reading = (this.#reading ?? Promise.resolve()).catch(() => {}).then(() => this.#readAll(log));
    return this.#reading;
  }

  /** The report; `operations` are all operations that exist. */
  report(operations: readonly string[]): CoverageReport {
    const shares = Object.fromEntries(
      COVERED.map((kind) => [
        kind,
        shareOf(this.#counts[kind] ?? NO_COUNTS, kind === 'operations' ? operations : EXISTING[kind]),
      ]),
    ) as Record<Covered, Share>;
    const all = Object.values(shares);
    const exists = all.reduce((sum, share) => sum + share.exists, 0);
    const exercised = all.reduce((sum, share) => sum + share.exercised, 0);
    return { percent: percentOf(exercised, exists), factsNotRead: this.#factsNotRead, shares };
  }

  /** Clears the counts, and counts from the current position. */
  clear(log: Outbox): void {
    for (const map of Object.values(this.#counts)) map.clear();
    this.#readUpTo = log.latestSeq();
    this.#factsNotRead = 0;
  }

  /** Called before the bank is replaced: reads its remaining facts, if there are few. */
  leave(log: Outbox): void {
    this.#readSlice(log, MAX_FACTS_ON_LEAVING);
    this.#factsNotRead += log.latestSeq() - (this.#readUpTo ?? 0);
  }

  /** The sandbox now uses this bank. */
  enter(log: Outbox): void {
    this.#current = log;
    this.#known = undefined;
    this.#readUpTo = undefined;
    this.#readUpTo = log.latestSeq();
  }

  /** The same bank was opened, for the first time or again; `undefined` while it is closed. */
  follow(log: Outbox | undefined): void {
    this.#current = log;
    if (log !== undefined) this.#readUpTo ??= log.latestSeq();
  }

  #count(kind: Covered, name: string): void {
    this.#counts[kind] ??= new Map();
    const map = this.#counts[kind];
    map.set(name, (map.get(name) ?? 0) + 1);
  }

  /** Bounded: the oldest are removed first, and are read from the log if they are needed again. */
  #remember(id: Id, state: string): void {
    this.#known ??= new Map();
    const known = this.#known;
    known.delete(id);
    known.set(id, state);
    if (known.size <= MAX_KNOWN) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      return;
    }
  }

  #stateBefore(fact: Fact, log: Outbox): string | undefined {
    const seen = this.#known?.get(fact.resourceId);
    if (seen !== undefined || fact.change === 'created') return seen;
    const after = Math.max(0, fact.seq - 1 - FACTS_TO_LOOK_BACK);
    const [before] = log.factsIn(
      { after, upTo: fact.seq - 1, newestFirst: true, limit: 1 },
      { resource: fact.resource, resourceId: fact.resourceId },
    );
    return before === undefined ? undefined : trackedStateOf(before)?.state;
  }

  #read(fact: Fact, log: Outbox): void {
    for (const kind of fact.kindsV1) this.#count('event_types_v1', kind);
    for (const kind of fact.kindsV2) this.#count('event_types_v2', kind);
    const tracked = trackedStateOf(fact);
    if (tracked === undefined) return;
    const { name, state, returnCode, isOver } = tracked;
    const before = this.#stateBefore(fact, log);
    if (isOver) this.#known?.delete(fact.resourceId);
    else this.#remember(fact.resourceId, state);
    if (before === state) return;
    this.#count('states', stateName(name, state));
    this.#countState?.(name, state);
    if (returnCode !== '') this.#count('return_codes', returnCode);
    if (before !== undefined) {
      const transition = transitionBetween(name, before, state);
      if (transition !== undefined) this.#count('transitions', transition);
    }
  }

  #readSlice(log: Outbox, max: number): boolean {
    const latest = log.latestSeq();
    let at = this.#readUpTo ?? latest;
    for (const end = Math.min(latest, at + max); at < end; ) {
      at += 1;
      const fact = log.fact(at);
      if (fact !== undefined) this.#read(fact, log);
    }
    this.#readUpTo = at;
    return at < latest;
  }

  async #readAll(log: Outbox): Promise<void> {
    // The bank may be replaced or closed between two slices.
    while (log === this.#current && this.#readSlice(log, SLICE)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function percentOf(exercised: number, exists: number): number {
  return exists === 0 ? 100 : Math.round((exercised / exists) * 1000) / 10;
}

/**
 * An item that was counted is listed too: a payment that is declined immediately is in a state that its table does
 * not lead to.
 */
function shareOf(counts: ReadonlyMap<string, number>, names: readonly string[]): Share {
  const missing = names.filter((name) => !counts.has(name));
  const exercised = counts.size;
  const exists = exercised + missing.length;
  const sorted = [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    exists,
    exercised,
    percent: percentOf(exercised, exists),
    counts: Object.fromEntries(sorted),
    missing,
  };
}
