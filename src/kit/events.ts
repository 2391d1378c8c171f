/**
 * The events of a sandbox, whether or not a webhook wants them. Waiting asks the server, which answers as soon as there
 * is one: nobody sleeps and nobody polls. An event that was waited for is given once, so that the next wait gets the next.
 */
import type { ControlMethods } from '../client/types.ts';

/** One event, with the record as its generation shows it. */
export type BankEvent = Awaited<ReturnType<ControlMethods['listEvents']>>['events'][number];

export interface WaitOptions {
  /** The id of the record that it is about, in either spelling. */
  readonly resource?: string;
  /** Real milliseconds; 5000 unless given. */
  readonly timeout?: number;
}

export interface BankEvents {
  /** The newest events, of one kind if one is given (`transaction.*` is a beginning). */
  list(
    type?: string,
    options?: { readonly resource?: string; readonly limit?: number },
  ): Promise<BankEvent[]>;
  /**
   * The oldest event of this kind that was not given before, also one that happened before it was asked for. Fails with
   * what did happen when none comes in time.
   */
  waitFor(type: string, options?: WaitOptions): Promise<BankEvent>;
}

/** The same, as the bank's own object keeps them. */
interface KeptEvents extends BankEvents {
  /** After the bank was set back: an event that happens again, under the same id, is a new one. */
  forgetGone(): Promise<void>;
}

const USUAL_TIMEOUT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
const SHOWN = 10;
const PAGE = 1_000;

/** The events of the sandbox behind these methods. */
export function eventsOf(sandbox: ControlMethods): KeptEvents {
  const given = new Set<string>();

  const list: BankEvents['list'] = async (type, { resource, limit } = {}) => {
    const { events } = await sandbox.listEvents({
      query: {
        ...(type !== undefined && { type }),
        ...(resource !== undefined && { resource }),
        ...(limit !== undefined && { limit: String(limit) }),
      },
    });
    return events;
  };

  return {
    list,
    async waitFor(type, { resource, timeout = USUAL_TIMEOUT_MS } = {}) {
      const end = Date.now() + timeout;
      let since = '';
      for (;;) {
        const left = Math.min(Math.max(0, end - Date.now()), LONGEST_WAIT_MS);
        const { events, cursor } = await sandbox.listEvents({
          query: {
            type,
            since,
            ...(resource !== undefined && { resource }),
            wait: String(left / 1000),
          },
        });
        const found = events.find(({ id }) => !given.has(id));
        if (found !== undefined) {
          given.add(found.id);
          return found;
        }
        since = cursor;
        if (Date.now() >= end) throw new Error(await explain(list, type, resource, timeout));
      }
    },
    async forgetGone() {
      if (given.size === 0) return;
      const there = new Set<string>();
      for (let since = ''; ; ) {
        const { events, cursor } = await sandbox.listEvents({ query: { since, limit: String(PAGE) } });
        for (const { id } of events) there.add(id);
        if (events.length < PAGE) break;
        since = cursor;
      }
      for (const id of given) if (!there.has(id)) given.delete(id);
    },
  };
}

async function explain(
  list: BankEvents['list'],
  type: string,
  resource: string | undefined,
  timeout: number,
): Promise<string> {
  const newest = (await list(undefined, { limit: SHOWN })).map(
    ({ type: kind, resource_id: id }) => `  ${kind} ${id}`,
  );
  const about = resource === undefined ? '' : ` about ${resource}`;
  return [
    `no event ${type}${about} within ${timeout} ms; the newest events are`,
    ...newest,
    'A payment moves by the timetable of the rails: advance the clock, or settle it, before waiting.',
  ].join('\n');
}
