/**
 * Everything that was told of one thing, in order, whether or not it amounts to a kind of event. Facts are not indexed by
 * what they are about, because every payment would pay for it; a reading goes through the log.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Fact } from '../model/facts.ts';
import { facts } from '../model/tables.ts';
import { asc, eq } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';

/** The facts about a resource, the oldest first. */
export function factsOf(db: Db, resourceId: Id): Fact[] {
  return db
    .select()
    .from(facts)
    .where(eq(facts.resourceId, resourceId))
    .orderBy(asc(facts.seq))
    .all() as Fact[];
}
