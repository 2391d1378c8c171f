/**
 * The deliveries that webhooks have not received yet, without a row for each. A backlog is a part of the log of
 * facts: the facts after `afterFact`, with the kinds to which the webhook was subscribed when they were published.
 * Before each commit, delivery rows are created from it with one statement, while few deliveries of the webhook are
 * pending. So a webhook that is behind does not slow payments.
 * Source: docs/decisions/0021-nothing-dropped.md.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Kinds } from '../model/facts.ts';
import { backlogs, facts, webhooks } from '../model/tables.ts';
import { cachesOf } from './cache.ts';
import { eq, sql } from './drizzle.ts';
import { lazily } from './lazily.ts';
import type { Db } from './open.ts';
import { prepareInsert } from './rows.ts';
import { prepareRead, prepareWrite, type Select } from './statement.ts';

/** A delivery that has no row yet. */
export interface Unmade {
  webhookId: Id;
  apiVersion: keyof Kinds;
  factSeq: number;
  ordinal: number;
  state: 'waiting' | 'dropped';
}

export interface Backlogs {
  /** Opens and ends backlogs for the current webhooks. Call it before a fact is appended. */
  follow(): void;
  /** Counts a fact that was appended. */
  note(kinds: Kinds): void;
  /** Creates delivery rows for each webhook with few pending deliveries. Call it before each commit. */
  fill(): void;
  /** Drops the backlogs of a webhook; returns the number of dropped deliveries. */
  drop(webhookId: Id): number;
  /** The number of deliveries without a row, by webhook and state. */
  counts(): { webhookId: Id; state: Unmade['state']; count: number }[];
  /** The number of pending deliveries without a row. */
  waiting(): number;
  /** The deliveries of these facts that have no row. */
  unmadeOf(factSeqs: readonly number[]): Unmade[];
  /** Clears the cached state: a webhook was changed, or something was rolled back. */
  clear(): void;
}

interface Backlog {
  readonly id: number;
  readonly webhookId: Id;
  readonly apiVersion: keyof Kinds;
  readonly upToFact: number | null;
  readonly events: readonly string[];
  readonly wants: ReadonlySet<string>;
  /** `events` as JSON. */
  readonly wantsJson: string;
  readonly dropped: boolean;
  afterFact: number;
}

/** Rows are created for a webhook while fewer than this number are pending. The courier buffers half of them. */
const ENOUGH = 512;
/** The number of facts that are processed at a time. */
const STRETCH = 128;
/** A backlog without wanted facts is advanced after this number of facts, so that a start does not scan more. */
const MOVED_EVERY = 1_000;

const byDb = new WeakMap<Db, Backlogs>();

/** The backlogs of a database. */
export function backlogsOf(db: Db): Backlogs {
  const known = byDb.get(db) ?? createBacklogs(db);
  byDb.set(db, known);
  return known;
}

// Read whenever a bank is counted, as after a reset.
const BACKLOGS = { backlog: backlogs, apiVersion: webhooks.apiVersion };
const withVersion = (select: Select) =>
  select.from(backlogs).innerJoin(webhooks, eq(webhooks.id, backlogs.webhookId)).orderBy(backlogs.id);

/** The statements of the backlogs. */
function prepareStatements(db: Db) {
  const { $client: sqlite } = db;
  const byId = eq(backlogs.id, sql.placeholder('id'));
  const set = (fields: object) => prepareWrite(db, () => db.update(backlogs).set(fields).where(byId));
  const statementsOf = (apiVersion: keyof Kinds) => ({
    // One statement for many rows takes half the time of a statement for each.
    make: lazily(() =>
      sqlite.prepare(
        `INSERT INTO deliveries (webhook_id, fact_seq, kind, ordinal, state, attempts, due_at)
          SELECT ?, f.seq, kind.value, kind.key, 'waiting', 0, f.at
          FROM facts AS f, json_each('["' || replace(f.kinds_${apiVersion}, ' ', '","') || '"]') AS kind
          WHERE f.seq > ? AND f.seq <= ? AND kind.value IN (SELECT value FROM json_each(?))
          ORDER BY f.seq, kind.key`,
      ),
    ),
    countKinds: lazily(() =>
      sqlite
        .prepare(
          `SELECT kinds_${apiVersion}, count(*) FROM facts WHERE seq > ? AND seq <= ? GROUP BY kinds_${apiVersion}`,
        )
        .raw(),
    ),
  });
  return {
    readAll: prepareRead(db, BACKLOGS, withVersion),
    readActive: prepareRead(db, { id: webhooks.id, events: webhooks.events }, (select) =>
      select.from(webhooks).where(eq(webhooks.status, 'active')).orderBy(webhooks.id),
    ),
    readNewest: prepareRead(db, { seq: sql<number>`coalesce(max(${facts.seq}), 0)` }, (select) =>
      select.from(facts),
    ),
    readKinds: prepareRead(db, { v1: facts.kindsV1, v2: facts.kindsV2 }, (select) =>
      select.from(facts).where(eq(facts.seq, sql.placeholder('seq'))),
    ),
    insert: prepareInsert(db, backlogs, { id: undefined }),
    move: set({ afterFact: sql`${sql.placeholder('afterFact')}` }),
    end: set({ upToFact: sql`${sql.placeholder('upToFact')}` }),
    endDropped: set({ upToFact: sql`${sql.placeholder('upToFact')}`, dropped: true }),
    deleteRow: prepareWrite(db, () => db.delete(backlogs).where(byId)),
    hasEnough: lazily(() =>
      sqlite.prepare(
        `SELECT 1 FROM deliveries WHERE webhook_id = (SELECT ?) AND state = 'waiting' AND attempts = 0
        LIMIT 1 OFFSET ${ENOUGH - 1}`,
      ),
    ),
    of: { v1: statementsOf('v1'), v2: statementsOf('v2') },
  };
}

function createBacklogs(db: Db): Backlogs {
  const statements = prepareStatements(db);
  /** The number of deliveries of each backlog, counted at the first request. */
  const known = cachesOf(db.$client).named<number, number>('unmade_deliveries');
  let all: Backlog[] | undefined;
  let isFollowed = false;

  const newest = (): number => statements.readNewest.get()?.seq ?? 0;
  const list = (): Backlog[] => {
    all ??= statements.readAll.all().map(({ backlog, apiVersion }) => ({
      ...backlog,
      apiVersion,
      wants: new Set(backlog.events),
      wantsJson: JSON.stringify(backlog.events),
    }));
    return all;
  };
  const unmade = (backlog: Backlog): number => {
    const { id, apiVersion, afterFact, upToFact } = backlog;
    const count = known.get(id);
    if (count !== undefined) return count;
    const found = statements.of[apiVersion].countKinds().all(afterFact, upToFact ?? newest()) as [
      string,
      number,
    ][];
    return known.set(
      id,
      found.reduce((sum, [kinds, facts]) => sum + facts * wantedOf(backlog, kinds.split(' ')), 0),
    );
  };
  const clear = (): void => {
    all = undefined;
    isFollowed = false;
  };

  const remove = (id: number): void => {
    statements.deleteRow.run({ id });
    // SQLite may reuse the number.
    known.remove(id);
    all = undefined;
  };

  const isEmpty = ({ id, afterFact, upToFact }: Backlog, latest: number): boolean =>
    known.get(id) === 0 || afterFact >= (upToFact ?? latest);

  /** Creates the deliveries of the next facts. */
  const make = (backlog: Backlog, latest: number): void => {
    const { id, webhookId, apiVersion, afterFact, wantsJson } = backlog;
    const last = backlog.upToFact ?? latest;
    const upTo = Math.min(last, afterFact + STRETCH);
    const { changes } = statements.of[apiVersion].make().run(webhookId, afterFact, upTo, wantsJson);
    const count = known.get(id);
    if (upTo === last) known.set(id, 0);
    else if (count !== undefined) known.set(id, count - changes);
    backlog.afterFact = upTo;
    statements.move.run({ id, afterFact: upTo });
  };

  /** Removes an ended backlog that is empty, or advances one that is still open. */
  const tidy = (backlog: Backlog, latest: number): void => {
    const { id, afterFact, upToFact } = backlog;
    if (upToFact !== null) remove(id);
    else if (latest - afterFact >= MOVED_EVERY) {
      backlog.afterFact = latest;
      statements.move.run({ id, afterFact: latest });
    }
  };

  return {
    follow() {
      if (isFollowed) return;
      const open = new Map(
        list()
          .filter(({ upToFact }) => upToFact === null)
          .map((backlog) => [backlog.webhookId, backlog]),
      );
      const upToFact = newest();
      for (const { id: webhookId, events } of statements.readActive.all()) {
        const present = open.get(webhookId);
        if (present !== undefined && isSame(present.events, events)) open.delete(webhookId);
        else
          statements.insert.run({ webhookId, afterFact: upToFact, upToFact: null, events, dropped: false });
      }
      for (const { id } of open.values()) statements.end.run({ id, upToFact });
      clear();
      isFollowed = true;
    },
    note(kinds) {
      for (const backlog of list()) {
        if (backlog.upToFact !== null) continue;
        const count = known.get(backlog.id);
        if (count !== undefined) known.set(backlog.id, count + wantedOf(backlog, kinds[backlog.apiVersion]));
      }
    },
    fill() {
      const latest = newest();
      for (const backlog of list()) {
        if (backlog.dropped) continue;
        while (!isEmpty(backlog, latest) && statements.hasEnough().get(backlog.webhookId) === undefined) {
          make(backlog, latest);
        }
        if (isEmpty(backlog, latest)) tidy(backlog, latest);
      }
    },
    drop(webhookId) {
      let dropped = 0;
      const upToFact = newest();
      for (const backlog of list()) {
        if (backlog.webhookId !== webhookId || backlog.dropped) continue;
        const { id } = backlog;
        const count = unmade(backlog);
        if (count === 0) remove(id);
        else statements.endDropped.run({ id, upToFact: backlog.upToFact ?? upToFact });
        dropped += count;
      }
      clear();
      return dropped;
    },
    counts: () =>
      list().map((backlog) => ({
        webhookId: backlog.webhookId,
        state: stateOf(backlog),
        count: unmade(backlog),
      })),
    waiting: () => list().reduce((sum, backlog) => sum + (backlog.dropped ? 0 : unmade(backlog)), 0),
    unmadeOf(factSeqs) {
      const found: Unmade[] = [];
      for (const factSeq of factSeqs) {
        const covering = list().filter((backlog) => isIn(backlog, factSeq));
        const kinds = covering.length === 0 ? undefined : statements.readKinds.get({ seq: factSeq });
        if (kinds === undefined) continue;
        for (const backlog of covering) {
          const { webhookId, apiVersion, wants } = backlog;
          kinds[apiVersion].forEach((kind, ordinal) => {
            if (wants.has(kind))
              found.push({ webhookId, apiVersion, factSeq, ordinal, state: stateOf(backlog) });
          });
        }
      }
      return found;
    },
    clear,
  };
}

const stateOf = ({ dropped }: Backlog): Unmade['state'] => (dropped ? 'dropped' : 'waiting');

/** The number of these kinds to which the webhook is subscribed. */
function wantedOf({ wants }: Backlog, kinds: readonly string[]): number {
  let count = 0;
  for (const kind of kinds) if (wants.has(kind)) count += 1;
  return count;
}

const isIn = ({ afterFact, upToFact }: Backlog, factSeq: number): boolean =>
  factSeq > afterFact && (upToFact === null || factSeq <= upToFact);

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, place) => one === others[place]);
}
