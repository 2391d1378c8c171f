/**
 * The transactional outbox: a fact is written in the transaction that caused it, so an event is neither lost nor sent about
 * something that was rolled back. The facts are also the queue of each active webhook: its deliveries are made from them
 * when they are about to be sent (`src/store/backlogs.ts`). Who gets them, when and how often is the courier's business.
 */
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Fact, Kinds, Resource } from '../model/facts.ts';
import { facts } from '../model/tables.ts';
import { backlogsOf } from '../store/backlogs.ts';
import { sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { prepareRows } from '../store/rows.ts';
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
  /** Appends a fact, inside the caller's transaction; returns its seq. */
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

/** The outbox of one sandbox. */
export function createOutbox(db: Db, dropRules?: DropRules): Outbox {
  const insertFact = prepareRows(db, facts, { numberedBy: 'seq' });
  const newest = prepareRead(db, { seq: sql<number>`coalesce(max(${facts.seq}), 0)` }, (select) =>
    select.from(facts),
  );
  const log = createFactLog(db);
  const { drop } = createDeliveryWrites(db, dropRules);
  const backlogs = backlogsOf(db);
  let latest: number | undefined;

  return {
    publish({ at, resource, resourceId, change, kinds, moved, record }) {
      backlogs.follow();
      const seq = insertFact.add({
        at,
        resource,
        resourceId,
        change,
        kindsV1: kinds.v1,
        kindsV2: kinds.v2,
        moved: moved ?? null,
        record,
      });
      latest = seq;
      backlogs.note(kinds);
      return seq;
    },
    clearWebhookCache() {
      backlogs.clear();
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
