/**
 * What a page of another origin may call: the operations that a token opens, and nothing else of the bank. A browser asks
 * before it sends a token (the preflight), and shows an answer to the page only where the answer allows it, a refusal
 * too. Any origin will do: who has a token may use it from anywhere, and no cookie or key goes with it.
 * Source: decision `cross-origin` in docs/fidelity.md; why it is written by hand:
 * docs/decisions/0010-cross-origin-by-hand.md.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyOperation } from '../api/operation.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { refusalFrom } from './errors.ts';

/** What a page may read of an answer besides its status and body. */
const SHOWN_HEADERS = 'x-request-id, x-sandbox-hint';

/** Lets the page read the answer, whichever it will be. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', SHOWN_HEADERS);
}

/** Answers the preflights of the operations that a token opens: without a key, and without any sandbox. */
export function registerPreflights(
  app: FastifyInstance,
  operations: readonly AnyOperation[],
  spell: (refusal: Refusal, request: FastifyRequest) => { status: number; body: object },
): void {
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = refusalFrom(error);
    if (refusal === undefined) throw error;
    const { status, body } = spell(refusal, request);
    return reply.code(status).send(body);
  };
  for (const [path, ofPath] of Map.groupBy(
    operations.filter(({ tokenHeader }) => tokenHeader !== undefined),
    ({ path }) => path,
  )) {
    const methods = ofPath.map(({ method }) => method).join(', ');
    const headers = [...new Set(ofPath.map(({ tokenHeader }) => tokenHeader)), 'content-type'].join(', ');
    app.options(path, { errorHandler }, (_, reply) => {
      allowAnyOrigin(reply);
      return reply
        .code(204)
        .header('allow', methods)
        .header('access-control-allow-methods', methods)
        .header('access-control-allow-headers', headers)
        .send();
    });
  }
}
