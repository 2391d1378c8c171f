/**
 * A running server: the sandboxes, the sender of webhooks and the HTTP application on its socket, started and stopped
 * together. The process (`main.ts`) and a test that keeps its bank in process (`kit/`) both start one of these.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { createSender } from './delivery/sender.ts';
import { type GuardOptions, isLoopback } from './http/control/guard.ts';
import { packageVersion } from './kernel/project.ts';
import type { Clock } from './kernel/time.ts';
import {
  DEFAULT_SANDBOX,
  keyOf,
  prepareRegistry,
  type Registry,
  type RegistryOptions,
} from './sandboxes/registry.ts';

const TOKEN_BYTES = 24;
const KEY_BYTES = 24;

export interface Server {
  /** Like `http://127.0.0.1:4800`, with the port that it got. */
  readonly url: string;
  /** The key of the default sandbox. */
  readonly apiKey: string;
  /** The token that the control plane wants; `null` where it wants none. */
  readonly controlToken: string | null;
  readonly registry: Registry;
  readonly version: string;
  /** Answers what is under way, takes nothing new, and lets go of everything. */
  stop(): Promise<void>;
}

/** What whoever starts a server hears of it. */
type Hooks = Pick<RegistryOptions, 'onRemove'>;

/**
 * Starts a server and answers once it takes requests. Fails as `listen` and the opening of the data directory do, and then
 * leaves nothing behind: the port comes first, and nothing is made before it is ours.
 */
export async function startServer(config: Config, log: Logger, hooks: Hooks = {}): Promise<Server> {
  const clock: Clock = { now: () => Date.now() };
  const sender = createSender();
  const { registry, open, undo } = prepareRegistry({
    data: config.data,
    synchronous: config.synchronous,
    seed: config.seed,
    rails: config.rails,
    webhookUrl: config.webhookUrl,
    webhookConcurrency: config.webhookConcurrency,
    clock,
    wallClock: clock,
    send: sender.send,
    maxSandboxes: config.maxSandboxes,
    ...(config.sandboxes === 'closed' && {
      closed: { randomText: () => randomBytes(KEY_BYTES).toString('base64url') },
    }),
    onError: (sandbox, error) => log.error({ sandbox, err: error }, 'a planned step failed'),
    ...hooks,
  });
  const version = packageVersion();
  const guard = guardOf(config);
  const app = await buildApp({
    ...config,
    registry,
    log,
    version,
    guard,
    shut: true,
    ...(config.rateLimits !== 'off' && { limits: { rates: config.rateLimits, clock } }),
  });
  const stop = async (): Promise<void> => {
    await app.stop();
    await registry.close();
    await sender.close();
  };
  try {
    await app.server.listen({ host: config.host, port: config.port });
    open();
  } catch (error) {
    await stop();
    undo();
    throw error;
  }
  app.open();
  const { port } = app.server.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `http://${host}:${port}`,
    apiKey: keyOf(DEFAULT_SANDBOX),
    controlToken: guard.token,
    registry,
    version,
    stop,
  };
}

/** Off loopback the control plane wants a token, and one that was set is wanted everywhere. */
function guardOf({ host, control, controlToken }: Config): GuardOptions {
  const isLocal = isLoopback(host);
  if (!control) return { isLocal, token: null };
  const made = isLocal ? null : randomBytes(TOKEN_BYTES).toString('base64url');
  return { isLocal, token: controlToken ?? made };
}
