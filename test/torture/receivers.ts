/**
 * Receivers of webhooks, each with its own behaviour: they respond immediately, late, with errors or not at all. They
 * store the time of every arrival from its first line on, because the bank guarantees the order of starts, and check
 * the signature of every complete body with the library that clients use.
 */
import { hash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { Behaviour } from './plan.ts';

export interface Receiver {
  readonly url: string;
  readonly behaviour: Behaviour;
  /** Events in the order of their first arrival, and their number of arrivals. */
  readonly arrived: Map<string, number>;
  /** The complete ones: a digest of the body, which every repetition must have. */
  readonly bodies: Map<string, string>;
  /** The webhook whose signatures are checked; known after it is created. */
  secret: string;
  /** Changed bodies are not a fault if the bank was replaced. */
  repeatsExactly: boolean;
  readonly problems: string[];
  /** Completes responses that wait for the end of the server. */
  release(): void;
  close(): Promise<void>;
}

/** The behaviours that accept every first attempt, so that no delivery needs a retry. */
export const PROMPT: readonly Behaviour[] = ['quick', 'slow', 'late', 'edge'];
const SLOW_MS = 40;
const LATE_MS = 400;
/** The time for each delivery to the receiver `edge`, which handles one at a time: about as many as a load creates. */
const EDGE_MS = 4;
/** The maximum number of errors for one event; the bank makes seven attempts. */
const MOST_FAILURES = 2;
const GONE_AFTER = 20;

export async function openReceiver(behaviour: Behaviour): Promise<Receiver> {
  const arrived = new Map<string, number>();
  const bodies = new Map<string, string>();
  const problems: string[] = [];
  const waiting = new Set<() => void>();
  let hung = false;
  /** When the slow receiver has handled everything. */
  let busyUntil = 0;

  const later = (ms: number, answer: () => void): void => {
    const go = (): void => {
      clearTimeout(timer);
      waiting.delete(go);
      answer();
    };
    const timer = setTimeout(go, ms);
    waiting.add(go);
  };
  const finish = (response: ServerResponse, id: string, count: number): void => {
    const draw = Number.parseInt(hash('sha1', `${id}/${count}`).slice(0, 6), 16);
    const say = (status: number): void => void response.writeHead(status).end();
    const isUnlucky = count <= MOST_FAILURES && draw % 7 === 0;
    if (behaviour === 'slow') later(draw % SLOW_MS, () => say(200));
    else if (behaviour === 'edge') {
      busyUntil = Math.max(busyUntil, performance.now()) + EDGE_MS;
      later(busyUntil - performance.now(), () => say(200));
    } else if (behaviour === 'late' && draw % 40 === 0) later(LATE_MS, () => say(200));
    else if (behaviour === 'flaky' && isUnlucky) say(500);
    else if (behaviour === 'closing' && isUnlucky) response.destroy();
    else if (behaviour === 'gone' && arrived.size > GONE_AFTER) say(410);
    else if (behaviour === 'hanging' && !hung) hung = true;
    else say(200);
  };

  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    const count = (arrived.get(id) ?? 0) + 1;
    arrived.set(id, count);
    buffer(request).then(
      (body) => {
        check(id, body, request.headers as Record<string, string>);
        finish(response, id, count);
      },
      // The bank was killed during the request; it will be repeated.
      () => response.destroy(),
    );
  });
  const check = (id: string, body: Buffer, headers: Record<string, string>): void => {
    if (receiver.secret !== '') {
      try {
        new Webhook(`whsec_${Buffer.from(receiver.secret).toString('base64')}`).verify(body, headers);
      } catch (error) {
        problems.push(`event ${id} has a bad signature: ${String(error)}`);
      }
    }
    const digest = hash('sha1', body);
    const before = bodies.get(id);
    if (before !== undefined && before !== digest && receiver.repeatsExactly) {
      problems.push(`event ${id} came again with another body: ${body.toString().slice(0, 300)}`);
    }
    bodies.set(id, digest);
  };
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    behaviour,
    arrived,
    bodies,
    secret: '',
    repeatsExactly: true,
    problems,
    release() {
      for (const go of [...waiting]) go();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
