/**
 * The server of the torture: the built program as a user starts it, on a free port of loopback and a data directory of its
 * own, and the ways in which it ends. Every process is ended by its own id or by the group that it was started with.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { Injection } from './plan.ts';

export const LAUNCHER =
  process.env.SANDBANK_TORTURE_PROGRAM ?? fileURLToPath(new URL('../../bin/sandbank.mjs', import.meta.url));
const PRELOAD = new URL('die-at-call.mjs', import.meta.url).href;
const LOG_LINES = 40;
const LOOK_EVERY_MS = 10;
const SAMPLE_EVERY_MS = 200;
const REQUEST_LIMIT_MS = 90_000;
/** Generous, as the machine is busy with the torture itself and strace slows a process down. */
export const START_LIMIT_MS = 30_000;
/** The program allows itself 900 ms; the rest is for a busy machine. */
export const STOP_LIMIT_MS = 3_000;

const has = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Whether this process may mount a small file system, tried once. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-torture-mount-'));
  const isMounted = has('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
  if (isMounted) has('umount', folder);
  rmSync(folder, { recursive: true, force: true });
  return isMounted;
}

const TRACE = ['-f', '-qq', '-o', '/dev/null'];
/** Stops a process at the traced calls alone, where the kernel can. */
const FILTER = '--seccomp-bpf';

const injectionOf = ({ call, when }: Injection): string[] => [
  '-e',
  `trace=${call}`,
  '-e',
  `inject=${call}:signal=SIGKILL:when=${when}`,
];

/** Whether strace kills at a call with these options, tried once: where a kernel does not support them, nothing happens. */
function kills(...options: string[]): boolean {
  if (process.platform !== 'linux') return false;
  const traced = [...options, ...injectionOf({ call: 'write', when: 1 }), 'echo', 'not killed'];
  const { status, signal } = spawnSync('strace', traced, { stdio: 'ignore' });
  return signal === 'SIGKILL' || status === 137;
}

const STRACE = [[...TRACE, FILTER], TRACE].find((options) => kills(...options));

/** What this machine has to torture with. */
export const TOOLS = {
  strace: STRACE !== undefined,
  prlimit: process.platform === 'linux' && has('prlimit', '--version'),
  tmpfs: canMount(),
};

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface Server {
  readonly pid: number;
  readonly url: string;
  readonly startedInMs: number;
  /** The most that it held, so far as it was seen. */
  readonly most: { rssMb: number; fds: number };
  /** Says that its end is near, so that a broken connection is no fault. */
  ending: boolean;
  /** How it ended; `null` while it runs. */
  ended: () => { code: number | null; signal: NodeJS.Signals | null } | null;
  readonly gone: Promise<void>;
  now(): { rssMb: number; fds: number };
  log(): string;
  /** `null` when the connection broke before the whole answer was there. */
  fetchReply(requested: Sent): Promise<Reply | null>;
  /** Stops the process (SIGSTOP); the result continues it. */
  pause(): () => void;
  kill(): Promise<void>;
  /** Ends it politely; answers how long that took, and how it ended. */
  stop(limitMs?: number): Promise<{ ms: number; code: number | null; signal: NodeJS.Signals | null }>;
}

/** A server that ended before it was ready, which is right if it was killed on purpose. */
export interface Failed {
  readonly failed: true;
  readonly killed: boolean;
  readonly log: string;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) end(child);
});

function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    // strace and what it runs are one group, and nobody else is in it.
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has gone by itself.
  }
}

/** The settings of a server; nothing else comes from the environment. */
export interface Settings {
  readonly data: string;
  readonly readyFile: string;
  readonly synchronous: string;
  /** Further variables of its environment. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Starts a server, killed at a call if that is asked for, and waits until it takes requests. */
export async function startServer(settings: Settings, injection?: Injection): Promise<Server | Failed> {
  const { PATH = '', HOME = '' } = process.env;
  const env: Record<string, string> = {
    PATH,
    HOME,
    SANDBANK_PORT: '0',
    SANDBANK_DATA: settings.data,
    SANDBANK_READY_FILE: settings.readyFile,
    SANDBANK_SYNCHRONOUS: settings.synchronous,
    SANDBANK_LOG_LEVEL: 'warn',
    SANDBANK_LOG_FORMAT: 'json',
    ...settings.more,
  };
  rmSync(settings.readyFile, { force: true });
  const command = [process.execPath];
  if (injection !== undefined && TOOLS.strace && STRACE !== undefined) {
    command.unshift('strace', ...STRACE, ...injectionOf(injection));
  } else if (injection !== undefined) {
    command.push('--import', PRELOAD);
    env.SANDBANK_TORTURE_CALL = injection.call;
    env.SANDBANK_TORTURE_WHEN = String(injection.when);
  }
  const [program = '', ...args] = [...command, LAUNCHER, 'start'];
  const startedAt = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  children.add(child);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter((line) => line !== ''));
      lines.splice(0, lines.length - LOG_LINES);
    });
  }
  const log = (): string => lines.join('\n');
  let result: { code: number | null; signal: NodeJS.Signals | null } | null = null;
  const gone = new Promise<void>((resolve) => {
    child.once('close', (code, signal) => {
      result = { code, signal };
      children.delete(child);
      resolve();
    });
  });
  const ended = () => result;
  while (!existsSync(settings.readyFile)) {
    if (ended() !== null) {
      const killed = injection !== undefined && isKilled(ended());
      return { failed: true, killed, log: `${log()}\nended with ${JSON.stringify(result)}` };
    }
    if (performance.now() - startedAt > START_LIMIT_MS) {
      end(child);
      await gone;
      return { failed: true, killed: false, log: `${log()}\nnot ready after ${START_LIMIT_MS} ms` };
    }
    await pause(LOOK_EVERY_MS);
  }
  const startedInMs = performance.now() - startedAt;
  const { url, pid } = JSON.parse(readFileSync(settings.readyFile, 'utf8')) as { url: string; pid: number };
  const pool = new Pool(url, {
    connections: 24,
    headersTimeout: REQUEST_LIMIT_MS,
    bodyTimeout: REQUEST_LIMIT_MS,
  });
  const most = { rssMb: 0, fds: 0 };
  const look = (): { rssMb: number; fds: number } => {
    const seen = held(pid);
    most.rssMb = Math.max(most.rssMb, seen.rssMb);
    most.fds = Math.max(most.fds, seen.fds);
    return seen;
  };
  const sampler = setInterval(look, SAMPLE_EVERY_MS);
  void gone.then(() => {
    clearInterval(sampler);
    void pool.destroy();
  });

  const server: Server = {
    pid,
    url,
    startedInMs,
    most,
    ending: injection !== undefined,
    ended,
    gone,
    now: look,
    log,
    fetchReply: (sent) => fetchFrom(pool, sent, (text) => server.ending || lines.push(text)),
    pause() {
      signal(pid, 'SIGSTOP');
      return () => signal(pid, 'SIGCONT');
    },
    async kill() {
      server.ending = true;
      signal(pid, 'SIGKILL');
      await gone;
    },
    async stop(limitMs = STOP_LIMIT_MS) {
      server.ending = true;
      const sentAt = performance.now();
      signal(pid, 'SIGTERM');
      await Promise.race([gone, pause(limitMs)]);
      const ms = performance.now() - sentAt;
      if (ended() === null) {
        end(child);
        await gone;
      }
      return { ms, ...(ended() ?? { code: null, signal: null }) };
    },
  };
  return server;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has gone by itself.
  }
}

const NOBODY: Reply = { status: 503, text: 'the connection was refused', bytes: new Uint8Array() };

/** One request of a pool; `null` and a line when its connection broke. */
async function fetchFrom(
  pool: Pool,
  { method, path, headers, body }: Sent,
  note: (text: string) => void,
): Promise<Reply | null> {
  try {
    const answer = await pool.request({
      method: method as 'GET',
      path,
      headers: { ...headers, ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    });
    const bytes = new Uint8Array(await answer.body.arrayBuffer());
    return { status: answer.statusCode, bytes, text: Buffer.from(bytes).toString() };
  } catch (error) {
    note(`(client) ${method} ${path}: ${String(error)}`);
    // Nobody has seen this request.
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return NOBODY;
    return null;
  }
}

/** True for an end by SIGKILL, which strace passes on as its own end. */
export function isKilled(ended: { code: number | null; signal: NodeJS.Signals | null } | null): boolean {
  return ended?.signal === 'SIGKILL' || ended?.code === 137;
}

function held(pid: number): { rssMb: number; fds: number } {
  if (process.platform !== 'linux') return { rssMb: 0, fds: 0 };
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { rssMb: Number(kilobytes ?? 0) / 1024, fds: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return { rssMb: 0, fds: 0 };
  }
}

/** Where a sandbox's bank lies. */
export function fileOf(data: string, sandbox: string): string {
  return join(data, `${sandbox}.sqlite`);
}
