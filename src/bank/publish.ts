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

type RecordResource = Exclude<Resource, 'transaction'>;

/** Publishes one change of a noun other than a transaction, with the record as it is now. */
export type Publish<R extends RecordResource> = (
  record: FactRecords[R],
  change: Change,
  at?: Instant,
) => void;

/**
 * What publishes the changes of one noun. `rowOf` is the row of a record, whose id the change has, and whose instant unless
 * another is given.
 */
export function publisherOf<R extends RecordResource>(
  outbox: Outbox,
  resource: R,
  rowOf: (record: FactRecords[R]) => { id: Id; updatedAt: Instant },
): Publish<R> {
  return (record, change, at = rowOf(record).updatedAt) => {
    const { id } = rowOf(record);
    outbox.publish({
      at,
      resource,
      resourceId: id,
      change,
      kinds: kindsOf(resource, change, record),
      record,
    });
  };
}

/** Publishes what a client's change of a record did: that fields of it are others, and that it is in another state. */
export function publishChanged<R extends RecordResource>(
  publish: Publish<R>,
  record: FactRecords[R],
  { status: _, ...rest }: object & { status?: unknown },
  moves: boolean,
): void {
  if (Object.keys(rest).length > 0) publish(record, 'updated');
  if (moves) publish(record, 'status');
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
