/**
 * The control plane below `/_sandbox`: what a sandbox can do that the real bank cannot. A call addresses the sandbox
 * of its `api-key`, or the default one. Errors have a body of their own, `{error: {code, message, hint}}`. On
 * loopback everybody on the machine may call it, but no page of another origin; elsewhere, or where a token is set,
 * every call needs the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_OF_KIND } from '../api/refusal-statuses.ts';
import { formatRefusal } from '../control/errors.ts';
import { CONTROL_OPERATIONS } from '../control/index.ts';
import type { AnyControlOperation, ControlContext, ControlRequest } from '../control/operation.ts';
import { found, type Refusal, refuse } from '../kernel/refusal.ts';
import { REFUSALS } from '../kernel/refusals.ts';
import { OBSERVER_HEADER } from '../registry/keys.ts';
import type { Observers } from '../registry/observers.ts';
import type { Registry } from '../registry/registry.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { journalControlCalls } from './control-journal.ts';
import { keepConnection, refusalFrom, refusalOfFailure } from './errors.ts';
import { sendMissingPage, wantsPage } from './home.ts';
import { baseUrlOf } from './hosts.ts';
import { takeUploads } from './uploads.ts';
import { compileLazily, unknownFields } from './validation.ts';

export interface GuardOptions {
  /** The expected `x-control-token`; `null` where none is needed. */
  token: string | null;
}

const TOKEN_HEADER = 'x-control-token';

/**
 * Checks token and origin of a call. A browser sends no origin with some GETs of a page, like those of an image or a frame,
 * but it says that they are cross-site. A link that a person follows is let through: no page can read what it shows.
 * Refuses: `control_token_wrong`, `origin_foreign`.
 */
export function createGuard({ token }: GuardOptions): (request: FastifyRequest) => void {
  const expected = token === null ? null : digest(token);

  return ({ headers, protocol }) => {
    const { host = '', origin } = headers;
    if (origin !== undefined && origin.toLowerCase() !== `${protocol}://${host}`.toLowerCase()) {
      throw refuse('origin_foreign');
    }
    if (headers['sec-fetch-site'] === 'cross-site' && !isFollowedLink(headers))
      throw refuse('origin_foreign');
    if (expected === null) return;
    const input = headers[TOKEN_HEADER];
    // Digests have one length, so the comparison reveals nothing of the token's.
    if (typeof input !== 'string' || !timingSafeEqual(digest(input), expected)) {
      throw refuse('control_token_wrong');
    }
  };
}

/** A page that replaces the present one, in a tab; not in a frame, and not a form that is sent. */
function isFollowedLink(headers: FastifyRequest['headers']): boolean {
  return (
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers.origin === undefined
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Far above the size of a bank, so that every export can be imported. Decision `image-size` in docs/fidelity.md. */
const IMAGE_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;

export interface ControlOptions {
  registry: Registry;
  observers: Observers;
  version: string;
  guard: GuardOptions;
  onFailure: OnFailure;
}

type OnFailure = (error: unknown, request: FastifyRequest) => void;

const PREFIX = '/_sandbox';
/** Of the default sandbox, which a call without a key is about. */
const OPEN_KEY = 'test_default';
const NO_BODY = Type.Object({});

/** Where a call says which sandbox it is about. */
const SANDBOX_IN = {
  key: { sandboxIn: { key: 'api-key', isOptional: true } },
  name: { sandboxIn: { part: 'name' } },
  none: {},
} as const;

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
    const key = request.headers['api-key'];
    const sandbox =
      key === undefined || key === ''
        ? registry.default()
        : found(
            typeof key === 'string'
              ? registry.byKey(key, request.headers[OBSERVER_HEADER] !== undefined)
              : undefined,
            'sandbox_not_found',
          );
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
      config: SANDBOX_IN[operation.about ?? 'key'],
      handler: async (request, reply) => {
        const unknown =
          operation.bodyType === undefined ? unknownFields(bodyShape ?? NO_BODY, request.body) : [];
        if (unknown.length > 0) {
          // A misspelt field is refused here, and not ignored as in the platform's versions; so is one of no operation.
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
            read: readerFor(request, () => context, onFailure),
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
        if (contentType !== undefined)
          reply.header('content-type', contentType).header('cache-control', 'no-store');
        return reply.send(answer);
      },
    });
  };

  for (const operation of CONTROL_OPERATIONS) if (operation.bodyType === undefined) serve(app, operation);
  app.register(async (scope) => {
    takeUploads(scope, IMAGE_LIMIT_BYTES);
    // Before the image is read, refuse a sandbox that does not exist.
    scope.addHook('onRequest', (request, _, done) => {
      if (request.routeOptions.config.sandboxIn !== undefined) sandboxOf(request);
      done();
    });
    for (const operation of CONTROL_OPERATIONS) if (operation.bodyType !== undefined) serve(scope, operation);
  });
}

/** The reads of the control plane; a path of letters alone before one with a parameter. */
const READS = CONTROL_OPERATIONS.filter(({ method }) => method === 'GET')
  .toSorted((one, other) => Number(one.path.includes(':')) - Number(other.path.includes(':')))
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }));

/**
 * Reads paths of this server with the key and the token of a request. The observer's header keeps that out of the journal.
 * Reads of the control plane are carried out without HTTP: the request was let through, and there are hundreds of them.
 */
function readerFor(request: FastifyRequest, context: () => ControlContext, onFailure: OnFailure) {
  const { server, headers } = request;
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
    const answer = await server.inject({
      method: 'GET',
      url,
      headers: {
        host,
        'api-key': key,
        'sd-api-key': key,
        [OBSERVER_HEADER]: 'trace',
        ...(token !== undefined && { [TOKEN_HEADER]: token }),
      },
    });
    return answer.statusCode === 200 ? JSON.parse(answer.body) : undefined;
  };
}

/** Carries an operation out; a command together with its answer in one commit, against one bank. */
async function carryOut(
  operation: AnyControlOperation,
  context: ControlContext,
  request: ControlRequest,
): Promise<unknown> {
  if (operation.run !== undefined) return operation.run(context, request);
  const prepared = await operation.prepare?.(context, request);
  return context.sandbox.commit(() => operation.command(context, request, prepared));
}

function notServed({ method, url }: FastifyRequest): Refusal {
  return refuse('path_unknown', { message: `no control operation at ${method} ${url}` });
}

/** Answers refusals in the body of the control plane. */
export function answerRefusals(app: FastifyInstance, onFailure: OnFailure): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    keepConnection(refusal, reply);
    // A person who mistypes an address gets a page, and a program the refusal.
    if (refusal?.code === 'path_unknown' && wantsPage(request)) return sendMissingPage(reply, refusal);
    if (refusal !== undefined) return answerRefusal(refusal, reply);
    onFailure(error, request);
    return answerRefusal(refusalOfFailure(error), reply);
  });
}

function answerRefusal(refusal: Refusal, reply: FastifyReply): FastifyReply {
  return reply.code(STATUS_OF_KIND[REFUSALS[refusal.code].kind]).send(formatRefusal(refusal));
}
