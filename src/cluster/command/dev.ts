/**
 * `sandbank cluster dev`: one instance on this machine, with the options and the ready file of `sandbank start`.
 * Every start writes the program into a separate folder, so it always has this version; the sandboxes are in the data
 * directory.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { makeFolders } from '../../bank/kernel/folders.ts';
import { packageVersion } from '../../bank/kernel/project.ts';
import { CommandError } from '../../cli/bank.ts';
import type { Shell } from '../../cli/shell.ts';
import { keyOf } from '../../sandboxes/registry/keys.ts';
import { DEFAULT_SANDBOX } from '../../sandboxes/registry/names.ts';
import { printConfig, type ReadConfig } from '../../server/process/config.ts';
import { createLog } from '../../server/process/log.ts';
import { tryReadyFile, writeReadyFile } from '../../server/process/ready-file.ts';
import type { Config } from '../../server/process/settings.ts';
import { readSettings, type SettingsInput } from '../../server/process/settings-file.ts';
import { addressProblem, explainStart, urlOf } from '../../server/process/start-failures.ts';
import { firstCall, welcome } from '../../server/process/welcome.ts';
import { usableSeed } from '../cluster-seed.ts';
import { clusterProblems, workerBindings } from '../cluster-settings.ts';
import { ASSETS, CONFIGURATION, writeProgram } from './folder.ts';
import { endInstance, type Instance, InstanceError, startInstance } from './instance.ts';
import { findWorkerd } from './workerd.ts';

/** In the data directory. */
const OBJECTS = 'objects';
const STOP_DEADLINE_MS = 2_000;

export interface DevOptions extends SettingsInput {
  /** Prints the settings and starts nothing. */
  readonly printOnly: boolean;
  /** Prints only JSON, even on a terminal. */
  readonly json: boolean;
}

/**
 * Starts the instance, and returns when it accepts requests; throws a `CommandError` with the reason if it does not.
 */
export async function runDev(shell: Shell, { printOnly, json, ...input }: DevOptions): Promise<number> {
  const read = readSettings(shell.environment, input);
  const problems = 'problems' in read ? read.problems : clusterProblems(read, 'dev');
  if ('problems' in read || problems.length > 0) throw new CommandError(problems.join('\nsandbank: '));
  if (printOnly) {
    shell.answer(printConfig(read, json ? 'json' : 'lines'));
    return 0;
  }
  const workerd = findWorkerd({ environment: shell.environment, folder: process.cwd() });
  const problem = await addressProblem(read.config);
  if (problem !== null) throw new CommandError(problem);
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-cluster-'));
  const locked: string[] = [];
  try {
    if (read.config.readyFile !== null) tryReadyFile(read.config.readyFile);
    const objects = folderOfObjects(read.config, folder);
    lock(objects, read.config.data);
    locked.push(lockOf(objects));
    const { seedFile } = read.config;
    writeProgram(folder, seedFile === null ? null : usableSeed(seedFile, read.config));
    await serve(shell, { read, workerd, folder, objects, json });
    return 0;
  } catch (error) {
    for (const path of [folder, ...locked]) rmSync(path, { recursive: true, force: true });
    if (error instanceof InstanceError) throw new CommandError(error.message);
    const reason = await explainStart(error, read.config);
    throw reason === null ? error : new CommandError(reason);
  }
}

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The folder of the objects: in the data directory, or in the folder of the program, which is deleted at the end. */
function folderOfObjects({ data }: Config, folder: string): string {
  const objects = join(resolve(data ?? folder), OBJECTS);
  makeFolders(objects, 0o700);
  return objects;
}

const lockOf = (objects: string): string => `${objects}.lock`;

/** Two runtimes would each keep its own copy of a sandbox in memory. Throws a `CommandError` while another process has the objects. */
function lock(objects: string, data: string | null): void {
  const file = lockOf(objects);
  const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (owner > 0 && owner !== process.pid && isAlive(owner)) {
    throw new CommandError(
      `the data directory ${data} is in use by process ${owner}: stop it, or choose another directory with --data or SANDBANK_DATA. ` +
        `If that process is no Sandbank, remove ${file}.`,
    );
  }
  writeFileSync(file, String(process.pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface Start {
  readonly read: ReadConfig;
  readonly workerd: string;
  readonly folder: string;
  readonly objects: string;
  readonly json: boolean;
}

async function serve(shell: Shell, { read, workerd, folder, objects, json }: Start): Promise<void> {
  const { config } = read;
  const isTerminal = process.stdout.isTTY === true && !json;
  const { log, flush } = await createLog(json ? { ...config, logFormat: 'json' } : config, isTerminal);
  const instance = startInstance({
    workerd,
    words: [
      join(folder, CONFIGURATION),
      `--socket-addr=http=${inUrl(config.host)}:${config.port}`,
      `--directory-path=objects=${objects}`,
      `--directory-path=assets=${join(folder, ASSETS)}`,
    ],
    bindings: workerBindings(read),
    environment: shell.environment,
    log,
  });
  let isStopping = false;
  const leave = (code: number): never => {
    for (const path of [folder, lockOf(objects), ...(config.readyFile === null ? [] : [config.readyFile])]) {
      rmSync(path, { recursive: true, force: true });
    }
    flush();
    process.exit(code);
  };
  const stop = async (signal: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    await endInstance(instance, STOP_DEADLINE_MS);
    leave(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  process.once('disconnect', () => void stop('disconnect'));
  // However this process ends, the instance ends with it.
  process.once('exit', () => instance.child.kill('SIGKILL'));
  await announce(instance, { config, log, isTerminal });
  void instance.ended.then((end) => {
    if (isStopping) return;
    shell.notify(`sandbank: ${new InstanceError(end).message}\n`);
    leave(1);
  });
}

/** Prints that the instance accepts requests, when it does. */
async function announce(
  instance: Instance,
  { config, log, isTerminal }: { config: Config; log: Logger; isTerminal: boolean },
): Promise<void> {
  const { port } = await instance.ports;
  const url = `http://${inUrl(config.host)}:${port}`;
  const apiKey = keyOf(DEFAULT_SANDBOX);
  const first = await firstOf(urlOf({ host: config.host, port }), config);
  const { seeded } = first;
  const { controlToken, readyFile, data, rails, secrets, seedFile } = config;
  // With a seed file, the welcome text shows the names in it.
  const names = seedFile === null ? undefined : first.names;
  if (readyFile !== null)
    writeReadyFile(readyFile, { url, apiKey, controlToken: config.control ? controlToken : null });
  if (isTerminal)
    process.stdout.write(welcome({ url, apiKey, seeded, names, config, version: packageVersion() }));
  else {
    log.info(
      { url, api_key: apiKey, rails, secrets, data, seeded, names, try: firstCall(url, apiKey, seeded) },
      'listening',
    );
  }
}

type Ids = Readonly<Record<'seeded' | 'names', Record<string, string>>>;

/** The ids of the default sandbox, which this request creates; none if the control plane is switched off. */
async function firstOf(url: string, { control, controlToken }: Config): Promise<Ids> {
  if (!control) return { seeded: {}, names: {} };
  const headers = controlToken === null ? {} : { 'x-control-token': controlToken };
  const response = await fetch(`${url}/_sandbox`, { headers });
  if (!response.ok)
    throw new CommandError(`the instance responds ${response.status}: ${await response.text()}`);
  return (await response.json()) as Ids;
}
