/**
 * The rows of a bank's surroundings: faults, chaos and configured responses by name, and the journal in compressed
 * parts. They are in the file of a sandbox so that they survive a restart, but not in images of its bank.
 * Source: docs/decisions/0033-surroundings.md.
 */
import type { StoredPart } from '../kernel/tape.ts';
import { journalParts, surroundings } from '../model/tables.ts';
import { and, asc, eq, lte, sql } from './drizzle.ts';
import type { Db } from './open.ts';
import { placeholdersOf, prepareUpsert } from './rows.ts';
import { prepareRead, prepareWrite } from './statement.ts';

export type TapeName = (typeof journalParts.$inferSelect)['tape'];
export type JournalPart = typeof journalParts.$inferSelect;

/** Opens the rows of a database. */
export function createSurroundingRows(db: Db) {
  const find = prepareRead(db, { value: surroundings.value }, (select) =>
    select.from(surroundings).where(eq(surroundings.name, sql.placeholder('name'))),
  );
  const write = prepareUpsert(db, surroundings.name);
  const parts = prepareRead(
    db,
    { first: journalParts.first, upTo: journalParts.upTo, characters: journalParts.characters },
    (select) =>
      select
        .from(journalParts)
        .where(eq(journalParts.tape, sql.placeholder('tape')))
        .orderBy(asc(journalParts.first)),
  );
  const entries = prepareRead(db, { entries: journalParts.entries }, (select) =>
    select
      .from(journalParts)
      .where(
        and(eq(journalParts.tape, sql.placeholder('tape')), eq(journalParts.first, sql.placeholder('first'))),
      ),
  );
  const put = prepareWrite(db, () =>
    db
      .insert(journalParts)
      .values(placeholdersOf(journalParts))
      .onConflictDoUpdate({
        target: [journalParts.tape, journalParts.first],
        set: {
          upTo: sql`excluded.up_to`,
          characters: sql`excluded.characters`,
          entries: sql`excluded.entries`,
        },
      }),
  );
  const removeBefore = prepareWrite(db, () =>
    db
      .delete(journalParts)
      .where(
        and(eq(journalParts.tape, sql.placeholder('tape')), lte(journalParts.first, sql.placeholder('last'))),
      ),
  );
  return {
    /** JSON; `undefined` if nothing was written. */
    find: (name: string): string | undefined => find.get({ name })?.value,
    write: (name: string, value: string) => void write.run({ name, value }),
    /** In their order. */
    parts: (tape: TapeName): StoredPart[] => parts.all({ tape }),
    entries: (tape: TapeName, first: number): Buffer | undefined => entries.get({ tape, first })?.entries,
    putPart: (part: JournalPart) => void put.run(part),
    removePartsBefore: (tape: TapeName, oldest: number) => void removeBefore.run({ tape, last: oldest - 1 }),
  };
}
