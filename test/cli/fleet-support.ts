/**
 * Banks for the tests of `sandbank fleet`, a runtime API that only knows its map, and what stands between a command and a bank to
 * delay its calls and to repeat them.
 */
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFolder, type Running, startBank } from '../process/support.ts';

/** A runtime API: what was set in its map, by slot. */
export async function startProxy(answer = ''): Promise<{ socket: string; routes: Map<string, string> }> {
  const socket = join(makeFolder(), 'proxy.sock');
  const routes = new Map<string, string>();
  const server = createNetServer({ allowHalfOpen: true }, (connection) => {
    connection.setEncoding('utf8').on('data', (text: string) => {
      const [, slot, bank] = /^set map #7 (\S+) (\S+)\n$/.exec(text) ?? [];
      if (slot !== undefined && bank !== undefined && answer === '') routes.set(slot, bank);
      connection.end(
        text === 'show map\n' ? '# id (file) description\n7 (slots.map) of a test\n\n' : `${answer}\n`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  return { socket, routes };
}

export const start = (slots: string, settings = {}): Promise<Running> =>
  startBank({ SANDBANK_SLOTS: slots, SANDBANK_SECRETS: 'seeded', ...settings });
export const listOf = (...banks: { url: string }[]): string =>
  banks.map(({ url }, at) => `bank-${at}=${url}`).join(',');

/** A call as it was sent to a bank. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Passes a call on as it was sent. */
export function send(url: string, { method, path, headers, body }: Sent): Promise<Response> {
  return fetch(url + path, { method, headers, ...(body.length > 0 && { body: new Uint8Array(body) }) });
}

/** An address that passes calls on to a bank, each after `before` has settled, and remembers them. */
export async function between(
  bank: Running,
  before: (sent: Sent) => Promise<void> | undefined = () => undefined,
): Promise<{ url: string; calls: Sent[] }> {
  const calls: Sent[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const kept = ['content-type', 'api-key', 'authorization'];
    const headers = Object.entries(request.headers).filter(([name]) => kept.includes(name));
    const sent: Sent = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: Buffer.concat(chunks),
    };
    calls.push(sent);
    await before(sent);
    const answer = await send(bank.url, sent);
    const type = answer.headers.get('content-type');
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}
