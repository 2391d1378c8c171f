/**
 * The body of every refusal of the control plane.
 * [[http/control/transfers.ts]]
 * Bodies that are no JSON: an image of a bank on its way in. It is read whole into memory, under a limit of its own, and
 * only for the operations that take one: any other refuses such a body before it is read.
 * [[http/control/plugin.ts]]
 * The control plane: what a sandbox can do that the real bank cannot, below `/_sandbox`. A call addresses the sandbox of
 * its `api-key`, the default one without. It is ours, so its errors are its own: `{error: {code, message, hint}}`.
 */

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formatRefusal } from '../api/control/errors.ts';
import { CONTROL_OPERATIONS } from '../api/control/index.ts';
import type { AnyControlOperation } from '../api/control/operation.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { REFUSALS } from '../kernel/refusals.ts';
import type { Registry } from '../sandboxes/registry.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { createGuard, type GuardOptions } from './control-guard.ts';
import { letBodyPass, refusalFrom, refusalOfFailure, STATUS_OF_KIND } from './errors.ts';
import { compileLazily, unknownFields } from './validation.ts';

/** Far above what a bank comes to: whatever an export gives is taken. Decision `image-size` in docs/fidelity.md. */
const IMAGE_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;

/** From now on the routes of this scope take images, whatever type they are sent as. */
function takeImages(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: IMAGE_LIMIT_BYTES }, (_, body, done) =>
    done(null, body),
  );
}

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
  app.setValidatorCompiler(compileLazily);
  const underWay = new Set<AbortController>();

  const guard = createGuard(options.guard);
  app.addHook('onRequest', (request, _, done) => {
    guard(request);
    // Before a body is read.
    done(request.is404 ? notServed(request) : undefined);
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
  app.setNotFoundHandler((request) => {
    throw notServed(request);
  });

  const serve = (scope: FastifyInstance, operation: AnyControlOperation): void => {
    const { method, path, status, body: bodyShape, query: queryShape, contentType } = operation;
    scope.withTypeProvider<TypeBoxTypeProvider>().route({
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
        const sandbox = sandboxOf(request);
        let answer: unknown;
        try {
          answer = await operation.run(
            { sandbox, registry, version, signal: signalOf(reply), headers },
            { params: request.params, query: request.query, body: request.body ?? {} },
          );
        } catch (error) {
          registry.noteFailure(sandbox.name, error);
          throw error;
        }
        reply.code(status);
        if (answer === undefined) return reply.send();
        if (contentType !== undefined)
          reply.header('content-type', contentType).header('cache-control', 'no-store');
        return reply.send(answer);
      },
    });
  };

  for (const operation of CONTROL_OPERATIONS) if (operation.bodyType === undefined) serve(app, operation);
  app.register(async (scope) => {
    takeImages(scope);
    // So that nobody sends an image to a sandbox that cannot be.
    scope.addHook('onRequest', (request, _, done) => {
      sandboxOf(request);
      done();
    });
    for (const operation of CONTROL_OPERATIONS) if (operation.bodyType !== undefined) serve(scope, operation);
  });
}

function notServed({ method, url }: FastifyRequest): Refusal {
  return refuse('path_unknown', { message: `no control operation at ${method} ${url}` });
}

/** Spells refusals as the control plane does. */
export function answerRefusals(app: FastifyInstance, onFailure: OnFailure): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    letBodyPass(refusal, reply);
    if (refusal !== undefined) return answerRefusal(refusal, reply);
    onFailure(error, request);
    return answerRefusal(refusalOfFailure(error), reply);
  });
}

function answerRefusal(refusal: Refusal, reply: FastifyReply): FastifyReply {
  return reply.code(STATUS_OF_KIND[REFUSALS[refusal.code].kind]).send(formatRefusal(refusal));
}
