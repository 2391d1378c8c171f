/**
 * A fleet of real processes on loopback: banks that divide the slots, and Debian's HAProxy with the configuration in
 * deploy/fleet. Everything ends with the test file.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, makeFolder, type Settings, type Started, until } from '../process/support.ts';

export const HAPROXY = '/usr/sbin/haproxy';
export const IS_INSTALLED = existsSync(HAPROXY);

const DEPLOY = fileURLToPath(new URL('../../deploy/fleet/', import.meta.url));

/** How three banks share out the slots, as slots.map has it. */
export const SHARES = ['0-85', '86-170', '171-255'] as const;

export interface FleetBank {
  readonly name: string;
  readonly url: string;
  readonly data: string;
  readonly process: Started;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on its port and its data. */
  start(): Promise<void>;
}

export interface Fleet {
  /** Where clients call. */
  readonly url: string;
  /** The proxy's runtime API. */
  readonly socket: string;
  readonly banks: readonly FleetBank[];
  /** What SANDBANK_BANKS is for this fleet. */
  readonly list: string;
  /** `sandbank` with these words. */
  sandbank(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** The same, without waiting for its end. */
  begin(...words: string[]): Started;
  stop(): Promise<void>;
}

/** A port that nobody had a moment ago: a bank that starts again must get its own once more. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const answers = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;

/** Starts three banks with these settings, and a proxy before them. */
export async function startFleet(settings: Settings = {}): Promise<Fleet> {
  const banks = await Promise.all(
    SHARES.map((slots, at) => startBank(`bank-${at}`, { SANDBANK_SLOTS: slots, ...settings })),
  );
  const folder = makeFolder();
  cpSync(DEPLOY, folder, { recursive: true });
  const port = await freePort();
  const socket = join(folder, 'runtime.sock');
  const proxy = spawn(HAPROXY, ['-db', '-f', join(folder, 'haproxy.cfg')], {
    env: {
      HAPROXY_BIND: `127.0.0.1:${port}`,
      HAPROXY_RUNTIME_API: socket,
      ...Object.fromEntries(banks.map(({ url }, at) => [`BANK_${at}`, url.slice('http://'.length)])),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [proxy.stdout, proxy.stderr]) stream.on('data', (text) => said.push(String(text)));
  proxy.once('exit', (code) => said.push(`ended with ${code}`));
  const url = `http://127.0.0.1:${port}`;
  await until('the proxy', () => answers(url)).catch((error: Error) => {
    throw new Error(`${error.message}: ${said.join('')}`);
  });
  const list = banks.map((bank) => `${bank.name}=${bank.url}`).join(',');
  const begin = (...words: string[]): Started => launch({ SANDBANK_BANKS: list }, words);
  return {
    url,
    socket,
    banks,
    list,
    begin,
    sandbank: async (...words) => begin(...words).ended,
    async stop() {
      await endProcess(proxy);
      await Promise.all(banks.map((bank) => bank.kill()));
    },
  };
}

async function startBank(name: string, settings: Settings): Promise<FleetBank> {
  const data = makeFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let process: Started | undefined;
  const start = async (): Promise<void> => {
    process = launch({
      SANDBANK_PORT: String(port),
      SANDBANK_DATA: data,
      SANDBANK_LOG_LEVEL: 'error',
      ...settings,
    });
    await until(name, () => answers(url));
  };
  await start();
  return {
    name,
    url,
    data,
    get process() {
      if (process === undefined) throw new Error(`${name} was never started`);
      return process;
    },
    start,
    async kill() {
      if (process !== undefined) await endProcess(process.child);
    },
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
