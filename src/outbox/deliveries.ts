/**
 * The writes to the deliveries that are made on either side of the outbox: one more for a webhook, whether of a fact just
 * published, of one sent again or of one that was missed; and the end of all that wait for a webhook that ended.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { and, eq, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { deliveries } from '../store/schema.ts';
import { statement } from '../store/statement.ts';

/** One kind of one fact, for one webhook. */
interface NewDelivery {
  webhookId: Id;
  factSeq: number;
  kind: string;
  /** The place of the kind among the fact's kinds of the webhook's generation, from 0. */
  ordinal: number;
  dueAt: Instant;
}

export interface DeliveryWrites {
  /** Puts a delivery at the end of its webhook's line; returns its seq. */
  add(delivery: NewDelivery): number;
  /** Gives up everything that waits for a webhook: it was deleted or deactivated. */
  drop(webhookId: Id): void;
  /** Gives up what has waited for a webhook since before an instant. */
  dropOlder(webhookId: Id, before: Instant): void;
  /** How often something that waits was given up: whoever has read ahead reads again when this changes. */
  timesGivenUp(): number;
}

/** The outbox and the queue give up, each by its own statements, what a courier may have read ahead. */
const givenUp = new WeakMap<Db, number>();

// Spelled out, not bound: SQLite uses a partial index only where it sees the index's own condition.
export const IS_FIRST = sql`${deliveries.state} = 'waiting' and ${deliveries.attempts} = 0`;
export const IS_RETRY = sql`${deliveries.state} = 'waiting' and ${deliveries.attempts} > 0`;

/** The writes to one sandbox's deliveries: call them inside a transaction. */
export function createDeliveryWrites(db: Db): DeliveryWrites {
  const insert = statement(() =>
    db
      .insert(deliveries)
      .values({
        webhookId: sql.placeholder('webhookId'),
        factSeq: sql.placeholder('factSeq'),
        kind: sql.placeholder('kind'),
        ordinal: sql.placeholder('ordinal'),
        state: 'waiting',
        attempts: 0,
        dueAt: sql.placeholder('dueAt'),
      })
      .prepare(),
  );
  const dropWhere = (waiting: typeof IS_FIRST) =>
    db
      .update(deliveries)
      .set({ state: 'dropped' })
      .where(and(eq(deliveries.webhookId, sql.placeholder('webhookId')), waiting))
      .prepare();
  const dropOldWhere = (waiting: typeof IS_FIRST) =>
    db
      .update(deliveries)
      .set({ state: 'dropped' })
      .where(
        and(
          eq(deliveries.webhookId, sql.placeholder('webhookId')),
          sql`${deliveries.dueAt} < ${sql.placeholder("before")}`,
          waiting,
        ),
      )
      .prepare();
  const dropOldFirsts = statement(() => dropOldWhere(IS_FIRST));
  const dropOldRetries = statement(() => dropOldWhere(IS_RETRY));
  const gaveUp = (): void => void givenUp.set(db, (givenUp.get(db) ?? 0) + 1);
  const dropFirsts = statement(() => dropWhere(IS_FIRST));
  const dropRetries = statement(() => dropWhere(IS_RETRY));

  return {
    add: (delivery) => Number(insert().run(delivery as never).lastInsertRowid),
    dropOlder(webhookId, before) {
      gaveUp();
      dropOldFirsts().run({ webhookId, before });
      dropOldRetries().run({ webhookId, before });
    },
    timesGivenUp: () => givenUp.get(db) ?? 0,
    drop(webhookId) {
      gaveUp();
      dropFirsts().run({ webhookId });
      dropRetries().run({ webhookId });
    },
  };
}
