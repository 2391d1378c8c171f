/**
 * The entry of the worker. It creates the server of all sandboxes while the module starts, because code cannot be
 * compiled later, and sends each request to the object of its sandbox.
 */

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { isLoopback } from '../../bank/kernel/loopback.ts';
import { packageVersion } from '../../bank/kernel/project.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import { statusOf } from '../../bank/kernel/refusals.ts';
import { DEFAULT_SANDBOX } from '../../sandboxes/registry/names.ts';
import { createObservers } from '../../sandboxes/registry/observers.ts';
import { tokenMarkIn } from '../../sandboxes/registry/token-marks.ts';
import { createBackgroundJobs } from '../../sandboxes/sandbox/background-jobs.ts';
import { buildApp } from '../../server/app.ts';
import { compressByRuntime } from '../../server/http/compression.ts';
import { compileAtOnce } from '../../server/http/validation.ts';
import { type Bindings, directoryOf } from './bank.ts';
import type { Listed } from './directory.ts';
import { answerOf, serveWith } from './front.ts';
import { here, within } from './here.ts';
import { createObjectImages, SEED_IMAGES, SNAPSHOTS } from './images.ts';
import { createWorkerLog } from './log.ts';
import { METRICS } from './metrics.ts';
import { addressedBy } from './names.ts';
import { createObjectRegistry, type Here } from './registry.ts';
import { SETTINGS } from './settings.ts';
import { started } from './starting.ts';
import { joinStreams, keysOfStream } from './streams.ts';
import { addressOf, pathOf, targetOf } from './target.ts';

export { Bank } from './bank.ts';
export { Directory } from './directory.ts';

const clock = { now: () => Date.now() };
const nothing = (): void => {};
/** The number of random bytes in a key. */
const KEY_BYTES = 24;
const log = createWorkerLog(SETTINGS.logLevel, (line) => console.log(line));

compileAtOnce();
compressByRuntime();
const { server, formatRefusal } = await buildApp({
  registry: createObjectRegistry({
    here,
    clock,
    seed: SETTINGS.randomSeed,
    seedImages: SEED_IMAGES,
    snapshots: SNAPSHOTS,
    images: createObjectImages(),
    maxSandboxes: SETTINGS.maxSandboxes,
    ...(SETTINGS.sandboxes === 'closed' && {
      closed: { randomText: () => randomBytes(KEY_BYTES).toString('base64url') },
    }),
    jobs: createBackgroundJobs({
      wallClock: clock,
      onFail: ({ job, sandbox, error }) =>
        log.error({ sandbox, job, err: error }, 'a background job fails and will be retried'),
      onRecover: nothing,
    }),
  }),
  log: log as Logger,
  version: packageVersion(),
  bodyLimit: SETTINGS.bodyLimit,
  control: SETTINGS.control,
  guard: { token: SETTINGS.control ? SETTINGS.controlToken : null },
  hosts: { isLocal: isLoopback(SETTINGS.host), allowedHosts: SETTINGS.allowedHosts },
  strictFields: SETTINGS.strictFields,
  strictPersonHeader: SETTINGS.strictPersonHeader,
  observers: createObservers(SETTINGS.maxObservers),
  metrics: METRICS,
  // The runtime opens the sockets.
  createServer(listener) {
    serveWith(listener);
    return createServer(listener);
  },
  async read(url, headers) {
    const response = await answerOf(new Request(`http://localhost${url}`, { headers }));
    return { status: response.status, body: await response.text() };
  },
});
await server.ready();
started();

/** The name of the sandbox that a request addresses. */
async function nameOf(request: Request, env: Bindings): Promise<string> {
  const addressed = await addressedBy(request);
  if ('name' in addressed) return addressed.name;
  // If two sandboxes have the same mark, which is as unlikely as guessing it, the first one responds that the token
  // is unknown.
  const [name = DEFAULT_SANDBOX] = await directoryOf(env).namesOfMark(tokenMarkIn(addressed.token));
  return name;
}

const METRICS_PATH = '/metrics';
/**
 * Paths that concern this instance and no sandbox. `/readyz?scope=cluster` concerns the cluster: whether the
 * directory responds and can write. The gauges of `/metrics` include all sandboxes.
 */
const OF_THE_INSTANCE: ReadonlySet<string> = new Set(['/livez', '/readyz', METRICS_PATH]);
const PROBE_DEADLINE_MS = 4_000;

const refuseSandbox = (): never => {
  throw new Error('no sandbox is available');
};

/** The context of a request without a sandbox. */
const nowhere = (listed: readonly Listed[], problem: Error | null): Here => ({
  name: '',
  isThere: false,
  isFull: true,
  listed,
  problem,
  sandbox: refuseSandbox,
  make: refuseSandbox,
  copyOf: refuseSandbox,
  aside: refuseSandbox,
  storage: {
    sql: { exec: refuseSandbox, databaseSize: 0 },
    kv: { get: refuseSandbox, put: refuseSandbox, delete: refuseSandbox },
    transactionSync: refuseSandbox,
  },
  remove: refuseSandbox,
  hasKey: () => false,
  setKey: nothing,
});

async function answerHere(request: Request, env: Bindings): Promise<Response> {
  const { pathname, searchParams } = new URL(targetOf(request.url), 'http://localhost');
  let listed: readonly Listed[] = [];
  let problem: Error | null = null;
  try {
    const directory = directoryOf(env);
    if (pathname === METRICS_PATH) listed = await inTime(directory.list());
    else if (searchParams.get('scope') === 'cluster') await inTime(directory.probe());
  } catch (error) {
    // This does not affect the readiness and the counters of this instance.
    log.error({ err: error }, 'the directory of the sandboxes does not respond');
    problem = error as Error;
  }
  return within(nowhere(listed, problem), () => answerOf(request));
}

/** Rejects if the response takes longer than the timeout of a probe. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the directory of the sandboxes did not respond within ${PROBE_DEADLINE_MS} ms`);
    timer = setTimeout(() => reject(error), PROBE_DEADLINE_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

const RETRY_AFTER_SECONDS = '1';

/** The response if the object of a request did not respond, in the format of the path's API version. */
function unavailable({ method, url }: Request): Response {
  const body = within(nowhere([], null), () =>
    formatRefusal(refuse('sandbox_unavailable'), method, pathOf(url)),
  );
  return Response.json(body, {
    status: statusOf('sandbox_unavailable'),
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}

/** The response of the object that a request addresses. */
async function answerThere(incoming: Request, env: Bindings): Promise<Response> {
  try {
    const name = await nameOf(incoming, env);
    return await env.BANK.get(env.BANK.idFromName(name)).fetch(incoming);
  } catch (error) {
    log.error({ err: error, path: pathOf(incoming.url) }, 'the object of a sandbox did not respond');
    return unavailable(incoming);
  }
}

/** The request itself, unless an object would not accept its address. Its headers stay the same. */
function deliverable(incoming: Request): Request {
  const address = addressOf(incoming.url);
  return address === incoming.url ? incoming : new Request(address, incoming);
}

export default {
  fetch(received: Request, env: Bindings): Promise<Response> {
    const incoming = deliverable(received);
    if (OF_THE_INSTANCE.has(pathOf(incoming.url))) return answerHere(incoming, env);
    const keys = keysOfStream(incoming);
    if (keys.length > 0) return joinStreams(incoming, keys, (request) => answerThere(request, env));
    return answerThere(incoming, env);
  },
};
