/**
 * Refusals in the body of the control plane, `{error: {code, message, hint}}`. They are also used for all paths
 * outside of the API versions.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../bank/kernel/refusal.ts';
import { statusOf } from '../../bank/kernel/refusals.ts';
import { formatRefusal } from '../../sandboxes/control/errors.ts';
import { keepConnection, refusalFrom, refusalOfFailure } from './errors.ts';
import { sendMissingPage, wantsPage } from './home.ts';

/** Logs a failure of the server itself. */
export type OnFailure = (error: unknown, request: FastifyRequest) => void;

/** Answers refusals in the body of the control plane. */
export function answerRefusals(app: FastifyInstance, onFailure: OnFailure): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    keepConnection(refusal, reply);
    // For an unknown address, a browser gets a page, and a program the refusal.
    if (refusal?.code === 'path_unknown' && wantsPage(request)) return sendMissingPage(reply, refusal);
    if (refusal !== undefined) return answerRefusal(refusal, reply);
    onFailure(error, request);
    return answerRefusal(refusalOfFailure(error), reply);
  });
}

function answerRefusal(refusal: Refusal, reply: FastifyReply): FastifyReply {
  return reply.code(statusOf(refusal.code)).send(formatRefusal(refusal));
}
