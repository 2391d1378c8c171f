/**
 * The courier's view of the outbox: the deliveries to send next. A pending delivery waits either for its first
 * attempt (in the order of the facts, one queue for each webhook) or for a retry (by time). Deliveries of a paused
 * webhook are hidden until it is resumed.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Fact } from '../model/facts.ts';
import type { Webhook } from '../model/records.ts';
import { deliveries, deliveryAttempts, facts, webhooks } from '../model/tables.ts';
import { backlogsOf } from '../store/backlogs.ts';
import { and, eq, gt, lte, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { createRows, prepareRows } from '../store/rows.ts';
import { prepareRead, prepareRowWrite, prepareWrite, type Select } from '../store/statement.ts';
import {
  createDeliveryWrites,
  type DeliveryWrites,
  type DropRules,
  IS_FIRST,
  IS_RETRY,
} from './deliveries.ts';
import { createDeliveryHistory, type DeliveryHistory } from './delivery-history.ts';

type Delivery = (typeof deliveries)['$inferSelect'];
type AttemptRow = (typeof deliveryAttempts)['$inferSelect'];

/** A pending delivery with its fact. */
export interface Due {
  delivery: Delivery;
  fact: Fact;
}

/**
 * One attempt and the new state of its delivery: `state`, and the time of the next attempt while `state` is
 * `waiting`.
 */
interface AttemptResult extends Omit<AttemptRow, 'answerHeaders' | 'answerBody'> {
  answerHeaders?: string;
  answerBody?: string;
  state: Delivery['state'];
  dueAt: Instant;
}

export interface Queue extends DeliveryWrites, DeliveryHistory {
  /** Creates the deliveries that will be sent next. Call it before each commit. */
  fill(): void;
  /** The webhooks with a pending first attempt, without paused ones. */
  webhooksWaiting(): Id[];
  /**
   * The next first attempts of a webhook, in the order of the facts, after the delivery `after` (0: from the
   * beginning).
   */
  firstsBehind(webhookId: Id, after: number, limit: number): Due[];
  /** The seqs of the next first attempts of a webhook, in the order of the facts. */
  firstsWaiting(webhookId: Id, limit: number): number[];
  /** The retries that are due at `now`, the oldest first, without paused webhooks and the webhooks in `except`. */
  retriesDue(now: Instant, limit: number, except: readonly Id[]): { seq: number; webhookId: Id }[];
  /** The time of the first retry after `after`, without paused webhooks; `null` if there is none. */
  nextRetryAt(after: Instant): Instant | null;
  /** The oldest pending first attempt of a webhook about the same record, before the delivery `before`. */
  firstBefore(webhookId: Id, before: number, resourceId: Id): Due | undefined;
  /** A pending delivery by its seq. */
  waitingBySeq(seq: number): Due | undefined;
  webhook(id: Id): Webhook | undefined;
  /**
   * Writes an attempt and the new state of its delivery. Returns the resulting state: a delivery that was dropped in
   * the meantime stays dropped, unless it was delivered.
   */
  record(result: AttemptResult): Delivery['state'];
  /** Moves every retry by `ms`, because the clock was moved. */
  shiftRetries(ms: number): void;
  /** The number of pending deliveries, including those of paused webhooks. */
  waiting(): { first: number; retry: number };
  /** The time of the oldest event with a pending delivery; `null` if there is none. */
  oldestAt(): Instant | null;
  /** Makes all retries of a webhook due now; returns their number. */
  retryNow(webhookId: Id, now: Instant): number;
}

// SQLite compiles a statement again at each run (14 us instead of 1) if it has `column = ?` with an ORDER BY, or a
// bound LIMIT. So the frequent statements use `(select ?)`, and no LIMIT if `get` reads only the first row.
const NOT_PAUSED = sql`${deliveries.webhookId} not in (select ${webhooks.id} from ${webhooks} where ${webhooks.status} = 'paused')`;

// Read whenever a bank is opened.
const WAITING_WEBHOOKS = { id: webhooks.id };
const whoseFirstsWait = (select: Select) =>
  select.from(webhooks).where(
    sql`${webhooks.status} <> 'paused' and exists
          (select 1 from ${deliveries} where ${deliveries.webhookId} = ${webhooks.id} and ${IS_FIRST})`,
  );
const NEXT_RETRY = { dueAt: deliveries.dueAt };
const retryAfter = (select: Select) =>
  select
    .from(deliveries)
    .where(and(gt(deliveries.dueAt, sql.placeholder('after')), IS_RETRY, NOT_PAUSED))
    .orderBy(deliveries.dueAt, deliveries.seq);

/**
 * The states of deliveries after an attempt. The update is written as an insert that always finds its row, because
 * only inserts can wait for the commit and change several rows with one statement.
 */
const writeResults = (db: Db) =>
  db
    .insert(deliveries)
    .values({
      seq: sql.placeholder('deliverySeq'),
      state: sql.placeholder('state'),
      dueAt: sql.placeholder('dueAt'),
      lastStatus: sql.placeholder('status'),
      // These are not used. No webhook has this id, so a delivery without a row is refused.
      webhookId: sql`''`,
      factSeq: sql`0`,
      kind: sql`''`,
      ordinal: sql`0`,
      attempts: sql`0`,
    })
    .onConflictDoUpdate({
      target: deliveries.seq,
      set: {
        state: sql`case when ${deliveries.state} = 'dropped' and excluded.state <> 'delivered' then 'dropped' else excluded.state end`,
        attempts: sql`${deliveries.attempts} + 1`,
        dueAt: sql`excluded.due_at`,
        lastStatus: sql`excluded.last_status`,
      },
    });

/** The statements of the queue. */
function prepareStatements(db: Db) {
  const countWhere = (waiting: typeof IS_FIRST) =>
    prepareRead(db, { count: sql<number>`count(*)` }, (select) => select.from(deliveries).where(waiting));
  const oldestWhere = (waiting: typeof IS_FIRST) =>
    prepareRead(db, { seq: sql<number | null>`min(${deliveries.seq})` }, (select) =>
      select.from(deliveries).where(waiting),
    );
  const oldest = [oldestWhere(IS_FIRST), oldestWhere(IS_RETRY)];
  return {
    oldest,
    waitingWebhooks: prepareRead(db, WAITING_WEBHOOKS, whoseFirstsWait),
    behind: prepareRead(db, deliveries, (select) =>
      select
        .from(deliveries)
        .where(
          and(
            sql`${deliveries.webhookId} = (select ${sql.placeholder('webhookId')})`,
            gt(deliveries.seq, sql.placeholder('after')),
            IS_FIRST,
          ),
        )
        .orderBy(deliveries.seq)
        .limit(sql.placeholder('limit')),
    ),
    factBySeq: prepareRead(db, facts, (select) =>
      select.from(facts).where(eq(facts.seq, sql.placeholder('seq'))),
    ),
    firsts: prepareRead(db, { seq: deliveries.seq }, (select) =>
      select
        .from(deliveries)
        .where(and(sql`${deliveries.webhookId} = (select ${sql.placeholder('webhookId')})`, IS_FIRST))
        .orderBy(deliveries.seq)
        .limit(sql.placeholder('limit')),
    ),
    due: prepareRead(db, { seq: deliveries.seq, webhookId: deliveries.webhookId }, (select) =>
      select
        .from(deliveries)
        .where(
          and(
            lte(deliveries.dueAt, sql.placeholder('now')),
            IS_RETRY,
            NOT_PAUSED,
            sql`${deliveries.webhookId} not in (select value from json_each(${sql.placeholder('except')}))`,
          ),
        )
        .orderBy(deliveries.dueAt, deliveries.seq)
        .limit(sql.placeholder('limit')),
    ),
    nextRetry: prepareRead(db, NEXT_RETRY, retryAfter),
    bySeq: prepareRead(db, { delivery: deliveries, fact: facts }, (select) =>
      select
        .from(deliveries)
        .innerJoin(facts, eq(facts.seq, deliveries.factSeq))
        .where(and(eq(deliveries.seq, sql.placeholder('seq')), eq(deliveries.state, 'waiting'))),
    ),
    beforeOfRecord: prepareRead(db, { seq: deliveries.seq }, (select) =>
      select
        .from(deliveries)
        .innerJoin(facts, eq(facts.seq, deliveries.factSeq))
        .where(
          and(
            sql`${deliveries.webhookId} = (select ${sql.placeholder('webhookId')})`,
            sql`${deliveries.seq} < ${sql.placeholder('before')}`,
            IS_FIRST,
            eq(facts.resourceId, sql.placeholder('resourceId')),
          ),
        )
        .orderBy(deliveries.seq),
    ),
    attempts: prepareRows(db, deliveryAttempts),
    results: prepareRowWrite(db, deliveries, writeResults),
    stateBySeq: prepareRead(db, { state: deliveries.state }, (select) =>
      select.from(deliveries).where(eq(deliveries.seq, sql.placeholder('deliverySeq'))),
    ),
    shift: prepareWrite(db, () =>
      db
        .update(deliveries)
        .set({ dueAt: sql`${deliveries.dueAt} + ${sql.placeholder('ms')}` })
        .where(IS_RETRY),
    ),
    countFirsts: countWhere(IS_FIRST),
    countRetries: countWhere(IS_RETRY),
    makeDue: prepareWrite(db, () =>
      db
        .update(deliveries)
        .set({ dueAt: sql`${sql.placeholder('now')}` })
        .where(
          and(
            eq(deliveries.webhookId, sql.placeholder('webhookId')),
            IS_RETRY,
            gt(deliveries.dueAt, sql.placeholder('now')),
          ),
        ),
    ),
  };
}

/** The queue of one sandbox. `record` and `drop` write: run them inside a database transaction. */
export function createQueue(db: Db, dropRules?: DropRules): Queue {
  const webhookRows = createRows(db, webhooks);
  const writes = createDeliveryWrites(db, dropRules);
  const backlogs = backlogsOf(db);
  const statements = prepareStatements(db);

  return {
    ...writes,
    ...createDeliveryHistory(db, backlogs),
    fill: backlogs.fill,
    webhooksWaiting: () => statements.waitingWebhooks.all().map(({ id }) => id),
    firstsBehind(webhookId, after, limit) {
      let fact: Fact | undefined;
      // The deliveries of one fact are adjacent, and the fact is read once for all of them.
      return statements.behind.all({ webhookId, after, limit }).flatMap((delivery) => {
        if (fact?.seq !== delivery.factSeq)
          fact = statements.factBySeq.get({ seq: delivery.factSeq }) as Fact | undefined;
        return fact === undefined ? [] : { delivery, fact };
      });
    },
    firstsWaiting: (webhookId, limit) => statements.firsts.all({ webhookId, limit }).map(({ seq }) => seq),
    retriesDue: (now, limit, except) => statements.due.all({ now, limit, except: JSON.stringify(except) }),
    nextRetryAt: (after) => statements.nextRetry.get({ after })?.dueAt ?? null,
    firstBefore(webhookId, before, resourceId) {
      const seq = statements.beforeOfRecord.get({ webhookId, before, resourceId })?.seq;
      return seq === undefined ? undefined : (statements.bySeq.get({ seq }) as Due | undefined);
    },
    waitingBySeq: (seq) => statements.bySeq.get({ seq }) as Due | undefined,
    webhook: (id) => webhookRows.byId(id),
    record({ state, dueAt, ...attempt }) {
      const { deliverySeq, status } = attempt;
      statements.attempts.add({ answerHeaders: '', answerBody: '', ...attempt });
      statements.results.add({ deliverySeq, status, state, dueAt });
      return state === 'delivered' ? state : (statements.stateBySeq.get({ deliverySeq })?.state ?? state);
    },
    shiftRetries: (ms) => void statements.shift.run({ ms }),
    waiting: () => ({
      first: (statements.countFirsts.get()?.count ?? 0) + backlogs.waiting(),
      retry: statements.countRetries.get()?.count ?? 0,
    }),
    oldestAt() {
      const seqs = statements.oldest.map((read) => read.get()?.seq ?? null).filter((seq) => seq !== null);
      if (seqs.length === 0) return null;
      return (statements.bySeq.get({ seq: Math.min(...seqs) })?.fact as Fact | undefined)?.at ?? null;
    },
    retryNow: (webhookId, now) => statements.makeDue.run({ webhookId, now }).changes,
  };
}
