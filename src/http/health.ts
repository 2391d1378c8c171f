/**
 * Whether the process lives, and whether it takes requests: for containers and for tools that start it.
 */
import type { FastifyInstance } from 'fastify';

/** What readiness depends on. */
interface Health {
  isStopping(): boolean;
  /** Throws what keeps the bank from writing. */
  probe(): void;
}

/** Serves `/livez` and `/readyz`; the latter says no while the server stops, and while nothing can be written. */
export function registerHealth(app: FastifyInstance, { isStopping, probe }: Health): void {
  app.get('/livez', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    try {
      probe();
    } catch (error) {
      const { message } = error as Error;
      return reply.code(503).send({ status: 'not_writable', message: `the data directory: ${message}` });
    }
    return { status: 'ready' };
  });
}
