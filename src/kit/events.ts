/**
 * The events of a sandbox since its bank was seeded, whether or not a webhook subscribes to them. A wait is a request
 * that the server answers when the event happens, without sleeping or polling. Each event is returned by only one
 * wait, so that the next wait gets the next event.
 */
import type { EventRecord, EventType } from './client/event-types.ts';
import type { ControlMethods } from './client/types.ts';
import { checkOptions } from './options.ts';
import { waitUntilFound } from './waiting.ts';

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
  /** Real milliseconds. Default: 4000, and less if the clock is frozen and nothing is due. */
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
   * timeout, or soon if the clock is frozen and nothing is due, throws an error that says why and lists the events that
   * did happen.
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
const SHOWN = 10;
const PAGE = 1_000;

/** The events of the sandbox behind these methods. */
export function eventsOf(sandbox: ControlMethods): TrackedEvents {
  const input = new Set<string>();

  const list = async (
    type?: string,
    options: { resource?: string; limit?: number } = {},
  ): Promise<BankEvent[]> => {
    checkOptions('events.list', options, ['resource', 'limit']);
    const { resource, limit = Number.POSITIVE_INFINITY } = options;
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
      options: WaitOptions = {},
    ): Promise<Found<Pattern>> {
      checkOptions('events.waitFor', options, ['resource', 'timeout']);
      const { resource, timeout } = options;
      const query = { type, ...(resource !== undefined && { resource }) };
      let since = AFTER_SEED;
      const waited = await waitUntilFound(sandbox, timeout, async (ms) => {
        const { events, cursor } = await sandbox.listEvents({
          query: { ...query, since, wait: String(ms / 1000) },
        });
        since = cursor;
        return events.find(({ id }) => !input.has(id));
      });
      if (waited.found === undefined) {
        const newest = linesOf(await list(undefined, { limit: SHOWN }));
        throw new Error(explain(type, resource, waited, newest));
      }
      input.add(waited.found.id);
      return waited.found as Found<Pattern>;
    },
    async dropMissing() {
      if (input.size === 0) return;
      const there = new Set((await list()).map(({ id }) => id));
      for (const id of input) if (!there.has(id)) input.delete(id);
    },
  };
}

function explain(
  type: string,
  resource: string | undefined,
  { ended, advice }: { ended: string; advice: string },
  newest: string,
): string {
  const about = resource === undefined ? '' : ` about ${resource}`;
  return [
    `no event ${type}${about}${ended}; ${newest === '' ? 'there are no events yet.' : 'the newest events are'}`,
    ...(newest === '' ? [] : [newest]),
    advice,
  ].join('\n');
}

/** Formats events as lines of a message. */
export function linesOf(events: readonly BankEvent[]): string {
  return events.map(({ type, resource_id: id }) => `  ${type} ${id}`).join('\n');
}
