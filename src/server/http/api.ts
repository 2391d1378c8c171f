/**
 * Serves the operations of an API version. The key or a token selects the sandbox. The request is validated against
 * its shapes. A command runs once per idempotency key, in one commit with its response. Each version formats its
 * refusals. Pages of any origin may call the operations that need only a token, because the browser sends no cookie
 * or key with the request.
 * Source: decisions `api-keys`, `person-header`, `v2-error-body`, `v1-error-body`, `v2-error-codes`,
 * `v1-error-codes`, `value-strictness`, `unknown-fields`, `empty-body`, `idempotency-keys`, `card-number-shown`,
 * `request-id`, `person-header-rights` and `cross-origin` in docs/fidelity.md;
 * docs/decisions/0010-cross-origin-by-hand.md.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyOperation, Context, RenderedFile } from '../../bank/api/operation.ts';
import { type Shown, show } from '../../bank/api/view.ts';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { REFUSALS, type RefusalCode } from '../../bank/kernel/refusals.ts';
import type { Outcome } from '../../bank/store/group-commit.ts';
import type { RtaAnswer } from '../../bank/verbs/inputs.ts';
import { baseUrlOf } from '../../reference/base-url.ts';
import { OBSERVER_HEADER } from '../../sandboxes/registry/keys.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import { markToken, unmarkToken } from '../../sandboxes/registry/token-marks.ts';
import { questionsOf } from '../../sandboxes/sandbox/real-time.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import {
  type Answer,
  atEndOfTurn,
  createAnswering,
  createFaultAnswers,
  operationIdOf,
  pathOf,
} from './answers.ts';
import { type Api, callOf, type RefusedCall } from './api-versions.ts';
import { compressAnswer } from './compression.ts';
import { disclosureLink } from './disclosures.ts';
import { keepConnection, refusalFrom, refusalOfFailure } from './errors.ts';
import { fileLink } from './files.ts';
import { filesOf, takeForms } from './forms.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { keyHint } from './keys.ts';
import { createNearestPath } from './nearest-path.ts';
import type { RateLimiter } from './rate-limits.ts';
import { createRequestHints, printable } from './request-hints.ts';
import type { Served } from './served.ts';
import { compileForClients, compileForV1 } from './validation.ts';

export interface ApiOptions {
  version: Api;
  served: Served;
  registry: Registry;
  strictFields: boolean;
  /** Refuses requests over the rate limits; without it there are no limits. */
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
  const nearestPath = createNearestPath(served.operations);
  // Before the body is read, unless there are faults, which apply after the body was read.
  app.addHook('onRequest', (request, reply, done) => {
    done(
      request.is404 && request.call?.sandbox.faults.active !== true ? notServed(request, reply) : undefined,
    );
  });

  const refusedCall = (request: FastifyRequest): RefusedCall => refusedCallOf(registry, request);
  const faultAnswers = createFaultAnswers(version, refusedCall);
  const refused = (refusal: Refusal, request: FastifyRequest): Answer => {
    const { status, body } = version.formatRefusal(refusal, refusedCall(request));
    const { method } = request;
    const hint =
      refusal.code === 'path_unknown'
        ? printable(nearestPath({ method, path: pathOf(request) }))
        : keyHint(version, refusal.code, request);
    return { status, body: JSON.stringify(body), hint, replayed: false };
  };

  const idempotency = createIdempotency({
    version,
    views: served.views,
    faultAnswer: faultAnswers.inPlace,
    refused,
  });
  const send = createAnswering(app, {
    version,
    errorAnswer: faultAnswers.errorAnswer,
    store: idempotency.store,
    onBroken: options.onBroken,
  });

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
    // These requests did not reach the operation.
    const { kind } = REFUSALS[refusal.code];
    if (kind === 'rate_limited' || kind === 'unavailable' || NOT_STORED.has(refusal.code))
      return send(request, reply, answer);
    // The first response is stored whatever its status, so that a repeated request cannot succeed after the first one
    // failed.
    return send(request, reply, await idempotency.store(request, answer));
  });

  /** Sends the outcome of an operation. It does not throw: the error handler answers a failure. */
  const finish = (request: FastifyRequest, reply: FastifyReply, outcome: Outcome<Answer>): void => {
    const fail = (error: unknown): void => {
      reply.send(error instanceof Error ? error : new Error(String(error)));
    };
    if (!outcome.ok) {
      fail(outcome.error);
      return;
    }
    try {
      send(request, reply, outcome.value)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };

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
        ...(tokenHeader !== undefined && { tokenHeader }),
      },
      // A list.
      ...(query !== undefined && { onSend: compressAnswer }),
      // Callbacks, not promises: they would cost a payment a microsecond.
      handler: (request, reply) => carryOut(request, (outcome) => finish(request, reply, outcome)),
    });
  };

  for (const operation of served.operations) if (operation.files === undefined) serve(app, operation);
  app.register(async (scope) => {
    takeForms(scope);
    for (const operation of served.operations) if (operation.files !== undefined) serve(scope, operation);
  });

  app.setNotFoundHandler((request, reply) => {
    throw notServed(request, reply);
  });
}

const NOT_STORED: ReadonlySet<RefusalCode> = new Set([
  'request_timeout',
  'idempotency_key_in_use',
  'idempotency_key_too_long',
]);

/**
 * Finds the sandbox of a request by its key or token, and begins the call. Returns a refusal if there is no such
 * sandbox.
 */
function openCall(
  version: Api,
  registry: Registry,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | undefined {
  // This comes first, so that a page can read a refusal too.
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
  // A GET of an observer has no side effects: it is not in the journal, the stream or the coverage, uses no id, and
  // no fault or rate limit applies to it. The inspector must not change the bank that it shows.
  const isObserver = looks && request.method === 'GET';
  const { clock, nextId } = sandbox.open();
  const requestId = isObserver ? registry.strayId() : nextId();
  request.call = {
    sandbox,
    requestId,
    isObserver,
    at: clock.now(),
    faultHit: null,
    factsBefore: 0,
    factsAfter: 0,
    bank: sandbox.bankNumber,
  };
  reply.header(REQUEST_ID_HEADER, version.formatRequestId(requestId));
  return undefined;
}

/** Gets the outcome of an operation. It must not throw. */
type OnOutcome = (outcome: Outcome<Answer>) => void;

/**
 * Executes the requests of an operation: a GET reads or renders, any other method is one commit. Passes the outcome to
 * `done`, unless it throws at once.
 */
function createHandler(
  operation: AnyOperation,
  { version, strictFields }: ApiOptions,
  idempotency: Idempotency,
): (request: FastifyRequest, done: OnOutcome) => void {
  const { method, path, status, body: bodyShape, files: parts, tokenHeader } = operation;
  const hintOf = createRequestHints(version, operation, strictFields);

  /** Sends the real-time authorization before a command, if one is configured; once per idempotency key. */
  const prepare = (sandbox: Sandbox, request: FastifyRequest) => {
    if (operation.prepare === undefined || sandbox.bank.realTime.settings() === undefined) return undefined;
    if (idempotency.isStored(sandbox, idempotency.keyOf(request))) return undefined;
    const { params, query, body } = request;
    return operation.prepare(questionsOf(sandbox), sandbox.bank, { params, query, body: body ?? {} });
  };

  /** Nothing waits between the beginning of this function and the commit, so everything runs against the same bank. */
  const execute = (request: FastifyRequest, prepared: RtaAnswer | undefined, done: OnOutcome): void => {
    const call = callOf(request);
    const { sandbox } = call;
    const hints = [hintOf(request)].filter((hint) => hint !== '');
    const hint = (): string => hints.join('; ');
    const file = filesOf(parts, request.body);
    // A call with a token has no person.
    const personId = tokenHeader === undefined ? version.parsePerson(sandbox, request, path) : '';
    const baseUrl = baseUrlOf(request);
    sandbox.calledAt(baseUrl);
    const opened = sandbox.open();
    const { bank, outbox } = opened;
    let shown: Shown | undefined;
    const context: Context = {
      bank,
      now: opened.clock.now(),
      fileLink: (kind, id) => fileLink(sandbox, baseUrl, { kind, id }),
      disclosureLink: (file) => disclosureLink(sandbox, baseUrl, file),
      personId,
      header: (name) => String(request.headers[name] ?? ''),
      publicToken: (token) => ({ ...token, token: markToken(sandbox.name, token.token) }),
      token: tokenHeader === undefined ? '' : unmarkToken(sandbox.name, tokenOf(request)),
      show(view, record) {
        const made = show(bank, view, record);
        shown = made;
        return made.answer;
      },
      file,
      hint: (remark) => void hints.push(printable(remark)),
      prepared,
    };
    const { params, query } = request;
    const body = request.body ?? {};
    const before = hints.length;
    const run = (): Answer => {
      // The command runs again if its first group could not be written.
      hints.length = before;
      const made: unknown = operation.run(context, { params, query, body });
      if (!call.isObserver) sandbox.coverage.countOperation(operation.id);
      return {
        status,
        body: made === undefined ? '' : JSON.stringify(made),
        hint: hint(),
        replayed: false,
        shown: shown?.answer === made ? shown : undefined,
      };
    };
    if (method === 'GET') {
      const rendered = operation.render?.(context, { params, query });
      if (rendered === undefined) {
        const value = run();
        atEndOfTurn(sandbox, () => done({ ok: true, value }));
        return;
      }
      if (!call.isObserver) sandbox.coverage.countOperation(operation.id);
      Promise.resolve(rendered).then(
        (made) => done({ ok: true, value: fileAnswer(made, hint()) }),
        (error) => done({ ok: false, error }),
      );
      return;
    }
    const key = operation.keepsNoAnswer === true ? '' : idempotency.keyOf(request);
    opened.submit(() => {
      const before = outbox.latestSeq();
      const made = idempotency.once(opened, request, key, run);
      call.factsBefore = before;
      call.factsAfter = outbox.latestSeq();
      call.bank = sandbox.bankNumber;
      return made;
    }, done);
  };

  return (request, done) => {
    const { sandbox } = callOf(request);
    request.operationId = operation.id;
    // The validator cannot distinguish a null body from a missing one.
    if (bodyShape !== undefined && request.body === null) throw refuse('body_missing');
    const free = operation.keepsNoAnswer === true ? undefined : idempotency.reserve(request);
    const freeAndDone: OnOutcome =
      free === undefined
        ? done
        : (outcome) => {
            free();
            done(outcome);
          };
    try {
      const preparing = prepare(sandbox, request);
      if (preparing === undefined) execute(request, undefined, freeAndDone);
      else
        preparing
          .then((prepared) => execute(request, prepared, freeAndDone))
          .catch((error) => freeAndDone({ ok: false, error }));
    } catch (error) {
      freeAndDone({ ok: false, error });
    }
  };
}

/** Creates the handler that refuses a request without an operation and names the methods that its path accepts. */
function createNotServed({ operations }: Served): (request: FastifyRequest, reply: FastifyReply) => Refusal {
  const paths = operations.map(({ method, path }) => ({
    method,
    path,
    matches: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }));
  return (request, reply) => {
    const path = pathOf(request);
    const matching = paths.filter(({ matches }) => matches.test(path));
    // A literal path precedes one with a parameter at the same position.
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

/** Creates the formatter of refusals by the server itself, before an operation is reached. */
export function createRefusalFormatter(
  version: Pick<Api, 'formatRefusal'>,
  registry: Registry,
): (refusal: Refusal, request: FastifyRequest) => { status: number; body: object } {
  return (refusal, request) => version.formatRefusal(refusal, refusedCallOf(registry, request));
}

function refusedCallOf(registry: Registry, { call, method, routeOptions, url }: FastifyRequest): RefusedCall {
  // A sandbox whose file was just found to be damaged would refuse again.
  const sandbox = call?.sandbox.isOpen() === true ? call.sandbox : null;
  return {
    requestId: call?.requestId ?? registry.strayId(),
    sandbox,
    method,
    path: routeOptions.url ?? url,
    now: sandbox?.clock.now() ?? registry.now(),
  };
}

/** The token of the request; `''` if the operation takes no token or none was sent. */
function tokenOf(request: FastifyRequest): string {
  const { tokenHeader } = request.routeOptions.config;
  return tokenHeader === undefined ? '' : String(request.headers[tokenHeader] ?? '');
}

/** A response that is a file. The journal does not show its content. */
function fileAnswer(file: RenderedFile, hint: string): Answer {
  return { status: 200, body: '', hint, replayed: false, file };
}

/** The headers that a page may read. */
const SHOWN_HEADERS = 'x-request-id, x-sandbox-hint';

/** Lets a page of any origin read the answer. */
function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', SHOWN_HEADERS);
}

/**
 * Answers the preflight requests of the operations that need only a token. A preflight request has no key and reaches
 * no sandbox.
 */
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
