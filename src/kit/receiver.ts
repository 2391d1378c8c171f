/**
 * A receiver of webhooks for a test: an HTTP server on loopback with a webhook of each version that sends everything
 * to it. It keeps every delivery, checks its signature, and fails when it is told to.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '../client/client.ts';
import type { EventKind, EventRecord } from '../client/event-types.ts';
import { verifyWebhook } from '../client/webhook.ts';

type Version = 'v1' | 'v2';

export interface ReceiverOptions {
  /** Kinds of event that are sent to it; all of both versions by default. */
  readonly kinds?: readonly EventKind[];
}

/** One request that the bank sent. */
export interface Delivery<Kind extends EventKind = EventKind> {
  /** The kind of event, like `card.spend`. */
  readonly kind: Kind;
  /** The version whose webhook sent it. */
  readonly version: Version;
  /** The header `webhook-id`: the same for every attempt. */
  readonly id: string;
  /** The record that the event is about, as its version shows it. */
  readonly data: EventRecord<Kind>;
  /** The body as it came; what was signed. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The HTTP status that the receiver answered. */
  readonly status: number;
  /** What is wrong with the signature; empty when it is right. */
  readonly problem: string;
}

export interface NextOptions {
  /** The id of the record that it must be about. */
  readonly resource?: string;
  /** Real milliseconds; 5000 by default. */
  readonly timeout?: number;
}

/** What `bank.receiver()` starts. */
export interface Receiver extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
  /** The secret of the webhook of each version that sends to it. */
  readonly secrets: Readonly<Partial<Record<Version, string>>>;
  /** Every delivery, the oldest first; also those that it answered with an error. */
  readonly deliveries: readonly Delivery[];
  /**
   * The oldest delivery of this kind that it took (signed and answered 200) and that was not given before; waits for
   * one. Fails with what was delivered when none comes in time.
   */
  next<Kind extends EventKind>(kind: Kind, options?: NextOptions): Promise<Delivery<Kind>>;
  /** Answers the next `times` deliveries with an error; every one until `fail(0)` without a number. 500 by default. */
  fail(times?: number, status?: number): void;
  /** Takes its webhooks away and stops listening. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_FAILURE = 500;
const DESCRIPTION = 'The receiver of a test';

/** Starts a receiver for the sandbox behind this client. Fails with the bank's refusal of a kind. */
export async function startReceiver(
  { v1, v2 }: Pick<Client, 'v1' | 'v2'>,
  { kinds }: ReceiverOptions = {},
): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const input = new Set<Delivery>();
  const waiting = new Set<() => void>();
  const secrets: Partial<Record<Version, string>> = {};
  const webhooks: (() => Promise<unknown>)[] = [];
  const failing = { times: 0, status: DEFAULT_FAILURE };

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const version: Version = request.url === '/v1' ? 'v1' : 'v2';
    const problem = problemOf(body, request.headers, secrets[version] ?? '');
    const fails = failing.times > 0;
    if (fails) failing.times -= 1;
    const status = problem !== '' ? 401 : fails ? failing.status : 200;
    const delivery = deliveryOf(version, body, request.headers, status, problem);
    if (delivery !== undefined) deliveries.push(delivery);
    response.writeHead(delivery === undefined ? 400 : status).end();
    for (const look of waiting) look();
  };
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  // A receiver that is forgotten does not keep its program running.
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      // A bank that is gone already has no webhooks.
      for (const remove of webhooks) await remove().catch(() => {});
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    })();
    return closing;
  };

  try {
    const wanted = (known: readonly string[]): string[] =>
      known.filter((kind) => kinds === undefined || kinds.some((one) => one === kind));
    const ofV2 = wanted((await v2.listWebhookEvents()).data);
    const ofV1 = wanted((await v1.listWebhookEvents()).data);
    const unknown = kinds?.find((kind) => !ofV1.includes(kind) && !ofV2.includes(kind));
    if (unknown !== undefined) throw new TypeError(`${unknown} is not an event kind of v1 or v2`);
    if (ofV2.length > 0) {
      const { id, secret } = await v2.createWebhook({
        body: { url: `${url}/v2`, events: ofV2, description: DESCRIPTION },
      });
      secrets.v2 = secret;
      webhooks.push(() => v2.deleteWebhook({ params: { webhook_id: id } }));
    }
    if (ofV1.length > 0) {
      const { id } = await v1.createWebhook({
        body: { url: `${url}/v1`, events: ofV1, description: DESCRIPTION },
      });
      webhooks.push(() => v1.deleteWebhook({ params: { webhookId: id } }));
      secrets.v1 = (await v1.retrieveWebhookSecret({ params: { webhookId: id } })).secret;
    }
  } catch (error) {
    await close();
    throw error;
  }

  return {
    url,
    secrets,
    deliveries,
    async next<Kind extends EventKind>(
      kind: Kind,
      { resource, timeout = DEFAULT_TIMEOUT_MS }: NextOptions = {},
    ) {
      const find = () =>
        deliveries.find(
          (one) =>
            one.kind === kind &&
            one.status === 200 &&
            !input.has(one) &&
            (resource === undefined || (one.data as { id?: string }).id === resource),
        );
      const found =
        find() ??
        (await new Promise<Delivery | undefined>((resolve) => {
          const end = (one: Delivery | undefined): void => {
            waiting.delete(look);
            clearTimeout(timer);
            resolve(one);
          };
          const look = (): void => {
            const one = find();
            if (one === undefined) return;
            input.add(one);
            end(one);
          };
          const timer = setTimeout(() => end(undefined), timeout);
          waiting.add(look);
        }));
      if (found === undefined) throw new Error(explain(kind, resource, timeout, deliveries));
      input.add(found);
      return found as unknown as Delivery<Kind>;
    },
    fail(times = Number.POSITIVE_INFINITY, status = DEFAULT_FAILURE) {
      failing.times = times;
      failing.status = status;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function problemOf(body: string, headers: IncomingMessage['headers'], secret: string): string {
  try {
    verifyWebhook(body, headers, secret);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The delivery; `undefined` for a request that is none. */
function deliveryOf(
  version: Version,
  body: string,
  headers: IncomingMessage['headers'],
  status: number,
  problem: string,
): Delivery | undefined {
  let event: { event_type?: EventKind; eventType?: EventKind; data?: EventRecord<EventKind> } | null;
  try {
    event = JSON.parse(body);
  } catch {
    return undefined;
  }
  const kind = version === 'v1' ? event?.eventType : event?.event_type;
  if (kind === undefined || event?.data === undefined) return undefined;
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const id = String(headers['webhook-id'] ?? '');
  return { kind, version, id, data: event.data, body, headers: Object.fromEntries(texts), status, problem };
}

function explain(
  kind: string,
  resource: string | undefined,
  timeout: number,
  deliveries: readonly Delivery[],
): string {
  const about = resource === undefined ? '' : ` about ${resource}`;
  const lines = deliveries.map(
    (one) => `  ${one.kind} ${one.id}, answered ${one.status}${one.problem === '' ? '' : `: ${one.problem}`}`,
  );
  return [
    `no delivery of ${kind}${about} was accepted within ${timeout} ms; ${lines.length === 0 ? 'nothing was delivered yet.' : 'delivered were'}`,
    ...lines,
    'A payment moves by the timetable of the rails: advance the clock, or settle it, before waiting.',
  ].join('\n');
}
