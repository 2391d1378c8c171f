/**
 * The common operations of the bank's nouns: find a row by its id, list rows by filters, and publish a row after each
 * write, together with its related data. A change merges metadata and keeps fields that were not sent. A status
 * changes by a step of the noun's state machine, and a lock stores the previous status.
 */
import { type Machine, step } from '../kernel/machine.ts';
import { found } from '../kernel/refusal.ts';
import type { RefusalCode } from '../kernel/refusals.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { Column, Condition } from '../model/conditions.ts';
import type { Change, FactRecords } from '../model/facts.ts';
import { onColumns } from '../model/filters.ts';
import type { Metadata } from '../model/records.ts';
import { type Listing, mapPage, type Page, type Window } from '../store/lists.ts';
import type { Rows } from '../store/rows.ts';
import type { Dependencies } from './dependencies.ts';
import type { MetadataChange } from './inputs.ts';
import { mergeMetadata } from './metadata.ts';
import { type Publish, publisherOf, type RecordResource } from './publish.ts';

interface Row {
  readonly id: Id;
  readonly updatedAt: Instant;
}

/** The options of a noun, whose records are the rows of a table. */
export interface NounOptions<R extends RecordResource, T extends Row, F extends string> {
  readonly resource: R;
  readonly rows: Rows<T> & { readonly list: Listing<T> };
  /** The columns by which its lists can be filtered. */
  readonly filters: Readonly<Record<F, Column<T>>>;
  /** The record of a row, with related data that readers need. */
  readonly show: (row: T) => FactRecords[R];
}

export interface Noun<R extends RecordResource, T extends Row, F extends string> {
  /** Refuses: `..._not_found` of the resource. */
  row(id: Id): T;
  /** Refuses: `..._not_found` of the resource. */
  byId(id: Id): FactRecords[R];
  /** A page of the records that match the conditions. */
  list(where: readonly Condition<F>[], window: Window): Page<FactRecords[R]>;
  /** Adds a row and publishes that it was created. */
  add(row: T): FactRecords[R];
  /** Writes a changed row and publishes the changes, in this order. */
  put(row: T, ...changes: readonly Change[]): FactRecords[R];
  /** The record of a row, with related data that readers need. */
  show(row: T): FactRecords[R];
  readonly publish: Publish<R>;
}

/** The verbs of every noun. */
export function createNoun<R extends RecordResource, T extends Row, F extends string>(
  { outbox }: Pick<Dependencies, 'outbox'>,
  { resource, rows, filters, show }: NounOptions<R, T, F>,
): Noun<R, T, F> {
  const publish = publisherOf(outbox, resource);
  const row = (id: Id): T => found(rows.byId(id), `${resource}_not_found`);
  return {
    row,
    show,
    publish,
    byId: (id) => show(row(id)),
    list: (where, window) => mapPage(rows.list.page(onColumns(filters, where), window), show),
    add(created) {
      rows.insert(created);
      const record = show(created);
      publish(record, 'created');
      return record;
    },
    put(changed, ...changes) {
      rows.replace(changed);
      const record = show(changed);
      for (const change of changes) publish(record, change);
      return record;
    },
  };
}

/**
 * A row after a change of its plain fields: fields that were not sent stay, and metadata is merged key by key.
 * Refuses: `metadata_too_large`.
 */
export function changed<T extends { metadata: Metadata; updatedAt: Instant }>(
  present: T,
  { metadata, ...plain }: Omit<Partial<T>, 'metadata'> & { metadata?: MetadataChange },
  updatedAt: Instant,
): T {
  return { ...present, ...plain, metadata: mergeMetadata(present.metadata, metadata), updatedAt };
}

/**
 * The changes to publish for a client's change of a record: `updated` if fields changed, `status` if the status
 * changed.
 */
export function changesOf(
  { status: _, ...rest }: object & { status?: unknown },
  moves: boolean,
): readonly Change[] {
  return [
    ...(Object.keys(rest).length > 0 ? (['updated'] as const) : []),
    ...(moves ? (['status'] as const) : []),
  ];
}

/**
 * The status after a client's request; the current one if the client requests none or the same. Refuses: `code`.
 */
export function statusFor<Status extends string, Event extends string, Requested extends Status>(
  machine: Machine<Status, Event>,
  present: Status,
  eventFor: Readonly<Record<Requested, Event>>,
  requested: Requested | undefined,
  code: RefusalCode = 'illegal_step',
): Status {
  return requested === undefined || requested === present
    ? present
    : step(machine, present, eventFor[requested], code);
}

interface Lockable<Status> extends Row {
  readonly status: Status;
  /** `null` unless it is locked. */
  readonly lockedFrom: Status | null;
}

/** The status changes that only the platform makes. */
export interface Locks<Event, T, Record> {
  /** Applies an event to the status of a row and publishes the change. Refuses: `illegal_step`. */
  take(row: T, event: Event): Record;
  /** Refuses: `..._not_found` of the resource, `illegal_step`. */
  lock(id: Id): Record;
  /** Restores the previous status. Refuses as `lock` does. */
  unlock(id: Id): Record;
}

/**
 * The lock of a noun. `unlockFor` has the event that restores each status; the one of `locked` applies if no previous
 * status is stored.
 */
export function createLocks<
  R extends RecordResource,
  Status extends string,
  Event extends string,
  T extends Lockable<Status | 'locked'>,
  F extends string,
>(
  clock: Clock,
  noun: Noun<R, T, F>,
  machine: Machine<Status | 'locked', Event | 'lock'>,
  unlockFor: Readonly<Record<Status | 'locked', NoInfer<Event>>>,
): Locks<Event | 'lock', T, FactRecords[R]> {
  const take = (row: T, event: Event | 'lock'): FactRecords[R] => {
    const status = step(machine, row.status, event);
    return noun.put(
      { ...row, status, lockedFrom: status === 'locked' ? row.status : null, updatedAt: clock.now() },
      'status',
    );
  };
  return {
    take,
    lock: (id) => take(noun.row(id), 'lock'),
    unlock(id) {
      const row = noun.row(id);
      return take(row, unlockFor[row.lockedFrom ?? 'locked']);
    },
  };
}
