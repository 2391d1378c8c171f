/**
 * The changes in a bank since a moment, read from transfers, facts and attempts, which are only appended. Also the
 * work that is still pending, for an advance that runs until everything has settled. Reads only.
 */
import type { SQL } from 'drizzle-orm';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { agenda, deliveries, deliveryAttempts, facts, transactions, transfers } from '../model/tables.ts';
import type { TransactionStatus } from '../model/vocabulary.ts';
import { and, asc, eq, gt, sql } from './drizzle.ts';
import type { Db } from './open.ts';
import { limited } from './rows.ts';
import { prepareRead } from './statement.ts';

/** A position in the history of a bank. */
export interface Moment {
  lastTransfer: number;
  lastFact: number;
  lastDelivery: number;
  /** The number of attempts of each pending delivery. */
  waiting: ReadonlyMap<number, number>;
}

/** One recorded attempt to deliver an event. */
export interface PastAttempt {
  deliverySeq: number;
  number: number;
  at: Instant;
  status: number | null;
  error: string;
  webhookId: Id;
  factSeq: number;
  kind: string;
  ordinal: number;
  /** The state of the delivery after it; `waiting` if another attempt follows. */
  state: (typeof deliveries.$inferSelect)['state'];
}

export interface OpenTransaction {
  id: Id;
  rail: (typeof transactions.$inferSelect)['rail'];
  status: TransactionStatus;
}

export type History = ReturnType<typeof createHistory>;

/** Reads the history of one database. */
export function createHistory(db: Db) {
  const latestTransfer = prepareRead(db, { id: sql<number>`coalesce(max(${transfers.id}), 0)` }, (select) =>
    select.from(transfers),
  );
  const latestFact = prepareRead(db, { seq: sql<number>`coalesce(max(${facts.seq}), 0)` }, (select) =>
    select.from(facts),
  );
  const latestDelivery = prepareRead(
    db,
    { seq: sql<number>`coalesce(max(${deliveries.seq}), 0)` },
    (select) => select.from(deliveries),
  );
  // The condition must be written as in the partial indexes, or SQLite does not use them.
  const waitingWhere = (condition: SQL) =>
    prepareRead(db, { seq: deliveries.seq, attempts: deliveries.attempts }, (select) =>
      select.from(deliveries).where(sql`${deliveries.state} = 'waiting' and ${condition}`),
    );
  const firsts = waitingWhere(sql`${deliveries.attempts} = 0`);
  const retries = waitingWhere(sql`${deliveries.attempts} > 0`);
  const transfersAfter = prepareRead(db, transfers, (select) =>
    select
      .from(transfers)
      .where(gt(transfers.id, sql.placeholder('after')))
      .orderBy(asc(transfers.id)),
  );
  const attemptsOf = prepareRead(db, { attempt: deliveryAttempts, delivery: deliveries }, (select) =>
    select
      .from(deliveryAttempts)
      .innerJoin(deliveries, eq(deliveries.seq, deliveryAttempts.deliverySeq))
      .where(
        sql`${deliveryAttempts.deliverySeq} > ${sql.placeholder('after')} or ${deliveryAttempts.deliverySeq} in
          (select value from json_each(${sql.placeholder('among')}))`,
      )
      .orderBy(asc(deliveryAttempts.at), asc(deliveryAttempts.deliverySeq), asc(deliveryAttempts.number)),
  );
  // SQLite takes the other columns from the row with the greatest seq.
  const statusesUntil = prepareRead(
    db,
    {
      id: facts.resourceId,
      status: sql<TransactionStatus>`json_extract(${facts.record}, '$.status')`,
      seq: sql<number>`max(${facts.seq})`,
    },
    (select) =>
      select
        .from(facts)
        .where(
          sql`${facts.seq} <= ${sql.placeholder('until')} and ${facts.resource} = 'transaction' and
          ${facts.resourceId} in (select value from json_each(${sql.placeholder('ids')}))`,
        )
        .groupBy(facts.resourceId),
  );
  const nextTransaction = prepareRead(db, { dueAt: agenda.dueAt }, (select) =>
    limited(
      select
        .from(agenda)
        .where(and(sql`${agenda.task} = 'transaction'`, sql`${agenda.event} <> 'expire'`))
        .orderBy(asc(agenda.dueAt)),
      1,
    ),
  );
  const inStates = prepareRead(
    db,
    { id: transactions.id, rail: transactions.rail, status: transactions.status },
    (select) =>
      select
        .from(transactions)
        .where(sql`${transactions.status} in (select value from json_each(${sql.placeholder('states')}))`)
        .orderBy(asc(transactions.id)),
  );

  return {
    moment: (): Moment => ({
      lastTransfer: latestTransfer.get()?.id ?? 0,
      lastFact: latestFact.get()?.seq ?? 0,
      lastDelivery: latestDelivery.get()?.seq ?? 0,
      waiting: new Map([...firsts.all(), ...retries.all()].map(({ seq, attempts }) => [seq, attempts])),
    }),
    transfersAfter: (after: number) => transfersAfter.all({ after }),
    /** Ordered by instant, then by delivery. */
    attemptsSince: ({ lastDelivery, waiting: before }: Moment): PastAttempt[] =>
      attemptsOf
        .all({ after: lastDelivery, among: JSON.stringify([...before.keys()]) })
        .filter(({ attempt }) => attempt.number > (before.get(attempt.deliverySeq) ?? 0))
        .map(({ attempt: { durationMs: _, ...attempt }, delivery }) => ({
          ...attempt,
          webhookId: delivery.webhookId,
          factSeq: delivery.factSeq,
          kind: delivery.kind,
          ordinal: delivery.ordinal,
          state: attempt.number < delivery.attempts ? ('waiting' as const) : delivery.state,
        })),
    /** The state of each of these transactions at a moment. Reads all facts until then. */
    statusesAt: (lastFact: number, ids: readonly Id[]): [Id, TransactionStatus][] =>
      statusesUntil.all({ until: lastFact, ids: JSON.stringify(ids) }).map(({ id, status }) => [id, status]),
    /** The instant of the next planned step of a transaction, except the expiry of card holds. */
    nextTransactionDueAt: (): Instant | undefined => nextTransaction.get()?.dueAt,
    /** The transactions in one of these states, in the order of creation. Reads all transactions. */
    transactionsIn: (states: readonly TransactionStatus[]): OpenTransaction[] =>
      inStates.all({ states: JSON.stringify(states) }),
  };
}
