/**
 * A platform with planted differences: a proxy in front of a second bank that changes requests and responses. It also
 * relays the events of the bank, so that one can be late, lost or duplicated. Its calls are stored.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PassingAnswer {
  method: string;
  path: string;
  status: number;
  headers: Record<string, string>;
  /** Parsed JSON; a mutation may change it in place or replace it. */
  // biome-ignore lint/suspicious/noExplicitAny: a mutation changes any body
  body: any;
}

// biome-ignore lint/suspicious/noExplicitAny: a mutation changes any body
type PassingEvent = { type: string; body: any };

/** The planted difference. */
export interface Mutation {
  /** A response in place of the bank's; the bank then does not receive the request. */
  refuse?(request: { method: string; path: string }): Omit<PassingAnswer, 'method' | 'path'> | undefined;
  answer?(answer: PassingAnswer): void | Promise<void>;
  /** The deliveries in place of an event, and their delays in milliseconds. */
  event?(event: PassingEvent): { events: PassingEvent[]; afterMs?: number };
}

export interface Platform {
  readonly url: string;
  /** Every call: `GET /v2/webhook`. */
  readonly calls: readonly string[];
  /** The headers of every call. */
  readonly headers: readonly IncomingMessage['headers'][];
  mutate(mutation: Mutation): void;
  close(): Promise<void>;
}

const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

/** Starts a platform in front of a bank. */
export async function startPlatform(bankUrl: string, first: Mutation = {}): Promise<Platform> {
  let mutation = first;
  const calls: string[] = [];
  const seen: IncomingMessage['headers'][] = [];
  let url = '';
  let relayed: Promise<void> = Promise.resolve();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(request);
    const address = request.url ?? '/';
    if (address.startsWith('/relay/')) {
      response.end();
      // The bank sends the next event of a record after the response to this one, which it must not overtake.
      const before = relayed;
      relayed = before.then(() => relay(address, body, mutation));
      await relayed;
      return;
    }
    calls.push(`${request.method} ${address}`);
    seen.push(request.headers);
    const call = { method: request.method ?? 'GET', path: address };
    const refused = mutation.refuse?.(call);
    const answer =
      refused === undefined ? await forward(bankUrl, url, request, body) : { ...call, ...refused };
    await mutation.answer?.(answer);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  };
  const server = await listen((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  url = addressOf(server);
  return {
    url,
    calls,
    headers: seen,
    mutate(next) {
      mutation = next;
    },
    close: () => closeServer(server),
  };
}

/** Starts a server on loopback. */
async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function forward(
  bankUrl: string,
  own: string,
  request: IncomingMessage,
  body: Buffer,
): Promise<PassingAnswer> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (!HOP.has(name) && typeof value === 'string') headers[name] = value;
  }
  const { method = 'GET', url = '/' } = request;
  const sent = method === 'POST' && /^\/v[12]\/webhook$/.test(url) ? withRelay(body, own) : body;
  const answer = await fetch(bankUrl + url, {
    method,
    headers,
    ...(sent.length > 0 && { body: new Uint8Array(sent) }),
  });
  const text = await answer.text();
  const kept = [...answer.headers].filter(([name]) => !HOP.has(name));
  return {
    method,
    path: url,
    status: answer.status,
    headers: Object.fromEntries(kept),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** A webhook that sends to the proxy, which forwards. */
function withRelay(body: Buffer, own: string): Buffer {
  const webhook = JSON.parse(body.toString()) as { url?: string };
  if (webhook.url?.startsWith('http://127.0.0.1') !== true) return body;
  return Buffer.from(JSON.stringify({ ...webhook, url: `${own}/relay/${encodeURIComponent(webhook.url)}` }));
}

async function relay(address: string, text: Buffer, { event }: Mutation): Promise<void> {
  const to = decodeURIComponent(address.slice('/relay/'.length));
  const body = JSON.parse(text.toString()) as PassingEvent['body'];
  const one: PassingEvent = { type: body.type ?? body.event_type ?? body.eventType ?? body.event, body };
  const { events, afterMs = 0 } = event?.(one) ?? { events: [one] };
  if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
  for (const { body: sent } of events) {
    await fetch(to, { method: 'POST', body: JSON.stringify(sent) }).catch(() => {});
  }
}
