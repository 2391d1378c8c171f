/**
 * What stands between a command and a bank: an address that passes calls on, each after a delay if there is one, and remembers
 * them, so that they can be sent once more.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as it was sent to a bank. */
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

/** Passes a call on as it was sent. */
export function send(url: string, { method, path, headers, body }: Sent): Promise<Response> {
  return fetch(url + path, { method, headers, ...(body.length > 0 && { body: new Uint8Array(body) }) });
}

/** An address that passes calls on to a bank, each after `before` has settled. A bank that does not answer breaks the connection. */
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
