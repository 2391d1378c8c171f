/**
 * Instances of a cluster as their users start them, each with a disk of its own, and between them and all that they reach addresses
 * that can be cut. Every process is ended by its own id.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { LAUNCHER, until } from '../../server/process/support.ts';
import type { Bucket } from './bucket.ts';
import { type Link, openLink } from './link.ts';

/** Twice what a busy machine needs. */
const START_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 30_000;
const LOG_LINES = 400;

const SECRET_ROOT = 'the-root-of-the-secrets-of-a-cluster-in-a-test-0';

export interface Member {
  readonly name: string;
  readonly url: string;
  /** Between it and the bucket. */
  readonly toBucket: Link;
  /** Between the others and it. */
  readonly toPeers: Link;
  /** The last lines of its log. */
  readonly log: string[];
  /** The states that it went through, by its log, with the time of each. */
  readonly states: { readonly state: string; readonly at: number }[];
  /** The instance itself, below its supervisor. */
  pid(): number;
  /** Starts it; resolves at once. */
  start(environment?: Record<string, string>): void;
  /** It is ready, and holds its lease. */
  ready(): Promise<void>;
  isReady(): boolean;
  /** Loses its power: the instance and its supervisor are killed. */
  kill(): Promise<void>;
  /** Kills the instance alone. */
  crash(): void;
  /** Stops both for a while, as a machine that is suspended. */
  suspend(): void;
  resume(): void;
  /** Ends it in order. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code of its supervisor. */
  ended(): Promise<number | null>;
  /** Loses its disk; only while it is not running. */
  wipe(): void;
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface MemberOptions {
  readonly name: string;
  /** What all of them run. */
  folder(): string;
  /** Where its disk is. */
  readonly disks: string;
  readonly bucket: Bucket;
  readonly settings: Readonly<Record<string, string>>;
}

const running = new Set<Member>();

/** Ends all that still run. */
export const endMembers = (): Promise<unknown> => Promise.all([...running].map((member) => member.kill()));

/** An instance, which is not started yet. */
export async function createMember({
  name,
  folder,
  disks,
  bucket,
  settings,
}: MemberOptions): Promise<Member> {
  const data = join(disks, name);
  const readyFile = join(disks, `${name}.ready.json`);
  const port = await freePort();
  const peerPort = await freePort();
  const toBucket = await openLink(() => bucket.port);
  const toPeers = await openLink(() => peerPort);
  const log: string[] = [];
  const states: { state: string; at: number }[] = [];
  let child: ChildProcess | undefined;
  let ended: Promise<number | null> = Promise.resolve(null);

  const take = (line: string): void => {
    if (line.includes('"msg":"request"')) return;
    log.push(line);
    if (log.length > LOG_LINES) log.shift();
    const { state } = parsed(line);
    if (state !== undefined) states.push({ state, at: performance.now() });
  };
  const signal = (pid: number | undefined, by: NodeJS.Signals): void => {
    if (pid === undefined || pid === 0) return;
    try {
      process.kill(pid, by);
    } catch {
      // It has ended.
    }
  };
  const member: Member = {
    name,
    url: `http://127.0.0.1:${port}`,
    toBucket,
    toPeers,
    log,
    states,
    pid() {
      try {
        const { workerd } = JSON.parse(readFileSync(join(data, 'processes.json'), 'utf8'));
        return workerd;
      } catch {
        return 0;
      }
    },
    start(environment = {}) {
      mkdirSync(data, { recursive: true });
      rmSync(readyFile, { force: true });
      const { PATH = '', HOME = '' } = process.env;
      const words = [
        ...['cluster', 'instance', '--json', '--folder', folder(), '--data', data],
        ...['--bucket', 's3://bank/sandbank', '--endpoint', `http://127.0.0.1:${toBucket.port}`],
        ...['--port', String(port), '--peer-address', `127.0.0.1:${peerPort}`],
        ...['--peer-advertise', `127.0.0.1:${toPeers.port}`],
      ];
      const started = spawn(process.execPath, [LAUNCHER, ...words], {
        env: {
          PATH,
          HOME,
          AWS_ACCESS_KEY_ID: 'key',
          AWS_SECRET_ACCESS_KEY: 'secret',
          SANDBANK_SECRET_ROOT: SECRET_ROOT,
          SANDBANK_READY_FILE: readyFile,
          ...settings,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      running.add(member);
      for (const stream of [started.stdout, started.stderr]) eachLine(stream, take);
      ended = new Promise((resolve) => {
        started.once('close', (code) => {
          take(`${name} ended with ${code ?? started.signalCode}`);
          resolve(code);
        });
      });
    },
    isReady: () => existsSync(readyFile),
    async ready() {
      await until(
        `${name} to be ready`,
        () => {
          if (child?.exitCode !== null && child?.exitCode !== undefined) {
            throw new Error(`${name} ended: ${log.slice(-5).join('\n')}`);
          }
          return existsSync(readyFile);
        },
        START_LIMIT_MS,
      );
    },
    async kill() {
      running.delete(member);
      const pid = member.pid();
      signal(child?.pid, 'SIGKILL');
      signal(pid, 'SIGKILL');
      await ended;
      rmSync(readyFile, { force: true });
      rmSync(join(data, 'processes.json'), { force: true });
    },
    crash: () => signal(member.pid(), 'SIGKILL'),
    suspend() {
      signal(child?.pid, 'SIGSTOP');
      signal(member.pid(), 'SIGSTOP');
    },
    resume() {
      signal(member.pid(), 'SIGCONT');
      signal(child?.pid, 'SIGCONT');
    },
    async stop() {
      signal(child?.pid, 'SIGTERM');
      const timer = setTimeout(() => void member.kill(), STOP_LIMIT_MS);
      const code = await ended;
      clearTimeout(timer);
      running.delete(member);
      return code;
    },
    ended: () => ended,
    wipe: () => rmSync(data, { recursive: true, force: true }),
  };
  return member;
}

/** Waits until all of them are ready. */
export async function allReady(members: readonly Member[]): Promise<void> {
  await Promise.all(members.map((member) => member.ready()));
}

function parsed(line: string): { state?: string } {
  try {
    return JSON.parse(line) as { state?: string };
  } catch {
    return {};
  }
}

function eachLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') take(line);
  });
}
