/**
 * Coverage of a sandbox: which operations, states and transitions of every rail and machine, event kinds of both
 * versions, refusal codes and ACH return codes were exercised. Calls are counted when they are answered; the rest is
 * read from the log of facts when a report is requested, so that counting adds no cost to a payment. Like the
 * journal, coverage outlives the bank: the facts of a bank that is replaced are read before it is closed.
 */
import type { RefusalCode } from '../kernel/refusals.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Fact } from '../model/facts.ts';
import type { Outbox } from '../outbox/outbox.ts';
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

export interface Coverage {
  countOperation(id: string): void;
  countRefusal(code: RefusalCode): void;
  /** Reads the facts since the last reading, in slices, so that the bank answers requests meanwhile. */
  catchUp(outbox: Outbox): Promise<void>;
  /** The report; `operations` are all operations that exist. */
  report(operations: readonly string[]): CoverageReport;
  /** Clears the counts, and counts from the current position. */
  clear(outbox: Outbox): void;
  /** Called before the bank is replaced: reads its remaining facts, if there are few. */
  leave(outbox: Outbox): void;
  /** The sandbox now uses this bank. */
  enter(outbox: Outbox): void;
  /** The same bank was opened, for the first time or again; `undefined` while it is closed. */
  follow(outbox: Outbox | undefined): void;
}

type Counts = Map<string, number>;

const SLICE = 500;
const MAX_FACTS_ON_LEAVING = 10_000;
/** How many facts back the previous state of a record is searched for. */
const FACTS_TO_LOOK_BACK = 5000;
const MAX_KNOWN = 20_000;

/** Called, as the facts are read, for each state that a record of a rail or machine reached. */
export type CountState = (name: string, state: string) => void;

/** Creates coverage with empty counts, which starts at the newest fact of the first bank that it follows. */
export function createCoverage(countState?: CountState): Coverage {
  const counts = Object.fromEntries(COVERED.map((kind) => [kind, new Map()])) as Record<Covered, Counts>;
  /** The last known state of each record; of payments only while they are in flight. */
  const known = new Map<Id, string>();
  let readUpTo: number | undefined;
  let factsNotRead = 0;
  let reading: Promise<void> = Promise.resolve();

  const count = (kind: Covered, name: string): void => {
    const map = counts[kind];
    map.set(name, (map.get(name) ?? 0) + 1);
  };

  /** Bounded: the oldest are removed first, and are read from the log if they are needed again. */
  const remember = (id: Id, state: string): void => {
    known.delete(id);
    known.set(id, state);
    if (known.size <= MAX_KNOWN) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      return;
    }
  };

  const stateBefore = (fact: Fact, log: Outbox): string | undefined => {
    const seen = known.get(fact.resourceId);
    if (seen !== undefined || fact.change === 'created') return seen;
    const after = Math.max(0, fact.seq - 1 - FACTS_TO_LOOK_BACK);
    const [before] = log.factsIn(
      { after, upTo: fact.seq - 1, newestFirst: true, limit: 1 },
      { resource: fact.resource, resourceId: fact.resourceId },
    );
    return before === undefined ? undefined : trackedStateOf(before)?.state;
  };

  const read = (fact: Fact, log: Outbox): void => {
    for (const kind of fact.kindsV1) count('event_kinds_v1', kind);
    for (const kind of fact.kindsV2) count('event_kinds_v2', kind);
    const tracked = trackedStateOf(fact);
    if (tracked === undefined) return;
    const { name, state, returnCode, isOver } = tracked;
    const before = stateBefore(fact, log);
    if (isOver) known.delete(fact.resourceId);
    else remember(fact.resourceId, state);
    if (before === state) return;
    count('states', stateName(name, state));
    countState?.(name, state);
    if (returnCode !== '') count('return_codes', returnCode);
    if (before !== undefined) {
      const transition = transitionBetween(name, before, state);
      if (transition !== undefined) count('transitions', transition);
    }
  };

  const readSlice = (log: Outbox, max: number): boolean => {
    const latest = log.latestSeq();
    let at = readUpTo ?? latest;
    for (const end = Math.min(latest, at + max); at < end; ) {
      at += 1;
      const fact = log.fact(at);
      if (fact !== undefined) read(fact, log);
    }
    readUpTo = at;
    return at < latest;
  };

  let current: Outbox | undefined;
  const readAll = async (log: Outbox): Promise<void> => {
    // The bank may be replaced or closed between two slices.
    while (log === current && readSlice(log, SLICE)) await new Promise((resolve) => setImmediate(resolve));
  };

  return {
    countOperation: (id) => count('operations', id),
    countRefusal: (code) => count('error_codes', code),
    catchUp(log) {
      // A reading that failed must not prevent the next one.
      reading = reading.catch(() => {}).then(() => readAll(log));
      return reading;
    },
    report(operations) {
      const shares = Object.fromEntries(
        COVERED.map((kind) => [
          kind,
          shareOf(counts[kind], kind === 'operations' ? operations : EXISTING[kind]),
        ]),
      ) as Record<Covered, Share>;
      const all = Object.values(shares);
      const exists = all.reduce((sum, share) => sum + share.exists, 0);
      const exercised = all.reduce((sum, share) => sum + share.exercised, 0);
      return { percent: percentOf(exercised, exists), factsNotRead, shares };
    },
    clear(log) {
      for (const map of Object.values(counts)) map.clear();
      readUpTo = log.latestSeq();
      factsNotRead = 0;
    },
    leave(log) {
      readSlice(log, MAX_FACTS_ON_LEAVING);
      factsNotRead += log.latestSeq() - (readUpTo ?? 0);
    },
    enter(log) {
      current = log;
      known.clear();
      readUpTo = undefined;
      readUpTo = log.latestSeq();
    },
    follow(log) {
      current = log;
      if (log !== undefined) readUpTo ??= log.latestSeq();
    },
  };
}

function percentOf(exercised: number, exists: number): number {
  return exists === 0 ? 100 : Math.round((exercised / exists) * 1000) / 10;
}

/**
 * An item that was counted is listed too: a payment that is declined immediately is in a state that its table does
 * not lead to.
 */
function shareOf(counts: Counts, names: readonly string[]): Share {
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
