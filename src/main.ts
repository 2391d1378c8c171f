/**
 * The process: its configuration, server and signals. Only this file uses them, and importing it does nothing.
 */
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { namedIds, seededIds } from './control/summary.ts';
import { formatSlots } from './kernel/slots.ts';
import { printConfig } from './process/config.ts';
import { createLog } from './process/log.ts';
import type { Config } from './process/settings.ts';
import { readSettings, type SettingsInput } from './process/settings-file.ts';
import { firstCall, welcome } from './process/welcome.ts';
import { DEFAULT_SANDBOX } from './registry/registry.ts';
import { type Server, startServer } from './server.ts';

const STOP_DEADLINE_MS = 900;

/** The options of the command line. */
export interface RunOptions extends SettingsInput {
  /** Prints the configuration and where it comes from, and starts nothing. */
  readonly printOnly?: boolean;
  /** Prints nothing but JSON, also on a terminal. */
  readonly json?: boolean;
}

/**
 * Starts the server and returns 0 once it accepts requests, or 1 after writing to stderr why it does not: every problem
 * of the settings, or which program uses its port.
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
  // What cannot be written here, because a disk is full or nobody reads it, must not end the bank.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  let server: Server | undefined;
  // It is a job of no sandbox: its failure is in no log, so /readyz has to say it.
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
    // A request that never ends must not keep the process.
    setTimeout(leave, STOP_DEADLINE_MS).unref();
    try {
      await server?.stop();
    } catch (error) {
      // A full disk: what was answered is in the logs beside the files, and the next start reads it.
      log.error({ err: error }, 'the bank was not closed in order');
    }
    leave();
  };
  // Before anybody learns that the server runs, and may stop it.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  // A program that started the bank with a channel has ended, or has closed it.
  process.once('disconnect', () => void stop('disconnect'));
  // Before there is a bank, because a start that is refused leaves none.
  if (config.readyFile !== null) tryReadyFile(config.readyFile);
  server = await startServer(config, log);

  const { url, apiKey, controlToken, registry, version } = server;
  try {
    if (config.readyFile !== null) writeReadyFile(config.readyFile, server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  // A sandbox whose file cannot be used was logged already.
  const first = registry.look(DEFAULT_SANDBOX);
  const seeded = first === undefined ? {} : seededIds(first);
  // The names of a document of one's own are what its author looks for.
  const names = first !== undefined && config.seedFile !== null ? namedIds(first) : undefined;
  const { slots } = registry;
  const served = slots.isShared ? formatSlots(slots.in('served')) : undefined;
  const hasDefault = slots.serves(DEFAULT_SANDBOX);
  // A token from the settings is known already.
  const madeToken = config.controlToken === null ? controlToken : null;
  if (terminal)
    process.stdout.write(
      welcome({ url, apiKey, seeded, names, config, version, madeToken, served, hasDefault }),
    );
  else {
    if (madeToken !== null) {
      const hint =
        'the control plane can be reached from elsewhere: send this token as x-control-token, or choose one with SANDBANK_CONTROL_TOKEN';
      // The token has to be shown somewhere, whatever the log level.
      if (log.isLevelEnabled('warn')) log.warn({ control_token: madeToken }, hint);
      else process.stderr.write(`sandbank: ${hint}: ${madeToken}\n`);
    }
    log.info(
      {
        url,
        api_key: hasDefault ? apiKey : null,
        slots: served,
        rails: config.rails,
        secrets: config.secrets,
        data: config.data,
        seeded,
        names,
        try: hasDefault ? firstCall(url, apiKey, seeded) : undefined,
      },
      'listening',
    );
  }
}

const temporaryOf = (readyFile: string): string => `${readyFile}.${process.pid}`;

/** Throws, with the path, where the ready file could not be written. */
function tryReadyFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw Object.assign(new Error(`EISDIR: ${path} is a directory`), { code: 'EISDIR', path });
  }
  writeFileSync(temporaryOf(path), '');
  rmSync(temporaryOf(path));
}

/** Written whole and then renamed, so that nobody reads half of it. */
function writeReadyFile(path: string, { url, apiKey, controlToken, registry }: Server): void {
  const temporary = temporaryOf(path);
  const { slots } = registry;
  const ready = {
    url,
    api_key: slots.serves(DEFAULT_SANDBOX) ? apiKey : null,
    ...(slots.isShared && { slots: formatSlots(slots.in('served')) }),
    pid: process.pid,
  };
  if (controlToken === null) writeFileSync(temporary, JSON.stringify(ready));
  else writeFileSync(temporary, JSON.stringify({ ...ready, control_token: controlToken }), { mode: 0o600 });
  renameSync(temporary, path);
}
