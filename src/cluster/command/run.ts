/**
 * `sandbank cluster instance`: one of several instances that share the sandboxes. Acknowledged changes are stored in
 * a bucket; the folder of an instance is a partial copy, which may be lost.
 */
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { makeFolders } from '../../bank/kernel/folders.ts';
import { CommandError, UsageError } from '../../cli/bank.ts';
import type { Shell } from '../../cli/shell.ts';
import { keyOf } from '../../sandboxes/registry/keys.ts';
import { DEFAULT_SANDBOX } from '../../sandboxes/registry/names.ts';
import type { ReadConfig } from '../../server/process/config.ts';
import { createLog } from '../../server/process/log.ts';
import { tryReadyFile, writeReadyFile } from '../../server/process/ready-file.ts';
import { readSettings, type SettingsInput } from '../../server/process/settings-file.ts';
import { addressProblem } from '../../server/process/start-failures.ts';
import { clusterProblems, workerBindings } from '../cluster-settings.ts';
import { explainBucket } from './bucket-problem.ts';
import { ASSETS, CONFIGURATION } from './folder.ts';
import { type Instance, type InstanceEnd, InstanceError, type Ports, startInstance } from './instance.ts';
import { memberConfig, memberWords, readyUrl, STOP_DEADLINE_MS } from './member.ts';
import { supervise } from './supervise.ts';
import { findWorkerd } from './workerd.ts';

/** The options of the command. */
export interface RunOptions extends SettingsInput {
  /** The folder that `init` wrote. */
  readonly folder: string;
  /** The folder of the instance. */
  readonly data: string;
  readonly bucket: string;
  readonly endpoint?: string | undefined;
  readonly peerAddress: string;
  readonly peerAdvertise?: string | undefined;
  readonly json: boolean;
}

/** The names of files in the folder of the instance. */
const OBJECTS = 'objects';
const CLUSTER = 'cluster.capnp';
const PROCESSES = 'processes.json';
const READY_TIMEOUT_MS = 2_000;
/** The wait for a bucket that is starting. */
const GIVE_UP_MS = 20_000;
const BUCKET = /^(s3|gs):\/\/[^/]+/;
const ADDRESS = /^(.+):(\d{1,5})$/;

/** Runs an instance until it is stopped. Throws a `CommandError` with the reason if it cannot be started. */
export async function runInstance(shell: Shell, options: RunOptions): Promise<void> {
  const { environment } = shell;
  const read = settingsOf(shell, options);
  const { config } = read;
  const { bucket, key } = accessOf(shell, options, read);
  const [, peerHost = ''] = ADDRESS.exec(options.peerAddress) ?? [];
  if (peerHost === '') {
    throw new UsageError(
      `--peer-address is ${options.peerAddress}: expected a host and a port, like 10.0.0.7:4900`,
    );
  }
  const program = resolve(options.folder);
  if (!existsSync(join(program, CONFIGURATION))) {
    throw new CommandError(
      `${options.folder} has no ${CONFIGURATION}: make the folder with "sandbank cluster init ${options.folder}"`,
    );
  }
  const workerd = findWorkerd({ environment, folder: program });
  const problem = await addressProblem(config);
  if (problem !== null) throw new CommandError(problem);
  const { readyFile } = config;
  if (readyFile !== null) tryReadyFile(readyFile);
  const { objects, file, processes } = prepareData(resolve(options.data), program, { bucket, key });

  const variables = bucketVariables(environment, options.endpoint);
  const explain = ({ output }: InstanceEnd): Promise<string | undefined> =>
    explainBucket(output, { bucket, endpoint: variables.AWS_ENDPOINT_URL || undefined });

  const isTerminal = process.stdout.isTTY === true && !options.json;
  const { log, flush } = await createLog(
    options.json ? { ...config, logFormat: 'json' } : config,
    isTerminal,
  );
  /** After the first start the addresses do not change, so that others find the instance again. */
  let ports: Ports | undefined;
  const start = (): Instance => {
    const instance = startInstance({
      workerd,
      words: [
        file,
        `--socket-addr=http=${inUrl(config.host)}:${ports?.port ?? config.port}`,
        `--directory-path=objects=${objects}`,
        `--directory-path=assets=${join(program, ASSETS)}`,
        ...memberWords({
          listen: ports?.peerPort === undefined ? options.peerAddress : `${peerHost}:${ports.peerPort}`,
          advertise: options.peerAdvertise,
        }),
      ],
      bindings: workerBindings(read),
      environment: variables,
      log,
      // Ctrl-C in a terminal is for the whole group, and would end the instance before it handed over its sandboxes.
      ownGroup: true,
    });
    writeFileSync(processes, JSON.stringify({ supervisor: process.pid, workerd: instance.child.pid }));
    instance.ports.then(
      (found) => {
        ports = found;
      },
      () => {},
    );
    return instance;
  };
  const supervisor = supervise({
    log,
    start,
    stopDeadlineMs: STOP_DEADLINE_MS,
    giveUpMs: GIVE_UP_MS,
    explain,
    isReady: () => isReadyAt(peerHost, ports?.peerPort),
    onReady() {
      if (readyFile === null) return;
      const { control, controlToken, host } = config;
      writeReadyFile(readyFile, {
        url: `http://${inUrl(host)}:${ports?.port}`,
        apiKey: keyOf(DEFAULT_SANDBOX),
        controlToken: control ? controlToken : null,
      });
    },
    onUnready() {
      if (readyFile !== null) rmSync(readyFile, { force: true });
    },
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => supervisor.stop(signal));
  const failure = await supervisor.ended;
  rmSync(processes, { force: true });
  flush();
  if (failure !== undefined) {
    throw new CommandError((await explain(failure)) ?? new InstanceError(failure).message);
  }
}

function settingsOf({ environment }: Shell, { flags, file }: RunOptions): ReadConfig {
  const read = readSettings(environment, { ...(flags && { flags }), ...(file !== undefined && { file }) });
  const problems = 'problems' in read ? read.problems : clusterProblems(read, 'instance');
  if ('problems' in read || problems.length > 0) throw new CommandError(problems.join('\nsandbank: '));
  return read;
}

/** The credentials for the bucket and for the other instances. */
function accessOf(
  { environment }: Shell,
  { bucket }: RunOptions,
  { config: { secretRoot } }: ReadConfig,
): { bucket: string; key: string } {
  if (!BUCKET.test(bucket)) {
    throw new UsageError(`--bucket is ${bucket}: expected an address like s3://bank/sandbank`);
  }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_CREDENTIALS_FILE } = environment;
  if (bucket.startsWith('s3:') && !AWS_CREDENTIALS_FILE && !(AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)) {
    throw new CommandError(
      'the bucket needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_CREDENTIALS_FILE',
    );
  }
  if (secretRoot === null) {
    throw new CommandError(
      'SANDBANK_SECRET_ROOT is not set. Instances recognize each other by it: set the same for all of them; "openssl rand -hex 32" makes one',
    );
  }
  return { bucket, key: createHmac('sha256', secretRoot).update('instances of a cluster').digest('hex') };
}

/** The folder of the instance, and its configuration in it. */
function prepareData(
  data: string,
  program: string,
  { bucket, key }: { bucket: string; key: string },
): { objects: string; file: string; processes: string } {
  const objects = join(data, OBJECTS);
  const file = join(data, CLUSTER);
  const processes = join(data, PROCESSES);
  makeFolders(objects, 0o700);
  endOrphan(data, processes, file);
  const instance = relative(data, join(program, CONFIGURATION)).replaceAll('\\', '/');
  writeFileSync(file, memberConfig({ instance, bucket, key }), { mode: 0o600 });
  return { objects, file, processes };
}

/**
 * Ends an instance whose supervisor was killed, because it still serves and must not run next to its replacement.
 * Only on Linux can the process be identified. Throws if its supervisor still runs.
 */
function endOrphan(data: string, processes: string, file: string): void {
  const text = readText(processes);
  if (text === '') return;
  const { supervisor, workerd } = JSON.parse(text) as { supervisor: number; workerd: number };
  if (!readText(`/proc/${workerd}/cmdline`).split('\0').includes(file)) return;
  const [, parent] = /^PPid:\s+(\d+)$/m.exec(readText(`/proc/${workerd}/status`)) ?? [];
  if (Number(parent) === supervisor && supervisor !== process.pid) {
    throw new CommandError(
      `another instance uses ${data} (process ${supervisor}): stop it, or choose another folder with --data`,
    );
  }
  process.kill(workerd, 'SIGKILL');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The address of the bucket in the format of workerd. */
function bucketVariables(
  environment: Readonly<Record<string, string | undefined>>,
  endpoint: string | undefined,
): Record<string, string | undefined> {
  const { AWS_REGION = 'auto' } = environment;
  const url = endpoint?.replace(/\/+$/, '');
  return { ...environment, AWS_REGION, ...(url !== undefined && { AWS_ENDPOINT_URL: url }) };
}

async function isReadyAt(host: string, port: number | undefined): Promise<boolean> {
  if (port === undefined) return false;
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '[::]' ? '[::1]' : host;
  try {
    const response = await fetch(readyUrl(`${reached}:${port}`), {
      signal: AbortSignal.timeout(READY_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);
