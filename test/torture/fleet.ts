/**
 * A fleet of the torture: two banks and HAProxy before them, with the configuration of deploy/fleet, that together look like one
 * server. Each can be killed, stopped and started again on its own port and data.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { ALL_SLOTS, slotInHex } from '../../src/kernel/slots.ts';
import { BANKS } from './plan.ts';
import { type Failed, fetchFrom, LAUNCHER, type Server, type Settings, startServer } from './server.ts';

export const HAPROXY = '/usr/sbin/haproxy';
const DEPLOY = fileURLToPath(new URL('../../deploy/fleet/', import.meta.url));
/** Nobody listens there: the configuration knows three banks. */
const NOBODY = '127.0.0.1:9';
const SHARES = ['0-127', '128-255'];
const READY_MS = 15_000;
const LOOK_EVERY_MS = 25;
const COMMAND_MS = 60_000;
const ROOT = 'the-root-of-a-fleet-that-is-tortured-on-loopback';

export interface FleetServer extends Server {
  readonly banks: readonly { readonly name: string; readonly url: string }[];
  killBank(at: number): Promise<void>;
  startBank(at: number): Promise<void>;
  /** Stops the process of a bank (SIGSTOP); the result continues it. */
  pauseBank(at: number): () => void;
  killProxy(): Promise<void>;
  startProxy(): Promise<void>;
  /** `sandbank fleet` with these words and, instead of the banks' addresses, these. */
  command(words: readonly string[], urls?: readonly string[], killAfterMs?: number): Promise<Ended>;
  /** Waits until each address answers again. */
  ready(): Promise<boolean>;
}

const proxies = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of proxies) child.kill('SIGKILL');
});

export const isFleet = (server: Server): server is FleetServer => 'banks' in server;

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The ports of a fleet, which stay the same when it starts again, and its folders. */
export interface FleetPlace {
  readonly folder: string;
  readonly ports: readonly number[];
  readonly proxyPort: number;
}

export async function placeFleet(folder: string): Promise<FleetPlace> {
  const ports = await Promise.all(SHARES.map(() => freePort()));
  mkdirSync(join(folder, 'proxy'), { recursive: true });
  cpSync(DEPLOY, join(folder, 'proxy'), { recursive: true });
  const rows = ALL_SLOTS.map((slot) => `${slotInHex(slot)} bank-${slot < 128 ? 0 : 1}`);
  writeFileSync(join(folder, 'proxy/slots.map'), `${rows.join('\n')}\n`);
  return { folder, ports, proxyPort: await freePort() };
}

/** Starts the fleet. Where one of its banks fails to start, that is the answer. */
export async function startFleet(place: FleetPlace, settings: Settings): Promise<FleetServer | Failed> {
  const startedAt = performance.now();
  const { folder, ports, proxyPort } = place;
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const socket = join(folder, 'proxy/runtime.sock');
  const servers: Server[] = [];
  const most = { rssMb: 0, fds: 0 };
  let proxy: ChildProcess | undefined;
  let isOver = false;
  const { promise: gone, resolve: go } = Promise.withResolvers<void>();

  let fleet: FleetServer | undefined;
  const launch = (at: number): Promise<Server | Failed> =>
    startServer({
      ...settings,
      data: join(folder, `bank-${at}`),
      readyFile: join(folder, `ready-${at}.json`),
      more: {
        SANDBANK_PORT: String(ports[at]),
        SANDBANK_SLOTS: SHARES[at] ?? 'none',
        SANDBANK_SECRET_ROOT: ROOT,
      },
    });
  const bank = (at: number): Server => servers[at] as Server;
  const sum = (of: (server: Server) => number): number => servers.reduce((total, one) => total + of(one), 0);
  const endProxy = async (): Promise<void> => {
    const child = proxy;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  const startProxy = async (): Promise<void> => {
    rmSync(socket, { force: true });
    const addresses = Object.fromEntries(
      [...urls, NOBODY].map((url, at) => [`BANK_${at}`, url.replace('http://', '')]),
    );
    proxy = spawn(HAPROXY, ['-db', '-f', join(folder, 'proxy/haproxy.cfg')], {
      env: { HAPROXY_BIND: `127.0.0.1:${proxyPort}`, HAPROXY_RUNTIME_API: socket, ...addresses },
      stdio: 'ignore',
    });
    const child = proxy;
    proxies.add(child);
    child.once('exit', () => proxies.delete(child));
    if (fleet?.ending === true) return endProxy();
    await within(READY_MS, async () => existsSync(socket) || child.exitCode !== null);
  };

  const started = await Promise.all(ports.map((_, at) => launch(at)));
  for (const one of started) {
    if ('failed' in one) {
      await Promise.all(started.map((other) => ('failed' in other ? undefined : other.kill())));
      return one;
    }
    servers.push(one);
  }
  await startProxy();
  const pool = new Pool(`http://127.0.0.1:${proxyPort}`, { connections: 24 });
  const lines: string[] = [];

  const whole: FleetServer = {
    pid: bank(0).pid,
    url: `http://127.0.0.1:${proxyPort}`,
    banks: urls.map((url, at) => ({ name: `bank-${at}`, url })),
    startedInMs: performance.now() - startedAt,
    get most() {
      most.rssMb = Math.max(
        most.rssMb,
        sum((one) => one.most.rssMb),
      );
      most.fds = Math.max(
        most.fds,
        sum((one) => one.most.fds),
      );
      return most;
    },
    ending: false,
    /** A bank that nobody ended is the end of the fleet. */
    ended: () => {
      if (isOver) return { code: null, signal: 'SIGKILL' };
      return servers.map((one) => (one.ending ? null : one.ended())).find((end) => end !== null) ?? null;
    },
    gone,
    now: () => ({ rssMb: sum((one) => one.now().rssMb), fds: sum((one) => one.now().fds) }),
    log: () => [...servers.map((one) => one.log()), ...lines].join('\n'),
    async fetchReply(sent) {
      const reply = await fetchFrom(pool, sent, (text) => lines.push(text));
      // The proxy says so when a bank broke the connection, so nobody knows whether the request was carried out.
      return reply?.status === 502 ? null : reply;
    },
    async killBank(at) {
      await bank(at).kill();
    },
    async startBank(at) {
      const again = await launch(at);
      if ('failed' in again) throw new Error(`bank-${at} does not start again: ${again.log}`);
      // The fleet may have ended meanwhile.
      if (whole.ending) await again.kill();
      else servers[at] = again;
    },
    pauseBank: (at) => bank(at).pause(),
    killProxy: endProxy,
    startProxy,
    command: (words, others = urls, killAfterMs) =>
      runCommand(words, others, { socket, folder, killAfterMs }),
    async ready() {
      const isReady = async (): Promise<boolean> => {
        const seen = await Promise.all(urls.map((url) => answers(url)));
        return seen.every(Boolean) && (await answers(whole.url));
      };
      return within(READY_MS, isReady);
    },
    pause: () => bank(0).pause(),
    async kill() {
      whole.ending = true;
      await Promise.all([...servers.map((one) => one.kill()), endProxy()]);
      isOver = true;
      await pool.destroy();
      go();
    },
    async stop(limitMs) {
      whole.ending = true;
      const ends = await Promise.all(servers.map((one) => one.stop(limitMs)));
      await endProxy();
      isOver = true;
      await pool.destroy();
      go();
      return ends.toSorted((a, b) => b.ms - a.ms)[0] ?? { ms: 0, code: 0, signal: null };
    },
  };
  if (servers.length !== BANKS) throw new Error(`a fleet has ${BANKS} banks`);
  fleet = whole;
  return whole;
}

const answers = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined))?.status ===
  200;

async function within(limitMs: number, look: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (!(await look())) {
    if (performance.now() > until) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

function runCommand(
  words: readonly string[],
  urls: readonly string[],
  {
    socket,
    folder,
    killAfterMs = COMMAND_MS,
  }: { socket: string; folder: string; killAfterMs?: number | undefined },
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const list = urls.map((url, at) => `bank-${at}=${url}`).join(',');
  const proxy = words[0] === 'move' ? ['--proxy', socket] : [];
  const child = spawn(process.execPath, [LAUNCHER, 'fleet', ...words, ...proxy, '--banks', list], {
    cwd: folder,
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}
