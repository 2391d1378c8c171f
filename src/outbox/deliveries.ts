/**
 * The writes to the deliveries that are made on either side of the outbox: one more for a webhook, whether of a fact just
 * published, of one sent again or of one that was missed; and the end of all that wait for a webhook that ended.
 * Source: decision `waiting-deliveries` in docs/fidelity.md.
 */
import type { SQL } from 'drizzle-orm';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { deliveries } from '../model/tables.ts';
import { and, desc, eq, lte, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { prepareRead, prepareWrite } from '../store/statement.ts';

/** One kind of one fact, for one webhook. */
interface NewDelivery {
  webhookId: Id;
  factSeq: number;
  kind: string;
  /** The place of the kind among the fact's kinds of the webhook's version, from 0. */
  ordinal: number;
  dueAt: Instant;
}

export interface DeliveryWrites {
  /** Puts a delivery at the end of its webhook's queue; returns its seq. */
  add(delivery: NewDelivery): number;
  /** Drops everything that waits for a webhook: it was deleted or deactivated. */
  drop(webhookId: Id): void;
  /** Drops what has waited for a webhook since before an instant, and answers how many. */
  dropOlder(webhookId: Id, before: Instant): number;
  /** Counts one more retry that waits, and drops the oldest where there are too many. */
  countRetry(webhookId: Id): void;
  /** How often waiting deliveries were dropped: whoever has buffered some reads them again when this changes. */
  timesDropped(): number;
}

/** Called with a webhook of which so many deliveries were dropped at once, because too many waited. */
export type OnOverflow = (webhookId: Id, count: number) => void;

/**
 * So many wait for a webhook at most, and as many for a retry: decision `delivery-queue-length` in docs/fidelity.md.
 */
export const WAITING_AT_MOST = 100_000;
/** Counting costs, so it is done once in so many. */
const LOOKED_AT_EVERY = 1_000;

/** The outbox and the queue both drop deliveries, by statements of their own, so they share the count. */
const drops = new WeakMap<Db, number>();

// Spelled out, not bound: SQLite uses a partial index only where it sees the index's own condition.
export const IS_FIRST = sql`${deliveries.state} = 'waiting' and ${deliveries.attempts} = 0`;
export const IS_RETRY = sql`${deliveries.state} = 'waiting' and ${deliveries.attempts} > 0`;

/** The writes to one sandbox's deliveries: call them inside a database transaction. */
export function createDeliveryWrites(
  db: Db,
  onOverflow: OnOverflow = () => {},
  atMost = WAITING_AT_MOST,
): DeliveryWrites {
  const insert = prepareWrite(db, () =>
    db.insert(deliveries).values({
      webhookId: sql.placeholder('webhookId'),
      factSeq: sql.placeholder('factSeq'),
      kind: sql.placeholder('kind'),
      ordinal: sql.placeholder('ordinal'),
      state: 'waiting',
      attempts: 0,
      dueAt: sql.placeholder('dueAt'),
    }),
  );
  const dropWhere = (waiting: SQL, which?: SQL) =>
    prepareWrite(db, () =>
      db
        .update(deliveries)
        .set({ state: 'dropped' })
        .where(and(eq(deliveries.webhookId, sql.placeholder('webhookId')), which, waiting)),
    );
  const isOlder = sql`${deliveries.dueAt} < ${sql.placeholder('before')}`;
  const dropOldFirsts = dropWhere(IS_FIRST, isOlder);
  const dropOldRetries = dropWhere(IS_RETRY, isOlder);
  /** The newest of those that are too many, by the order in which they were queued. */
  const surplusOf = (waiting: SQL) =>
    prepareRead(db, { seq: deliveries.seq }, (select) =>
      select
        .from(deliveries)
        .where(and(sql`${deliveries.webhookId} = (select ${sql.placeholder('webhookId')})`, waiting))
        .orderBy(desc(deliveries.seq))
        .limit(1)
        .offset(atMost),
    );
  /** Drops the oldest where too many wait; it counts once in a while. */
  const limiter = (waiting: SQL) => {
    const surplus = surplusOf(waiting);
    const dropUpTo = dropWhere(waiting, lte(deliveries.seq, sql.placeholder('seq')));
    const added = new Map<Id, number>();
    return (webhookId: Id): void => {
      const count = (added.get(webhookId) ?? 0) + 1;
      added.set(webhookId, count % LOOKED_AT_EVERY);
      if (count < LOOKED_AT_EVERY) return;
      const seq = surplus.get({ webhookId })?.seq;
      if (seq === undefined) return;
      noteDrop();
      onOverflow(webhookId, dropUpTo.run({ webhookId, seq }).changes);
    };
  };
  const limitFirsts = limiter(IS_FIRST);
  const limitRetries = limiter(IS_RETRY);
  const noteDrop = (): void => void drops.set(db, (drops.get(db) ?? 0) + 1);
  const dropFirsts = dropWhere(IS_FIRST);
  const dropRetries = dropWhere(IS_RETRY);

  return {
    add(delivery) {
      const seq = Number(insert.run(delivery).lastInsertRowid);
      limitFirsts(delivery.webhookId);
      return seq;
    },
    countRetry: limitRetries,
    dropOlder(webhookId, before) {
      noteDrop();
      const firsts = dropOldFirsts.run({ webhookId, before }).changes;
      return firsts + dropOldRetries.run({ webhookId, before }).changes;
    },
    timesDropped: () => drops.get(db) ?? 0,
    drop(webhookId) {
      noteDrop();
      dropFirsts.run({ webhookId });
      dropRetries.run({ webhookId });
    },
  };
}
