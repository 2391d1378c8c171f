/**
 * The control plane below `/_sandbox`: operations that a real bank does not have. The `api-key` of a call selects the
 * sandbox; the default is the default sandbox. The error body is `{error: {code, message, hint}}`. On loopback every
 * program on the machine may call it, but no page of another origin. On other addresses, or if a token is set, every
 * call needs the token.
 */
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { baseUrlOf } from '../../reference/base-url.ts';
import { CONTROL_OPERATIONS } from '../../sandboxes/control/index.ts';
import type {
  AnyControlOperation,
  ControlContext,
  ControlRequest,
} from '../../sandboxes/control/operation.ts';
import { SQLITE_TYPE } from '../../sandboxes/registry/images.ts';
import { OBSERVER_HEADER } from '../../sandboxes/registry/keys.ts';
import type { Observers } from '../../sandboxes/registry/observers.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import { pathOf } from './answers.ts';
import { journalControlCalls } from './control-journal.ts';
import { refusalFrom } from './errors.ts';
import { createGuard, type GuardOptions, TOKEN_HEADER } from './guard.ts';
import { keyProblem } from './keys.ts';
import { createNearestPath } from './nearest-path.ts';
import { answerRefusals, type OnFailure } from './refused.ts';
import { takeUploads } from './uploads.ts';
import { compileLazily, unknownFields } from './validation.ts';

/** Far larger than any bank, so that every export can be imported. Decision `image-size` in docs/fidelity.md. */
const IMAGE_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;

export interface ControlOptions {
  registry: Registry;
  observers: Observers;
  version: string;
  guard: GuardOptions;
  onFailure: OnFailure;
  read?: ReadOwn | undefined;
}

/** Reads a path of this server. Default: by injection, which needs all of `node:http`. */
export type ReadOwn = (
  url: string,
  headers: Record<string, string>,
) => Promise<{ status: number; body: string }>;

const PREFIX = '/_sandbox';
/** The key of the default sandbox, which a call without a key selects. */
const OPEN_KEY = 'test_default';
const NO_BODY = Type.Object({});

/** Serves the control plane. */
export function registerControl(app: FastifyInstance, options: ControlOptions): void {
  const { registry, observers, version, onFailure } = options;
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
    const key = String(request.headers['api-key'] ?? '');
    const sandbox =
      key === '' ? registry.default() : registry.byKey(key, request.headers[OBSERVER_HEADER] !== undefined);
    if (sandbox === undefined)
      throw refuse('sandbox_not_found', { message: keyProblem(key, 'send api-key: test_<name>') });
    sandbox.calledAt(baseUrlOf(request));
    return sandbox;
  };

  /** A signal that aborts when the connection of the answer closes. */
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

  const begin = journalControlCalls(app, registry, onFailure);

  const serve = (scope: FastifyInstance, operation: AnyControlOperation): void => {
    const { method, path, status, body: bodyShape, query: queryShape, contentType } = operation;
    scope.route({
      method,
      url: path.slice(PREFIX.length) || '/',
      schema: {
        ...(bodyShape !== undefined && { body: bodyShape }),
        ...(queryShape !== undefined && { querystring: queryShape }),
      },
      handler: async (request, reply) => {
        const unknown =
          operation.bodyType === undefined ? unknownFields(bodyShape ?? NO_BODY, request.body) : [];
        if (unknown.length > 0) {
          // An unknown field is refused, and not ignored as in the API versions, because it may be misspelt. The
          // query of an unknown operation is refused too.
          throw refuse('field_unknown', { message: `this operation does not accept ${unknown.join(', ')}` });
        }
        const { headers } = request;
        let sandbox = operation.about === undefined ? sandboxOf(request) : undefined;
        if (sandbox !== undefined && method !== 'GET') begin(request, sandbox, operation);
        let answer: unknown;
        try {
          const context: ControlContext = {
            get sandbox() {
              sandbox ??= sandboxOf(request);
              return sandbox;
            },
            registry,
            observers,
            version,
            signal: signalOf(reply),
            headers,
            read: readerFor(request, () => context, options),
          };
          answer = await carryOut(operation, context, {
            params: request.params,
            query: request.query,
            body: request.body ?? {},
          });
        } catch (error) {
          if (sandbox !== undefined) registry.noteFailure(sandbox.name, error);
          throw error;
        }
        reply.code(status);
        if (answer === undefined) return reply.send();
        if (contentType !== undefined) {
          reply.header('content-type', typeOf(contentType, registry)).header('cache-control', 'no-store');
        }
        return reply.send(answer);
      },
    });
  };

  for (const operation of CONTROL_OPERATIONS) if (operation.bodyType === undefined) serve(app, operation);
  app.register(async (scope) => {
    takeUploads(scope, IMAGE_LIMIT_BYTES);
    // Before the image is read, refuse a sandbox that does not exist.
    scope.addHook('onRequest', (request, _, done) => {
      sandboxOf(request);
      done();
    });
    for (const operation of CONTROL_OPERATIONS) if (operation.bodyType !== undefined) serve(scope, operation);
  });
}

/** The media type of an image depends on the runtime. */
const typeOf = (contentType: string, { images }: Registry): string =>
  contentType === SQLITE_TYPE ? images.type : contentType;

/** The reads of the control plane; literal paths precede those with a parameter. */
const READS = CONTROL_OPERATIONS.filter(({ method }) => method === 'GET')
  .toSorted((one, other) => Number(one.path.includes(':')) - Number(other.path.includes(':')))
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }));

/**
 * Reads paths of this server with the key and the token of a request. The observer's header keeps these reads out of
 * the journal. Reads of the control plane are executed without HTTP, because the request has already passed the
 * checks and there are hundreds of reads.
 */
function readerFor(request: FastifyRequest, context: () => ControlContext, options: ControlOptions) {
  const { server, headers } = request;
  const { onFailure, read = inject } = options;
  async function inject(url: string, headers: Record<string, string>): ReturnType<ReadOwn> {
    const { statusCode, body } = await server.inject({ method: 'GET', url, headers });
    return { status: statusCode, body };
  }
  const { host, 'api-key': key = OPEN_KEY, [TOKEN_HEADER]: token } = headers;
  const readControl = async (path: string, search: string): Promise<unknown> => {
    for (const { operation, pattern } of READS) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const params = Object.fromEntries(
        Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]),
      );
      const query = Object.fromEntries(new URLSearchParams(search));
      return carryOut(operation, context(), { params, query, body: {} });
    }
    return undefined;
  };
  return async (url: string): Promise<unknown> => {
    const [path = '', search = ''] = url.split('?', 2);
    try {
      if (path.startsWith(PREFIX)) return await readControl(path, search);
    } catch (error) {
      if (refusalFrom(error) === undefined) onFailure(error, request);
      return undefined;
    }
    const { status, body } = await read(url, {
      host: host ?? '',
      'api-key': String(key),
      'sd-api-key': String(key),
      [OBSERVER_HEADER]: 'trace',
      ...(token !== undefined && { [TOKEN_HEADER]: String(token) }),
    });
    return status === 200 ? JSON.parse(body) : undefined;
  };
}

/** Executes an operation. A command runs with the formatting of its response in one commit, against one bank. */
async function carryOut(
  operation: AnyControlOperation,
  context: ControlContext,
  request: ControlRequest,
): Promise<unknown> {
  if (operation.run !== undefined) return operation.run(context, request);
  const prepared = await operation.prepare?.(context, request);
  return context.sandbox.commit(() => operation.command(context, request, prepared));
}

const nearestPath = createNearestPath(CONTROL_OPERATIONS);

function notServed(request: FastifyRequest): Refusal {
  const { method, url } = request;
  return refuse('path_unknown', {
    message: `no control operation at ${method} ${url}`,
    field: nearestPath({ method, path: pathOf(request) }),
  });
}
