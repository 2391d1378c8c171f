/**
 * The control plane: what a sandbox can do that the real bank cannot, below `/_sandbox`. A call addresses the sandbox of
 * its `api-key`, the default one without. It is ours, so its errors are its own: `{error: {code, message, hint}}`.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { REFUSALS } from '../../kernel/refusals.ts';
import type { Registry } from '../../sandboxes/registry.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { refusalFrom } from '../framework-errors.ts';
import { STATUS_OF_KIND } from '../status.ts';
import { compileLazily, unknownFields } from '../validation.ts';
import { spellRefusal } from './error.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { CONTROL_OPERATIONS } from './operations.ts';
import { registerTransfers } from './transfers.ts';

export interface ControlOptions {
  registry: Registry;
  version: string;
  guard: GuardOptions;
  onFailure: OnFailure;
}

type OnFailure = (error: unknown, request: FastifyRequest) => void;

const PREFIX = '/_sandbox';

/** Serves the control plane. */
export function registerControl(app: FastifyInstance, options: ControlOptions): void {
  const { registry, version, onFailure } = options;
  const typed = app.setValidatorCompiler(compileLazily).withTypeProvider<TypeBoxTypeProvider>();
  const underWay = new Set<AbortController>();

  const guard = createGuard(options.guard);
  app.addHook('onRequest', (request, _, done) => {
    guard(request);
    done();
  });
  app.addHook('preClose', (done) => {
    for (const controller of underWay) controller.abort();
    done();
  });

  const sandboxOf = (request: FastifyRequest): Sandbox => {
    const key = request.headers['api-key'];
    if (key === undefined || key === '') return registry.default();
    const sandbox = typeof key === 'string' ? registry.byKey(key) : undefined;
    if (sandbox === undefined) throw refuse('sandbox_not_found');
    return sandbox;
  };

  /** Aborts when the answer can no longer arrive; after one that did, nobody listens. */
  const signalOf = (reply: FastifyReply): AbortSignal => {
    const controller = new AbortController();
    underWay.add(controller);
    reply.raw.once('close', () => {
      underWay.delete(controller);
      controller.abort();
    });
    return controller.signal;
  };

  answerRefusals(app, onFailure);
  registerTransfers(app);
  app.setNotFoundHandler((request) => {
    throw refuse('path_unknown', { message: `no control operation at ${request.method} ${request.url}` });
  });

  for (const operation of CONTROL_OPERATIONS) {
    const { method, path, status, body: bodyShape, query: queryShape, contentType } = operation;
    typed.route({
      method,
      url: path.slice(PREFIX.length) || '/',
      schema: {
        ...(bodyShape !== undefined && { body: bodyShape }),
        ...(queryShape !== undefined && { querystring: queryShape }),
      },
      handler: async (request, reply) => {
        const unknown = bodyShape === undefined ? [] : unknownFields(bodyShape, request.body);
        if (unknown.length > 0) {
          // Ours, so a misspelt field is a mistake to be told of, not a guess to be ignored.
          throw refuse('field_unknown', { message: `this operation does not know ${unknown.join(', ')}` });
        }
        const { headers } = request;
        const answer: unknown = await operation.run(
          { sandbox: sandboxOf(request), registry, version, signal: signalOf(reply), headers },
          { params: request.params, query: request.query, body: request.body ?? {} },
        );
        reply.code(status);
        if (answer === undefined) return reply.send();
        if (contentType !== undefined)
          reply.header('content-type', contentType).header('cache-control', 'no-store');
        return reply.send(answer);
      },
    });
  }
}

/** Spells refusals as the control plane does. */
export function answerRefusals(app: FastifyInstance, onFailure: OnFailure): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    if (refusal !== undefined) return answerRefusal(refusal, reply);
    onFailure(error, request);
    return answerRefusal(refuse('failure'), reply);
  });
}

function answerRefusal(refusal: Refusal, reply: FastifyReply): FastifyReply {
  return reply.code(STATUS_OF_KIND[REFUSALS[refusal.code].kind]).send(spellRefusal(refusal));
}
