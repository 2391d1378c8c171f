/**
 * The history of the deliveries for the control plane: every attempt, failed deliveries, and the state of each
 * delivery.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Fact } from '../model/facts.ts';
import type { Webhook } from '../model/records.ts';
import { deliveries, deliveryAttempts, facts, webhooks } from '../model/tables.ts';
import type { Backlogs, Unmade } from '../store/backlogs.ts';
import { and, desc, eq, gt, lte, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { prepareRead } from '../store/statement.ts';

type Delivery = (typeof deliveries)['$inferSelect'];
type AttemptRow = (typeof deliveryAttempts)['$inferSelect'];

/** One attempt for the control plane. */
export interface FactAttempt extends AttemptRow {
  webhookId: Id;
  kind: string;
}

/** One attempt with its delivery and its fact. */
interface WebhookAttempt {
  attempt: AttemptRow;
  delivery: Delivery;
  fact: Fact;
}

/** A page of the attempts of a webhook: those before `before`, all or only failed ones. */
interface AttemptWindow {
  before: { deliverySeq: number; number: number } | undefined;
  outcome: 'failed' | 'delivered' | undefined;
  limit: number;
}

/** A delivery with the version of its webhook, because both versions have the kind `card.updated`. */
export interface FactDelivery extends Delivery {
  apiVersion: Webhook['apiVersion'];
}

/** The state of a delivery, with or without a row. */
type DeliveryState = Pick<FactDelivery, 'factSeq' | 'apiVersion' | 'ordinal' | 'state'>;

/** The number of deliveries by state. */
export type DeliveryCounts = Record<Delivery['state'], number>;

export interface DeliveryHistory {
  /** Every attempt to deliver a fact, in the order of the deliveries. */
  attempts(factSeq: number): FactAttempt[];
  /** The attempts of a webhook after an attempt, newest deliveries first. */
  attemptsOf(webhookId: Id, window: AttemptWindow): WebhookAttempt[];
  /** The exhausted or dropped deliveries of a webhook that were not queued again, in order. */
  givenUp(webhookId: Id, limit: number): Delivery[];
  /** Every delivery of these facts that may have been attempted, in their own order. */
  deliveriesOf(factSeqs: readonly number[]): FactDelivery[];
  /** The states of all deliveries of these facts. */
  statesOf(factSeqs: readonly number[]): DeliveryState[];
  /** The deliveries of these facts that have no row yet, or were dropped before they had one. */
  unmadeOf(factSeqs: readonly number[]): Unmade[];
  /**
   * The facts after `after` up to and including `upTo` for which the webhook has a delivery, each with the index of
   * its kind.
   */
  queuedFor(webhookId: Id, after: number, upTo: number): { factSeq: number; ordinal: number }[];
  /** The number of deliveries by webhook and state. Reads all deliveries. */
  counts(): Map<Id, DeliveryCounts>;
}

export function createDeliveryHistory(db: Db, backlogs: Backlogs): DeliveryHistory {
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
  const ofFacts = prepareRead(db, { delivery: deliveries, apiVersion: webhooks.apiVersion }, (select) =>
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

  const deliveriesOf: DeliveryHistory['deliveriesOf'] = (factSeqs) =>
    ofFacts
      .all({ factSeqs: JSON.stringify(factSeqs) })
      .map(({ delivery, apiVersion }) => ({ ...delivery, apiVersion }));

  return {
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
