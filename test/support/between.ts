/**
 * A proxy between a command and a bank: it forwards requests, optionally with a delay, and records them, so that they
 * can be repeated.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A recorded request. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Between {
  readonly url: string;
  readonly calls: Sent[];
  close(): void;
}

const KEPT_HEADERS = ['content-type', 'api-key', 'authorization'];

/** Forwards a request unchanged. */
export function send(url: string, { method, path, headers, body }: Sent): Promise<Response> {
  return fetch(url + path, { method, headers, ...(body.length > 0 && { body: new Uint8Array(body) }) });
}

/**
 * Opens an address that forwards requests to a bank, each after `before` has settled. If the bank does not answer,
 * the connection is broken.
 */
export async function openBetween(
  bank: { readonly url: string },
  before: (sent: Sent) => Promise<void> | undefined = () => undefined,
): Promise<Between> {
  const calls: Sent[] = [];
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = Object.entries(request.headers).filter(([name]) => KEPT_HEADERS.includes(name));
      const sent: Sent = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: Buffer.concat(chunks),
      };
      calls.push(sent);
      await before(sent);
      const answer = await send(bank.url, sent);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const type = answer.headers.get('content-type');
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
      response.end(bytes);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
