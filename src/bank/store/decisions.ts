/** The rows of decisions about records, and of the clients' responses to real-time authorizations. */
import type { Decision, RtaDecision } from '../model/records.ts';
import { decisions, rtaDecisions } from '../model/tables.ts';
import { asc, desc, eq, sql } from './drizzle.ts';
import type { Db } from './open.ts';
import { paged, prepareInsert, unpeeked } from './rows.ts';
import { prepareRead } from './statement.ts';

/** The decisions of one bank. */
export function createDecisionRows(db: Db) {
  const insert = prepareInsert(db, decisions, {
    number: sql`(select coalesce(max(number), 0) + 1 from decisions where subject_id = ${unpeeked('subjectId')})`,
  });
  const of = prepareRead(db, decisions, (select) =>
    select
      .from(decisions)
      .where(eq(decisions.subjectId, unpeeked('subjectId')))
      .orderBy(asc(decisions.number)),
  );
  return {
    append(row: Omit<Decision, 'number'>): void {
      insert.run(row);
    },
    /** All decisions about one subject, in order. */
    of: (subjectId: string): Decision[] => of.all({ subjectId }),
  };
}

/** The real-time authorizations of one bank. */
export function createRtaRows(db: Db) {
  const insert = prepareInsert(db, rtaDecisions);
  const newest = prepareRead(db, rtaDecisions, (select) =>
    paged(select.from(rtaDecisions).orderBy(desc(rtaDecisions.id))),
  );
  const count = prepareRead(db, { n: sql<number>`count(*)` }, (select) => select.from(rtaDecisions));
  return {
    insert(row: RtaDecision): void {
      insert.run(row);
    },
    page: (limit: number, offset: number): RtaDecision[] => newest.all({ limit, offset }),
    total: (): number => count.get()?.n ?? 0,
  };
}
