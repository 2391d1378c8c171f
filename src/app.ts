/**
 * The Fastify server without a socket: both API versions, the control plane and the health checks over one registry
 * of sandboxes.
 * Source: decision `served-paths` in docs/fidelity.md.
 */
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import { formatRefusal as formatControlRefusal } from './control/errors.ts';
import { pathOf } from './http/answers.ts';
import { type Api, createV1, V2 } from './http/api-versions.ts';
import { createClientErrors, type FormatUnread, REQUEST_TIMEOUT_MS } from './http/errors.ts';
import type { GuardOptions } from './http/guard.ts';
import { registerHome } from './http/home.ts';
import { createHostCheck, type HostOptions, parseTarget, requireHost, trimSlash } from './http/hosts.ts';
import { createInterfaces } from './http/interfaces.ts';
import { takeUserTokens } from './http/keys.ts';
import { type Metrics, registerMetrics } from './http/metrics.ts';
import { registerOverviews } from './http/pages.ts';
import { type CreateServer, createParts } from './http/parts.ts';
import { createRateLimiter, type RateLimiter, type RateLimits } from './http/rate-limits.ts';
import { createGate, registerHealth } from './http/readiness.ts';
import { answerRefusals } from './http/refused.ts';
import { createRequestLog } from './http/request-log.ts';
import { createSilentConnections } from './http/silent-connections.ts';
import { holdArriving } from './http/slots.ts';
import { type Refusal, refuse } from './kernel/refusal.ts';
import { writerOf } from './process/log.ts';
import type { TlsFiles } from './process/tls.ts';
import { keyOf } from './registry/keys.ts';
import { createObservers, type Observers } from './registry/observers.ts';
import { DEFAULT_SANDBOX, type Registry } from './registry/registry.ts';

export interface AppOptions {
  registry: Registry;
  log: Logger;
  version: string;
  bodyLimit: number;
  control: boolean;
  /** Who may use the control plane; every program on this machine, unless given. */
  guard?: GuardOptions;
  /** By which names the server may be called; by those of this machine, unless given. */
  hosts?: HostOptions;
  /** How long a whole request may take to arrive, in real milliseconds. */
  requestTimeoutMs?: number;
  strictFields: boolean;
  strictPersonHeader: boolean;
  /** What the process counts; it is served with the control plane. */
  metrics?: Metrics;
  /** The clients that follow streams; a default number of them unless given. */
  observers?: Observers;
  /** The certificate and key for HTTPS; plain HTTP unless given. */
  tls?: TlsFiles | null;
  /** How many requests a client may send; unlimited, unless given. */
  limits?: RateLimits;
  /** Makes the server where the runtime has the sockets, and allows neither timers nor the making of code after its start. */
  createServer?: CreateServer;
  /** The registry is not open yet, so requests are held back until `open` is called; none is, unless given. */
  shut?: boolean;
}

/** The server and how it stops. */
export interface App {
  /** What listens; what is injected into it reaches every path. */
  server: FastifyInstance;
  /** Lets requests through. */
  open(): void;
  /** Finishes the requests under way, answers those held back with 503, and takes no new ones. */
  stop(): Promise<void>;
}

const OPEN: GuardOptions = { token: null };
const ON_LOOPBACK: HostOptions = { isLocal: true, allowedHosts: [] };
/** More than Node lets through. */
const LONGEST_URL = 65_536;

/** Builds the server of a registry: the part that listens now, the others when they are first called. */
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
      // Nothing is served at this path, so its body is not read.
      done(request.is404 && request.server === server ? notServed(request) : undefined);
    });
    takeUserTokens(server);
    if (registry.slots.isShared) holdArriving(server, registry.slots);
    server.decorateRequest('call', null);
    server.decorateRequest('rawBody', '');
    server.decorateRequest('operationId', '');
    takeJson(server);
    server.addHook('onResponse', (request, reply, done) => {
      logRequest(request, reply);
      metrics?.countRequest(request, reply);
      // Otherwise it would be kept alive for a next request that is not taken.
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
      onFailure,
      onBroken,
    }),
    onFailure: (error) => log.error({ err: error }, 'a part of the server could not be made'),
  });
  const server = parts.main;
  const silent = createSilentConnections(server.server);

  return {
    server,
    open: () => gate?.open(),
    async stop() {
      stopping = true;
      gate?.refuse();
      silent.end();
      await parts.close();
    },
  };
}

/** What Fastify is told of every part of the server. */
function serverOptions(bodyLimit: number): FastifyServerOptions {
  return {
    bodyLimit,
    logger: false,
    // `stop` closes what is idle and waits for what is not.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Otherwise the router answers these two itself, and not as the API version would: an id that does not exist.
    routerOptions: { maxParamLength: LONGEST_URL },
    rewriteUrl(request) {
      const url = trimSlash(parseTarget(request));
      return isDecodable(url) ? url : url.replaceAll('%', '%25');
    },
  };
}

/** Reads bodies of JSON, and keeps their text. Refuses: `body_malformed`. */
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
      done(null, JSON.parse(text));
    } catch {
      done(refuse('body_malformed'));
    }
  });
}

/** In the words of the version below whose prefix the path is, otherwise in those of the control plane. */
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
  const message = `nothing is served at ${path}: the API is below /v2 and /v1${controls}; GET / lists what there is`;
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
