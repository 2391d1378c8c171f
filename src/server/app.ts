/**
 * The Fastify server without a socket: both API versions, the control plane and the health checks over one registry
 * of sandboxes.
 * Source: decision `served-paths` in docs/fidelity.md.
 */
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import { Refusal, refuse } from '../bank/kernel/refusal.ts';
import { parseWholeJson } from '../bank/kernel/whole-text.ts';
import { registerOverviews } from '../reference/pages.ts';
import { formatRefusal as formatControlRefusal } from '../sandboxes/control/errors.ts';
import { keyOf } from '../sandboxes/registry/keys.ts';
import { DEFAULT_SANDBOX } from '../sandboxes/registry/names.ts';
import { createObservers, type Observers } from '../sandboxes/registry/observers.ts';
import type { Registry } from '../sandboxes/registry/registry.ts';
import { pathOf } from './http/answers.ts';
import { type Api, createV1, V2 } from './http/api-versions.ts';
import type { ReadOwn } from './http/control.ts';
import { createClientErrors, type FormatUnread, REQUEST_TIMEOUT_MS } from './http/errors.ts';
import type { GuardOptions } from './http/guard.ts';
import { registerHome } from './http/home.ts';
import { createHostCheck, type HostOptions, parseTarget, requireHost, trimSlash } from './http/hosts.ts';
import { createInterfaces } from './http/interfaces.ts';
import { takeUserTokens } from './http/keys.ts';
import { type Metrics, registerMetrics } from './http/metrics.ts';
import { type CreateServer, createParts } from './http/parts.ts';
import { createRateLimiter, type RateLimiter, type RateLimits } from './http/rate-limits.ts';
import { createGate, registerHealth } from './http/readiness.ts';
import { answerRefusals } from './http/refused.ts';
import { createRequestLog } from './http/request-log.ts';
import { createSilentConnections } from './http/silent-connections.ts';
import { writerOf } from './process/log.ts';
import type { TlsFiles } from './process/tls.ts';

export interface AppOptions {
  registry: Registry;
  log: Logger;
  version: string;
  bodyLimit: number;
  control: boolean;
  /** The access to the control plane. Default: every program on this machine. */
  guard?: GuardOptions;
  /** The allowed host names. Default: those of this machine. */
  hosts?: HostOptions;
  /** The time limit for a complete request to arrive, in real milliseconds. */
  requestTimeoutMs?: number;
  strictFields: boolean;
  strictPersonHeader: boolean;
  /** The metrics of the process, which the control plane serves. */
  metrics?: Metrics;
  /** The clients of event streams. Default: the default maximum. */
  observers?: Observers;
  /** The certificate and key for HTTPS. Default: plain HTTP. */
  tls?: TlsFiles | null;
  /** The rate limits. Default: none. */
  limits?: RateLimits;
  /**
   * Creates the server if the runtime owns the sockets, and allows neither timers at the start nor compilation after
   * it.
   */
  createServer?: CreateServer;
  /** Reads a path of the server itself, if the runtime has not all of `node:http`. */
  read?: ReadOwn;
  /** Whether requests must wait until `open` is called, because the registry is not open yet. */
  shut?: boolean;
}

/** The server and its life cycle. */
export interface App {
  /** The listening server; requests that are injected into it reach every path. */
  server: FastifyInstance;
  /** Formats a refusal for a request that does not reach the server, as the API version of its path does. */
  formatRefusal: FormatUnread;
  /** Accepts requests. */
  open(): void;
  /** Finishes requests in progress, answers waiting ones with 503, and accepts no new ones. */
  stop(): Promise<void>;
}

const OPEN: GuardOptions = { token: null };
const ON_LOOPBACK: HostOptions = { isLocal: true, allowedHosts: [] };
/** Longer than any URL that Node accepts. */
const LONGEST_URL = 65_536;

/** Builds the server of a registry: the listening part now, the others at their first request. */
export async function buildApp(options: AppOptions): Promise<App> {
  const {
    registry,
    log,
    version,
    bodyLimit,
    control,
    strictFields,
    strictPersonHeader,
    tls = null,
    metrics,
    observers = createObservers(),
    createServer,
  } = options;
  let stopping = false;
  const v1 = createV1({ strictPersonHeader });
  const formatUnread = formatterOfUnread([V2, v1], registry);
  const clientErrors = createClientErrors(options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS, formatUnread);
  const notServed = (request: FastifyRequest): Refusal => notServedAt(pathOf(request), control);
  const onFailure = (error: unknown, request: FastifyRequest): void => {
    log.error({ err: error, method: request.method, path: pathOf(request) }, 'a request failed');
    if (request.call !== null) registry.noteFailure(request.call.sandbox.name, error);
  };
  const logRequest = createRequestLog(log, writerOf(log));
  const onBroken = (request: FastifyRequest, reply: FastifyReply): void =>
    logRequest(request, reply, request.call?.faultHit?.fault.connection ?? 'broken');

  const gate = options.shut === true ? createGate() : undefined;
  const checkHost = createHostCheck(options.hosts ?? ON_LOOPBACK);
  const guard = options.guard ?? OPEN;
  let limit: RateLimiter | undefined;

  const common = (server: FastifyInstance): void => {
    gate?.hold(server);
    answerRefusals(server, onFailure);
    server.addHook('onRequest', clientErrors.onRequest);
    server.addHook('onRequest', (request, _, done) => {
      requireHost(request);
      checkHost(request);
      // The path has no route, so the body is not read.
      done(request.is404 && request.server === server ? notServed(request) : undefined);
    });
    takeUserTokens(server);
    server.decorateRequest('call', null);
    server.decorateRequest('rawBody', '');
    server.decorateRequest('operationId', '');
    takeJson(server);
    server.addHook('onResponse', (request, reply, done) => {
      logRequest(request, reply);
      metrics?.countRequest(request, reply);
      // Otherwise the connection would be kept alive for a request that is not accepted.
      if (stopping && request.raw.socket instanceof Socket) request.raw.socket.destroySoon();
      done();
    });
    server.setNotFoundHandler((request) => {
      throw notServed(request);
    });
  };

  const parts = await createParts({
    options: { ...serverOptions(bodyLimit), ...(createServer !== undefined && { pluginTimeout: 0 }) },
    createServer,
    socket: clientErrors.options,
    tls,
    common,
    async main(server) {
      registerHome(server, { version, control, apiKey: keyOf(DEFAULT_SANDBOX) });
      registerOverviews(server);
      registerHealth(server, {
        isStopping: () => stopping,
        probe: () => registry.probe(),
        failing: registry.jobs.failing,
      });
      limit = options.limits && (await createRateLimiter(server, options.limits));
      if (control && metrics !== undefined) registerMetrics(server, { metrics, registry, observers, guard });
    },
    others: createInterfaces({
      registry,
      observers,
      version,
      versions: [V2, v1],
      control,
      guard,
      strictFields,
      limit: () => limit,
      read: options.read,
      onFailure,
      onBroken,
    }),
    onFailure: (error) => log.error({ err: error }, 'a part of the server could not be created'),
  });
  const server = parts.main;
  const silent = createSilentConnections(server.server);

  return {
    server,
    formatRefusal: formatUnread,
    open: () => gate?.open(),
    async stop() {
      stopping = true;
      gate?.refuse();
      silent.end();
      await parts.close();
    },
  };
}

/** The Fastify options of every part of the server. */
function serverOptions(bodyLimit: number): FastifyServerOptions {
  return {
    bodyLimit,
    logger: false,
    // `stop` closes idle connections and waits for the others.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Otherwise the router answers an overlong id itself, and not with the API version's refusal of an unknown id.
    routerOptions: { maxParamLength: LONGEST_URL },
    rewriteUrl(request) {
      const url = trimSlash(parseTarget(request));
      return isDecodable(url) ? url : url.replaceAll('%', '%25');
    },
  };
}

/** Parses JSON bodies and keeps their text. Refuses: `body_malformed`, and `field_invalid` for half a character. */
function takeJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string;
    request.rawBody = text;
    if (text === '') {
      done(null, undefined);
      return;
    }
    try {
      done(null, parseWholeJson(text));
    } catch (error) {
      done(error instanceof Refusal ? error : refuse('body_malformed'));
    }
  });
}

/** Formats a refusal for the API version of the path, or for the control plane. */
function formatterOfUnread(versions: readonly Api[], registry: Registry): FormatUnread {
  return (refusal, method, path) => {
    const version = versions.find(({ prefix }) => `${path}/`.startsWith(`${prefix}/`));
    if (version === undefined) return formatControlRefusal(refusal);
    const call = { requestId: registry.strayId(), sandbox: null, method, path, now: registry.now() };
    return version.formatRefusal(refusal, call).body;
  };
}

function notServedAt(path: string, control: boolean): Refusal {
  const controls = control
    ? ', and the control plane is below /_sandbox'
    : '; the control plane is switched off';
  const message = `nothing is served at ${path}: the API is below /v2 and /v1${controls}; GET / lists the paths`;
  return refuse('path_unknown', { message, field: 'GET /' });
}

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
