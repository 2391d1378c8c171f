/**
 * The log of a sandbox's events: every kind of every fact, in both versions, whether or not a webhook subscribes to it.
 * A search reads it in slices, so that the bank answers requests meanwhile; a waiting search is one of the sandbox's
 * listeners, so that no caller polls. An event is found by its id without a look-up table, because the id contains its
 * position.
 * Source: decision `event-id` in docs/fidelity.md.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ApiVersion, formatEventId, kindsIn, parseEventId } from '../../bank/api/events.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Fact } from '../../bank/model/facts.ts';
import type { FactFilter } from '../../bank/outbox/fact-log.ts';
import type { Outbox } from '../../bank/outbox/outbox.ts';
import type { Listeners, Notification } from './listeners.ts';

/** One kind of one fact. */
export interface LoggedEvent {
  readonly id: string;
  readonly fact: Fact;
  readonly version: ApiVersion;
  readonly kind: string;
  readonly ordinal: number;
}

/** A place in the log: at an event, or before all. */
export interface Position {
  readonly seq: number;
  readonly version: ApiVersion;
  readonly ordinal: number;
}

/** The requested events. */
export interface EventQuery {
  readonly filter: FactFilter;
  /** Only events after this one, oldest first; `BEGINNING` for the whole log. */
  readonly since?: Position;
  /** Only events before this one, newest first. */
  readonly before?: Position;
  readonly limit: number;
}

export interface EventPage {
  /** Oldest first with `since`, otherwise newest first. */
  readonly events: readonly LoggedEvent[];
  /** The id of an event: a search with it as `since` skips and repeats no event. `""` in an empty log. */
  readonly cursor: string;
  /**
   * The id of the oldest event shown, for the page before it; `""` if there is no such page, or the order is oldest
   * first.
   */
  readonly older: string;
}

/** The parts of a sandbox that the log needs; the sandbox may change to another bank at any time. */
interface Logged {
  readonly outbox: Outbox;
  readonly listeners: Listeners;
}

/** Before the first event. */
export const BEGINNING: Position = { seq: 0, version: 'v1', ordinal: -1 };

/** After the last event of a fact. */
export function afterFact(seq: number): Position {
  return { seq, version: 'v2', ordinal: Number.MAX_SAFE_INTEGER };
}

/** How many facts are read in one turn. */
const STRETCH = 5_000;

/** The position of an event in the log. */
export function positionOf({ fact, version, ordinal }: LoggedEvent): Position {
  return { seq: fact.seq, version, ordinal };
}

/** Whether an event comes after a place in the log. */
export function isAfter({ fact, version, ordinal }: LoggedEvent, position: Position): boolean {
  if (fact.seq !== position.seq) return fact.seq > position.seq;
  return version === position.version ? ordinal > position.ordinal : version > position.version;
}

/** Whether an event comes before a place in the log. */
function isBefore(event: LoggedEvent, position: Position): boolean {
  const { seq, version, ordinal } = position;
  const isAtIt = event.fact.seq === seq && event.version === version && event.ordinal === ordinal;
  return !isAtIt && !isAfter(event, position);
}

/** The events of a fact in the order of the log: those of v1, then those of v2. */
export function eventsOf(fact: Fact): LoggedEvent[] {
  return (['v1', 'v2'] as const).flatMap((version) =>
    kindsIn(version, fact).map((kind, ordinal) => ({
      // Formatted on access: a waiting search reads many events and returns few.
      get id() {
        return formatEventId(version, fact, ordinal);
      },
      fact,
      version,
      kind,
      ordinal,
    })),
  );
}

/** The event of this log that an id names. Refuses: `event_not_found`. */
export function findEvent(outbox: Outbox, text: string): LoggedEvent {
  const position = parseEventId(text);
  const fact = position === undefined ? undefined : outbox.fact(position.seq);
  const event = fact === undefined ? undefined : eventsOf(fact).find(({ id }) => id === position?.id);
  if (event === undefined) {
    throw refuse('event_not_found', {
      message: 'this sandbox has no such event; a reset starts a new log',
    });
  }
  return event;
}

/** Searches the log. */
export async function findEvents(sandbox: Pick<Logged, 'outbox'>, query: EventQuery): Promise<EventPage> {
  const { outbox } = sandbox;
  const { filter, since, before, limit } = query;
  const latest = outbox.latestSeq();
  const newest = newestEvent(outbox, latest);
  const events: LoggedEvent[] = [];
  let low = since === undefined ? Math.min(latest, before?.seq ?? latest) : since.seq - 1;
  // One more than the limit, to find out whether there are older ones.
  const isMore = (): boolean => events.length <= limit && (since === undefined ? low > 0 : low < latest);
  let isFirst = true;
  while (isMore()) {
    if (!isFirst) await nextTurn();
    // A replaced bank has its own log.
    if (sandbox.outbox !== outbox) break;
    isFirst = false;
    const after = since === undefined ? Math.max(0, low - STRETCH) : low;
    const upTo = since === undefined ? low : Math.min(latest, low + STRETCH);
    const facts = outbox.factsIn(
      // One more than is missing, because the fact of `since` or `before` may have no other event.
      { after, upTo, newestFirst: since === undefined, limit: limit - events.length + 2 },
      filter,
    );
    for (const fact of facts) {
      const wanted = eventsOf(fact).filter((event) => isWanted(event, query));
      events.push(...(since === undefined ? wanted.reverse() : wanted));
    }
    low = since === undefined ? after : upTo;
  }
  const shown = events.slice(0, limit);
  const hasMore = since !== undefined && shown.length === limit;
  const hasOlder = since === undefined && events.length > limit;
  return {
    events: shown,
    cursor: (hasMore ? shown.at(-1)?.id : newest) ?? '',
    older: (hasOlder ? shown.at(-1)?.id : undefined) ?? '',
  };
}

/**
 * Searches the log and waits while no event matches: until `waitMs` real milliseconds have passed, the sandbox is
 * reset or closed, or `signal` aborts. Then the result is empty.
 */
export async function awaitEvents(
  sandbox: Logged,
  query: EventQuery,
  waitMs: number,
  signal: AbortSignal,
): Promise<EventPage> {
  if (waitMs <= 0) return findEvents(sandbox, query);
  const arrived = Promise.withResolvers<boolean>();
  const end = (): void => arrived.resolve(false);
  const listen = (item: Notification): void => {
    if (item.type === 'replaced' || item.type === 'closed') end();
    if (item.type === 'fact' && eventsOf(item.fact).some((event) => isWanted(event, query)))
      arrived.resolve(true);
  };
  // Before the search, so that events that are published during it are noticed.
  const stop = sandbox.listeners.listen(listen);
  const timer = setTimeout(end, waitMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    const found = await findEvents(sandbox, query);
    if (found.events.length > 0 || signal.aborted) return found;
    return (await arrived.promise) ? await findEvents(sandbox, query) : found;
  } finally {
    stop();
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function isWanted(event: LoggedEvent, { filter, since, before }: EventQuery): boolean {
  const { fact, version, kind } = event;
  if (filter.version !== undefined && filter.version !== version) return false;
  if (filter.resource !== undefined && filter.resource !== fact.resource) return false;
  if (filter.resourceId !== undefined && filter.resourceId !== fact.resourceId) return false;
  if (filter.kind !== undefined && !isKind(filter.kind, kind)) return false;
  if (before !== undefined && !isBefore(event, before)) return false;
  return since === undefined || isAfter(event, since);
}

function isKind(wanted: string, kind: string): boolean {
  return wanted.endsWith('*') ? kind.startsWith(wanted.slice(0, -1)) : kind === wanted;
}

/** The id of the newest event; a fact may have no event. */
function newestEvent(outbox: Outbox, latest: number): string | undefined {
  for (let upTo = latest; upTo > 0; upTo -= STRETCH) {
    const [fact] = outbox.factsIn(
      { after: Math.max(0, upTo - STRETCH), upTo, newestFirst: true, limit: 1 },
      {},
    );
    if (fact !== undefined) return eventsOf(fact).at(-1)?.id;
  }
  return undefined;
}
