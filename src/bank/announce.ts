/**
 * Tells the outbox what happened, in the transaction that made it happen, with the record as it is now.
 * Source: row 54 of docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { type Change, type FactRecords, kindsOf, type Resource } from '../model/facts.ts';
import type { Outbox } from '../outbox/outbox.ts';

/** A change of a noun other than a transaction. */
export interface News<R extends Exclude<Resource, 'transaction'>> {
  resource: R;
  id: Id;
  change: Change;
  at: Instant;
  record: FactRecords[R];
}

/** Publishes one change. */
export function announce<R extends Exclude<Resource, 'transaction'>>(outbox: Outbox, news: News<R>): void {
  const { resource, id, change, at, record } = news;
  outbox.publish({ at, resource, resourceId: id, change, kinds: kindsOf(resource, change, record), record });
}
