/**
 * The transactional outbox: a fact is written in the transaction that caused it, so no event is lost, and none is
 * sent about a change that was rolled back. The facts are also the queue of each active webhook: deliveries are
 * created from them shortly before they are sent (`src/bank/store/backlogs.ts`). The courier decides when and how often to
 * send.
 */
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Fact, Kinds, Resource } from '../model/facts.ts';
import { facts } from '../model/tables.ts';
import { backlogsOf } from '../store/backlogs.ts';
import { sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { prepareRows } from '../store/rows.ts';
import { prepareRead, type Select } from '../store/statement.ts';
import { createDeliveryWrites, type DropRules } from './deliveries.ts';
import { createFactLog, type FactLog } from './fact-log.ts';

/** A fact before it has its number. */
export type NewFact<R extends Resource = Resource> = Omit<
  Fact<R>,
  'seq' | 'kindsV1' | 'kindsV2' | 'moved'
> & {
  kinds: Kinds;
  /** The change of the available balance by a payment, in cents. */
  moved?: Cents;
};

/** A published fact, with the record that the caller passed. */
export interface Published {
  readonly seq: number;
  readonly record: object;
}

export interface Outbox extends FactLog {
  /** Appends a fact, inside the caller's transaction; returns its seq. */
  publish<R extends Resource>(fact: NewFact<R>): number;
  /** Runs an action; returns its result with the facts that it has published. */
  collect<T>(action: () => T): { result: T; published: readonly Published[] };
  /**
   * Clears the cached webhooks. Call it after every write to a webhook, and after every rolled-back transaction or
   * savepoint: a fact that was published inside may have cached a webhook that no longer exists.
   */
  clearWebhookCache(): void;
  /** Drops all pending deliveries of a deleted or deactivated webhook, inside the caller's transaction. */
  drop(webhookId: Id): void;
  /** The seq of the newest fact; 0 before the first. */
  latestSeq(): number;
}

const NEWEST = { seq: sql<number>`coalesce(max(${facts.seq}), 0)` };
const fromFacts = (select: Select) => select.from(facts);

/** The outbox of one sandbox. */
export function createOutbox(db: Db, dropRules?: DropRules): Outbox {
  const insertFact = prepareRows(db, facts, { numberedBy: 'seq' });
  const newest = prepareRead(db, NEWEST, fromFacts);
  const log = createFactLog(db);
  const { drop } = createDeliveryWrites(db, dropRules);
  const backlogs = backlogsOf(db);
  let latest: number | undefined;
  let collected: Published[] | undefined;

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
      collected?.push({ seq, record });
      backlogs.note(kinds);
      return seq;
    },
    collect(action) {
      const published: Published[] = [];
      collected = published;
      try {
        return { result: action(), published };
      } finally {
        collected = undefined;
      }
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
