/**
 * The events of a sandbox since its bank was seeded, whether or not a webhook subscribes to them. A wait is a request
 * that the server answers when the event happens, without sleeping or polling. Each event is returned by only one
 * wait, so that the next wait gets the next event.
 */
import type { EventRecord, EventType } from './client/event-types.ts';
import type { ControlMethods } from './client/types.ts';
import { own } from './own.ts';

/** One event, with the record in the format of its version. */
export type BankEvent = Awaited<ReturnType<ControlMethods['listEvents']>>['events'][number];

/** An event of one type, with the record that this type carries. */
export type BankEventOf<Type extends EventType> = Omit<BankEvent, 'type' | 'data'> & {
  readonly type: Type;
  readonly data: EventRecord<Type>;
};

/** The beginnings of a type, up to each of its dots: `transaction.`, `transaction.status.`. */
type Beginning<Type extends string> = Type extends `${infer Word}.${infer Rest}`
  ? `${Word}.` | `${Word}.${Beginning<Rest>}`
  : never;

/** An event type, or the beginning of types up to a dot, and `*`: `transaction.*`, `transaction.status.*`; `*` is every type. */
export type EventPattern = EventType | `${Beginning<EventType>}*` | '*';

/** The types that a pattern matches. */
type Found<Pattern extends EventPattern> = Pattern extends EventType ? BankEventOf<Pattern> : BankEvent;

export interface WaitOptions {
  /** The id of the event's record, in either format. */
  readonly resource?: string;
  /** Real milliseconds. Default: 5000. */
  readonly timeout?: number;
}

export interface BankEvents {
  /**
   * The events, newest first, optionally of one type (`transaction.*` matches all types that begin with
   * `transaction.`). Default limit: all.
   */
  list<Pattern extends EventPattern = '*'>(
    type?: Pattern,
    options?: { readonly resource?: string; readonly limit?: number },
  ): Promise<Found<Pattern>[]>;
  /**
   * The oldest event of this type that no earlier call returned, including past events. If there is none before the
   * timeout, throws an error that lists the events that did happen.
   */
  waitFor<Pattern extends EventPattern>(type: Pattern, options?: WaitOptions): Promise<Found<Pattern>>;
}

/** The events with internal state of the bank object. */
interface TrackedEvents extends BankEvents {
  /** Call it after a reset or restore: an event that happens again with the same id is new. */
  dropMissing(): Promise<void>;
}

/** The position after the initial records, where the log begins for users. */
const AFTER_SEED = 'seeded';
const DEFAULT_TIMEOUT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
const SHOWN = 10;
const PAGE = 1_000;

/** The events of the sandbox behind these methods. */
export function eventsOf(sandbox: ControlMethods): TrackedEvents {
  const input = new Set<string>();

  const list = async (
    type?: string,
    { resource, limit = Number.POSITIVE_INFINITY }: { resource?: string; limit?: number } = {},
  ): Promise<BankEvent[]> => {
    const query = {
      ...(type !== undefined && { type }),
      ...(resource !== undefined && { resource }),
      limit: String(PAGE),
    };
    const found: BankEvent[] = [];
    for (let since = AFTER_SEED; ; ) {
      const { events, cursor } = await sandbox.listEvents({ query: { ...query, since } });
      found.push(...events);
      if (events.length < PAGE) return found.reverse().slice(0, limit);
      since = cursor;
    }
  };

  return {
    // The type determines the type of the record.
    list: list as BankEvents['list'],
    async waitFor<Pattern extends EventPattern>(
      type: Pattern,
      { resource, timeout = DEFAULT_TIMEOUT_MS }: WaitOptions = {},
    ): Promise<Found<Pattern>> {
      const end = own.now() + timeout;
      const query = { type, ...(resource !== undefined && { resource }) };
      for (let since = AFTER_SEED; ; ) {
        const left = Math.min(Math.max(0, end - own.now()), LONGEST_WAIT_MS);
        const { events, cursor } = await sandbox.listEvents({
          query: { ...query, since, wait: String(left / 1000) },
        });
        const found = events.find(({ id }) => !input.has(id));
        if (found !== undefined) {
          input.add(found.id);
          return found as Found<Pattern>;
        }
        if (own.now() >= end) throw new Error(await explain(list, type, resource, timeout));
        since = cursor;
      }
    },
    async dropMissing() {
      if (input.size === 0) return;
      const there = new Set((await list()).map(({ id }) => id));
      for (const id of input) if (!there.has(id)) input.delete(id);
    },
  };
}

async function explain(
  list: (type: undefined, options: { limit: number }) => Promise<BankEvent[]>,
  type: string,
  resource: string | undefined,
  timeout: number,
): Promise<string> {
  const about = resource === undefined ? '' : ` about ${resource}`;
  const newest = linesOf(await list(undefined, { limit: SHOWN }));
  return [
    `no event ${type}${about} within ${timeout} ms; ${newest === '' ? 'there are no events yet.' : 'the newest events are'}`,
    ...(newest === '' ? [] : [newest]),
    'A payment moves by the timetable of the rails: advance the clock, or settle it, before waiting.',
  ].join('\n');
}

/** Formats events as lines of a message. */
export function linesOf(events: readonly BankEvent[]): string {
  return events.map(({ type, resource_id: id }) => `  ${type} ${id}`).join('\n');
}
