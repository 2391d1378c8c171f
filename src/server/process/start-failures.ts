/**
 * Explains why a server cannot start: another program uses the port, this machine does not have the address, or the
 * data directory cannot be written. A failed start and `sandbank doctor` print the same message, with the cause and
 * the settings to change. Linux lists the program of a port in /proc; on other systems lsof is used if it is
 * installed.
 */
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { basename, dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { DataVersionError } from '../../bank/store/migrate.ts';
import { DataFileError } from '../../sandboxes/sandbox/disk.ts';
import { openFileLimit } from './open-files.ts';
import { SeedFileError } from './seed-file.ts';
import type { Config } from './settings.ts';
import { TlsFileError } from './tls.ts';

/** Errors whose messages are complete. */
const OWN_MESSAGE = [DataVersionError, DataFileError, SeedFileError, TlsFileError];

type Address = Pick<Config, 'host' | 'port'> & Partial<Pick<Config, 'tlsCert'>>;

/** The error codes of a path that cannot be written. */
const NOT_WRITABLE: readonly string[] = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOENT',
  'ENOTDIR',
  'EEXIST',
  'ENOSPC',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_FULL',
];

/** A start needs about thirty descriptors. */
const FEW_DESCRIPTORS = 64;

const ANSWER_TIMEOUT_MS = 3_000;
const FIRST_UNPRIVILEGED_PORT = 1_024;

/** A sentence about why a start failed and what to do; null for a defect of this program. */
export async function explainStart(error: unknown, config: Config): Promise<string | null> {
  if (OWN_MESSAGE.some((kind) => error instanceof kind)) return (error as Error).message;
  if (!isSystemError(error)) return null;
  const { code = '', syscall, path, message } = error;
  const { data, readyFile } = config;
  if (syscall === 'listen' || syscall === 'getaddrinfo') return explainAddress(error, config);
  if (readyFile !== null && path?.startsWith(readyFile)) {
    return `the ready file cannot be written (${message}): choose another with --ready-file or SANDBANK_READY_FILE`;
  }
  const limit = openFileLimit();
  // SQLite does not report why it could not open a file.
  if (code === 'EMFILE' || code === 'ENFILE' || (code === 'SQLITE_CANTOPEN' && limit < FEW_DESCRIPTORS)) {
    return `the limit of open files and connections of this process is ${limit}, which is too low: raise it, for example with ulimit -n 1024`;
  }
  if (code === 'SQLITE_BUSY') {
    return `the data directory ${data} is in use by another Sandbank: stop it, or choose another with --data or SANDBANK_DATA`;
  }
  if (code === 'SQLITE_NOTADB') {
    return `a file in ${data} is not a Sandbank database (${message}): move it away, or choose another directory with --data or SANDBANK_DATA`;
  }
  const isOfData = data !== null && (path === undefined || areRelated(path, data));
  const isNotWritable = NOT_WRITABLE.includes(code) || code.startsWith('SQLITE_IOERR');
  return isOfData && isNotWritable ? explainFolder(data, message) : message;
}

/** Whether one of two paths is below the other: a folder may be missing because one above it cannot be made. */
function areRelated(path: string, folder: string): boolean {
  const [one, other] = [resolve(path), resolve(folder)];
  return one.startsWith(other) || other.startsWith(one);
}

/** SQLite's errors have a code too. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}

/** A sentence about why a server cannot listen at an address and what to do; null if it can. */
export async function addressProblem(address: Address): Promise<string | null> {
  const { host, port } = address;
  const problem = await new Promise<NodeJS.ErrnoException | null>((done) => {
    const probe = createServer();
    probe.once('error', done);
    probe.listen({ host, port }, () => probe.close(() => done(null)));
  });
  return problem === null ? null : explainAddress(problem, address);
}

/** The sentence for an error of `listen`. */
async function explainAddress(error: NodeJS.ErrnoException, address: Address): Promise<string> {
  const { host, port } = address;
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken by ${await ownerOf(address)}: stop it, or choose another with --port or SANDBANK_PORT (0 takes a free one)`;
    case 'EACCES': {
      const why =
        port < FIRST_UNPRIVILEGED_PORT
          ? `ports below ${FIRST_UNPRIVILEGED_PORT} are for administrators`
          : error.message;
      return `port ${port} on ${host} cannot be used (${why}): choose another with --port or SANDBANK_PORT (0 takes a free one)`;
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine (${error.message}): choose another with --host or SANDBANK_HOST`;
    default:
      return `port ${port} on ${host} cannot be used: ${error.message}`;
  }
}

/** A sentence about why a folder cannot be written and what to do; null if it can be written or created. */
export function folderProblem(folder: string): string | null {
  const path = resolve(folder);
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    rmSync(mkdtempSync(resolve(nearest, '.sandbank-doctor-')), { recursive: true });
    return null;
  } catch (error) {
    return explainFolder(folder, (error as Error).message);
  }
}

/** The sentence for an error while the data directory is opened. */
function explainFolder(folder: string, reason: string): string {
  // In a container or a service, the user is not the one who reads this.
  const user = /^E(ACCES|PERM)\b/.test(reason) && process.getuid ? ` by user ${process.getuid()}` : '';
  return `the data directory ${folder} cannot be written${user} (${reason}): choose another with --data or SANDBANK_DATA, or set it empty to keep everything in memory`;
}

/** The URL of the Sandbank at an address, by HTTP or HTTPS; `undefined` if there is none. */
export async function sandbankAt(address: Address): Promise<string | undefined> {
  const { tlsCert = null } = address;
  const schemes = [tlsCert, tlsCert === null ? '' : null];
  for (const scheme of schemes) {
    const url = urlOf({ ...address, tlsCert: scheme });
    if (await isSandbank(url)) return url;
  }
  return undefined;
}

/** Whether a Sandbank answers at an address; false for an invalid address. */
export async function isSandbank(address: string): Promise<boolean> {
  const url = address.replace(/\/+$/, '');
  const { get } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const options = {
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    // The certificate's authority may be unknown to this machine. Nothing secret is sent, so it is not verified.
    rejectUnauthorized: false,
  };
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      // The overview costs nothing, unlike an OpenAPI document, whose first response takes long on a busy machine.
      get(`${url}/`, options, resolve).on('error', reject);
    });
    return answer.statusCode === 200 && (await text(answer)).includes('"name":"sandbank"');
  } catch {
    return false;
  }
}

/** The URL by which this machine reaches the server of an address. */
export function urlOf({ host, port, tlsCert = null }: Address): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${tlsCert === null ? 'http' : 'https'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

async function ownerOf(address: Address): Promise<string> {
  const program = programOnPort(address.port) ?? 'another program';
  const url = await sandbankAt(address);
  return url === undefined ? program : `${program}, a Sandbank that is already open at ${url}`;
}

/** The program that listens on a port, such as `node (process 4711)`; undefined if the system does not show it. */
function programOnPort(port: number): string | undefined {
  return process.platform === 'linux' ? fromProc(port) : fromLsof(port);
}

const LISTENING = '0A';

/** Linux lists all sockets by number, and for each process the numbers of its sockets. */
function fromProc(port: number): string | undefined {
  const wanted = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of textOf(table).trim().split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === LISTENING && Number.parseInt(local.split(':')[1] ?? '', 16) === port)
        wanted.add(`socket:[${inode}]`);
    }
  }
  for (const pid of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    if (namesIn(`/proc/${pid}/fd`).some((fd) => wanted.has(linkOf(`/proc/${pid}/fd/${fd}`)))) {
      return `${nameOf(pid)} (process ${pid})`;
    }
  }
  return undefined;
}

/** The name of the program's file, without its arguments, which may contain secrets. */
function nameOf(pid: string): string {
  const [file = ''] = textOf(`/proc/${pid}/cmdline`).split('\0');
  return basename(file) || 'a program';
}

function fromLsof(port: number): string | undefined {
  try {
    const output = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const [, pid, name] = /p(\d+)\nc(.+)/.exec(output) ?? [];
    return pid === undefined ? undefined : `${name} (process ${pid})`;
  } catch {
    // It is not installed, or not permitted.
    return undefined;
  }
}

/** Returns `empty` if the process has ended or must not be read. */
function orEmpty<T>(read: () => T, empty: T): T {
  try {
    return read();
  } catch {
    return empty;
  }
}

const textOf = (path: string): string => orEmpty(() => readFileSync(path, 'utf8'), '');
const namesIn = (path: string): string[] => orEmpty(() => readdirSync(path), []);
const linkOf = (path: string): string => orEmpty(() => readlinkSync(path), '');
