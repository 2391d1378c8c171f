/** Compares each transaction with its last published fact, and checks that the record of each fact exists. */
import { SUSPENSE } from '../ledger/ledger.ts';
import { createFactRows } from '../store/audit-facts.ts';
import { AUDIT_SLICE as SLICE } from '../store/audit-rows.ts';
import type { Db } from '../store/open.ts';

/** Compares in slices, between which other requests are answered. */
export function comparingFacts(db: Db, problems: string[]) {
  const rows = createFactRows(db);
  /**
   * The last fact of each transaction that may differ from its row: of transactions that have changed, or that differ
   * from their first fact.
   */
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
      // Facts that are published from here on match their current rows.
      const places = [...pending.keys()];
      for (let at = 0; at < places.length; at += SLICE) {
        // If a row has changed meanwhile, it has a newer fact.
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
