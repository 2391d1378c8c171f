/**
 * Dozens of clients that read the stream of one sandbox through kills and restarts, some of them slowly. Each resumes after the last
 * fact that it received, so each must receive every fact once, in order, and all must receive the same facts.
 */
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, find } from './client.ts';

export interface Observers {
  readonly sandbox: string;
  /** Waits until all have received the latest fact, and reports errors in what they received. */
  prove(latest: number): Promise<void>;
  close(): void;
}

const RETRY_MS = 100;
/** What has not come by then on a busy machine will not come. */
const LATE_MS = 40_000;
/** One in this many reads slowly. */
const LAZY = 4;

interface Observer {
  /** The id to resume from, and its number; before the first fact they are empty and 0. */
  lastId: string;
  last: number;
}

/** Opens streams of a sandbox, and reopens each that ends, until they are closed. */
export function openObservers(
  client: Client,
  { sandbox, count, lazyMs }: { sandbox: string; count: number; lazyMs: number },
): Observers {
  const closing = new AbortController();
  /** Slow observers read slowly only under load. */
  let isLoaded = true;
  const seen = new Map<number, string>();
  const fail = (detail: string): void =>
    find(client, 'an observer saw something else', `${sandbox}: ${detail}`);

  const note = (own: Observer, item: string): void => {
    const id = /^id: (\d+\.(\d+))$/m.exec(item);
    if (id === null) return;
    const [, whole = '', number] = id;
    const seq = Number(number);
    if (own.last !== 0 && seq !== own.last + 1) fail(`after fact ${own.last} came ${seq}`);
    const before = seen.get(seq);
    if (before !== undefined && before !== item) fail(`fact ${seq} was ${before} and is ${item}`);
    seen.set(seq, item);
    own.last = seq;
    own.lastId = whole;
  };

  const follow = (own: Observer, isLazy: boolean): Promise<void> =>
    new Promise((resolve) => {
      const headers = {
        'api-key': `test_${sandbox}`,
        ...(own.lastId !== '' && { 'last-event-id': own.lastId }),
      };
      const sent = get(`${client.server.url}/_sandbox/stream`, {
        headers,
        agent: false,
        signal: closing.signal,
      });
      sent.once('error', () => resolve());
      sent.once('response', (response) => {
        let rest = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          const items = (rest + text).split('\n\n');
          rest = items.pop() ?? '';
          for (const item of items) note(own, item);
          if (!isLazy || !isLoaded) return;
          response.pause();
          setTimeout(() => response.resume(), lazyMs).unref();
        });
        response.once('error', () => resolve()).once('close', () => resolve());
      });
    });

  const observers = Array.from({ length: count }, (_, place): Observer => {
    const own = { lastId: '', last: 0 };
    const run = async (): Promise<void> => {
      while (!closing.signal.aborted) {
        await follow(own, place % LAZY === 0);
        await pause(RETRY_MS);
      }
    };
    void run();
    return own;
  });

  return {
    sandbox,
    async prove(latest) {
      isLoaded = false;
      const since = performance.now();
      // An observer that connected after the last fact has received none.
      const isBehind = ({ last }: Observer): boolean => last !== 0 && last < latest;
      while (observers.some(isBehind) && performance.now() - since < LATE_MS) await pause(RETRY_MS);
      const behind = observers.filter(isBehind).map(({ last }) => last);
      if (behind.length > 0) fail(`${behind.length} of ${count} ended at ${behind.slice(0, 5)} of ${latest}`);
      if (observers.every(({ last }) => last === 0) && seen.size > 0) fail('none has seen a fact');
    },
    close: () => closing.abort(),
  };
}
