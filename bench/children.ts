/**
 * The processes of the bench: banks started like by a user (`sandbank start > log`), the floor and the load. Each is
 * ended by its process id, even if the bench fails or is interrupted, and the directory with their files is removed
 * at the end.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { healthcheck } from '../src/server/process/healthcheck.ts';
import type { Job, Outcome } from './client.ts';
import type { Answers } from './floor.ts';

/** The storage of a bank. */
export const PLACES = ['memory', 'file', 'full'] as const;
export type Place = (typeof PLACES)[number];

export interface Floor {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

export interface Bank extends Floor {
  readonly url: string;
  /** Its data directory; `''` for a bank in memory. */
  readonly data: string;
  /** The time from the start of the process to the first 200 of `/readyz`. */
  readonly startedInMs: number;
}

const COMMAND = fileURLToPath(new URL('../bin/sandbank.mjs', import.meta.url));
const START_LIMIT_MS = 20_000;
const running = new Set<ChildProcess>();

export const directory = mkdtempSync(join(tmpdir(), 'sandbank-bench-'));
let made = 0;

/** A new path in the bench's directory. */
export function freshPath(name: string): string {
  made += 1;
  return join(directory, `${made}-${name}`);
}

export interface BankOptions {
  /** The compile cache of Node. Default: the usual folder. */
  compileCache?: string;
  webhookUrl?: string;
  /** The folder of another build. Default: this one. */
  build?: string | undefined;
  /** Other settings, by their variables. */
  settings?: Readonly<Record<string, string>>;
}

/** Starts a bank on an empty database. */
export async function startBank(
  place: Place,
  { compileCache, webhookUrl, build, settings }: BankOptions = {},
): Promise<Bank> {
  const command = build === undefined ? COMMAND : join(build, 'bin/sandbank.mjs');
  const readyFile = freshPath('ready.json');
  const data = place === 'memory' ? '' : freshPath('data');
  if (data !== '') mkdirSync(data);
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SANDBANK_'));
  const env = {
    ...Object.fromEntries(inherited),
    SANDBANK_PORT: '0',
    SANDBANK_READY_FILE: readyFile,
    SANDBANK_DATA: data,
    SANDBANK_SYNCHRONOUS: place === 'full' ? 'full' : 'normal',
    SANDBANK_RAILS: 'calendar',
    ...(webhookUrl !== undefined && { SANDBANK_WEBHOOK_URL: webhookUrl }),
    ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
    ...settings,
  };
  const log = openSync(freshPath('bank.log'), 'w');
  const start = performance.now();
  const child = spawn(process.execPath, [command, 'start'], { env, stdio: ['ignore', log, 'inherit'] });
  watch(child);
  while (!existsSync(readyFile)) await stillStarting(child, start);
  const { url, pid } = JSON.parse(readFileSync(readyFile, 'utf8')) as { url: string; pid: number };
  const { port } = new URL(url);
  while ((await healthcheck({ SANDBANK_PORT: port })) !== null) await stillStarting(child, start);
  const startedInMs = performance.now() - start;
  return { pid, port: Number(port), url, data, startedInMs, stop: () => stop(child) };
}

/** Milliseconds from the start of bare Fastify's process to its first answer. */
export async function timeBareStart(compileCache: string): Promise<number> {
  const file = freshPath('bare.port');
  const start = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(new URL('bare.mjs', import.meta.url)), file], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  watch(child);
  while (!existsSync(file)) await stillStarting(child, start);
  const port = readFileSync(file, 'utf8');
  while ((await healthcheck({ SANDBANK_PORT: port })) !== null) await stillStarting(child, start);
  const took = performance.now() - start;
  await stop(child);
  return took;
}

/** Starts the floor with its constant answers. */
export async function startFloor(answers: Answers): Promise<Floor> {
  const child = forkOf('floor.ts');
  child.send(answers);
  return { pid: child.pid ?? 0, port: await replyOf<number>(child), stop: () => stop(child) };
}

/** Starts a receiver of webhooks. */
export async function startReceiver(): Promise<Floor & { received(): Promise<number> }> {
  const child = forkOf('receiver.ts');
  const port = await replyOf<number>(child);
  return {
    pid: child.pid ?? 0,
    port,
    received() {
      child.send('received');
      return replyOf<number>(child);
    },
    stop: () => stop(child),
  };
}

/** Starts the load process, which runs one job after another, or several at the same time. */
export function startClient(): {
  run(job: Job): Promise<Outcome>;
  runAll(jobs: readonly Job[]): Promise<Outcome[]>;
  stop(): Promise<void>;
} {
  const child = forkOf('client.ts');
  const runAll = (jobs: readonly Job[]): Promise<Outcome[]> => {
    child.send(jobs);
    return replyOf<Outcome[]>(child);
  };
  return {
    runAll,
    run: async (job) => (await runAll([job]))[0] as Outcome,
    stop: () => stop(child),
  };
}

/** Ends all remaining processes immediately. */
export function cleanUp(): void {
  for (const child of running) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}

function forkOf(file: string): ChildProcess {
  const child = fork(new URL(file, import.meta.url));
  watch(child);
  return child;
}

export function watch(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

async function replyOf<T>(child: ChildProcess): Promise<T> {
  const settled = new AbortController();
  const { signal } = settled;
  const gone = once(child, 'exit', { signal }).then(() => {
    throw new Error(`a process of the bench ended unexpectedly: ${child.spawnargs.join(' ')}`);
  });
  try {
    const [reply] = await Promise.race([once(child, 'message', { signal }), gone]);
    return reply as T;
  } finally {
    settled.abort();
    gone.catch(() => {});
  }
}

async function stillStarting(child: ChildProcess, start: number): Promise<void> {
  const what = child.spawnargs.join(' ');
  if (child.exitCode !== null) throw new Error(`${what} did not start, exit code ${child.exitCode}`);
  if (performance.now() - start > START_LIMIT_MS) throw new Error(`${what} did not start in time`);
  await sleep(1);
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const [code, signal] = await exit;
  if (code !== 0 && signal !== 'SIGTERM') throw new Error(`a child ended with ${code ?? signal}`);
}
