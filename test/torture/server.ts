/**
 * The server of the torture: the built program as a user starts it, on a free port of loopback and with its own data directory,
 * and the ways in which it ends. Every process is ended by its own id or by the id of its group.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { Injection } from './plan.ts';

const LAUNCHER =
  process.env.SANDBANK_TORTURE_PROGRAM ?? fileURLToPath(new URL('../../bin/sandbank.mjs', import.meta.url));
const PRELOAD = new URL('die-at-call.mjs', import.meta.url).href;
const LOG_LINES = 40;
const LOOK_EVERY_MS = 10;
const SAMPLE_EVERY_MS = 200;
const REQUEST_LIMIT_MS = 90_000;
/** Long, because the torture keeps the machine busy and strace slows a process down. */
const START_LIMIT_MS = 30_000;
/** The program stops within 900 ms; the rest is for a busy machine. Waiting for a receiver would take ten seconds. */
export const STOP_LIMIT_MS = 8_000;

const has = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Whether this process can mount a small file system. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-torture-mount-'));
  const isMounted = has('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
  if (isMounted) has('umount', folder);
  rmSync(folder, { recursive: true, force: true });
  return isMounted;
}

const TRACE = ['-f', '-qq', '-o', '/dev/null'];
/** Interrupts the process only at the traced calls, if the kernel supports it. */
const FILTER = '--seccomp-bpf';

const injectionOf = ({ call, when }: Injection): string[] => [
  '-e',
  `trace=${call}`,
  '-e',
  `inject=${call}:signal=SIGKILL:when=${when}`,
];

/** Whether strace kills a process with these options. If the kernel does not support them, the process continues. */
function kills(...options: string[]): boolean {
  if (process.platform !== 'linux') return false;
  const traced = [...options, ...injectionOf({ call: 'write', when: 1 }), 'echo', 'not killed'];
  const { status, signal } = spawnSync('strace', traced, { stdio: 'ignore' });
  return signal === 'SIGKILL' || status === 137;
}

const STRACE = [[...TRACE, FILTER], TRACE].find((options) => kills(...options));

/** The tools for faults that this machine has. */
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
  /** The maximum of the samples. */
  readonly most: { rssMb: number; fds: number };
  /** Whether it is about to end, so that a broken connection is expected. */
  ending: boolean;
  /** Its exit; `null` while it runs. */
  ended: () => { code: number | null; signal: NodeJS.Signals | null } | null;
  readonly gone: Promise<void>;
  now(): { rssMb: number; fds: number };
  log(): string;
  /** `null` if the connection broke before the complete response arrived. */
  fetchReply(requested: Sent): Promise<Reply | null>;
  /** Stops the process (SIGSTOP); the result continues it. */
  pause(): () => void;
  kill(): Promise<void>;
  /** Ends it with SIGTERM; resolves with the duration and the exit. */
  stop(limitMs?: number): Promise<{ ms: number; code: number | null; signal: NodeJS.Signals | null }>;
}

/** A server that ended before it was ready; expected if it was killed at a system call. */
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
    // The group contains only strace and the server.
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
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

/** Starts a server, to be killed at a system call if `injection` is given, and waits until it accepts requests. */
export async function startServer(settings: Settings, injection?: Injection): Promise<Server | Failed> {
  const { PATH = '', HOME = '' } = process.env;
  const env: Record<string, string> = {
    PATH,
    HOME,
    SANDBANK_PORT: '0',
    SANDBANK_DATA: settings.data,
    SANDBANK_READY_FILE: settings.readyFile,
    SANDBANK_SYNCHRONOUS: settings.synchronous,
    SANDBANK_SHORTFALL: 'declined',
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
    // It has already ended.
  }
}

const NOBODY: Reply = { status: 503, text: 'the connection was refused', bytes: new Uint8Array() };

/** Sends a request; `null` and a line in the log if its connection broke. */
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
    // No server received this request.
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return NOBODY;
    return null;
  }
}

/** True for an end by SIGKILL; strace then ends in the same way as the server. */
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

/** The file of a sandbox. */
export function fileOf(data: string, sandbox: string): string {
  return join(data, `${sandbox}.sqlite`);
}
