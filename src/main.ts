/**
 * The process: configuration, server, signals. Nothing else touches them, and nothing happens on import.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Config, type OtherSources, printConfig, readConfig } from './config.ts';
import { seededIds } from './http/control/summary.ts';
import { createLog } from './log.ts';
import { type Server, startServer } from './server.ts';
import { DataVersionError } from './store/migrate.ts';
import { firstCall, welcome } from './welcome.ts';

const STOP_DEADLINE_MS = 900;
const SETTINGS_FILE = 'sandbank.config.json';

/** What the command line said. */
export interface RunOptions extends Pick<OtherSources, 'flags'> {
  /** A file of settings; SANDBANK_CONFIG, or `sandbank.config.json` beside, unless given. */
  readonly file?: string;
  /** Prints the configuration and where it comes from, and starts nothing. */
  readonly printOnly?: boolean;
}

/** Starts the server and returns once it accepts requests; a wrong setting ends the process with what is wrong. */
export async function run({ flags, file, printOnly = false }: RunOptions = {}): Promise<void> {
  const settings = readSettingsFile(file ?? process.env.SANDBANK_CONFIG);
  const read =
    typeof settings === 'string'
      ? { problems: [settings] }
      : readConfig(process.env, { ...(flags && { flags }), ...(settings && { file: settings }) });
  if ('problems' in read) {
    for (const problem of read.problems) process.stderr.write(`sandbank: ${problem}\n`);
    process.exitCode = 1;
    return;
  }
  if (printOnly) {
    process.stdout.write(printConfig(read));
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

/** The settings of a file; nothing when none was named and none is there; a sentence when it cannot be used. */
function readSettingsFile(named: string | undefined): OtherSources['file'] | string | undefined {
  const path = named || SETTINGS_FILE;
  if (!named && !existsSync(path)) return undefined;
  try {
    const values: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
      return { path, values: values as Record<string, unknown> };
    }
    return `${path} holds no settings; expected a JSON object like {"port": 4800}`;
  } catch (error) {
    return `the settings file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function serve(config: Config): Promise<void> {
  const terminal = process.stdout.isTTY === true;
  const { log, flush } = await createLog(config, terminal);
  let server: Server | undefined;
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
    await server?.stop();
    leave();
  };
  // Before anybody is told that the bank is there, and may want it gone again.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  server = await startServer(config, log);

  const { url, apiKey, controlToken, registry, version } = server;
  if (config.readyFile !== null) {
    // Whoever waits for the file must never read half of it.
    const half = `${config.readyFile}.${process.pid}`;
    const ready = { url, api_key: apiKey, pid: process.pid };
    if (controlToken === null) writeFileSync(half, JSON.stringify(ready));
    else writeFileSync(half, JSON.stringify({ ...ready, control_token: controlToken }), { mode: 0o600 });
    renameSync(half, config.readyFile);
  }
  const seeded = seededIds(registry.default());
  // One that was given is known to whoever gave it.
  const madeToken = config.controlToken === null ? controlToken : null;
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
