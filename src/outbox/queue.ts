/**
 * The courier's view of the outbox: what is to be sent next, and what became of it. A delivery waits either for its
 * first attempt (in the order of the facts, a queue for each webhook) or for a retry (by its instant).
 * What belongs to a paused webhook stays where it is and is not shown until the webhook is resumed.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Fact } from '../model/facts.ts';
import type { Webhook } from '../model/records.ts';
import { deliveries, deliveryAttempts, facts, webhooks } from '../model/tables.ts';
import { backlogsOf, type Unmade } from '../store/backlogs.ts';
import { and, desc, eq, gt, lte, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { createRows, prepareInsert } from '../store/rows.ts';
import { prepareRead, prepareWrite } from '../store/statement.ts';
import {
  createDeliveryWrites,
  type DeliveryWrites,
  type DropRules,
  IS_FIRST,
  IS_RETRY,
} from './deliveries.ts';

type Delivery = (typeof deliveries)['$inferSelect'];
type AttemptRow = (typeof deliveryAttempts)['$inferSelect'];

/** A delivery that waits, with the fact that it is about. */
export interface Due {
  delivery: Delivery;
  fact: Fact;
}

/** One attempt, and what it makes of the delivery: `state`, and the next attempt's instant while that is `waiting`. */
interface AttemptResult extends Omit<AttemptRow, 'answerHeaders' | 'answerBody'> {
  answerHeaders?: string;
  answerBody?: string;
  state: Delivery['state'];
  dueAt: Instant;
}

/** One attempt as the control plane shows it. */
export interface FactAttempt extends AttemptRow {
  webhookId: Id;
  kind: string;
}

/** One attempt with its delivery and the fact that it was about. */
interface WebhookAttempt {
  attempt: AttemptRow;
  delivery: Delivery;
  fact: Fact;
}

/** A part of the attempts of a webhook: behind `before`, some of them or only those that failed. */
export interface AttemptWindow {
  before: { deliverySeq: number; number: number } | undefined;
  outcome: 'failed' | 'delivered' | undefined;
  limit: number;
}

/** A delivery with the version of its webhook, which a kind alone does not tell: both have a `card.updated`. */
export interface FactDelivery extends Delivery {
  dialect: Webhook['dialect'];
}

/** How a delivery stands, whether it has a row or not. */
export type DeliveryState = Pick<FactDelivery, 'factSeq' | 'dialect' | 'ordinal' | 'state'>;

/** How many deliveries are in each state. */
export type DeliveryCounts = Record<Delivery['state'], number>;

export interface Queue extends DeliveryWrites {
  /** Makes the deliveries that are about to be sent. Call it before each commit. */
  fill(): void;
  /** The webhooks with a waiting first attempt, without the paused ones. */
  webhooksWaiting(): Id[];
  /** The next first attempts of a webhook, in the order of the facts, behind the delivery `after` (0: from the front). */
  firstsBehind(webhookId: Id, after: number, limit: number): Due[];
  /** The seqs of the next first attempts of a webhook, in the order of the facts. */
  firstsWaiting(webhookId: Id, limit: number): number[];
  /** Retries due at `now`, the longest due first, without those of paused webhooks and of the webhooks `except`. */
  retriesDue(now: Instant, limit: number, except: readonly Id[]): { seq: number; webhookId: Id }[];
  /** The instant of the first retry later than `after`, paused webhooks left out; `null` when there is none. */
  nextRetryAt(after: Instant): Instant | null;
  /** The oldest first attempt that waits for a webhook before the delivery `before` and is about the same record. */
  firstBefore(webhookId: Id, before: number, resourceId: Id): Due | undefined;
  /** A delivery that waits, by its seq. */
  waitingBySeq(seq: number): Due | undefined;
  webhook(id: Id): Webhook | undefined;
  /**
   * Writes an attempt and the new state of its delivery, and answers the state that the delivery has then: one that was dropped
   * meanwhile stays so, unless it was delivered.
   */
  record(result: AttemptResult): Delivery['state'];
  /** Moves every retry by so much, sooner or later, because the clock was. */
  shiftRetries(ms: number): void;
  /** How many deliveries wait, those of paused webhooks included. */
  waiting(): { first: number; retry: number };
  /** When that happened of which the longest waiting delivery tells; `null` when none waits. */
  oldestAt(): Instant | null;
  /** Every attempt to deliver a fact, in the order of the deliveries. */
  attempts(factSeq: number): FactAttempt[];
  /** The attempts of a webhook, those of its newest deliveries first, behind an attempt. */
  attemptsOf(webhookId: Id, window: AttemptWindow): WebhookAttempt[];
  /** What was given up for a webhook, exhausted or dropped, and not queued again since, in the order of the deliveries. */
  givenUp(webhookId: Id, limit: number): Delivery[];
  /** Makes every retry of a webhook due now; answers how many there were. */
  retryNow(webhookId: Id, now: Instant): number;
  /** Every delivery of these facts that may have been attempted, in their own order. */
  deliveriesOf(factSeqs: readonly number[]): FactDelivery[];
  /** How every delivery of these facts stands. */
  statesOf(factSeqs: readonly number[]): DeliveryState[];
  /** The deliveries of these facts that have no row yet, or were dropped before they had one. */
  unmadeOf(factSeqs: readonly number[]): Unmade[];
  /** The facts from `after` up to and with `upTo` that a webhook got, or is to get: each with a kind's place. */
  queuedFor(webhookId: Id, after: number, upTo: number): { factSeq: number; ordinal: number }[];
  /** How many deliveries each webhook has in each state. It reads them all. */
  counts(): Map<Id, DeliveryCounts>;
}

// SQLite compiles a statement again at each run (14 us instead of 1) when `column = ?` stands beside an ORDER BY, or a
// LIMIT is bound: hence `(select ?)` where it matters, and no LIMIT where `get` takes the first row anyway.
const NOT_PAUSED = sql`${deliveries.webhookId} not in (select ${webhooks.id} from ${webhooks} where ${webhooks.status} = 'paused')`;

/** The queue of one sandbox. `record` and `drop` write: run them inside a database transaction. */
export function createQueue(db: Db, dropRules?: DropRules): Queue {
  const webhookRows = createRows(db, webhooks);
  const writes = createDeliveryWrites(db, dropRules);
  const backlogs = backlogsOf(db);
  const waitingWebhooks = prepareRead(db, { id: webhooks.id }, (select) =>
    select.from(webhooks).where(
      sql`${webhooks.status} <> 'paused' and exists
          (select 1 from ${deliveries} where ${deliveries.webhookId} = ${webhooks.id} and ${IS_FIRST})`,
    ),
  );
  const behind = prepareRead(db, deliveries, (select) =>
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
  );
  const factBySeq = prepareRead(db, facts, (select) =>
    select.from(facts).where(eq(facts.seq, sql.placeholder('seq'))),
  );
  const firsts = prepareRead(db, { seq: deliveries.seq }, (select) =>
    select
      .from(deliveries)
      .where(and(sql`${deliveries.webhookId} = (select ${sql.placeholder('webhookId')})`, IS_FIRST))
      .orderBy(deliveries.seq)
      .limit(sql.placeholder('limit')),
  );
  const due = prepareRead(db, { seq: deliveries.seq, webhookId: deliveries.webhookId }, (select) =>
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
  );
  const nextRetry = prepareRead(db, { dueAt: deliveries.dueAt }, (select) =>
    select
      .from(deliveries)
      .where(and(gt(deliveries.dueAt, sql.placeholder('after')), IS_RETRY, NOT_PAUSED))
      .orderBy(deliveries.dueAt, deliveries.seq),
  );
  const bySeq = prepareRead(db, { delivery: deliveries, fact: facts }, (select) =>
    select
      .from(deliveries)
      .innerJoin(facts, eq(facts.seq, deliveries.factSeq))
      .where(and(eq(deliveries.seq, sql.placeholder('seq')), eq(deliveries.state, 'waiting'))),
  );
  const beforeOfRecord = prepareRead(db, { seq: deliveries.seq }, (select) =>
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
  );
  const insertAttempt = prepareInsert(db, deliveryAttempts);
  const updateDelivery = prepareWrite(db, () => {
    const state = sql.placeholder('state');
    return db
      .update(deliveries)
      .set({
        state: sql`case when ${deliveries.state} = 'dropped' and ${state} <> 'delivered' then 'dropped' else ${state} end`,
        attempts: sql`${deliveries.attempts} + 1`,
        dueAt: sql`${sql.placeholder('dueAt')}`,
        lastStatus: sql`${sql.placeholder('status')}`,
      })
      .where(eq(deliveries.seq, sql.placeholder('deliverySeq')));
  });
  const stateBySeq = prepareRead(db, { state: deliveries.state }, (select) =>
    select.from(deliveries).where(eq(deliveries.seq, sql.placeholder('deliverySeq'))),
  );
  const shift = prepareWrite(db, () =>
    db
      .update(deliveries)
      .set({ dueAt: sql`${deliveries.dueAt} + ${sql.placeholder('ms')}` })
      .where(IS_RETRY),
  );
  const countWhere = (waiting: typeof IS_FIRST) =>
    prepareRead(db, { count: sql<number>`count(*)` }, (select) => select.from(deliveries).where(waiting));
  const oldestWhere = (waiting: typeof IS_FIRST) =>
    prepareRead(db, { seq: sql<number | null>`min(${deliveries.seq})` }, (select) =>
      select.from(deliveries).where(waiting),
    );
  const oldest = [oldestWhere(IS_FIRST), oldestWhere(IS_RETRY)];
  const countFirsts = countWhere(IS_FIRST);
  const countRetries = countWhere(IS_RETRY);
  const attemptsOfFact = prepareRead(
    db,
    { attempt: deliveryAttempts, webhookId: deliveries.webhookId, kind: deliveries.kind },
    (select) =>
      select
        .from(deliveries)
        .innerJoin(deliveryAttempts, eq(deliveryAttempts.deliverySeq, deliveries.seq))
        .where(eq(deliveries.factSeq, sql.placeholder('factSeq')))
        .orderBy(deliveryAttempts.deliverySeq, deliveryAttempts.number),
  );
  const attemptsOfWebhook = prepareRead(
    db,
    { attempt: deliveryAttempts, delivery: deliveries, fact: facts },
    (select) =>
      select
        .from(deliveryAttempts)
        .innerJoin(deliveries, eq(deliveries.seq, deliveryAttempts.deliverySeq))
        .innerJoin(facts, eq(facts.seq, deliveries.factSeq))
        .where(
          and(
            sql`${deliveries.webhookId} = (select ${sql.placeholder('webhookId')})`,
            sql`(${deliveryAttempts.deliverySeq}, ${deliveryAttempts.number}) < (${sql.placeholder('beforeSeq')}, ${sql.placeholder('beforeNumber')})`,
            sql`(${sql.placeholder('outcome')} = '' or ${sql.placeholder('outcome')} = case
              when ${deliveryAttempts.status} between 200 and 299 then 'delivered' else 'failed' end)`,
          ),
        )
        .orderBy(desc(deliveryAttempts.deliverySeq), desc(deliveryAttempts.number))
        .limit(sql.placeholder('limit')),
  );
  const later = sql.raw('later');
  const givenUp = prepareRead(db, deliveries, (select) =>
    select
      .from(deliveries)
      .where(
        and(
          eq(deliveries.webhookId, sql.placeholder('webhookId')),
          sql`${deliveries.state} in ('exhausted', 'dropped')`,
          sql`not exists (select 1 from ${deliveries} as ${later} where ${later}.fact_seq = ${deliveries}.fact_seq
            and ${later}.webhook_id = ${deliveries}.webhook_id and ${later}.ordinal = ${deliveries}.ordinal
            and ${later}.seq > ${deliveries}.seq)`,
        ),
      )
      .orderBy(deliveries.seq)
      .limit(sql.placeholder('limit')),
  );
  const makeDue = prepareWrite(db, () =>
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
  );
  const ofFacts = prepareRead(db, { delivery: deliveries, dialect: webhooks.dialect }, (select) =>
    select
      .from(deliveries)
      .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
      .where(sql`${deliveries.factSeq} in (select value from json_each(${sql.placeholder('factSeqs')}))`)
      .orderBy(deliveries.seq),
  );
  const queued = prepareRead(db, { factSeq: deliveries.factSeq, ordinal: deliveries.ordinal }, (select) =>
    select
      .from(deliveries)
      .where(
        and(
          eq(deliveries.webhookId, sql.placeholder('webhookId')),
          gt(deliveries.factSeq, sql.placeholder('after')),
          lte(deliveries.factSeq, sql.placeholder('upTo')),
          sql`${deliveries.state} in ('waiting', 'delivered')`,
        ),
      ),
  );
  const countsByWebhook = prepareRead(
    db,
    { webhookId: deliveries.webhookId, state: deliveries.state, count: sql<number>`count(*)` },
    (select) => select.from(deliveries).groupBy(deliveries.webhookId, deliveries.state),
  );

  const deliveriesOf: Queue['deliveriesOf'] = (factSeqs) =>
    ofFacts
      .all({ factSeqs: JSON.stringify(factSeqs) })
      .map(({ delivery, dialect }) => ({ ...delivery, dialect }));

  return {
    ...writes,
    fill: backlogs.fill,
    webhooksWaiting: () => waitingWebhooks.all().map(({ id }) => id),
    firstsBehind(webhookId, after, limit) {
      let fact: Fact | undefined;
      // The kinds of one fact stand beside one another, and it is read once for all of them.
      return behind.all({ webhookId, after, limit }).flatMap((delivery) => {
        if (fact?.seq !== delivery.factSeq)
          fact = factBySeq.get({ seq: delivery.factSeq }) as Fact | undefined;
        return fact === undefined ? [] : { delivery, fact };
      });
    },
    firstsWaiting: (webhookId, limit) => firsts.all({ webhookId, limit }).map(({ seq }) => seq),
    retriesDue: (now, limit, except) => due.all({ now, limit, except: JSON.stringify(except) }),
    nextRetryAt: (after) => nextRetry.get({ after })?.dueAt ?? null,
    firstBefore(webhookId, before, resourceId) {
      const seq = beforeOfRecord.get({ webhookId, before, resourceId })?.seq;
      return seq === undefined ? undefined : (bySeq.get({ seq }) as Due | undefined);
    },
    waitingBySeq: (seq) => bySeq.get({ seq }) as Due | undefined,
    webhook: (id) => webhookRows.byId(id),
    record({ state, dueAt, ...attempt }) {
      const { deliverySeq, status } = attempt;
      insertAttempt.run({ answerHeaders: '', answerBody: '', ...attempt });
      updateDelivery.run({ deliverySeq, status, state, dueAt });
      return state === 'delivered' ? state : (stateBySeq.get({ deliverySeq })?.state ?? state);
    },
    shiftRetries: (ms) => void shift.run({ ms }),
    waiting: () => ({
      first: (countFirsts.get()?.count ?? 0) + backlogs.waiting(),
      retry: countRetries.get()?.count ?? 0,
    }),
    oldestAt() {
      const seqs = oldest.map((read) => read.get()?.seq ?? null).filter((seq) => seq !== null);
      if (seqs.length === 0) return null;
      return (bySeq.get({ seq: Math.min(...seqs) })?.fact as Fact | undefined)?.at ?? null;
    },
    attempts: (factSeq) =>
      attemptsOfFact
        .all({ factSeq })
        .map(({ attempt, webhookId, kind }) => ({ ...attempt, webhookId, kind })),
    attemptsOf: (webhookId, { before, outcome = '', limit }) =>
      attemptsOfWebhook.all({
        webhookId,
        outcome,
        limit,
        beforeSeq: before?.deliverySeq ?? Number.MAX_SAFE_INTEGER,
        beforeNumber: before?.number ?? 0,
      }) as WebhookAttempt[],
    givenUp: (webhookId, limit) => givenUp.all({ webhookId, limit }),
    retryNow: (webhookId, now) => makeDue.run({ webhookId, now }).changes,
    deliveriesOf,
    unmadeOf: backlogs.unmadeOf,
    statesOf: (factSeqs) => [...deliveriesOf(factSeqs), ...backlogs.unmadeOf(factSeqs)],
    queuedFor: (webhookId, after, upTo) => [
      ...queued.all({ webhookId, after, upTo }),
      ...backlogs
        .unmadeOf(seqsBetween(after, upTo))
        .filter((unmade) => unmade.webhookId === webhookId && unmade.state === 'waiting'),
    ],
    counts() {
      const all = new Map<Id, DeliveryCounts>();
      for (const { webhookId, state, count } of [...countsByWebhook.all(), ...backlogs.counts()]) {
        const own = all.get(webhookId) ?? { waiting: 0, delivered: 0, exhausted: 0, dropped: 0 };
        own[state] += count;
        all.set(webhookId, own);
      }
      return all;
    },
  };
}

function seqsBetween(after: number, upTo: number): number[] {
  return Array.from({ length: Math.max(0, upTo - after) }, (_, place) => after + 1 + place);
}
