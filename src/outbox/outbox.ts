/**
 * The transactional outbox: a fact is written in the transaction that caused it, together with one delivery for each
 * kind that an active webhook asked for, so an event is neither lost nor sent about something that was rolled back.
 * A bank without an active webhook pays for one row. Who gets it, when and how often is the courier's business.
 */
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Fact, Kinds, Resource } from '../model/facts.ts';
import { facts, webhooks } from '../model/tables.ts';
import { eq, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { prepareInsert } from '../store/rows.ts';
import { prepareRead } from '../store/statement.ts';
import { createDeliveryWrites, type DropRules } from './deliveries.ts';
import { createFactLog, type FactLog } from './fact-log.ts';

/** A fact before it has its number. */
export type NewFact<R extends Resource = Resource> = Omit<
  Fact<R>,
  'seq' | 'kindsV1' | 'kindsV2' | 'moved'
> & {
  kinds: Kinds;
  /** Of a payment: what it did to the available balance, in cents. */
  moved?: Cents;
};

export interface Outbox extends FactLog {
  /** Appends a fact and queues its deliveries, inside the caller's transaction; returns the fact's seq. */
  publish<R extends Resource>(fact: NewFact<R>): number;
  /**
   * Forgets what it remembers of the database. Call it after every write to a webhook, and after every transaction or
   * savepoint that was rolled back, whatever it did: a fact published inside it may have read a webhook that is no more.
   */
  clearWebhookCache(): void;
  /** Gives up every delivery that waits for a webhook, inside the caller's transaction: it was deleted or deactivated. */
  drop(webhookId: Id): void;
  /** The seq of the newest fact; 0 before the first. */
  latestSeq(): number;
}

interface Subscriber {
  id: Id;
  dialect: keyof Kinds;
  wants: ReadonlySet<string>;
}

/** The outbox of one sandbox. */
export function createOutbox(db: Db, dropRules?: DropRules): Outbox {
  // SQLite numbers the facts.
  const insertFact = prepareInsert(db, facts, { seq: undefined });
  const activeWebhooks = prepareRead(
    db,
    { id: webhooks.id, dialect: webhooks.dialect, events: webhooks.events },
    (select) => select.from(webhooks).where(eq(webhooks.status, 'active')).orderBy(webhooks.id),
  );
  const newest = prepareRead(db, { seq: sql<number>`coalesce(max(${facts.seq}), 0)` }, (select) =>
    select.from(facts),
  );
  const log = createFactLog(db);
  const { add, drop } = createDeliveryWrites(db, dropRules);
  let subscribers: Subscriber[] | undefined;
  let latest: number | undefined;

  const readSubscribers = (): Subscriber[] =>
    activeWebhooks.all().map(({ id, dialect, events }) => ({ id, dialect, wants: new Set(events) }));

  const queueFor = (subscriber: Subscriber, factSeq: number, kinds: Kinds, dueAt: number): void => {
    kinds[subscriber.dialect].forEach((kind, ordinal) => {
      if (!subscriber.wants.has(kind)) return;
      add({ webhookId: subscriber.id, factSeq, kind, ordinal, dueAt });
    });
  };

  return {
    publish({ at, resource, resourceId, change, kinds, moved, record }) {
      const { lastInsertRowid } = insertFact.run({
        at,
        resource,
        resourceId,
        change,
        kindsV1: kinds.v1,
        kindsV2: kinds.v2,
        moved: moved ?? null,
        record,
      });
      const seq = Number(lastInsertRowid);
      latest = seq;
      subscribers ??= readSubscribers();
      for (const subscriber of subscribers) queueFor(subscriber, seq, kinds, at);
      return seq;
    },
    clearWebhookCache() {
      subscribers = undefined;
      latest = undefined;
    },
    drop,
    ...log,
    latestSeq() {
      latest ??= newest.get()?.seq ?? 0;
      return latest;
    },
  };
}
