/**
 * Runs sandboxes as objects of workerd on this machine: the worker is bundled once for a test file, and started on a
 * free port with a folder for its objects.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { bundleWorker } from '../../build/worker.mjs';
import { makeFolder, type Settings, until } from '../server/process/support.ts';
import { WORKERD } from './workerd-program.ts';

/** A start takes about a second on a quiet machine. */
const DEADLINE_MS = 40_000;

export interface Workerd {
  readonly url: string;
  /** The output of the process. */
  readonly output: () => string;
  /** Kills the process, like a crash. */
  kill(): Promise<void>;
}

/** The bundle, and the data of the objects. */
export interface WorkerFolder {
  readonly path: string;
  /** A module in the folder that uses the bundle and is started in its place. */
  readonly main?: string;
}

/** Bundles the worker into a folder that is removed after the tests of the file. */
export async function makeWorkerFolder(): Promise<WorkerFolder> {
  const path = makeFolder();
  await bundleWorker(join(path, 'worker.js'));
  mkdirSync(join(path, 'objects'));
  return { path };
}

const text = (value: string): string => JSON.stringify(value);

function configOf({ path, main }: WorkerFolder, settings: Settings): string {
  const modules = [...(main === undefined ? [] : [main]), 'worker.js'].map(
    (name) => `(name = ${text(name)}, esModule = embed ${text(name)})`,
  );
  const bindings = Object.entries(settings).map(
    ([name, value]) => `(name = ${text(name)}, text = ${text(value)}),`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .bank),
    (name = "internet", network = (allow = ["private", "public", "local"])),
    (name = "objects", disk = (path = ${text(join(path, 'objects'))}, writable = true)),
  ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "main") ],
);
const bank :Workerd.Worker = (
  modules = [${modules.join(', ')}],
  compatibilityDate = "2026-06-01",
  compatibilityFlags = ["nodejs_compat"],
  durableObjectNamespaces = [
    (className = "Bank", uniqueKey = "sandbank-bank", enableSql = true),
    (className = "Directory", uniqueKey = "sandbank-directory", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [
    (name = "BANK", durableObjectNamespace = "Bank"),
    (name = "DIRECTORY", durableObjectNamespace = "Directory"),
    ${bindings.join('\n    ')}
  ],
);
`;
}

const children = new Set<ChildProcess>();

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** Ends all running processes. */
export const endWorkerd = (): Promise<unknown> => Promise.all([...children].map(kill));

/** Starts the worker of a folder, and resolves when it accepts requests. */
export async function startWorkerd(folder: WorkerFolder, settings: Settings): Promise<Workerd> {
  const config = join(folder.path, 'config.capnp');
  writeFileSync(config, configOf(folder, settings));
  const child = spawn(WORKERD, ['serve', config, '--control-fd=3'], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  children.add(child);
  let output = '';
  let events = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  (child.stdio[3] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
    events += chunk;
  });
  const port = await until(
    'workerd to listen',
    () => {
      if (child.exitCode !== null) throw new Error(`workerd ended: ${output}`);
      return /"event":"listen".*"port":(\d+)/.exec(events)?.[1];
    },
    DEADLINE_MS,
  );
  return { url: `http://127.0.0.1:${port}`, output: () => output, kill: () => kill(child) };
}
