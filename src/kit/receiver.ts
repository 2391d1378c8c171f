/**
 * A receiver of webhooks for a test: an HTTP server on loopback, and a webhook of each version that sends everything
 * to it. It stores every delivery, checks its signature, and fails on request.
 */
import { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from './client/client.ts';
import type { EventRecord, EventType } from './client/event-types.ts';
import { verifyWebhook } from './client/webhook.ts';
import { checkOptions } from './options.ts';
import { own } from './own.ts';
import { waitUntilFound } from './waiting.ts';

type Version = 'v1' | 'v2';

export interface ReceiverOptions {
  /** The event types to receive. Default: all of both versions. */
  readonly types?: readonly EventType[];
}

/** One request that the bank sent. */
export interface Delivery<Type extends EventType = EventType> {
  /** The event type, such as `card.spend`. */
  readonly type: Type;
  /** The version whose webhook sent it. */
  readonly version: Version;
  /** The header `webhook-id`: the same for every attempt. */
  readonly id: string;
  /** The record of the event, in the format of its version. */
  readonly data: EventRecord<Type>;
  /** The raw body, which is signed. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The HTTP status that the receiver answered. */
  readonly status: number;
  /** The problem of the signature; empty if it is valid. */
  readonly problem: string;
}

export interface NextOptions {
  /** The id of the delivery's record. */
  readonly resource?: string;
  /** Real milliseconds. Default: 4000, and less if the clock is frozen and nothing is due. */
  readonly timeout?: number;
}

/** The receiver that `bank.receiver()` starts. */
export interface Receiver extends AsyncDisposable {
  /** The URL of the receiver. */
  readonly url: string;
  /** The secret of the webhook of each version that sends to it. */
  readonly secrets: Readonly<Partial<Record<Version, string>>>;
  /** All deliveries, oldest first, including those that were answered with an error. */
  readonly deliveries: readonly Delivery[];
  /**
   * Waits for the oldest delivery of this type that was accepted (valid signature, answered with 200) and that no
   * earlier call returned. If there is none before the timeout, or soon if the clock is frozen and nothing is due,
   * throws an error that says why and lists the deliveries, with the time of the next attempt after a failed one.
   */
  next<Type extends EventType>(type: Type, options?: NextOptions): Promise<Delivery<Type>>;
  /**
   * Answers the next `times` deliveries with an error, or, without a number, all until `fail(0)`. Default status:
   * 500.
   */
  fail(times?: number, status?: number): void;
  /** Deletes its webhooks and stops listening. */
  close(): Promise<void>;
}

const DEFAULT_FAILURE = 500;
const SHOWN_ATTEMPTS = 10;
const DESCRIPTION = 'The receiver of a test';

/** Starts a receiver for the sandbox of this client. Throws the bank's refusal of an unknown type. */
export async function startReceiver(
  { v1, v2, sandbox }: Client,
  options: ReceiverOptions = {},
): Promise<Receiver> {
  checkOptions('bank.receiver', options, ['types']);
  const { types } = options;
  const deliveries: Delivery[] = [];
  const input = new Set<Delivery>();
  const waiting = new Set<() => void>();
  const secrets: Partial<Record<Version, string>> = {};
  const webhooks = new Map<string, () => Promise<unknown>>();
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
  // A receiver that was not closed does not keep the process alive.
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      // A bank that has already stopped has no webhooks.
      for (const remove of webhooks.values()) await remove().catch(() => {});
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    })();
    return closing;
  };

  try {
    const wanted = (known: readonly string[]): string[] =>
      known.filter((type) => types === undefined || types.some((one) => one === type));
    const ofV2 = wanted((await v2.listWebhookEvents()).data);
    const ofV1 = wanted((await v1.listWebhookEvents()).data);
    const unknown = types?.find((type) => !ofV1.includes(type) && !ofV2.includes(type));
    if (unknown !== undefined) throw new TypeError(`${unknown} is not an event type of v1 or v2`);
    if (ofV2.length > 0) {
      const { id, secret } = await v2.createWebhook({
        body: { url: `${url}/v2`, events: ofV2, description: DESCRIPTION },
      });
      secrets.v2 = secret;
      webhooks.set(id, () => v2.deleteWebhook({ params: { webhook_id: id } }));
    }
    if (ofV1.length > 0) {
      const { id } = await v1.createWebhook({
        body: { url: `${url}/v1`, events: ofV1, description: DESCRIPTION },
      });
      webhooks.set(id, () => v1.deleteWebhook({ params: { webhookId: id } }));
      secrets.v1 = (await v1.retrieveWebhookSecret({ params: { webhookId: id } })).secret;
    }
  } catch (error) {
    await close();
    throw error;
  }

  /** Waits until a delivery arrives that `find` finds, at most `ms` real milliseconds. */
  const arrive = (find: () => Delivery | undefined, ms: number): Promise<Delivery | undefined> =>
    new Promise((resolve) => {
      const end = (one: Delivery | undefined): void => {
        waiting.delete(look);
        own.clearTimeout(timer);
        resolve(one);
      };
      const look = (): void => {
        const one = find();
        if (one !== undefined) end(one);
      };
      const timer = own.setTimeout(() => end(undefined), ms);
      waiting.add(look);
    });

  /** When each event is sent again whose last delivery failed, as lines of a message. */
  const nextAttempts = async (wanted: readonly Delivery[]): Promise<string[]> => {
    const last = new Map(wanted.map((one) => [one.id, one]));
    const failed = [...last.values()].filter(({ status }) => status !== 200).slice(0, SHOWN_ATTEMPTS);
    const lines = failed.map(async ({ id }) => {
      // An event that the bank does not know was sent by somebody else.
      const { attempts } = await sandbox
        .listEventAttempts({ params: { id } })
        .catch(() => ({ attempts: [] }));
      const next = attempts.find((one) => one.next_due_at !== '' && webhooks.has(one.webhook_id));
      return next === undefined
        ? []
        : [`The next attempt of ${id} is due at ${next.next_due_at} on the bank's clock.`];
    });
    return (await Promise.all(lines)).flat();
  };

  return {
    url,
    secrets,
    deliveries,
    async next<Type extends EventType>(type: Type, options: NextOptions = {}) {
      checkOptions('receiver.next', options, ['resource', 'timeout']);
      const { resource, timeout } = options;
      const isWanted = (one: Delivery): boolean =>
        one.type === type && (resource === undefined || (one.data as { id?: string }).id === resource);
      const find = (): Delivery | undefined => {
        const one = deliveries.find((one) => isWanted(one) && one.status === 200 && !input.has(one));
        if (one !== undefined) input.add(one);
        return one;
      };
      const waited = await waitUntilFound(sandbox, timeout, async (ms) => find() ?? (await arrive(find, ms)));
      if (waited.found !== undefined) return waited.found as unknown as Delivery<Type>;
      const about = resource === undefined ? '' : ` about ${resource}`;
      throw new Error(
        [
          `no delivery of ${type}${about} was accepted${waited.ended}; ${deliveries.length === 0 ? 'nothing was delivered yet.' : 'delivered were'}`,
          ...deliveries.map(lineOf),
          ...(await nextAttempts(deliveries.filter(isWanted))),
          waited.advice,
        ].join('\n'),
      );
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
    verifyWebhook(body, headers, secret, { now: new Date(own.now()) });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Parses a delivery; `undefined` for any other request. */
function deliveryOf(
  version: Version,
  body: string,
  headers: IncomingMessage['headers'],
  status: number,
  problem: string,
): Delivery | undefined {
  let event: { event_type?: EventType; eventType?: EventType; data?: EventRecord<EventType> } | null;
  try {
    event = JSON.parse(body);
  } catch {
    return undefined;
  }
  const type = version === 'v1' ? event?.eventType : event?.event_type;
  if (type === undefined || event?.data === undefined) return undefined;
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const id = String(headers['webhook-id'] ?? '');
  return { type, version, id, data: event.data, body, headers: Object.fromEntries(texts), status, problem };
}

function lineOf({ type, id, status, problem }: Delivery): string {
  return `  ${type} ${id}, answered ${status}${problem === '' ? '' : `: ${problem}`}`;
}
