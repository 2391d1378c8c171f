/**
 * The optional rate limits: requests of a client address in any 5 minutes, and reads and writes of a sandbox in any
 * second, over both API versions. A request over a limit is refused before it is executed. The library counts in
 * fixed windows, but the platform documents rolling windows, so our own store counts the requests.
 * Source: "rate limiting" of both versions of the platform's reference; decisions `rate-limits-off` and `rate-limits`
 * in docs/fidelity.md.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../bank/kernel/refusal.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../bank/kernel/time.ts';

/** The maximum number of reads, and of writes, of a sandbox per second. */
const PER_SECOND = { sandbox: 50, production: 100 } as const;
const PER_CLIENT = { max: 1000, timeWindow: 5 * MINUTE_MS };
const READS = new Set(['GET', 'HEAD']);
/** Beyond this number, the client or sandbox with the oldest last request is forgotten. */
const MAX_KEYS = 10_000;

export interface RateLimits {
  /** Which of the platform's environments is imitated. */
  readonly rates: keyof typeof PER_SECOND;
  /** Real time: limits do not follow a sandbox's clock. */
  readonly clock: Clock;
}

/** Counts a request whose sandbox is known. Refuses: `rate_limited`. */
export type RateLimiter = (request: FastifyRequest) => Promise<void>;

/** Creates the limiter of a server, and loads the library. */
export async function createRateLimiter(
  server: FastifyInstance,
  { rates, clock }: RateLimits,
): Promise<RateLimiter> {
  const { default: rateLimit } = await import('@fastify/rate-limit');
  await server.register(rateLimit, { global: false, store: rollingStore(clock) });
  const perSecond = PER_SECOND[rates];
  const limits = [
    {
      what: `${PER_CLIENT.max} requests in 5 minutes from one address`,
      count: server.createRateLimit(PER_CLIENT),
    },
    {
      what: `${perSecond} reads and ${perSecond} writes in a second`,
      count: server.createRateLimit({
        max: perSecond,
        timeWindow: SECOND_MS,
        keyGenerator: ({ call, method }) => `${call?.sandbox.name} ${READS.has(method) ? 'reads' : 'writes'}`,
      }),
    },
  ];
  return async (request) => {
    if (request.call?.isObserver === true) return;
    for (const { what, count } of limits) {
      const counted = await count(request);
      if (counted.isAllowed || !counted.isExceeded) continue;
      throw refuse('rate_limited', {
        message: `too many requests: at most ${what}; try again in ${counted.ttl} ms`,
      });
    }
  };
}

/** Stores the time of each request in the window; refused requests do not count. */
function rollingStore(clock: Clock): FastifyRateLimitStoreCtor {
  // The library makes its stores with `new`.
  return class RollingStore implements FastifyRateLimitStore {
    private readonly passed = new Map<string, number[]>();

    incr: FastifyRateLimitStore['incr'] = (key, answer, timeWindow, max) => {
      const now = clock.now();
      const within = (this.passed.get(key) ?? []).filter((at) => at > now - timeWindow);
      const current = within.length + 1;
      if (current <= max) within.push(now);
      // Moves the key to the end of the map, because it was used last.
      this.passed.delete(key);
      this.passed.set(key, within);
      const [leastRecent] = this.passed.keys();
      if (this.passed.size > MAX_KEYS && leastRecent !== undefined) this.passed.delete(leastRecent);
      answer(null, { current, ttl: (within[0] ?? now) + timeWindow - now });
    };

    child(): FastifyRateLimitStore {
      return new RollingStore();
    }
  };
}
