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

export type RecordResource = Exclude<Resource, 'transaction'>;

/** Publishes one change of a noun other than a transaction, with the record as it is now. */
export type Publish<R extends RecordResource> = (
  record: FactRecords[R],
  change: Change,
  at?: Instant,
) => void;

const itself = <T>(row: T): T => row;
/** The row of a record, whose id a change has. */
const ROW_OF: { readonly [R in RecordResource]: (record: FactRecords[R]) => { id: Id; updatedAt: Instant } } =
  {
    holder: ({ holder }) => holder,
    family: itself,
    member: ({ member }) => member,
    account: ({ account }) => account,
    card_holder: itself,
    counterparty: itself,
    card: ({ card }) => card,
  };

/** What publishes the changes of one noun, at the instant of its row unless another is given. */
export function publisherOf<R extends RecordResource>(outbox: Outbox, resource: R): Publish<R> {
  return (record, change, at) => {
    const { id, updatedAt } = ROW_OF[resource](record);
    outbox.publish({
      at: at ?? updatedAt,
      resource,
      resourceId: id,
      change,
      kinds: kindsOf(resource, change, record),
      record,
    });
  };
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
    message: `${name} was requested`,
    numbers,
  });
}
