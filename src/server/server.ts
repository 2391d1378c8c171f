/**
 * A running server: the sandboxes, the sender of webhooks and the HTTP application on its socket, started and stopped
 * together. The process (`main.ts`) and the test kit (`kit/`) start one.
 * Source: decisions `plain-http` and `control-plane-access` in docs/fidelity.md.
 */
import { randomBytes, randomInt } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { EVERY_HOST, NOT_LINK_LOCAL } from '../bank/delivery/receiver-hosts.ts';
import { createSender } from '../bank/delivery/sender.ts';
import { isLoopback } from '../bank/kernel/loopback.ts';
import { packageVersion } from '../bank/kernel/project.ts';
import { type Clock, SECOND_MS } from '../bank/kernel/time.ts';
import { keyOf } from '../sandboxes/registry/keys.ts';
import { DEFAULT_SANDBOX } from '../sandboxes/registry/names.ts';
import { createObservers } from '../sandboxes/registry/observers.ts';
import { prepareRegistry, type Registry, type RegistryOptions } from '../sandboxes/registry/registry.ts';
import { createBackgroundJobs } from '../sandboxes/sandbox/background-jobs.ts';
import { DeliveryProblem } from '../sandboxes/sandbox/instance.ts';
import { buildApp } from './app.ts';
import type { GuardOptions } from './http/guard.ts';
import type { HostOptions } from './http/hosts.ts';
import { createMetrics } from './http/metrics.ts';
import { sandboxesOpenAtOnce } from './process/open-files.ts';
import { readSeedFile, seedFileError } from './process/seed-file.ts';
import type { Config } from './process/settings.ts';
import { readTlsFiles } from './process/tls.ts';

const TOKEN_BYTES = 24;
const KEY_BYTES = 24;

export interface Server {
  /** Such as `http://127.0.0.1:4800`, with `https` if configured, and with the actual port. */
  readonly url: string;
  /** The key of the default sandbox. */
  readonly apiKey: string;
  /** The token that the control plane requires; `null` if it requires none. */
  readonly controlToken: string | null;
  readonly registry: Registry;
  readonly version: string;
  /** Finishes requests in progress, accepts no new ones, and releases all resources. */
  stop(): Promise<void>;
}

/** Callbacks of the program that starts a server. */
type Hooks = Pick<RegistryOptions, 'onRemove' | 'onRest'>;

/**
 * Starts a server and resolves when it accepts requests. Throws the errors of `listen` and of opening the data
 * directory, and then leaves nothing behind: it binds the port before it creates anything.
 */
export async function startServer(config: Config, log: Logger, hooks: Hooks = {}): Promise<Server> {
  const clock: Clock = { now: () => Date.now() };
  const sender = createSender({
    hosts: config.webhookHosts ?? (isLoopback(config.host) ? EVERY_HOST : NOT_LINK_LOCAL),
  });
  const metrics = createMetrics();
  const seedFile = config.seedFile === null ? null : readSeedFile(config.seedFile);
  const tls = readTlsFiles(config, clock.now());
  const jobs = createBackgroundJobs({
    wallClock: clock,
    onFail({ job, sandbox, error }) {
      log.error({ sandbox, job, err: error }, 'a background job fails and will be retried');
      registry.noteFailure(sandbox, error);
    },
    onRecover({ job, sandbox, since, failures }) {
      const failing_ms = clock.now() - since;
      log.info({ sandbox, job, failures, failing_ms }, 'a background job works again');
    },
  });
  // With port 0 the system chooses one.
  let { port } = config;
  const { registry, open, undo } = prepareRegistry({
    jobs,
    data: config.data,
    synchronous: config.synchronous,
    seed: config.randomSeed,
    seedDocument: seedFile?.document ?? null,
    seedHistory: config.seedHistory,
    rails: config.rails,
    shortfall: config.shortfall,
    webhookUrl: config.webhookUrl,
    webhookConcurrency: config.webhookConcurrency,
    baseUrl: () => `${tls === null ? 'http' : 'https'}://localhost:${port}`,
    clock,
    wallClock: clock,
    send: config.control ? metrics.countingSend(sender.send) : sender.send,
    ...(config.control && { counters: metrics }),
    ...(config.secrets === 'random' && { randomText }),
    maxSandboxes: config.maxSandboxes,
    restAfterMs: config.restAfter * SECOND_MS,
    secretRoot: config.secretRoot,
    maxOpen: sandboxesOpenAtOnce(),
    ...(hooks.onRest && { onRest: hooks.onRest }),
    ...(config.sandboxes === 'closed' && {
      closed: { randomText: () => randomBytes(KEY_BYTES).toString('base64url') },
    }),
    onError(sandbox, error) {
      if (error instanceof DeliveryProblem) log.warn({ sandbox, ...error.detail }, error.what);
      else log.error({ sandbox, err: error }, 'a planned step failed');
    },
    onSetAside: (sandbox, reason, file) =>
      log.error(
        { sandbox, file, reason },
        'the file of a sandbox cannot be used: requests with its key get 503',
      ),
    async onRemove(sandbox) {
      if (config.control) await metrics.catchUp(sandbox);
      await hooks.onRemove?.(sandbox);
    },
  });
  const version = packageVersion();
  const hosts: HostOptions = { isLocal: isLoopback(config.host), allowedHosts: config.allowedHosts };
  const guard = guardOf(config, hosts);
  const app = await buildApp({
    ...config,
    registry,
    log,
    version,
    guard,
    hosts,
    shut: true,
    tls,
    observers: createObservers(config.maxObservers),
    metrics,
    ...(config.rateLimits !== 'off' && { limits: { rates: config.rateLimits, clock } }),
  });
  const stop = async (): Promise<void> => {
    await app.stop();
    await registry.close();
    await sender.close();
  };
  try {
    await app.server.listen({ host: config.host, port: config.port });
    port = (app.server.server.address() as AddressInfo).port;
    open();
  } catch (error) {
    await stop();
    undo();
    throw seedFile === null ? error : seedFileError(seedFile.path, error);
  }
  try {
    registry.probe();
  } catch (error) {
    log.error(
      { err: error, data: config.data },
      'the data directory cannot be written: reads are answered, and writes are refused with 503 until it can be written again',
    );
  }
  app.open();
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `${tls === null ? 'http' : 'https'}://${host}:${port}`,
    apiKey: keyOf(DEFAULT_SANDBOX),
    controlToken: guard.token,
    registry,
    version,
    stop,
  };
}

/** Text that cannot be guessed, from the system's random source. */
function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Off loopback the control plane requires a token; a token that was set is required everywhere. */
function guardOf({ control, controlToken }: Config, { isLocal }: HostOptions): GuardOptions {
  if (!control) return { token: null };
  const made = isLocal ? null : randomBytes(TOKEN_BYTES).toString('base64url');
  return { token: controlToken ?? made };
}
