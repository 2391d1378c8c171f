/** Compares each transaction with what was published of it last, and each fact with what it is about. */
import { SUSPENSE } from '../ledger/ledger.ts';
import { createFactRows } from '../store/audit-facts.ts';
import { AUDIT_SLICE as SLICE } from '../store/audit-rows.ts';
import type { Db } from '../store/open.ts';

/** Compares in slices, between which others have their turns. */
export function comparingFacts(db: Db, problems: string[]) {
  const rows = createFactRows(db);
  /** The last fact of each transaction that may not be as it was published: one that has changed, or that differs from its first. */
  const pending = new Map<number, number>();
  let lastFact = 0;
  const look = (seq: number, place: number): void => {
    if (place > 0) {
      pending.set(place, seq);
      return;
    }
    const { resource, id } = rows.subjectOf(seq);
    if (!rows.has(resource, id)) {
      problems.push(`fact ${seq} is about the ${resource} ${id}, which does not exist`);
    }
  };
  const readSlice = (): boolean => {
    const latest = rows.last();
    const upTo = Math.min(lastFact + SLICE, latest);
    rows.forBetween(lastFact, latest, look);
    lastFact = upTo;
    return upTo < latest;
  };
  return {
    *readAll(): Generator<void, void> {
      while (readSlice()) yield;
    },
    *comparePending(): Generator<void, void> {
      // What is published from here on is as its row was a moment ago.
      const places = [...pending.keys()];
      for (let at = 0; at < places.length; at += SLICE) {
        // A row that has changed since has a newer fact.
        while (readSlice());
        const seqs = places.slice(at, at + SLICE).map((place) => pending.get(place) ?? 0);
        for (const { seq, field, published, found, ...row } of rows.publishedOtherwise(seqs)) {
          const { id, accountId, rail, status } = row;
          problems.push(
            `account ${accountId ?? SUSPENSE}, transaction ${id} (${rail}, ${status}): ${field} is ${found}; expected ${published}, as in fact ${seq}`,
          );
        }
        yield;
      }
    },
  };
}
