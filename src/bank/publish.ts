/**
 * Publishes a change to the outbox, in the transaction that makes it, with the record as it is now. Notes beside it who
 * decided something, in the transaction in which it was decided.
 * Source: decision `event-record-version` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { type Change, type FactRecords, kindsOf, type Resource } from '../model/facts.ts';
import type { Decision } from '../model/records.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Dependencies } from './dependencies.ts';

/** A change of a noun other than a transaction. */
export interface RecordChange<R extends Exclude<Resource, 'transaction'>> {
  resource: R;
  id: Id;
  change: Change;
  at: Instant;
  record: FactRecords[R];
}

/** Publishes one change. */
export function publishChange<R extends Exclude<Resource, 'transaction'>>(
  outbox: Outbox,
  changed: RecordChange<R>,
): void {
  const { resource, id, change, at, record } = changed;
  outbox.publish({ at, resource, resourceId: id, change, kinds: kindsOf(resource, change, record), record });
}

export type Note = Omit<Decision, 'number' | 'at' | 'numbers'> & { numbers?: Decision['numbers'] };

/** Keeps a decision with what it was about. */
export function note({ store, clock }: Dependencies, decision: Note): void {
  store.decisions.append({ numbers: {}, ...decision, at: clock.now() });
}

/** Keeps that something was made to happen, from one state to another. */
export function noteSimulated(
  dependencies: Dependencies,
  subjectId: Decision['subjectId'],
  name: string,
  [before, after]: readonly [string, string],
  numbers: Decision['numbers'] = {},
): void {
  note(dependencies, {
    subjectId,
    source: 'simulate',
    name,
    effect: before === after ? after : `${before} -> ${after}`,
    message: `${name} was asked for`,
    numbers,
  });
}
