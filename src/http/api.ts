/**
 * Serves the operations of an API version. The key, or a token, finds the sandbox; the request is checked against its
 * shapes; a command runs once under its idempotency key, in one commit with its answer; and every refusal is
 * formatted as the version does. Pages of other origins may call the operations that a token opens, and no others:
 * any origin, because no cookie or key goes with the request.
 * Source: decisions `api-keys`, `person-header`, `v2-error-body`, `v1-error-body`, `v2-error-codes`,
 * `v1-error-codes`, `value-strictness`, `unknown-fields`, `empty-body`, `idempotency-keys`, `card-number-shown`,
 * `request-id`, `person-header-rights` and `cross-origin` in docs/fidelity.md;
 * docs/decisions/0010-cross-origin-by-hand.md.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyOperation, Context, RenderedFile } from '../api/operation.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { REFUSALS } from '../kernel/refusals.ts';
import { OBSERVER_HEADER } from '../registry/keys.ts';
import type { Registry } from '../registry/registry.ts';
import { markToken, unmarkToken } from '../registry/token-marks.ts';
import { questionsOf } from '../sandbox/real-time.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import {
  type Answer,
  createAnswering,
  createFaultAnswers,
  endOfTurn,
  operationIdOf,
  pathOf,
} from './answers.ts';
import { type Api, callOf, type RefusedCall } from './api-versions.ts';
import { disclosureLink } from './disclosures.ts';
import { keepConnection, refusalFrom, refusalOfFailure } from './errors.ts';
import { fileLink } from './files.ts';
import { filesOf, takeForms } from './forms.ts';
import { baseUrlOf } from './hosts.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { keyHint } from './keys.ts';
import type { RateLimiter } from './rate-limits.ts';
import { createRequestHints, printable } from './request-hints.ts';
import type { Served } from './served.ts';
import { compileForClients, compileForV1 } from './validation.ts';

export interface ApiOptions {
  version: Api;
  served: Served;
  registry: Registry;
  strictFields: boolean;
  /** Refuses requests over the rate limits; none is refused, unless given. */
  limit?: RateLimiter | undefined;
  /** Logs a failure of the server itself. */
  onFailure(error: unknown, request: FastifyRequest): void;
  /** Logs a request whose connection a fault broke, as no response follows. */
  onBroken(request: FastifyRequest, reply: FastifyReply): void;
}

const REQUEST_ID_HEADER = 'x-request-id';

/** Serves the operations of an API version below its prefix. */
export function registerApi(app: FastifyInstance, options: ApiOptions): void {
  const { version, served, registry, limit } = options;
  app.setValidatorCompiler(version.name === 'v1' ? compileForV1 : compileForClients);

  // A callback, not a promise: it runs for every request and waits for nothing.
  app.addHook('onRequest', (request, reply, done) => done(openCall(version, registry, request, reply)));
  if (limit !== undefined) app.addHook('onRequest', limit);
  const notServed = createNotServed(served);
  // Before the body is read, unless there are faults: those come after it.
  app.addHook('onRequest', (request, reply, done) => {
    done(
      request.is404 && request.call?.sandbox.faults.active !== true ? notServed(request, reply) : undefined,
    );
  });

  const refusedCall = (request: FastifyRequest): RefusedCall => refusedCallOf(registry, request);
  const faultAnswers = createFaultAnswers(version, refusedCall);
  const idempotency = createIdempotency(version, faultAnswers.inPlace);
  const send = createAnswering(app, {
    version,
    errorAnswer: faultAnswers.errorAnswer,
    store: idempotency.store,
    onBroken: options.onBroken,
  });

  const refused = (refusal: Refusal, request: FastifyRequest): Answer => {
    const { status, body } = version.formatRefusal(refusal, refusedCall(request));
    const hint = keyHint(version, refusal.code, request);
    return { status, body: JSON.stringify(body), hint, replayed: false };
  };

  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalFrom(error);
    keepConnection(refusal, reply);
    request.operationId = operationIdOf(request);
    if (refusal === undefined) {
      options.onFailure(error, request);
      return send(request, reply, refused(refusalOfFailure(error), request));
    }
    const answer = refused(refusal, request);
    if (request.call === null) return send(request, reply, answer);
    if (!request.call.isObserver) request.call.sandbox.coverage.countRefusal(refusal.code);
    // The operation never saw these requests.
    const { kind } = REFUSALS[refusal.code];
    if (kind === 'rate_limited' || kind === 'unavailable' || refusal.code === 'request_timeout')
      return send(request, reply, answer);
    // The first answer is stored whatever its status, so that a repetition cannot succeed unnoticed.
    return send(request, reply, await idempotency.store(request, answer));
  });

  const serve = (scope: FastifyInstance, operation: AnyOperation): void => {
    const { method, path, body, query, tokenHeader } = operation;
    const carryOut = createHandler(operation, options, idempotency);
    scope.route({
      method,
      url: path.slice(version.prefix.length),
      schema: {
        ...(body !== undefined && { body }),
        ...(query !== undefined && { querystring: query }),
      },
      config: {
        operationId: operation.id,
        sandboxIn: { key: version.keyHeader },
        ...(tokenHeader !== undefined && { tokenHeader }),
      },
      handler: async (request, reply) => send(request, reply, await carryOut(request)),
    });
  };

  for (const operation of served.operations) if (operation.files === undefined) serve(app, operation);
  app.register(async (scope) => {
    takeForms(scope);
    for (const operation of served.operations) if (operation.files !== undefined) serve(scope, operation);
  });

  for (const { method, path } of served.notEmulated) {
    app.route({
      method,
      url: path.slice(version.prefix.length),
      handler: () => {
        throw refuse('not_emulated', { message: `${method} ${path} is documented but not emulated here` });
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    throw notServed(request, reply);
  });
}

/** Finds the sandbox of a request by its key or token, and begins the call. Returns the refusal where there is none. */
function openCall(
  version: Api,
  registry: Registry,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | undefined {
  // First of all, so that a page can read a refusal too.
  if (request.routeOptions.config.tokenHeader !== undefined) allowAnyOrigin(reply);
  const key = request.headers[version.keyHeader];
  const token = key === undefined ? tokenOf(request) : '';
  const looks = request.headers[OBSERVER_HEADER] !== undefined;
  const sandbox =
    token !== ''
      ? registry.byToken(token)
      : typeof key === 'string' && key !== ''
        ? registry.byKey(key, looks)
        : undefined;
  if (sandbox === undefined) {
    return refuse(token !== '' ? 'token_invalid' : key === undefined ? 'key_missing' : 'key_unknown');
  }
  // Such a GET leaves no trace: it is not in the journal, the stream or the coverage, draws no id, and meets no fault and no
  // rate limit. A page that shows the bank must not change what it shows.
  const isObserver = looks && request.method === 'GET';
  const requestId = isObserver ? registry.strayId() : sandbox.nextId();
  request.call = {
    sandbox,
    requestId,
    isObserver,
    at: sandbox.clock.now(),
    faultHit: null,
    factsBefore: 0,
    factsAfter: 0,
    bank: sandbox.banksBefore,
  };
  reply.header(REQUEST_ID_HEADER, version.formatRequestId(requestId));
  return undefined;
}

/** Carries out the requests of an operation: a GET reads or renders, any other method is one commit. */
function createHandler(
  operation: AnyOperation,
  { version, strictFields }: ApiOptions,
  idempotency: Idempotency,
): (request: FastifyRequest) => Promise<Answer> {
  const { method, path, status, body: bodyShape, files: parts, tokenHeader } = operation;
  const hintOf = createRequestHints(version, operation, strictFields);

  /** Runs the question to the client that comes before a command, where real-time authorization is set up; once for a key. */
  const prepare = (sandbox: Sandbox, request: FastifyRequest) => {
    if (operation.prepare === undefined || sandbox.bank.realTime.settings() === undefined) return undefined;
    if (idempotency.isStored(sandbox, idempotency.keyOf(request))) return undefined;
    const { params, query, body } = request;
    return operation.prepare(questionsOf(sandbox), sandbox.bank, { params, query, body: body ?? {} });
  };

  return async (request) => {
    const call = callOf(request);
    const { sandbox } = call;
    request.operationId = operation.id;
    // The validator cannot tell a body that is null from one that was not sent.
    if (bodyShape !== undefined && request.body === null) throw refuse('body_missing');
    const hints = [hintOf(request)].filter((hint) => hint !== '');
    const hint = (): string => hints.join('; ');
    const file = filesOf(parts, request.body);
    const preparing = prepare(sandbox, request);
    const prepared = preparing === undefined ? undefined : await preparing;
    // Nothing awaits from here to the commit, so all of it runs against the same bank.
    // A call with a token is on behalf of nobody.
    const personId = tokenHeader === undefined ? version.parsePerson(sandbox, request, path) : '';
    const baseUrl = baseUrlOf(request);
    sandbox.calledAt(baseUrl);
    const context: Context = {
      bank: sandbox.bank,
      now: sandbox.clock.now(),
      fileLink: (kind, id) => fileLink(sandbox, baseUrl, { kind, id }),
      disclosureLink: (file) => disclosureLink(sandbox, baseUrl, file),
      personId,
      header: (name) => String(request.headers[name] ?? ''),
      publicToken: (token) => ({ ...token, token: markToken(sandbox.name, token.token) }),
      token: tokenHeader === undefined ? '' : unmarkToken(sandbox.name, tokenOf(request)),
      file,
      hint: (remark) => void hints.push(printable(remark)),
      prepared,
    };
    const { params, query } = request;
    const body = request.body ?? {};
    const before = hints.length;
    const run = (): Answer => {
      // It runs again if the group in which it ran first could not be written.
      hints.length = before;
      const view: unknown = operation.run(context, { params, query, body });
      if (!call.isObserver) sandbox.coverage.countOperation(operation.id);
      return { status, body: view === undefined ? '' : JSON.stringify(view), hint: hint(), replayed: false };
    };
    if (method === 'GET') {
      const rendered = operation.render?.(context, { params, query });
      if (rendered !== undefined && !call.isObserver) sandbox.coverage.countOperation(operation.id);
      const answer = rendered === undefined ? run() : fileAnswer(await rendered, hint());
      await endOfTurn(sandbox);
      return answer;
    }
    const key = operation.keepsNoAnswer === true ? '' : idempotency.keyOf(request);
    return sandbox.commit(() => {
      const { outbox } = sandbox;
      const before = outbox.latestSeq();
      const made = idempotency.once(sandbox, request, key, run);
      call.factsBefore = before;
      call.factsAfter = outbox.latestSeq();
      call.bank = sandbox.banksBefore;
      return made;
    });
  };
}

/** What refuses a request that reaches no operation, and says which methods its path accepts. */
function createNotServed({
  operations,
  notEmulated,
}: Served): (request: FastifyRequest, reply: FastifyReply) => Refusal {
  const paths = [...operations, ...notEmulated].map(({ method, path }) => ({
    method,
    path,
    matches: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }));
  return (request, reply) => {
    const path = pathOf(request);
    const matching = paths.filter(({ matches }) => matches.test(path));
    // A literal path goes before one with a parameter in the same place.
    const literal = matching.filter((operation) => operation.path === path);
    const allowed = [...new Set((literal.length > 0 ? literal : matching).map(({ method }) => method))];
    if (allowed.length === 0) {
      return refuse('path_unknown', { message: `no operation at ${request.method} ${path}` });
    }
    reply.header('allow', allowed.join(', '));
    return refuse('method_wrong', {
      message: `${path} accepts ${allowed.join(', ')}, not ${request.method}`,
    });
  };
}

/** Formats what the server itself refuses at a path of the version, before any operation. */
export function createRefusalFormatter(
  version: Pick<Api, 'formatRefusal'>,
  registry: Registry,
): (refusal: Refusal, request: FastifyRequest) => { status: number; body: object } {
  return (refusal, request) => version.formatRefusal(refusal, refusedCallOf(registry, request));
}

function refusedCallOf(registry: Registry, { call, method, routeOptions, url }: FastifyRequest): RefusedCall {
  // A sandbox whose file has just been found damaged would refuse again.
  const sandbox = call?.sandbox.isOpen() === true ? call.sandbox : null;
  return {
    requestId: call?.requestId ?? registry.strayId(),
    sandbox,
    method,
    path: routeOptions.url ?? url,
    now: sandbox?.clock.now() ?? registry.now(),
  };
}

/** The token that was sent; `''` where none can open the operation, or none was sent. */
function tokenOf(request: FastifyRequest): string {
  const { tokenHeader } = request.routeOptions.config;
  return tokenHeader === undefined ? '' : String(request.headers[tokenHeader] ?? '');
}

/** An answer that is a file; the journal shows none of its content. */
function fileAnswer(file: RenderedFile, hint: string): Answer {
  return { status: 200, body: '', hint, replayed: false, file };
}

/** The headers that a page may read. */
const SHOWN_HEADERS = 'x-request-id, x-sandbox-hint';

/** Lets a page of any origin read the answer. */
function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', SHOWN_HEADERS);
}

/** Answers the preflights of the operations that a token opens; a preflight carries no key and reaches no sandbox. */
export function registerPreflights(
  app: FastifyInstance,
  operations: readonly AnyOperation[],
  formatRefusal: (refusal: Refusal, request: FastifyRequest) => { status: number; body: object },
): void {
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = refusalFrom(error);
    if (refusal === undefined) throw error;
    const { status, body } = formatRefusal(refusal, request);
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
