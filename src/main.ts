/**
 * The process: configuration, sandboxes, server, signals. Nothing else touches them, and nothing happens on import.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { buildApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { createSender } from './delivery/sender.ts';
import { type GuardOptions, isLoopback } from './http/control/guard.ts';
import { seededIds } from './http/control/summary.ts';
import { projectFile } from './kernel/project.ts';
import type { Clock } from './kernel/time.ts';
import { createLog } from './log.ts';
import { createRegistry, DEFAULT_SANDBOX, keyOf } from './sandboxes/registry.ts';
import { DataVersionError } from './store/migrate.ts';
import { firstCall, welcome } from './welcome.ts';

const STOP_DEADLINE_MS = 900;
const TOKEN_BYTES = 24;
const KEY_BYTES = 24;

/** Starts the server and returns once it accepts requests; a wrong setting ends the process with what is wrong. */
export async function run(_args: string[]): Promise<void> {
  const read = readConfig(process.env);
  if ('problems' in read) {
    for (const problem of read.problems) process.stderr.write(`sandbank: ${problem}\n`);
    process.exitCode = 1;
    return;
  }
  try {
    await serve(read.config);
  } catch (error) {
    if (!(error instanceof DataVersionError) && !isSystemError(error)) throw error;
    process.stderr.write(`sandbank: ${explain(error, read.config)}\n`);
    process.exitCode = 1;
  }
}

async function serve(config: Config): Promise<void> {
  const terminal = process.stdout.isTTY === true;
  const { log, flush } = await createLog(config, terminal);
  const clock: Clock = { now: () => Date.now() };
  const sender = createSender();
  const registry = createRegistry({
    data: config.data,
    synchronous: config.synchronous,
    seed: config.seed,
    rails: config.rails,
    webhookUrl: config.webhookUrl,
    clock,
    wallClock: clock,
    send: sender.send,
    maxSandboxes: config.maxSandboxes,
    ...(config.sandboxes === 'closed' && {
      closed: { randomText: () => randomBytes(KEY_BYTES).toString('base64url') },
    }),
    onError: (sandbox, error) => log.error({ sandbox, err: error }, 'a planned step failed'),
  });
  const version = packageVersion();
  const guard = guardOf(config);
  const app = await buildApp({ ...config, registry, log, version, guard });
  const leave = (): void => {
    if (config.readyFile !== null) rmSync(config.readyFile, { force: true });
    flush();
    process.exit(0);
  };
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    // A request that never ends must not keep the process.
    setTimeout(leave, STOP_DEADLINE_MS).unref();
    await app.stop();
    await registry.close();
    await sender.close();
    leave();
  };
  // Before anybody is told that the bank is there, and may want it gone again.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  await app.server.listen({ host: config.host, port: config.port });

  const { port } = app.server.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const url = `http://${host}:${port}`;
  const apiKey = keyOf(DEFAULT_SANDBOX);
  if (config.readyFile !== null) {
    // Whoever waits for the file must never read half of it.
    const half = `${config.readyFile}.${process.pid}`;
    const ready = { url, api_key: apiKey, pid: process.pid };
    if (guard.token === null) writeFileSync(half, JSON.stringify(ready));
    else writeFileSync(half, JSON.stringify({ ...ready, control_token: guard.token }), { mode: 0o600 });
    renameSync(half, config.readyFile);
  }
  const seeded = seededIds(registry.default());
  // One that was given is known to whoever gave it.
  const madeToken = config.controlToken === null ? guard.token : null;
  if (terminal) process.stdout.write(welcome({ url, apiKey, seeded, config, version, madeToken }));
  else {
    if (madeToken !== null) {
      const said =
        'the control plane can be reached from elsewhere: send this token as x-control-token, or choose one with SANDBANK_CONTROL_TOKEN';
      // A token that nobody can learn is of no use.
      if (log.isLevelEnabled('warn')) log.warn({ control_token: madeToken }, said);
      else process.stderr.write(`sandbank: ${said}: ${madeToken}\n`);
    }
    log.info(
      {
        url,
        api_key: apiKey,
        rails: config.rails,
        data: config.data,
        seeded,
        try: firstCall(url, apiKey, seeded),
      },
      'listening',
    );
  }
}

/** Off loopback the control plane wants a token, and one that was set is wanted everywhere. */
function guardOf({ host, control, controlToken }: Config): GuardOptions {
  const isLocal = isLoopback(host);
  if (!control) return { isLocal, token: null };
  const made = isLocal ? null : randomBytes(TOKEN_BYTES).toString('base64url');
  return { isLocal, token: controlToken ?? made };
}

function packageVersion(): string {
  const text = readFileSync(projectFile('package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}

function explain(error: Error, config: Config): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `port ${config.port} on ${config.host} is taken by another program: stop it, or choose another with SANDBANK_PORT (0 takes a free one)`;
  }
  if (code === 'SQLITE_BUSY') {
    return `the data directory ${config.data} is in use by another Sandbank: stop it, or choose another with SANDBANK_DATA`;
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'SQLITE_CANTOPEN') {
    return `${error.message}: the data directory ${config.data} must be writable; choose another with SANDBANK_DATA, or set it empty to keep everything in memory`;
  }
  return error.message;
}
