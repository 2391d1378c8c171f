/**
 * A receiver of webhooks on a separate port: it stores the deliveries and responds as configured. It checks
 * signatures with a few lines of node:crypto, independent of our own code and of the library that clients use.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrival {
  path: string;
  headers: IncomingHttpHeaders;
  /** The bytes as text, which are signed. */
  body: string;
  json: Record<string, unknown>;
}

export interface Receiver {
  readonly url: string;
  /** In the order of arrival. */
  readonly arrivals: Arrival[];
  /** The status of later responses: 200 by default; a promise is awaited. */
  answer: (arrival: Arrival) => number | Promise<number>;
  /** Additional headers of every response. */
  headers: Record<string, string>;
  /** The body of every response; empty by default. */
  text: string;
  close(): Promise<void>;
}

/** Opens a receiver; 0 selects a free port. Containers do not reach loopback. */
export async function openReceiver(port = 0, host = '127.0.0.1'): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { url: path = '', headers } = request;
      const arrival: Arrival = { path, headers, body, json: JSON.parse(body) as Record<string, unknown> };
      receiver.arrivals.push(arrival);
      response.writeHead(await receiver.answer(arrival), receiver.headers).end(receiver.text);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals: [],
    answer: () => 200,
    headers: {},
    text: '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** The two expected signatures of an arrival, computed from the secret. */
export function signaturesOf({ headers, body }: Arrival, secret: string): { own: string; standard: string } {
  const hmac = (text: string) => createHmac('sha256', Buffer.from(secret, 'utf8')).update(text, 'utf8');
  const content = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  return { own: hmac(body).digest('hex'), standard: `v1,${hmac(content).digest('base64')}` };
}
