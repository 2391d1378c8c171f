/**
 * The bucket of `sandbank cluster bucket`, with what buckets do on bad days, and with two things that no bucket may do, so that a
 * checker can be tested: ignore the conditions, and acknowledge what it does not keep.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf, createObjects, keyOf, send } from '../../../src/cluster/command/bucket.ts';

/** Probabilities from 0 to 1, each for every request, and what else is wrong. */
export interface BucketFaults {
  /** How long a request waits at most, in milliseconds. */
  slowMs: number;
  /** Answers 503 without doing anything. */
  refuses: number;
  /** Carries a write out, and breaks the connection in place of an answer. */
  losesAnswer: number;
  /** Breaks the connection, and carries the write out some seconds later. */
  delivers: number;
  /** Writes whatever the conditions say: a broken bucket. */
  ignoresConditions: boolean;
  /** Acknowledges a write and does not keep it: a broken bucket. */
  forgets: number;
}

export const HEALTHY: BucketFaults = {
  slowMs: 0,
  refuses: 0,
  losesAnswer: 0,
  delivers: 0,
  ignoresConditions: false,
  forgets: 0,
};

export interface Bucket {
  readonly port: number;
  readonly url: string;
  readonly faults: BucketFaults;
  /** How many requests there were, by their method, and how many met a fault. */
  readonly counts: Record<string, number>;
  keys(): string[];
  /** The content of an object as text. */
  text(key: string): string | undefined;
  close(): Promise<void>;
}

/** A write that is delivered late comes after the writer has given up and tried again. */
const LATE_MS = 3_000;
const SLOW_DOWN = {
  status: 503,
  headers: { 'content-type': 'application/xml' },
  body: '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>',
};

/** Opens an empty bucket. `random` decides which requests meet a fault. */
export async function openBucket(random: () => number = Math.random, port = 0): Promise<Bucket> {
  const faults: BucketFaults = { ...HEALTHY };
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const objects = createObjects({
    obeysConditions() {
      count('conflicts');
      return !faults.ignoresConditions;
    },
    keeps() {
      const isForgotten = faults.forgets > 0 && random() < faults.forgets;
      if (isForgotten) count('forgotten');
      return !isForgotten;
    },
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '' } = request;
    const body = await bodyOf(request);
    const { pathname } = new URL(request.url ?? '/', 'http://bucket');
    const isWrite = method !== 'GET' && method !== 'HEAD';
    count(isWrite || keyOf(pathname) !== '' ? method : 'LIST');
    if (faults.slowMs > 0) await pause(random() * faults.slowMs);
    if (random() < faults.refuses) {
      count('refused');
      send(response, method, SLOW_DOWN);
      return;
    }
    if (isWrite && random() < faults.delivers) {
      count('late');
      response.destroy();
      await pause(LATE_MS);
      objects.answer(request, body);
      return;
    }
    const losesAnswer = isWrite && random() < faults.losesAnswer;
    const found = objects.answer(request, body);
    if (losesAnswer) {
      count('answers lost');
      response.destroy();
    } else send(response, method, found);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    faults,
    counts,
    keys: () => [...objects.all.keys()],
    text: (key) => objects.all.get(key)?.body.toString('utf8'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
