/**
 * A proxy between a program and the platform: it forwards requests below /v1 and /v2 and records them with their
 * responses. The keys of the program are forwarded but never recorded. All other paths, in particular /_sandbox, are
 * refused.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SENT_HEADERS } from './har.ts';
import { operationOf } from './operations.ts';
import { isCallable, parseBody } from './side.ts';
import { COMPARED_HEADERS, type Exchange } from './transcript.ts';

export interface Passthrough {
  readonly url: string;
  /** The requests so far. */
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

export interface PassthroughOptions {
  /** The address of the platform. */
  readonly to: string;
  readonly port: number;
  readonly host?: string;
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Hop-by-hop headers. */
const OF_CONNECTIONS =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|content-encoding|accept-encoding|expect)$/;
const TIMEOUT_MS = 60_000;
const NOT_FOUND = 404;
const BAD_GATEWAY = 502;

/** Starts the proxy. Throws if the port is in use. */
export async function startPassthrough(options: PassthroughOptions): Promise<Passthrough> {
  const exchanges: Exchange[] = [];
  const keep = (exchange: Exchange): void => {
    exchanges.push(exchange);
    options.onExchange?.(exchange);
  };
  const server = createServer((request, response) => {
    pass(options.to, request, response, exchanges.length + 1, keep).catch((error: Error) => {
      refuse(response, BAD_GATEWAY, `the platform at ${options.to} does not respond: ${reasonOf(error)}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reasonOf({ cause, message }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}

async function pass(
  to: string,
  request: IncomingMessage,
  response: ServerResponse,
  number: number,
  keep: (exchange: Exchange) => void,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const [path = '/', words = ''] = url.split('?', 2);
  if (!isCallable(path)) {
    refuse(response, NOT_FOUND, `${path} is not forwarded: only paths below /v1 and /v2 are`);
    return;
  }
  const body = await readBody(request);
  const answer = await fetch(`${to.replace(/\/+$/, '')}${url}`, {
    method,
    headers: forwarded(request.headers),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const kept = [...answer.headers].filter(([name]) => !OF_CONNECTIONS.test(name));
  response.writeHead(answer.status, Object.fromEntries(kept));
  response.end(bytes);
  const query = Object.fromEntries(new URLSearchParams(words));
  const sent = picked(request.headers, SENT_HEADERS);
  const received = picked(Object.fromEntries(answer.headers), COMPARED_HEADERS);
  keep({
    step: `proxy ${number}`,
    operation: operationOf(method, path)?.id ?? `${method} ${path}`,
    request: {
      method,
      path,
      ...(words !== '' && { query }),
      ...(Object.keys(sent).length > 0 && { headers: sent }),
      ...(body.length > 0 && {
        body: parseBody(body.toString('utf8'), request.headers['content-type'] ?? ''),
      }),
    },
    answer: {
      status: answer.status,
      headers: received,
      body: parseBody(bytes.toString('utf8'), received['content-type'] ?? ''),
    },
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function forwarded(headers: IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).filter(
    ([name, value]) => !OF_CONNECTIONS.test(name) && typeof value === 'string',
  );
  return Object.fromEntries(pairs) as Record<string, string>;
}

function picked(
  headers: IncomingHttpHeaders | Record<string, string>,
  names: readonly string[],
): Record<string, string> {
  const pairs = names.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(pairs);
}
