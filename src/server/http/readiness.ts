/**
 * The readiness of the server. A start binds the port first, so that it leaves nothing behind if the port is in use;
 * requests that arrive before the bank is open wait. `/livez` and `/readyz` report whether the process runs and
 * whether it accepts requests.
 * Source: decision `refused-start` in docs/fidelity.md.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FailingJob } from '../../sandboxes/sandbox/background-jobs.ts';

export interface Gate {
  /** Makes the requests of a server, or of a part of one, wait. */
  hold(server: FastifyInstance): void;
  /** Continues the waiting requests and accepts all later ones. */
  open(): void;
  /** Answers the waiting and all later requests with 503. Does nothing once the gate is open. */
  refuse(): void;
}

interface Waiting {
  readonly reply: FastifyReply;
  go(): void;
}

const NOT_OPEN = {
  error: { code: 'not_open', message: 'the bank could not be opened', hint: 'see the output of the process' },
};

/** Creates a gate at which requests wait until `open`. */
export function createGate(): Gate {
  let state: 'shut' | 'open' | 'refusing' = 'shut';
  const waiting: Waiting[] = [];

  const refuseRequest = (reply: FastifyReply): void => {
    reply.code(503).header('connection', 'close').send(NOT_OPEN);
  };

  const change = (to: 'open' | 'refusing'): Waiting[] => {
    if (state !== 'shut') return [];
    state = to;
    return waiting.splice(0);
  };

  return {
    hold(server) {
      // A callback, not a promise: it runs for every request.
      server.addHook('onRequest', (_, reply, done) => {
        if (state === 'open') done();
        else if (state === 'shut') waiting.push({ reply, go: done });
        else refuseRequest(reply);
      });
    },
    open() {
      for (const { go } of change('open')) go();
    },
    refuse() {
      for (const { reply } of change('refusing')) refuseRequest(reply);
    },
  };
}

/** The conditions of readiness. */
interface Health {
  isStopping(): boolean;
  /** Throws if the bank cannot write. */
  probe(): void;
  /** The background jobs that are failing and will be retried. */
  failing(): readonly FailingJob[];
}

/**
 * Serves `/livez` and `/readyz`. The latter answers 503 while the server stops, and while the data directory cannot
 * be written. It lists the failing background jobs, which do not change its status. It names no sandbox, because the
 * endpoint is public and a name is often a key; the log names them.
 */
export function registerHealth(app: FastifyInstance, { isStopping, probe, failing }: Health): void {
  const failingJobs = (): object => {
    const byJob = Object.entries(Object.groupBy(failing(), ({ job }) => job));
    const jobs = byJob.map(([job, failed]) => {
      const { error } = failed[0] as FailingJob;
      return {
        job,
        sandboxes: failed.filter(({ sandbox }) => sandbox !== '').length,
        since: new Date(Math.min(...failed.map(({ since }) => since))).toISOString(),
        message: error instanceof Error ? error.message : String(error),
      };
    });
    return jobs.length === 0 ? {} : { failing_jobs: jobs };
  };

  app.get('/livez', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    try {
      probe();
    } catch (error) {
      const { message } = error as Error;
      const not = { status: 'not_writable', message: `the data directory: ${message}` };
      return reply.code(503).send({ ...not, ...failingJobs() });
    }
    return { status: 'ready', ...failingJobs() };
  });
}
