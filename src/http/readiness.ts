/**
 * When the server takes requests. The port is taken before anything else, so that a start that cannot have it leaves
 * nothing behind; requests that arrive meanwhile are held back until the bank is open. `/livez` and `/readyz` tell
 * containers and tools whether the process lives and whether it takes requests.
 * Source: decision `refused-start` in docs/fidelity.md.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FailingJob } from '../sandbox/background-jobs.ts';

export interface Gate {
  /** Holds back the requests of a server, or of a part of one. */
  hold(server: FastifyInstance): void;
  /** Lets the waiting requests through, and all later ones. */
  open(): void;
  /** Answers the waiting requests with 503, and all later ones; does nothing once it is open. */
  refuse(): void;
}

interface Waiting {
  readonly reply: FastifyReply;
  go(): void;
}

const NOT_OPEN = {
  error: { code: 'not_open', message: 'the bank could not be opened', hint: 'see the output of the process' },
};

/** Holds back requests until `open`. */
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

/** What readiness depends on. */
interface Health {
  isStopping(): boolean;
  /** Throws the error that keeps the bank from writing. */
  probe(): void;
  /** The background jobs that fail now, and are tried again. */
  failing(): readonly FailingJob[];
}

/**
 * Serves `/livez` and `/readyz`. The latter answers 503 while the server stops, and while the data directory cannot be written. It
 * lists the background jobs that fail; those alone are no reason to send requests elsewhere. It names no sandbox, because anybody may
 * ask and a name is often a key; the log names them.
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
