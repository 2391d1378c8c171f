/**
 * The writes to the deliveries that are made on either side of the outbox: one more for a webhook, of a fact that is sent again
 * or that was missed; and the end of all that wait for a webhook that ended.
 * Source: decision `waiting-deliveries` in docs/fidelity.md.
 */
import type { SQL } from 'drizzle-orm';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { deliveries } from '../model/tables.ts';
import { backlogsOf } from '../store/backlogs.ts';
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
  /** Puts a delivery behind those of its webhook that were made; returns its seq. */
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

/** Why deliveries were dropped: their number, their age, or because the webhook was deleted or deactivated. */
export type DropReason = 'too_many' | 'too_old' | 'webhook_ended';

/** What decides on drops, and is told of them. */
export interface DropRules {
  /** Whether the receiver of a webhook is attempted and has accepted nothing for a while. Only then can too many retries wait. */
  isStalled(webhookId: Id): boolean;
  /** Called with every drop, inside the transaction that drops. */
  onDrop(webhookId: Id, count: number, reason: DropReason): void;
}

/** For a bank that sends nothing. */
const NO_RULES: DropRules = { isStalled: () => false, onDrop() {} };

/**
 * So many wait at most for a retry of a webhook whose receiver accepts nothing: decision `delivery-queue-length` in
 * docs/fidelity.md. What waits for its first attempt has no limit, because it costs nothing (`src/store/backlogs.ts`).
 */
export const MAX_RETRIES = 100_000;
/** Counting costs, so it is done once in so many. */
const LOOKED_AT_EVERY = 1_000;

/** The outbox and the queue both drop deliveries, by statements of their own, so they share what they know. */
interface Shared {
  drops: number;
}
const sharedByDb = new WeakMap<Db, Shared>();

function sharedOf(db: Db): Shared {
  const known = sharedByDb.get(db);
  if (known !== undefined) return known;
  const shared: Shared = { drops: 0 };
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
  maxRetries = MAX_RETRIES,
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
  /** The newest of the retries that are too many, by the order in which they were queued. */
  const surplus = prepareRead(db, { seq: deliveries.seq }, (select) =>
    select
      .from(deliveries)
      .where(and(sql`${deliveries.webhookId} = (select ${sql.placeholder('webhookId')})`, IS_RETRY))
      .orderBy(desc(deliveries.seq))
      .limit(1)
      .offset(maxRetries),
  );
  const dropRetriesUpTo = dropWhere(IS_RETRY, lte(deliveries.seq, sql.placeholder('seq')));
  /** By webhook, how many retries were planned since they were counted. */
  const planned = new Map<Id, number>();
  const noteDrop = (webhookId: Id, count: number, reason: DropReason): number => {
    shared.drops += 1;
    if (count > 0) onDrop(webhookId, count, reason);
    return count;
  };
  const dropFirsts = dropWhere(IS_FIRST);
  const dropRetries = dropWhere(IS_RETRY);

  return {
    add: (delivery) => Number(insert.run(delivery).lastInsertRowid),
    countRetry(webhookId) {
      const count = (planned.get(webhookId) ?? 0) + 1;
      planned.set(webhookId, count % LOOKED_AT_EVERY);
      if (count < LOOKED_AT_EVERY || !isStalled(webhookId)) return;
      const seq = surplus.get({ webhookId })?.seq;
      if (seq !== undefined) noteDrop(webhookId, dropRetriesUpTo.run({ webhookId, seq }).changes, 'too_many');
    },
    dropOlder(webhookId, before) {
      const firsts = dropOldFirsts.run({ webhookId, before }).changes;
      return noteDrop(webhookId, firsts + dropOldRetries.run({ webhookId, before }).changes, 'too_old');
    },
    timesDropped: () => shared.drops,
    drop(webhookId) {
      const firsts = dropFirsts.run({ webhookId }).changes + backlogsOf(db).drop(webhookId);
      noteDrop(webhookId, firsts + dropRetries.run({ webhookId }).changes, 'webhook_ended');
    },
  };
}
