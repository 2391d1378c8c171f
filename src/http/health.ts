/**
 * Whether the process lives, and whether it takes requests: for containers and for tools that start it.
 */
import type { FastifyInstance } from 'fastify';

/** Serves `/livez` and `/readyz`; the latter says no while the server stops. */
export function registerHealth(app: FastifyInstance, isStopping: () => boolean): void {
  app.get('/livez', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_, reply) => {
    if (!isStopping()) return { status: 'ready' };
    reply.code(503);
    return { status: 'stopping' };
  });
}
