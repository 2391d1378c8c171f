/**
 * Tells the outbox what happened, in the transaction that made it happen, with the record as it is now.
 * Source: decision `event-record-version` in docs/fidelity.md. [[bank/notes.ts]] Notes down who decided something, in
 * the transaction in which it was decided, so that nobody has to guess later.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Decision } from '../model/decisions.ts';
import { type Change, type FactRecords, kindsOf, type Resource } from '../model/facts.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Parts } from './dependencies.ts';

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

export type Note = Omit<Decision, 'number' | 'at' | 'numbers'> & { numbers?: Decision['numbers'] };

/** Keeps a decision with what it was about. */
export function note({ store, clock }: Parts, decision: Note): void {
  store.decisions.append({ numbers: {}, ...decision, at: clock.now() });
}

/** Keeps that something was made to happen, from one state to another. */
export function noteSimulated(
  parts: Parts,
  subjectId: Decision['subjectId'],
  name: string,
  [before, after]: readonly [string, string],
  numbers: Decision['numbers'] = {},
): void {
  note(parts, {
    subjectId,
    source: 'simulate',
    name,
    effect: before === after ? after : `${before} -> ${after}`,
    message: `${name} was asked for`,
    numbers,
  });
}
