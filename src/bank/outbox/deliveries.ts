/**
 * The writes to deliveries that the outbox and the queue share: adding a delivery for a fact that is resent or was
 * missed, and dropping the pending deliveries of a deleted or deactivated webhook.
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
  /** The index of the kind among the fact's kinds of the webhook's version, from 0. */
  ordinal: number;
  dueAt: Instant;
}

export interface DeliveryWrites {
  /** Adds a delivery after the existing ones of its webhook; returns its seq. */
  add(delivery: NewDelivery): number;
  /** Drops all pending deliveries of a webhook that was deleted or deactivated. */
  drop(webhookId: Id): void;
  /** Drops the deliveries of a webhook that are pending since before an instant; returns their number. */
  dropOlder(webhookId: Id, before: Instant): number;
  /** Counts another pending retry, and drops the oldest if there are too many. */
  countRetry(webhookId: Id): void;
  /** A counter of drops; code that has buffered deliveries reads them again when it changes. */
  timesDropped(): number;
}

/** The reason of a drop: too many, too old, or the webhook was deleted or deactivated. */
export type DropReason = 'too_many' | 'too_old' | 'webhook_ended';

/** The rules for drops, and their notification. */
export interface DropRules {
  /**
   * Whether the receiver of a webhook has accepted nothing for a while although it was attempted. Only then is the
   * number of retries limited.
   */
  isStalled(webhookId: Id): boolean;
  /** Called for every drop, inside its transaction. */
  onDrop(webhookId: Id, count: number, reason: DropReason): void;
}

/** The rules of a bank that sends nothing. */
const NO_RULES: DropRules = { isStalled: () => false, onDrop() {} };

/**
 * The maximum number of pending retries of a webhook whose receiver accepts nothing: decision `delivery-queue-length`
 * in docs/fidelity.md. First attempts have no limit, because they have no rows (`src/bank/store/backlogs.ts`).
 */
const MAX_RETRIES = 100_000;
/** The retries are counted once per this number of additions, because counting is slow. */
const LOOKED_AT_EVERY = 1_000;

/** State that the outbox and the queue share, because both drop deliveries with their own statements. */
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

// A literal and not a parameter, because SQLite uses a partial index only if the statement contains its condition.
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
  /** The newest of the excess retries, in queue order. */
  const surplus = prepareRead(db, { seq: deliveries.seq }, (select) =>
    select
      .from(deliveries)
      .where(and(sql`${deliveries.webhookId} = (select ${sql.placeholder('webhookId')})`, IS_RETRY))
      .orderBy(desc(deliveries.seq))
      .limit(1)
      .offset(maxRetries),
  );
  const dropRetriesUpTo = dropWhere(IS_RETRY, lte(deliveries.seq, sql.placeholder('seq')));
  /** The number of retries that were planned since the last count, by webhook. */
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
