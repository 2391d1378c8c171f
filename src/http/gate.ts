/**
 * Holds requests back until the bank is open. The port is taken before anything else is touched, so that a start which
 * cannot have it leaves nothing behind; whoever is quick enough to ask meanwhile is answered a moment later.
 * Source: decision `refused-start` in docs/fidelity.md.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';

export interface Gate {
  /** Lets those through that wait, and everybody after them. */
  open(): void;
  /** Answers those that wait with 503, and everybody after them; does nothing once it is open. */
  refuse(): void;
}

interface Waiting {
  readonly reply: FastifyReply;
  go(): void;
}

const NOT_OPEN = {
  error: { code: 'not_open', message: 'the bank could not be opened', hint: 'see what the process says' },
};

/** The gate of a server, shut. */
export function createGate(server: FastifyInstance): Gate {
  let state: 'shut' | 'open' | 'refusing' = 'shut';
  const waiting: Waiting[] = [];

  const turnAway = (reply: FastifyReply): void => {
    reply.code(503).header('connection', 'close').send(NOT_OPEN);
  };

  // A callback, not a promise: it runs for every request.
  server.addHook('onRequest', (_, reply, done) => {
    if (state === 'open') done();
    else if (state === 'shut') waiting.push({ reply, go: done });
    else turnAway(reply);
  });

  const change = (to: 'open' | 'refusing'): Waiting[] => {
    if (state !== 'shut') return [];
    state = to;
    return waiting.splice(0);
  };

  return {
    open() {
      for (const { go } of change('open')) go();
    },
    refuse() {
      for (const { reply } of change('refusing')) turnAway(reply);
    },
  };
}
