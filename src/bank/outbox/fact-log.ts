/**
 * The log of facts, by number and by record. A search reads one range of the log at a time, because the facts of
 * transactions are indexed only by number: each payment writes some, but only people and tests search for them.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Fact, Resource } from '../model/facts.ts';
import { facts } from '../model/tables.ts';
import { and, asc, desc, eq, gt, lte, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { prepareRead, type Select } from '../store/statement.ts';

/** A filter of facts; omitted fields match everything. */
export interface FactFilter {
  resource?: Resource | undefined;
  resourceId?: Id | undefined;
  /** A kind, or the beginning of a kind followed by `*`. */
  kind?: string | undefined;
  /** The version of the kind. Default: either. */
  version?: 'v1' | 'v2' | undefined;
  /** The earliest instant. */
  from?: Instant | undefined;
  /** The latest instant. */
  until?: Instant | undefined;
}

/** A range of the log: facts with a seq greater than `after`, up to and including `upTo`. */
interface Stretch {
  after: number;
  upTo: number;
  newestFirst: boolean;
  limit: number;
}

export interface FactLog {
  /** The fact with this seq, if there is one. */
  fact(seq: number): Fact | undefined;
  /** The matching facts of a range that are published under a kind. The time depends on the length of the range. */
  factsIn(stretch: Stretch, filter: FactFilter): Fact[];
  /** All facts about a record that is not a transaction, oldest first; uses an index. */
  factsOfRecord(resourceId: Id): Fact[];
  /** The facts about these resources with a seq greater than `after`, up to and including `upTo`, oldest first. */
  factsAbout(resourceIds: readonly Id[], after: number, upTo: number): Fact[];
}

/** A part of every kind, and of none. */
const ANY_KIND = '.';
const NO_KIND = '-';

/** What the list of a fact's kinds contains, which are separated by spaces. An object refuses long patterns of GLOB. */
function partsOf({ kind, version }: FactFilter): { partV1: string; partV2: string } {
  const part = kind === undefined ? ANY_KIND : kind.endsWith('*') ? ` ${kind.slice(0, -1)}` : ` ${kind} `;
  return { partV1: version === 'v2' ? NO_KIND : part, partV2: version === 'v1' ? NO_KIND : part };
}

const withSeq = (select: Select) => select.from(facts).where(eq(facts.seq, sql.placeholder('seq')));

/** The log of one sandbox. */
export function createFactLog(db: Db): FactLog {
  const bySeq = prepareRead(db, facts, withSeq);
  const stretch = (order: typeof asc) =>
    prepareRead(db, facts, (select) =>
      select
        .from(facts)
        .where(
          and(
            gt(facts.seq, sql.placeholder('after')),
            lte(facts.seq, sql.placeholder('upTo')),
            sql`(${sql.placeholder('resource')} = '' or ${facts.resource} = ${sql.placeholder('resource')})`,
            sql`(${sql.placeholder('resourceId')} = '' or ${facts.resourceId} = ${sql.placeholder('resourceId')})`,
            sql`(instr(' ' || ${facts.kindsV1} || ' ', ${sql.placeholder('partV1')}) > 0
            or instr(' ' || ${facts.kindsV2} || ' ', ${sql.placeholder('partV2')}) > 0)`,
            sql`${facts.at} between ${sql.placeholder('from')} and ${sql.placeholder('until')}`,
          ),
        )
        .orderBy(order(facts.seq))
        .limit(sql.placeholder('limit')),
    );
  const about = prepareRead(db, facts, (select) =>
    select
      .from(facts)
      .where(
        and(
          gt(facts.seq, sql.placeholder('after')),
          lte(facts.seq, sql.placeholder('upTo')),
          sql`${facts.resourceId} in (select value from json_each(${sql.placeholder('ids')}))`,
        ),
      )
      .orderBy(asc(facts.seq)),
  );
  const ofRecord = prepareRead(db, facts, (select) =>
    select
      .from(facts)
      // The condition must be written as in the index.
      .where(
        and(sql`${facts.resource} <> 'transaction'`, eq(facts.resourceId, sql.placeholder('resourceId'))),
      )
      .orderBy(asc(facts.seq)),
  );
  const oldestFirst = stretch(asc);
  const newestFirst = stretch(desc);

  return {
    fact: (seq) => bySeq.get({ seq }) as Fact | undefined,
    factsIn({ newestFirst: isNewestFirst, ...bounds }, filter) {
      const { resource = '', resourceId = '', from, until } = filter;
      const values = {
        ...bounds,
        ...partsOf(filter),
        resource,
        resourceId,
        from: from ?? Number.MIN_SAFE_INTEGER,
        until: until ?? Number.MAX_SAFE_INTEGER,
      };
      return (isNewestFirst ? newestFirst : oldestFirst).all(values) as Fact[];
    },
    factsOfRecord: (resourceId) => ofRecord.all({ resourceId }) as Fact[],
    factsAbout: (resourceIds, after, upTo) =>
      about.all({ ids: JSON.stringify(resourceIds), after, upTo }) as Fact[],
  };
}
