/**
 * The checks of events: each arrived at the receivers of its webhooks, in order, and none was dropped while its
 * receiver made progress.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, find } from './client.ts';
import type { Listener } from './plan.ts';
import type { Read } from './proofs.ts';
import { PROMPT, type Receiver } from './receivers.ts';

/** A created webhook, and the data for its checks. */
export interface Wired extends Listener {
  readonly receiver: Receiver;
  readonly id: string;
  /** The last event before it. */
  readonly cursor: string;
}

/** What has not come by then on a busy machine will not come. */
const LATE_MS = 40_000;
const LOOK_EVERY_MS = 100;

interface Event {
  id: string;
  type: string;
  api_version: string;
  resource_id: string;
}

/** Checks the events of a sandbox; returns how many arrived. */
export async function proveEvents(
  client: Client,
  name: string,
  read: Read,
  wired: readonly Wired[],
  final: boolean,
): Promise<number> {
  const answer = await read('GET', '/_sandbox/webhooks');
  const there = (answer?.webhooks ?? []) as { id: string; deliveries: { dropped: number } }[];
  const isSteady = (client.roles.get(name) ?? 'steady') === 'steady';
  let report = 0;
  for (const webhook of wired) {
    const { receiver, events: kinds, apiVersion, behaviour, cursor } = webhook;
    const found = there.find(({ id }) => id === webhook.id);
    // A receiver that stopped has deactivated its webhook, so nothing more is sent to it.
    if (found !== undefined && behaviour !== 'gone' && found.deliveries.dropped > 0) {
      client.counts.dropped += found.deliveries.dropped;
      find(
        client,
        'deliveries were dropped although their receiver made progress',
        `${name}: ${found.deliveries.dropped} to ${behaviour}`,
      );
    }
    if (found === undefined || behaviour === 'gone') {
      if (isSteady && found === undefined && webhook.sandbox === name) {
        find(client, 'a webhook that was acknowledged is gone', `${name}: ${webhook.id}`);
      }
      continue;
    }
    const events: Event[] = [];
    for (let since = cursor; ; ) {
      const page = await read('GET', `/_sandbox/events?api_version=${apiVersion}&limit=1000&since=${since}`);
      const more = (page?.events ?? []) as Event[];
      events.push(...more);
      const last = more.at(-1);
      if (last === undefined) break;
      since = last.id;
    }
    const wanted = kinds[0] === '*' ? events : events.filter(({ type }) => kinds.includes(type));
    const { arrived } = receiver;
    report += wanted.filter(({ id }) => arrived.has(id)).length;
    const isDue = final || PROMPT.includes(behaviour);
    const missing = wanted.filter(({ id }) => !arrived.has(id));
    if (isDue && missing.length > 0) {
      const isLate = await arrivesLater(() => missing.every(({ id }) => arrived.has(id)));
      const some = missing.slice(0, 4).map(({ id, type, resource_id }) => `${id} ${type} of ${resource_id}`);
      find(
        client,
        isLate
          ? 'an event came only after the drain had said that all had come'
          : 'an event was not delivered',
        `${name}: ${missing.length} of ${wanted.length} to ${behaviour}, as ${some.join('; ')}`,
      );
    }
    if (!isSteady) continue;
    await proveOrder(client, name, wanted, receiver, async ({ id }) => {
      const log = await read('GET', `/_sandbox/events/${id}/attempts`);
      const attempts = (log?.attempts ?? []) as {
        webhook_id: string;
        status: number | null;
        error: string;
      }[];
      return attempts.find(({ webhook_id }) => webhook_id === webhook.id);
    });
    const listed = new Set(events.map(({ id }) => id));
    const untrue = [...arrived.keys()].filter((id) => !listed.has(id));
    if (untrue.length > 0)
      find(client, 'an event was told that is not in the log', `${name}: ${untrue.slice(0, 5)}`);
  }
  return report;
}

/** Whether a condition becomes true within a time limit. */
async function arrivesLater(isThere: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < LATE_MS && !isThere(); waited += LOOK_EVERY_MS) await pause(LOOK_EVERY_MS);
  return isThere();
}

/**
 * Checks that the first attempts for the events of one record began in the order of the log. An attempt without an
 * answer may have begun in order and have arrived late or not at all, which `firstAttempt` tells.
 */
async function proveOrder(
  client: Client,
  name: string,
  wanted: readonly Event[],
  { arrived }: Receiver,
  firstAttempt: (event: Event) => Promise<{ status: number | null; error: string } | undefined>,
): Promise<void> {
  const places = new Map([...arrived.keys()].map((id, place) => [id, place]));
  const last = new Map<string, Event & { place: number }>();
  for (const event of wanted) {
    const { id, type, resource_id } = event;
    const place = places.get(id);
    if (place === undefined) continue;
    const before = last.get(resource_id);
    if (before !== undefined && before.place > place) {
      const first = await firstAttempt(before);
      const output = `${before.id} ${before.type} came after ${id} ${type} of ${resource_id}; its first attempt: ${JSON.stringify(first)}`;
      if (first?.status !== null)
        find(client, 'events of one record came out of order', `${name}: ${output}`);
    }
    last.set(resource_id, { ...event, place });
  }
}
