/**
 * Publishes a change to the outbox with the current record, in the database transaction of the change. Records
 * decisions in the same way.
 * Source: decision `event-record-version` in docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { type Change, type FactRecords, kindsOf, type Resource } from '../model/facts.ts';
import type { Decision } from '../model/records.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Dependencies } from './dependencies.ts';

export type RecordResource = Exclude<Resource, 'transaction'>;

/** Publishes a change of a record other than a transaction, with the current record. */
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
    wallet: itself,
    member: ({ member }) => member,
    account: ({ account }) => account,
    card_holder: itself,
    counterparty: itself,
    card: ({ card }) => card,
  };

/** The function that publishes the changes of one noun, by default at the instant of its row. */
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

/** Stores a decision. */
export function note({ store, clock }: Dependencies, decision: Note): void {
  store.decisions.append({ numbers: {}, ...decision, at: clock.now() });
}

/** Stores a simulation as a decision, with the status before and after. */
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
