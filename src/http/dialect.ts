/**
 * What all operations of a dialect have in common: the key, or a token, finds the sandbox, the shapes are checked, a
 * command runs once under its idempotency key in one commit with its answer, and every no is spelled in the dialect's
 * own body.
 * Source: decisions `api-keys`, `person-header`, `v2-error-body`, `v1-error-body`, `v2-error-codes`, `v1-error-codes`,
 * `value-strictness`, `unknown-fields`, `empty-body`, `idempotency-keys`, `card-number-shown`, `request-id`,
 * `person-header-rights` and `cross-origin` in docs/fidelity.md.
 */

import { hash } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyOperation, Context, RenderedFile } from '../api/operation.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { REFUSALS } from '../kernel/refusals.ts';
import { questionsOf } from '../sandboxes/real-time.ts';
import type { Registry } from '../sandboxes/registry.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { markToken, unmarkToken } from '../sandboxes/token-marks.ts';
import { IDEMPOTENCY_MS } from '../store/store.ts';
import { type Answer, createAnswering, endOfTurn, operationIdOf, pathOf } from './answering.ts';
import type { Call, Dialect, RefusedCall } from './api-versions.ts';
import { allowAnyOrigin } from './cross-origin.ts';
import { disclosureLink } from './disclosures.ts';
import { letBodyPass, refusalFrom, refusalOfFailure } from './errors.ts';
import { fileLink } from './files.ts';
import { filesOf, takeForms } from './form-files.ts';
import { baseUrlOf } from './hosts.ts';
import type { RateLimiter } from './rate-limits.ts';
import { compileForClients, unknownFields } from './validation.ts';

export interface DialectOptions {
  dialect: Dialect;
  registry: Registry;
  strictFields: boolean;
  /** Refuses what is asked too fast; nobody is held back, unless given. */
  limit?: RateLimiter | undefined;
  /** What failed on our side, for the log. */
  onFailure(error: unknown, request: FastifyRequest): void;
  /** A fault broke the connection, so nothing else will tell of this request. */
  onBroken(request: FastifyRequest, reply: FastifyReply): void;
}

/** Clients take 16 KB of headers, and of more only the names at the front would be read. */
const HINT_NAMES_LENGTH = 1000;
const REQUEST_ID_HEADER = 'x-request-id';
const OTHER_REQUEST_HINT =
  'this idempotency key was used for another request; its answer is replayed, and this request was not carried out';

const NO_FIELDS: TSchema = Type.Object({});

/** Serves a dialect's operations below its prefix. */
export function registerDialect(app: FastifyInstance, options: DialectOptions): void {
  const { dialect, registry, strictFields, limit } = options;
  app.setValidatorCompiler(compileForClients);

  // A callback, not a promise: it runs for every request and waits for nothing.
  app.addHook('onRequest', (request, reply, done) => {
    // First of all, so that a page can read a refusal too.
    if (request.routeOptions.config.tokenHeader !== undefined) allowAnyOrigin(reply);
    const key = request.headers[dialect.keyHeader];
    const token = key === undefined ? tokenOf(request) : '';
    const sandbox =
      token !== ''
        ? registry.byToken(token)
        : typeof key === 'string' && key !== ''
          ? registry.byKey(key)
          : undefined;
    if (sandbox === undefined) {
      done(refuse(token !== '' ? 'token_invalid' : key === undefined ? 'key_missing' : 'key_unknown'));
      return;
    }
    const requestId = sandbox.nextId();
    request.call = {
      sandbox,
      requestId,
      at: sandbox.clock.now(),
      strike: null,
      factsBefore: 0,
      factsAfter: 0,
      bank: sandbox.banksBefore,
    };
    reply.header(REQUEST_ID_HEADER, dialect.spellRequestId(requestId));
    done();
  });
  if (limit !== undefined) app.addHook('onRequest', limit);
  // Before the body is read, unless a fault is to be met, which comes after it.
  app.addHook('onRequest', (request, reply, done) => {
    done(
      request.is404 && request.call?.sandbox.faults.active !== true ? notServed(request, reply) : undefined,
    );
  });

  const callOf = (request: FastifyRequest): Call => {
    if (request.call === null) throw refuse('key_missing');
    return request.call;
  };

  const idempotencyKey = (request: FastifyRequest): string => {
    if (request.method !== 'POST' && request.method !== 'PATCH') return '';
    const key = request.headers[dialect.idempotencyHeader];
    // The two generations answer in different shapes, so one never replays for the other.
    return typeof key === 'string' && key !== '' ? `${dialect.name}:${key}` : '';
  };

  const fingerprint = (request: FastifyRequest): string =>
    hash('sha1', `${request.method} ${request.url}\n${request.rawBody}`);

  /**
   * Answers `make` once under the request's idempotency key, or what a fault plays after it; a repetition gets the first
   * answer. In a commit.
   */
  const once = (sandbox: Sandbox, request: FastifyRequest, key: string, make: () => Answer): Answer => {
    if (key === '') return make();
    const now = sandbox.clock.now();
    const kept = sandbox.store.answers.find(key, now - IDEMPOTENCY_MS);
    const print = fingerprint(request);
    if (kept !== undefined) {
      return {
        status: kept.status,
        body: kept.body,
        hint: kept.fingerprint === print ? '' : OTHER_REQUEST_HINT,
        replayed: true,
      };
    }
    const made = make();
    const answer = playedAfter(request) ?? made;
    const { status, body } = answer;
    sandbox.store.answers.keep({ key, fingerprint: print, status, body, createdAt: now });
    return answer;
  };

  /** What an operation asks outside before its command: nothing unless somebody is to be asked, and once for a key. */
  const prepare = (sandbox: Sandbox, operation: AnyOperation, request: FastifyRequest) => {
    if (operation.prepare === undefined || sandbox.bank.realTime.settings() === undefined) return undefined;
    const key = idempotencyKey(request);
    const since = sandbox.clock.now() - IDEMPOTENCY_MS;
    if (key !== '' && sandbox.store.answers.find(key, since) !== undefined) return undefined;
    const { params, query, body } = request;
    return operation.prepare(questionsOf(sandbox), sandbox.bank, { params, query, body: body ?? {} });
  };

  const refusedCall = (request: FastifyRequest): RefusedCall => refusedCallOf(registry, request);

  const refused = (refusal: Refusal, request: FastifyRequest): Answer => {
    const { status, body } = dialect.spellRefusal(refusal, refusedCall(request));
    return { status, body: JSON.stringify(body), hint: '', replayed: false };
  };

  /** Keeps an answer that no operation gave; what is kept already goes before it. */
  const keep = async (request: FastifyRequest, answer: Answer): Promise<Answer> => {
    const { sandbox, bank } = callOf(request);
    const key = idempotencyKey(request);
    // What the bank before an exchange was asked, the new one has not been asked.
    if (key === '' || bank !== sandbox.banksBefore) return answer;
    return sandbox.commit(() => once(sandbox, request, key, () => answer));
  };

  const { send, playedAfter } = createAnswering(app, {
    dialect,
    refusedCall,
    keep,
    onBroken: options.onBroken,
  });

  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalFrom(error);
    letBodyPass(refusal, reply);
    request.operationId = operationIdOf(request);
    if (refusal === undefined) {
      options.onFailure(error, request);
      return send(request, reply, refused(refusalOfFailure(error), request));
    }
    const answer = refused(refusal, request);
    if (request.call === null) return send(request, reply, answer);
    request.call.sandbox.coverage.countRefusal(refusal.code);
    // What came too fast, or not at all, was not looked at.
    const { kind } = REFUSALS[refusal.code];
    if (kind === 'rate_limited' || kind === 'unavailable' || refusal.code === 'request_timeout')
      return send(request, reply, answer);
    // The first answer is kept whatever its status, so a repetition cannot succeed behind the client's back.
    return send(request, reply, await keep(request, answer));
  });

  const serve = (scope: FastifyInstance, operation: AnyOperation): void => {
    const { method, path, status, body: bodyShape, query: queryShape, files: parts, tokenHeader } = operation;

    /** A record that was read may be sent back whole: an update takes the fields of the record that it answers. */
    const notInRecord = (names: string[], sent: unknown): string[] => {
      if (method !== 'PATCH' || operation.response === undefined) return names;
      const strangers = new Set(unknownFields(operation.response, sent));
      return names.filter((name) => strangers.has(name));
    };

    /** Names what the operation does not know of a request. Refuses with strict fields: `field_unknown`. */
    const hintOf = ({ query, body: sent }: FastifyRequest): string => {
      const unknown = [
        ...unknownFields(queryShape ?? NO_FIELDS, query),
        ...(bodyShape === undefined ? [] : unknownFields(bodyShape, sent)),
      ];
      if (unknown.length === 0) return '';
      const refused = strictFields ? notInRecord(unknown, sent) : [];
      if (refused.length > 0) {
        throw refuse('field_unknown', {
          field: refused[0] ?? '',
          message: `this operation does not know ${shorten(refused.join(', '))}; take them out, or switch strict fields off`,
        });
      }
      const names = shorten(unknown.join(', '));
      return `ignored, because this operation does not know them: ${names}`.replace(/[^\x20-\x7e]/g, '?');
    };

    scope.withTypeProvider<TypeBoxTypeProvider>().route({
      method,
      url: path.slice(dialect.prefix.length),
      schema: {
        ...(bodyShape !== undefined && { body: bodyShape }),
        ...(queryShape !== undefined && { querystring: queryShape }),
      },
      config: { operationId: operation.id, ...(tokenHeader !== undefined && { tokenHeader }) },
      handler: async (request, reply) => {
        const call = callOf(request);
        const { sandbox } = call;
        request.operationId = operation.id;
        // The validator cannot tell a body that is null from one that was not sent.
        if (bodyShape !== undefined && request.body === null) throw refuse('body_missing');
        const hint = hintOf(request);
        const file = filesOf(parts, request.body);
        const asked = prepare(sandbox, operation, request);
        const prepared = asked === undefined ? undefined : await asked;
        // From here to the commit nothing waits, so all of it meets the same bank.
        // Whoever comes with a token comes for nobody.
        const personId = tokenHeader === undefined ? dialect.readPerson(sandbox, request, path) : '';
        const baseUrl = baseUrlOf(request);
        const context: Context = {
          bank: sandbox.bank,
          now: sandbox.clock.now(),
          fileLink: (kind, id) => fileLink(sandbox, baseUrl, { kind, id }),
          disclosureLink: (file) => disclosureLink(sandbox, baseUrl, file),
          personId,
          header: (name) => String(request.headers[name] ?? ''),
          handOut: (token) => ({ ...token, token: markToken(sandbox.name, token.token) }),
          token: tokenHeader === undefined ? '' : unmarkToken(sandbox.name, tokenOf(request)),
          file,
          prepared,
        };
        const run = (): Answer => {
          const view: unknown = operation.run(context, {
            params: request.params,
            query: request.query,
            body: request.body ?? {},
          });
          sandbox.coverage.countOperation(operation.id);
          return { status, body: view === undefined ? '' : JSON.stringify(view), hint, replayed: false };
        };
        if (method === 'GET') {
          const rendered = operation.render?.(context, { params: request.params, query: request.query });
          if (rendered !== undefined) sandbox.coverage.countOperation(operation.id);
          const answer = rendered === undefined ? run() : fileAnswer(await rendered, hint);
          await endOfTurn();
          return send(request, reply, answer);
        }
        const key = idempotencyKey(request);
        const answer = await sandbox.commit(() => {
          const { outbox } = sandbox;
          const before = outbox.latestSeq();
          const made = once(sandbox, request, key, run);
          call.factsBefore = before;
          call.factsAfter = outbox.latestSeq();
          call.bank = sandbox.banksBefore;
          return made;
        });
        return send(request, reply, answer);
      },
    });
  };

  for (const operation of dialect.operations) if (operation.files === undefined) serve(app, operation);
  app.register(async (scope) => {
    takeForms(scope);
    for (const operation of dialect.operations) if (operation.files !== undefined) serve(scope, operation);
  });

  for (const { method, path } of dialect.notEmulated) {
    app.route({
      method,
      url: path.slice(dialect.prefix.length),
      handler: () => {
        throw refuse('not_emulated', { message: `${method} ${path} is documented but not emulated here` });
      },
    });
  }

  const paths = [...dialect.operations, ...dialect.notEmulated].map(({ method, path }) => ({
    method,
    path,
    matches: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }));
  const notServed = (request: FastifyRequest, reply: FastifyReply): Refusal => {
    const path = pathOf(request);
    const matching = paths.filter(({ matches }) => matches.test(path));
    // A path that is written out is meant before one that has a parameter in its place.
    const written = matching.filter((operation) => operation.path === path);
    const allowed = [...new Set((written.length > 0 ? written : matching).map(({ method }) => method))];
    if (allowed.length === 0) {
      return refuse('path_unknown', { message: `no operation at ${request.method} ${path}` });
    }
    reply.header('allow', allowed.join(', '));
    return refuse('method_wrong', { message: `${path} takes ${allowed.join(', ')}, not ${request.method}` });
  };
  app.setNotFoundHandler((request, reply) => {
    throw notServed(request, reply);
  });
}

/** Spells what the server itself refuses at a path of the dialect, in front of any operation. */
export function createSpeller(
  dialect: Pick<Dialect, 'spellRefusal'>,
  registry: Registry,
): (refusal: Refusal, request: FastifyRequest) => { status: number; body: object } {
  return (refusal, request) => dialect.spellRefusal(refusal, refusedCallOf(registry, request));
}

function refusedCallOf(registry: Registry, { call, method, routeOptions, url }: FastifyRequest): RefusedCall {
  // One whose file was found to be damaged a moment ago would refuse again.
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

/** The journal tells of a file by its name. */
function fileAnswer(file: RenderedFile, hint: string): Answer {
  return { status: 200, body: '', hint, replayed: false, file };
}

function shorten(names: string): string {
  return names.length <= HINT_NAMES_LENGTH ? names : `${names.slice(0, HINT_NAMES_LENGTH)}...`;
}
