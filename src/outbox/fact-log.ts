/**
 * The facts as a log: by number, and by what they are about. A search looks at a stretch of the log at a time, because the
 * facts of transactions are indexed by their number alone: one is written with every payment, and is searched for by a person
 * or a test.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Fact, Resource } from '../model/facts.ts';
import { facts } from '../model/tables.ts';
import { and, asc, desc, eq, gt, lte, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { prepareRead } from '../store/statement.ts';

/** Which facts are wanted; what is left out does not matter. */
export interface FactFilter {
  resource?: Resource | undefined;
  resourceId?: Id | undefined;
  /** A kind, or the beginning of one and `*`. */
  kind?: string | undefined;
  /** The version whose kind it must be; either, unless given. */
  version?: 'v1' | 'v2' | undefined;
  /** Not earlier than this instant. */
  from?: Instant | undefined;
  /** Not later than this instant. */
  until?: Instant | undefined;
}

/** A part of the log: facts with a seq greater than `after`, up to and with `upTo`. */
interface Stretch {
  after: number;
  upTo: number;
  newestFirst: boolean;
  limit: number;
}

export interface FactLog {
  /** The fact with this seq, if there is one. */
  fact(seq: number): Fact | undefined;
  /** The facts of a stretch that are wanted and amount to a kind; it costs what the stretch is long. */
  factsIn(stretch: Stretch, filter: FactFilter): Fact[];
  /** All facts about a record that is no transaction, the oldest first; read from an index. */
  factsOfRecord(resourceId: Id): Fact[];
  /** The facts about any of these resources with a seq greater than `after`, up to and with `upTo`, the oldest first. */
  factsAbout(resourceIds: readonly Id[], after: number, upTo: number): Fact[];
}

/** A kind is found among the others of its fact, each between spaces. */
const ANY_KIND = '*[a-z]*';
const NO_KIND = '-';

function globsOf({ kind, version }: FactFilter): { globV1: string; globV2: string } {
  const glob = kind === undefined ? ANY_KIND : `* ${kind} *`;
  return { globV1: version === 'v2' ? NO_KIND : glob, globV2: version === 'v1' ? NO_KIND : glob };
}

/** The log of one sandbox. */
export function createFactLog(db: Db): FactLog {
  const bySeq = prepareRead(db, facts, (select) =>
    select.from(facts).where(eq(facts.seq, sql.placeholder('seq'))),
  );
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
            sql`(' ' || ${facts.kindsV1} || ' ' glob ${sql.placeholder('globV1')}
            or ' ' || ${facts.kindsV2} || ' ' glob ${sql.placeholder('globV2')})`,
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
      // The condition of the index has to stand here as it stands there.
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
        ...globsOf(filter),
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
