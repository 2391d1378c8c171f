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
  /** The seq of the newest delivery, or a later one if its transaction was rolled back; 0 before the first. */
  newestSeq(): number;
}

/** Why deliveries were dropped: their number, their age, or because the webhook was deleted or deactivated. */
export type DropReason = 'too_many' | 'too_old' | 'webhook_ended';

/** What decides on drops, and is told of them. */
export interface DropRules {
  /** Whether the receiver of a webhook is attempted and has accepted nothing for a while. Only then can too many wait. */
  isStalled(webhookId: Id): boolean;
  /** Called with every drop, inside the transaction that drops. */
  onDrop(webhookId: Id, count: number, reason: DropReason): void;
}

/** For a bank that sends nothing. */
const NO_RULES: DropRules = { isStalled: () => false, onDrop() {} };

/**
 * So many wait at most for a webhook whose receiver accepts nothing, and as many for a retry: decision
 * `delivery-queue-length` in docs/fidelity.md.
 */
export const WAITING_AT_MOST = 100_000;
/** Counting costs, so it is done once in so many. */
const LOOKED_AT_EVERY = 1_000;

/** The outbox and the queue both add and drop deliveries, by statements of their own, so they share what they know. */
interface Shared {
  drops: number;
  newest: number | undefined;
}
const sharedByDb = new WeakMap<Db, Shared>();

function sharedOf(db: Db): Shared {
  const known = sharedByDb.get(db);
  if (known !== undefined) return known;
  const shared: Shared = { drops: 0, newest: undefined };
  sharedByDb.set(db, shared);
  return shared;
}

// Spelled out, not bound: SQLite uses a partial index only where it sees the index's own condition.
export const IS_FIRST = sql`${deliveries.state} = 'waiting' and ${deliveries.attempts} = 0`;
export const IS_RETRY = sql`${deliveries.state} = 'waiting' and ${deliveries.attempts} > 0`;

/** The writes to one sandbox's deliveries: call them inside a database transaction. */
export function createDeliveryWrites(
  db: Db,
  { isStalled, onDrop }: DropRules = NO_RULES,
  atMost = WAITING_AT_MOST,
): DeliveryWrites {
  const shared = sharedOf(db);
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
      if (!isStalled(webhookId)) return;
      const seq = surplus.get({ webhookId })?.seq;
      if (seq !== undefined) noteDrop(webhookId, dropUpTo.run({ webhookId, seq }).changes, 'too_many');
    };
  };
  const limitFirsts = limiter(IS_FIRST);
  const limitRetries = limiter(IS_RETRY);
  const noteDrop = (webhookId: Id, count: number, reason: DropReason): number => {
    shared.drops += 1;
    if (count > 0) onDrop(webhookId, count, reason);
    return count;
  };
  const newest = prepareRead(db, { seq: sql<number>`coalesce(max(${deliveries.seq}), 0)` }, (select) =>
    select.from(deliveries),
  );
  const dropFirsts = dropWhere(IS_FIRST);
  const dropRetries = dropWhere(IS_RETRY);

  return {
    add(delivery) {
      const seq = Number(insert.run(delivery).lastInsertRowid);
      shared.newest = seq;
      limitFirsts(delivery.webhookId);
      return seq;
    },
    countRetry: limitRetries,
    dropOlder(webhookId, before) {
      const firsts = dropOldFirsts.run({ webhookId, before }).changes;
      return noteDrop(webhookId, firsts + dropOldRetries.run({ webhookId, before }).changes, 'too_old');
    },
    timesDropped: () => shared.drops,
    newestSeq() {
      shared.newest ??= newest.get()?.seq ?? 0;
      return shared.newest;
    },
    drop(webhookId) {
      const firsts = dropFirsts.run({ webhookId }).changes;
      noteDrop(webhookId, firsts + dropRetries.run({ webhookId }).changes, 'webhook_ended');
    },
  };
}
