/**
 * What of the bank was exercised in a sandbox: operations, states and transitions of every rail and machine, event kinds
 * of both generations, the codes of refusals and of ACH returns. Calls are counted as they are answered; the rest is
 * read off the log of facts when somebody asks, so that it costs a payment nothing. It outlives the bank, as the journal
 * does: the facts of a bank that is exchanged are read off before it goes.
 */
import { REFUSALS, type RefusalCode } from '../kernel/refusals.ts';
import type { Id } from '../kernel/sequence.ts';
import { type Fact, type FactRecords, V1_KINDS, V2_KINDS } from '../model/facts.ts';
import { ACCOUNT, CARD, CARD_HOLDER, COUNTERPARTY, HOLDER } from '../model/machines.ts';
import { RAILS, type RailName, railOf } from '../model/rails.ts';
import { RETURN_CODES } from '../model/return-codes.ts';
import type { Outbox } from '../outbox/outbox.ts';

export const COVERED = [
  'operations',
  'states',
  'transitions',
  'event_kinds_v2',
  'event_kinds_v1',
  'error_codes',
  'return_codes',
] as const;
/** The kinds of things that are counted. */
export type Covered = (typeof COVERED)[number];

/** One kind of thing: how often each was met, and how many of those that exist were. */
export interface Share {
  exists: number;
  exercised: number;
  percent: number;
  counts: Record<string, number>;
  missing: string[];
}

export interface CoverageReport {
  percent: number;
  /** Facts of banks that were exchanged before anybody could read them. */
  factsNotRead: number;
  shares: Record<Covered, Share>;
}

export interface Coverage {
  countOperation(id: string): void;
  countRefusal(code: RefusalCode): void;
  /** Reads the facts that came since the last time, a slice at a time, so that the bank answers meanwhile. */
  catchUp(outbox: Outbox): Promise<void>;
  /** What was met; `operations` are those that exist. */
  report(operations: readonly string[]): CoverageReport;
  /** Forgets what was counted, and counts from here. */
  clear(outbox: Outbox): void;
  /** The bank is about to go: reads what is left of its facts, if that does not take long. */
  leave(outbox: Outbox): void;
  /** The sandbox has gone on with this bank. */
  enter(outbox: Outbox): void;
}

type Counts = Map<string, number>;

const SLICE = 500;
const MOST_FACTS_ON_LEAVING = 10_000;
/** How far back the state is looked for that a record had before. */
const FACTS_TO_LOOK_BACK = 5000;
const MOST_KNOWN = 20_000;
const DISHONORED = new Set(['dishonored', 'contested']);

/** What no call of a sandbox's key can meet: nobody's sandbox, what the control plane says, a failure of ours. */
const NOT_TO_BE_MET: readonly RefusalCode[] = [
  'key_missing',
  'key_unknown',
  'link_expired',
  'link_unknown',
  'sandbox_not_found',
  'snapshot_not_found',
  'failure',
];

const MACHINE_OF = {
  holder: HOLDER,
  account: ACCOUNT,
  card_holder: CARD_HOLDER,
  counterparty: COUNTERPARTY,
  card: CARD,
} as const;

/** Counts of nothing yet, from the newest fact of the bank. */
export function createCoverage(outbox: Outbox): Coverage {
  const counts = Object.fromEntries(COVERED.map((kind) => [kind, new Map()])) as Record<Covered, Counts>;
  /** The state in which each record was last seen; payments only while they are under way. */
  const known = new Map<Id, string>();
  let readUpTo = outbox.latestSeq();
  let factsNotRead = 0;
  let reading: Promise<void> = Promise.resolve();

  const count = (kind: Covered, name: string): void => {
    const map = counts[kind];
    map.set(name, (map.get(name) ?? 0) + 1);
  };

  /** Bounded: the oldest go first, and are looked for in the log if they are met again. */
  const remember = (id: Id, state: string): void => {
    known.delete(id);
    known.set(id, state);
    if (known.size <= MOST_KNOWN) return;
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
    return before === undefined ? undefined : lifeOf(before).state;
  };

  const read = (fact: Fact, log: Outbox): void => {
    for (const kind of fact.kindsV1) count('event_kinds_v1', kind);
    for (const kind of fact.kindsV2) count('event_kinds_v2', kind);
    const { name, state, returnCode, isOver } = lifeOf(fact);
    const before = stateBefore(fact, log);
    if (isOver) known.delete(fact.resourceId);
    else remember(fact.resourceId, state);
    if (before === state) return;
    count('states', stateName(name, state));
    if (returnCode !== '') count('return_codes', returnCode);
    if (before !== undefined) {
      const transition = TRANSITIONS.get(edge(name, before, state));
      if (transition !== undefined) count('transitions', transition);
    }
  };

  const readSlice = (log: Outbox, most: number): boolean => {
    const latest = log.latestSeq();
    const end = Math.min(latest, readUpTo + most);
    while (readUpTo < end) {
      readUpTo += 1;
      const fact = log.fact(readUpTo);
      if (fact !== undefined) read(fact, log);
    }
    return readUpTo < latest;
  };

  let current = outbox;
  const readAll = async (log: Outbox): Promise<void> => {
    // The bank may be exchanged between two slices.
    while (log === current && readSlice(log, SLICE)) await new Promise((resolve) => setImmediate(resolve));
  };

  return {
    countOperation: (id) => count('operations', id),
    countRefusal: (code) => count('error_codes', code),
    catchUp(log) {
      reading = reading.then(() => readAll(log));
      return reading;
    },
    report(operations) {
      const shares = Object.fromEntries(
        COVERED.map((kind) => [kind, shareOf(counts[kind], kind === 'operations' ? operations : EXISTING[kind])]),
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
      readSlice(log, MOST_FACTS_ON_LEAVING);
      factsNotRead += log.latestSeq() - readUpTo;
    },
    enter(log) {
      current = log;
      known.clear();
      readUpTo = log.latestSeq();
    },
  };
}

function percentOf(exercised: number, exists: number): number {
  return exists === 0 ? 100 : Math.round((exercised / exists) * 1000) / 10;
}

/** What was met exists, too: a rail that is declined at once is in a state that its table does not lead to. */
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

/** The record of a fact as something that has states. */
interface Life {
  /** The rail or machine. */
  name: string;
  state: string;
  returnCode: string;
  /** A payment that arrived, or ended otherwise: what it was before is told by its record. */
  isOver: boolean;
}

function lifeOf({ resource, record }: Fact): Life {
  if (resource === 'transaction') {
    const { rail, status, details } = record as FactRecords['transaction'];
    return {
      name: rail,
      state: status,
      returnCode: details.kind === 'ach' && status === 'returned' ? details.returnCode : '',
      isOver: Object.keys(railOf(rail).steps[status] ?? {}).length === 0,
    };
  }
  return { name: MACHINE_OF[resource].name, state: statusOf(resource, record), returnCode: '', isOver: false };
}

function statusOf(resource: Exclude<Fact['resource'], 'transaction'>, record: Fact['record']): string {
  if (resource === 'holder') return (record as FactRecords['holder']).holder.status;
  if (resource === 'account') return (record as FactRecords['account']).account.status;
  if (resource === 'card') return (record as FactRecords['card']).card.status;
  return (record as FactRecords['counterparty']).status;
}

const stateName = (name: string, state: string): string => `${name}: ${state}`;
const edge = (name: string, from: string, to: string): string => `${name}|${from}|${to}`;

const STATES = new Set<string>();
/** By the two states; events that lead from one to the same other are one transition, since a fact knows no event. */
const TRANSITIONS = new Map<string, string>();

function list(name: string, first: readonly string[], steps: Record<string, Record<string, string>>): void {
  const events = new Map<string, string[]>();
  for (const state of first) STATES.add(stateName(name, state));
  for (const [from, row] of Object.entries(steps)) {
    STATES.add(stateName(name, from));
    for (const [event, to] of Object.entries(row)) {
      STATES.add(stateName(name, to));
      const key = edge(name, from, to);
      events.set(key, [...(events.get(key) ?? []), event]);
      TRANSITIONS.set(key, `${name}: ${from} -> ${to} (${events.get(key)?.join(' or ')})`);
    }
  }
}

for (const [name, { opens, steps }] of Object.entries(RAILS) as [RailName, ReturnType<typeof railOf>][]) {
  const targets = Object.entries(steps).map(([from, row]) => [
    from,
    Object.fromEntries(Object.entries(row).map(([event, { to }]) => [event, to])),
  ]);
  list(name, [opens.status], Object.fromEntries(targets));
}
for (const { name, first, states } of Object.values(MACHINE_OF)) list(name, first, states);

const EXISTING: Record<Exclude<Covered, 'operations'>, readonly string[]> = {
  states: [...STATES],
  transitions: [...TRANSITIONS.values()],
  event_kinds_v2: V2_KINDS,
  event_kinds_v1: V1_KINDS,
  error_codes: (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => !NOT_TO_BE_MET.includes(code)),
  // The others answer a return, not a payment.
  return_codes: RETURN_CODES.filter((row) => !DISHONORED.has(row.class)).map(({ code }) => code),
};
