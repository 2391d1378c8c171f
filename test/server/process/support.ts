/**
 * Starts the real process like a user, on a free port and with its own data. Every wait has a deadline, and processes
 * that a test leaves running are ended with its file, by their process ids.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The program of the checkout, or that of the installed package (test/package/vitest.config.ts). */
export const LAUNCHER =
  process.env.SANDBANK_TEST_LAUNCHER ?? fileURLToPath(new URL('../../../bin/sandbank.mjs', import.meta.url));
/** Whether a bank of these tests is an instance of workerd, whose sandboxes are objects (the project `workerd`). */
export const IS_WORKERD = process.env.SANDBANK_TEST_TARGET === 'workerd';
/** The command that starts a bank. Both take the same options. */
const START = IS_WORKERD ? ['cluster', 'dev'] : ['start'];
/** After these, nothing more will come: long enough for a very busy machine. */
const DEADLINE_MS = 30_000;
const START_DEADLINE_MS = 60_000;
const LOOK_EVERY_MS = 5;

export type Settings = Record<string, string>;

/** How a process ended. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Since the start of the process. */
  ms: number;
}

export interface Started {
  readonly child: ChildProcess;
  readonly readyFile: string;
  readonly ended: Promise<End>;
  stdout(): string;
}

/** A running bank. */
export interface Running extends Started {
  readonly url: string;
  readonly key: string;
  /** The ids of `GET /_sandbox`. */
  readonly seeded: Record<string, string>;
  v1(method: string, path: string, body?: unknown, headers?: Settings): Promise<Reply>;
  v2(method: string, path: string, body?: unknown, headers?: Settings): Promise<Reply>;
}

export interface Reply {
  status: number;
  text: string;
  body: Record<string, unknown>;
}

const folders: string[] = [];
/** The processes that end with the tests of the file. */
const children = new Set<ChildProcess>();
const shared = new Map<string, Promise<Running>>();

/**
 * Ends the processes that a file's tests left running, and removes their folders; `test/support/each-file.ts` calls
 * it.
 */
export async function endLeftovers(): Promise<void> {
  await Promise.all([...children].map(end));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

async function end(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  await gone;
}

/** A folder that is removed after the file's tests. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-process-'));
  folders.push(folder);
  return folder;
}

/** Waits until `look` finds something; the error contains what it waited for. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Whether a process runs; one that has ended and waits for its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** A promise's value, or an error if it takes too long. */
export function within<T>(deadlineMs: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${deadlineMs} ms`)), deadlineMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Runs the command with only these settings. */
export function launch(
  settings: Settings = {},
  args: string[] = START,
  /** The maximum number of open files and connections; by default that of this process. */
  descriptors?: number,
  cwd?: string,
  /** A file or device for its output. */
  outputTo?: string,
  /** Whether it ends when this process ends, however that ends. */
  isTied = false,
): Started {
  const readyFile = settings.SANDBANK_READY_FILE ?? join(makeFolder(), 'ready.json');
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = Date.now();
  const command = [process.execPath, LAUNCHER, ...args];
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors}; `;
  const redirection = outputTo === undefined ? '' : ` >>'${outputTo}'`;
  const shell = ['sh', '-c', `${limit}exec "$@"${redirection}`, 'sh', ...command];
  const [program = '', ...rest] = limit + redirection === '' ? command : shell;
  const child = spawn(program, rest, {
    env: { PATH, HOME, SANDBANK_PORT: '0', SANDBANK_DATA: '', SANDBANK_READY_FILE: readyFile, ...settings },
    stdio: isTied ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  children.add(child);
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const ended = new Promise<End>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, ...output, ms: Date.now() - startedAt }));
  });
  return { child, readyFile, ended, stdout: () => output.stdout };
}

/** Starts a bank and waits until it is ready. */
export async function startBank(
  settings: Settings = {},
  descriptors?: number,
  cwd?: string,
  outputTo?: string,
): Promise<Running> {
  return whenReady(launch(settings, START, descriptors, cwd, outputTo));
}

/** Starts a bank whose sandboxes are objects of workerd, and waits until it takes requests. */
export const startObjects = (settings: Settings): Promise<Running> =>
  whenReady(launch(settings, ['cluster', 'dev']));

/** A bank with these settings for all test files of this process, which starts it once and ends with it. */
export function shareBank(settings: Settings): Promise<Running> {
  const name = JSON.stringify(settings);
  const bank = shared.get(name) ?? startShared(settings);
  shared.set(name, bank);
  return bank;
}

async function startShared(settings: Settings): Promise<Running> {
  const started = launch(settings, START, undefined, undefined, undefined, true);
  const bank = await whenReady(started);
  const { child } = started;
  children.delete(child);
  // It does not keep this process alive.
  for (const part of [child, child.channel, child.stdout, child.stderr]) (part as Socket | null)?.unref();
  return bank;
}

async function whenReady(started: Started): Promise<Running> {
  const ready = until(
    'the ready file',
    () => existsSync(started.readyFile) && readFileSync(started.readyFile, 'utf8'),
    START_DEADLINE_MS,
  );
  const early = started.ended.then((end) => {
    throw new Error(`the bank ended before it was ready: ${JSON.stringify(end)}`);
  });
  const { url, api_key: key } = JSON.parse(await Promise.race([ready, early])) as {
    url: string;
    api_key: string;
  };
  early.catch(() => {});
  return clientOf(started, url, key);
}

/** The process with the client of one of its sandboxes. */
async function clientOf(started: Started, url: string, key: string): Promise<Running> {
  const call = async (method: string, path: string, body: unknown, headers: Settings): Promise<Reply> => {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : {} };
  };
  const v2: Running['v2'] = (method, path, body, headers = {}) =>
    call(method, path, body, { 'api-key': key, ...headers });
  const { body: summary } = await v2('GET', '/_sandbox');
  return {
    ...started,
    url,
    key,
    seeded: summary.seeded as Record<string, string>,
    v1: (method, path, body, headers = {}) => call(method, path, body, { 'sd-api-key': key, ...headers }),
    v2,
  };
}

/** One sandbox of a bank. */
export interface Opened extends Running {
  readonly name: string;
  /** Its address in the inspector. */
  readonly ui: string;
}

/** Creates a sandbox in a running bank for one test, which takes a small part of the time of a start. */
export async function openSandbox(bank: Running, name: string): Promise<Opened> {
  const { body } = await bank.v2('POST', '/_sandbox/sandboxes', { name });
  const client = await clientOf(bank, bank.url, String(body.key));
  return { ...client, name, ui: `${bank.url}/_sandbox/ui/${name}` };
}

/** Sends the signal and waits for the end. */
export function stop({ child, ended }: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<End> {
  child.kill(signal);
  return within(DEADLINE_MS, `the end after ${signal}`, ended);
}

/** Originates an ACH pull; returns its id. */
export function pull(bank: Running, amount: string, headers: Settings = {}): Promise<Reply> {
  const { sub_account_id, ach_counterparty_id: counterparty_id } = bank.seeded;
  return bank.v2('POST', '/v2/payments/ach/pull', { sub_account_id, counterparty_id, amount }, headers);
}

/** Available balance, pending credits, pending debits of the seeded account. */
export async function totals(bank: Running): Promise<unknown[]> {
  const { body } = await bank.v2('GET', `/v2/accounts/sub_account/${bank.seeded.sub_account_id}`);
  return [body.available_balance, body.pending_credits, body.pending_debits];
}
