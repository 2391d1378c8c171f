/**
 * Bytes over a socket, for what no HTTP client sends: half a request, one without a Host, a very slow one.
 */
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Talk {
  readonly socket: Socket;
  /** What has arrived so far. */
  received(): string;
  /** Resolves with everything that arrived, when the connection has ended. */
  readonly ended: Promise<{ text: string; error: string; ms: number }>;
  /** Resolves with what has arrived when it contains this. */
  receives(part: string): Promise<string>;
}

/** Opens a connection to the server at `url` that ends with the test, and sends `bytes`. */
export function talkTo(url: string, bytes: string): Talk {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
  onTestFinished(() => {
    socket.destroy();
  });
  const since = performance.now();
  let text = '';
  let error = '';
  const listeners = new Set<() => void>();
  socket.setEncoding('utf8').on('data', (part) => {
    text += part;
    for (const listener of listeners) listener();
  });
  socket.on('error', ({ message }) => {
    error = message;
  });
  socket.write(bytes);
  return {
    socket,
    received: () => text,
    ended: new Promise((resolve) => {
      socket.on('close', () => resolve({ text, error, ms: performance.now() - since }));
    }),
    receives: (part) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!text.includes(part)) return;
          listeners.delete(look);
          resolve(text);
        };
        listeners.add(look);
        socket.once('close', () => reject(new Error(`the connection ended before ${part}: ${text}`)));
        look();
      }),
  };
}

/** The status of the first response. */
export function statusOf(text: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
}

/** The body of the first response, parsed. */
export function bodyOf(text: string): Record<string, unknown> {
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
}
