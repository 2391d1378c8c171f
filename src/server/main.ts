/**
 * The process: its configuration, server and signals. Only this file uses them, and importing it does nothing.
 */
import { rmSync } from 'node:fs';
import { namedIds, seededIds } from '../sandboxes/control/summary.ts';
import { DEFAULT_SANDBOX } from '../sandboxes/registry/names.ts';
import { printConfig } from './process/config.ts';
import { createIdleMemory } from './process/idle-memory.ts';
import { createLog } from './process/log.ts';
import { tryReadyFile, writeReadyFile } from './process/ready-file.ts';
import type { Config } from './process/settings.ts';
import { readSettings, type SettingsInput } from './process/settings-file.ts';
import { firstCall, welcome } from './process/welcome.ts';
import { type Server, startServer } from './server.ts';

const STOP_DEADLINE_MS = 900;

/** The options of the command line. */
export interface RunOptions extends SettingsInput {
  /** Prints the configuration and its sources, and does not start a bank. */
  readonly printOnly?: boolean;
  /** Prints only JSON, even on a terminal. */
  readonly json?: boolean;
}

/**
 * Starts the server and returns 0 when it accepts requests. Otherwise it writes the reason to stderr, such as all
 * problems of the settings, and returns 1.
 */
export async function run({ printOnly = false, json = false, ...input }: RunOptions = {}): Promise<number> {
  const read = readSettings(process.env, input);
  if ('problems' in read) {
    for (const problem of read.problems) process.stderr.write(`sandbank: ${problem}\n`);
    return 1;
  }
  if (printOnly) {
    process.stdout.write(printConfig(read, json ? 'json' : 'lines'));
    return 0;
  }
  try {
    const { config } = read;
    await serve(json ? { ...config, logFormat: 'json' } : config, process.stdout.isTTY === true && !json);
    return 0;
  } catch (error) {
    // Loaded only when a start fails.
    const { explainStart } = await import('./process/start-failures.ts');
    const reason = await explainStart(error, read.config);
    if (reason === null) throw error;
    process.stderr.write(`sandbank: ${reason}\n`);
    return 1;
  }
}

async function serve(config: Config, terminal: boolean): Promise<void> {
  // A failed write, because the disk is full or the reader is closed, must not end the bank.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  let server: Server | undefined;
  // The log is a job without a sandbox. Its failure cannot be logged, so /readyz reports it.
  const onLog = (error: Error | null): void => {
    const jobs = server?.registry.jobs.of('');
    if (error === null) jobs?.succeeded('log');
    else jobs?.failed('log', error);
  };
  const { log, flush } = await createLog(config, terminal, 'stdout', onLog);
  const leave = (): void => {
    try {
      if (config.readyFile !== null) rmSync(config.readyFile, { force: true });
    } catch (error) {
      log.error({ err: error, file: config.readyFile }, 'the ready file could not be removed');
    }
    flush();
    process.exit(0);
  };
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    // A request that never ends must not keep the process alive.
    setTimeout(leave, STOP_DEADLINE_MS).unref();
    try {
      await server?.stop();
    } catch (error) {
      // The disk is full. Acknowledged data is in the logs of the files, and the next start reads it.
      log.error({ err: error }, 'the bank was not closed cleanly');
    }
    leave();
  };
  // Before the server is announced, because it may be stopped from then on.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  // The program that started the bank with an IPC channel has ended, or has closed the channel.
  process.once('disconnect', () => void stop('disconnect'));
  // Before the bank is created, because a failed start must leave none behind.
  if (config.readyFile !== null) tryReadyFile(config.readyFile);
  server = await startServer(config, log, { onRest: createIdleMemory().rested });

  const { url, apiKey, controlToken, registry, version } = server;
  try {
    if (config.readyFile !== null) writeReadyFile(config.readyFile, { url, apiKey, controlToken });
  } catch (error) {
    await server.stop();
    throw error;
  }
  // An unusable file of the default sandbox was already logged.
  const first = registry.look(DEFAULT_SANDBOX);
  const seeded = first === undefined ? {} : seededIds(first);
  // With a seed file, the welcome text shows the names in it.
  const names = first !== undefined && config.seedFile !== null ? namedIds(first) : undefined;
  // A token from the settings is not shown.
  const madeToken = config.controlToken === null ? controlToken : null;
  if (terminal) process.stdout.write(welcome({ url, apiKey, seeded, names, config, version, madeToken }));
  else {
    if (madeToken !== null) {
      const hint =
        'other machines can reach the control plane: send this token as x-control-token, or choose one with SANDBANK_CONTROL_TOKEN';
      // The token is shown whatever the log level is.
      if (log.isLevelEnabled('warn')) log.warn({ control_token: madeToken }, hint);
      else process.stderr.write(`sandbank: ${hint}: ${madeToken}\n`);
    }
    log.info(
      {
        url,
        api_key: apiKey,
        rails: config.rails,
        secrets: config.secrets,
        data: config.data,
        seeded,
        names,
        try: firstCall(url, apiKey, seeded),
      },
      'listening',
    );
  }
}
