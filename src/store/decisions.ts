/**
 * The rows of decisions: who decided what about which thing, and what clients answered in real time.
 */
import type { Decision, RtaDecision } from '../model/decisions.ts';
import { asc, desc, eq, sql } from './drizzle.ts';
import type { Db } from './open.ts';
import { placeholders, unpeeked } from './rows.ts';
import { decisions, rtaDecisions } from './schema.ts';
import { statement } from './statement.ts';

/** The decisions of one bank. */
export function createDecisionRows(db: Db) {
  const insert = statement(() =>
    db
      .insert(decisions)
      .values({
        ...placeholders(decisions),
        number: sql`(select coalesce(max(number), 0) + 1 from decisions where subject_id = ${unpeeked('subjectId')})`,
      } as never)
      .prepare(),
  );
  const of = statement(() =>
    db
      .select()
      .from(decisions)
      .where(eq(decisions.subjectId, unpeeked('subjectId')))
      .orderBy(asc(decisions.number))
      .prepare(),
  );
  return {
    append(row: Omit<Decision, 'number'>): void {
      insert().run(row as never);
    },
    /** All about one thing, in order. */
    of: (subjectId: string): Decision[] => of().all({ subjectId }),
  };
}

/** The real-time answers of one bank. */
export function createRtaRows(db: Db) {
  const insert = statement(() =>
    db
      .insert(rtaDecisions)
      .values(placeholders(rtaDecisions) as never)
      .prepare(),
  );
  const newest = statement(() =>
    db
      .select()
      .from(rtaDecisions)
      .orderBy(desc(rtaDecisions.id))
      .limit(unpeeked('limit') as never)
      .offset(unpeeked('offset') as never)
      .prepare(),
  );
  const count = statement(() => db.select({ n: sql<number>`count(*)` }).from(rtaDecisions).prepare());
  return {
    insert(row: RtaDecision): void {
      insert().run(row as never);
    },
    page: (limit: number, offset: number): RtaDecision[] => newest().all({ limit, offset }),
    total: (): number => count().get()?.n ?? 0,
  };
}
