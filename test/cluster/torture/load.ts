/**
 * Clients of a cluster: each makes one payment after the other under a key of its own, and repeats it at any instance until it is
 * acknowledged. What was acknowledged is what has to be there in the end.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** What was acknowledged. */
interface Acknowledged {
  readonly sandbox: string;
  /** The description of the payment, and its key. */
  readonly tag: string;
  readonly id: string;
  readonly cents: number;
}

/** A gap in which a sandbox acknowledged nothing. */
interface Gap {
  readonly sandbox: string;
  readonly ms: number;
}

export interface Load {
  readonly acknowledged: Map<string, Acknowledged>;
  readonly findings: string[];
  /** Answers that were no success, by their status; 0 for none at all. */
  readonly failures: Map<number, number>;
  /** The longest gap of each sandbox since the last call; also one that has not ended. */
  takeGaps(): Gap[];
  /** Waits until every sandbox has acknowledged a payment that began after now. */
  allAnswer(limitMs: number): Promise<boolean>;
  /** Lets each client finish its payment; false for one that could not within the limit. */
  finish(limitMs: number): Promise<boolean>;
}

export interface LoadOptions {
  urls(): readonly string[];
  readonly sandboxes: readonly string[];
  readonly clients: number;
  readonly random: () => number;
  /** The ids of the seeded records, by sandbox. */
  readonly seeded: ReadonlyMap<string, Record<string, string>>;
  /** Between two payments of a client. */
  readonly restMs: number;
}

/** Long enough for a busy instance, and short enough to try the next one soon. */
const ATTEMPT_MS = 2_500;
const RETRY_MS = 60;
const MOST_CENTS = 400;
type Attempt = 'acknowledged' | 'again' | 'refused';
const AGAIN: readonly number[] = [408, 409, 425, 429];

/** Starts the clients. */
export function startLoad(options: LoadOptions): Load {
  const { sandboxes, clients, random, seeded, restMs } = options;
  const acknowledged = new Map<string, Acknowledged>();
  const findings: string[] = [];
  const failures = new Map<number, number>();
  const ids = new Map<string, string>();
  const lastAt = new Map(sandboxes.map((name) => [name, performance.now()]));
  const longest = new Map<string, number>();
  const begunAfter = new Map<string, number>();
  let isOver = false;
  let deadline = Number.POSITIVE_INFINITY;

  const note = (sandbox: string, begunAt: number): void => {
    const now = performance.now();
    longest.set(sandbox, Math.max(longest.get(sandbox) ?? 0, now - (lastAt.get(sandbox) ?? now)));
    lastAt.set(sandbox, now);
    begunAfter.set(sandbox, Math.max(begunAfter.get(sandbox) ?? 0, begunAt));
  };
  const attempt = async (sandbox: string, tag: string, cents: number): Promise<Attempt> => {
    const urls = options.urls();
    const url = urls[Math.floor(random() * urls.length)] ?? '';
    const { sub_account_id, ach_counterparty_id: counterparty_id } = seeded.get(sandbox) ?? {};
    const begunAt = performance.now();
    const reply = await send(`${url}/v2/payments/ach/pull`, {
      method: 'POST',
      headers: { 'api-key': `test_${sandbox}`, 'idempotency-key': tag, 'content-type': 'application/json' },
      body: JSON.stringify({
        sub_account_id,
        counterparty_id,
        amount: (cents / 100).toFixed(2),
        description: tag,
      }),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    if (reply.status < 200 || reply.status > 299) {
      failures.set(reply.status, (failures.get(reply.status) ?? 0) + 1);
      if (reply.status >= 400 && reply.status < 500 && !AGAIN.includes(reply.status)) {
        findings.push(`refused: ${tag} was answered ${reply.status} ${reply.text.slice(0, 300)}`);
        return 'refused';
      }
      return 'again';
    }
    const { id } = JSON.parse(reply.text) as { id: string };
    const owner = ids.get(`${sandbox} ${id}`);
    if (owner !== undefined && owner !== tag) {
      findings.push(`repeated id: ${id} of ${sandbox} is the id of ${owner} and of ${tag}`);
    }
    ids.set(`${sandbox} ${id}`, tag);
    acknowledged.set(tag, { sandbox, tag, id, cents });
    note(sandbox, begunAt);
    return 'acknowledged';
  };
  const client = async (sandbox: string, number: number): Promise<boolean> => {
    for (let count = 0; !isOver; count += 1) {
      const tag = `${sandbox}-${number}-${count}`;
      const cents = 1 + Math.floor(random() * MOST_CENTS);
      let outcome = await attempt(sandbox, tag, cents);
      while (outcome === 'again') {
        if (performance.now() > deadline) return false;
        await pause(RETRY_MS);
        outcome = await attempt(sandbox, tag, cents);
      }
      // What it pays from or to is gone, so nothing more can be acknowledged.
      if (outcome === 'refused') return true;
      await pause(restMs * (0.5 + random()));
    }
    return true;
  };
  const all = Promise.all(
    sandboxes.flatMap((name) => Array.from({ length: clients }, (_, number) => client(name, number))),
  );

  return {
    acknowledged,
    findings,
    failures,
    takeGaps() {
      const now = performance.now();
      const gaps = sandboxes.map((sandbox) => ({
        sandbox,
        ms: Math.max(longest.get(sandbox) ?? 0, now - (lastAt.get(sandbox) ?? now)),
      }));
      longest.clear();
      return gaps;
    },
    async allAnswer(limitMs) {
      const since = performance.now();
      while (sandboxes.some((name) => (begunAfter.get(name) ?? 0) < since)) {
        if (performance.now() - since > limitMs) return false;
        await pause(RETRY_MS);
      }
      return true;
    },
    async finish(limitMs) {
      isOver = true;
      deadline = performance.now() + limitMs;
      return (await all).every(Boolean);
    },
  };
}

export interface Reply {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly text: string;
}

/** A request; a connection that broke is an answer with the status 0. */
export async function send(url: string, init: RequestInit): Promise<Reply> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

export interface Receiver {
  readonly url: string;
  /** The events that came, each with a digest of its body. */
  readonly events: Map<string, string>;
  /** The tags of the payments that settled. */
  readonly settled: Set<string>;
  readonly findings: string[];
  close(): void;
}

/** Takes the webhooks of all sandboxes, whose names are in the paths. `name` is its host for those that send them. */
export async function openReceiver(host = '127.0.0.1', name = host): Promise<Receiver> {
  const events = new Map<string, string>();
  const settled = new Set<string>();
  const findings: string[] = [];
  const server = createServer(async (request, response) => {
    try {
      const body = await buffer(request);
      const id = `${request.url?.slice(1)} ${request.headers['webhook-id']}`;
      const digest = createHash('sha1').update(body).digest('hex');
      const before = events.get(id);
      if (before !== undefined && before !== digest) {
        findings.push(`repeated number: event ${id} came again with another body`);
      }
      events.set(id, digest);
      const { event_type: type, data } = JSON.parse(body.toString('utf8'));
      if (type === 'transaction.status.settled') settled.add(data.description);
      response.writeHead(200).end();
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}/`,
    events,
    settled,
    findings,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
