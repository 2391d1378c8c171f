/** The scheduled steps of the bank. */

import { agenda } from '../model/tables.ts';
import { and, asc, eq, lte, sql } from './drizzle.ts';
import type { Db } from './open.ts';
import { limited, paged, prepareRows, unpeeked } from './rows.ts';
import { prepareRead, prepareWrite, type Select } from './statement.ts';

export type AgendaItem = typeof agenda.$inferSelect;

// Read whenever a bank is opened.
const DUE_AT = { dueAt: agenda.dueAt };
const theFirst = (select: Select) =>
  limited(select.from(agenda).orderBy(asc(agenda.dueAt), asc(agenda.subjectId)), 1);

/** The statements of the agenda. */
export function createAgenda(db: Db) {
  const insert = prepareRows(db, agenda);
  const remove = prepareWrite(db, () =>
    db
      .delete(agenda)
      .where(
        and(eq(agenda.dueAt, sql.placeholder('dueAt')), eq(agenda.subjectId, sql.placeholder('subjectId'))),
      ),
  );
  const verification = prepareRead(db, { dueAt: agenda.dueAt }, (select) =>
    select
      .from(agenda)
      .where(and(eq(agenda.subjectId, sql.placeholder('subjectId')), sql`${agenda.task} = 'verification'`)),
  );
  const eventAt = prepareRead(db, { event: agenda.event }, (select) =>
    select
      .from(agenda)
      .where(
        and(eq(agenda.dueAt, sql.placeholder('dueAt')), eq(agenda.subjectId, sql.placeholder('subjectId'))),
      ),
  );
  const due = prepareRead(db, agenda, (select) =>
    paged(
      select
        .from(agenda)
        .where(lte(agenda.dueAt, unpeeked('now')))
        .orderBy(asc(agenda.dueAt), asc(agenda.subjectId)),
    ),
  );
  const first = prepareRead(db, DUE_AT, theFirst);
  /** `undefined` until it is first requested, because steps of an earlier process are only in the table. */
  let earliest: number | undefined;
  return {
    add(item: AgendaItem): void {
      insert.add(item);
      if (earliest !== undefined && item.dueAt < earliest) earliest = item.dueAt;
    },
    /** The earliest instant that was planned since the last call. It may have been rolled back. */
    takePlanned(): number {
      const planned = earliest ?? first.get()?.dueAt ?? Number.POSITIVE_INFINITY;
      earliest = Number.POSITIVE_INFINITY;
      return planned;
    },
    remove(dueAt: number, subjectId: string): void {
      remove.run({ dueAt, subjectId });
    },
    /** The planned end of the check of a holder. */
    verificationDueAt: (subjectId: string): number | undefined => verification.get({ subjectId })?.dueAt,
    /** The event that is planned for a subject at an instant. */
    eventAt: (dueAt: number, subjectId: string): string | undefined =>
      eventAt.get({ dueAt, subjectId })?.event,
    /** The due steps, in their order. */
    due: (now: number, limit: number): AgendaItem[] => due.all({ now, limit, offset: 0 }),
    nextDueAt: (): number | undefined => first.get()?.dueAt,
  };
}
