/**
 * Receives the events of both sides: one server with a path for each side and version. Webhooks for these paths are
 * created and deleted at the end. The receiver stores events and their times. It does not check signatures, because
 * the secret of a v2 webhook is shown only once and a scenario checks them separately.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface IncomingEvent {
  readonly type: string;
  /** The ids of its records. */
  readonly about: readonly string[];
  readonly body: unknown;
  /** Real milliseconds, on the clock of `performance`. */
  readonly at: number;
}

/** The received events of one side. */
export interface EventSource {
  /** The address for the webhook of a version. */
  addressOf(version: 'v1' | 'v2'): string;
  /** The events so far, oldest first. */
  readonly events: readonly IncomingEvent[];
}

export interface EventServer {
  readonly port: number;
  sourceAt(name: string, publicUrl?: string): EventSource;
  close(): Promise<void>;
}

const LONGEST_BODY = 1_000_000;
const OK = 200;
const NOT_FOUND = 404;

/** Starts the receiver on this machine, at a port that the user makes reachable; 0 chooses a free one. */
export async function startEventServer(port: number, host = '127.0.0.1'): Promise<EventServer> {
  const received = new Map<string, IncomingEvent[]>();

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, name = ''] = /^\/([a-z]+)\/v[12](?:[?/].*)?$/.exec(request.url ?? '') ?? [];
    const events = received.get(name);
    const event = events === undefined ? undefined : parseEvent(await readBody(request));
    if (event !== undefined) events?.push(event);
    response.writeHead(events === undefined ? NOT_FOUND : OK).end();
  };
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const listening = (server.address() as AddressInfo).port;

  return {
    port: listening,
    sourceAt(name, publicUrl = `http://127.0.0.1:${listening}`) {
      const events: IncomingEvent[] = [];
      received.set(name, events);
      return { events, addressOf: (version) => `${publicUrl.replace(/\/+$/, '')}/${name}/${version}` };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > LONGEST_BODY) throw new Error('the body is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses the envelope of either version; `undefined` if the text is not an event. */
function parseEvent(text: string): IncomingEvent | undefined {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const type = body.type ?? body.event_type ?? body.eventType ?? body.event;
    return { type: String(type), about: subjectsOf(String(type), body.data), body, at: performance.now() };
  } catch {
    return undefined;
  }
}

/** The records of an event; the event of a check also concerns its person or business. */
function subjectsOf(type: string, data: unknown): string[] {
  const { id, personId, businessId } = Object(data) as Record<string, unknown>;
  const owner = type.startsWith('person.') ? personId : type.startsWith('business.') ? businessId : undefined;
  return [id, owner].filter((one) => typeof one === 'string');
}
