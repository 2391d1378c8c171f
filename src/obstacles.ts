/**
 * What keeps a bank from opening: a port that another program has, an address that this machine does not have, a data
 * directory that cannot be written. Whoever fails to start and `sandbank doctor` say it in the same words, with who or
 * what is in the way and how to choose otherwise.
 */
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { Config } from './config.ts';
import { descriptorLimit } from './descriptors.ts';
import { programOn } from './port-owner.ts';
import { DataFileError } from './sandboxes/disk.ts';
import { DataVersionError } from './store/migrate.ts';

type Address = Pick<Config, 'host' | 'port'>;

/** What a file system answers where nothing can be written. */
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

/** A start needs about thirty. */
const FEW_DESCRIPTORS = 64;

const ANSWER_TIMEOUT_MS = 1_500;
const FIRST_FREE_FOR_ALL = 1_024;

/** Why a bank does not start, in a sentence that says what to do; null for what only this program can be blamed for. */
export async function explainStart(error: unknown, config: Config): Promise<string | null> {
  if (error instanceof DataVersionError || error instanceof DataFileError) return error.message;
  if (!isSystemError(error)) return null;
  const { code = '', syscall, path, message } = error;
  const { data, readyFile } = config;
  if (syscall === 'listen' || syscall === 'getaddrinfo') return explainAddress(error, config);
  if (readyFile !== null && path?.startsWith(readyFile)) {
    return `the ready file cannot be written (${message}): choose another with --ready-file or SANDBANK_READY_FILE`;
  }
  const limit = descriptorLimit();
  // SQLite does not say why it could not open a file.
  if (code === 'EMFILE' || code === 'ENFILE' || (code === 'SQLITE_CANTOPEN' && limit < FEW_DESCRIPTORS)) {
    return `this process may have no more than ${limit} files and connections open, which are too few: raise the limit, as with ulimit -n 1024`;
  }
  if (code === 'SQLITE_BUSY') {
    return `the data directory ${data} is in use by another Sandbank: stop it, or choose another with --data or SANDBANK_DATA`;
  }
  if (code === 'SQLITE_NOTADB') {
    return `a file in ${data} is no database of Sandbank's (${message}): move it away, or choose another directory with --data or SANDBANK_DATA`;
  }
  const isOfData = data !== null && (path === undefined || path.startsWith(data));
  const isNotWritable = NOT_WRITABLE.includes(code) || code.startsWith('SQLITE_IOERR');
  return isOfData && isNotWritable ? explainData(data, message) : message;
}

/** SQLite's errors have a code too. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}

/** Why nobody can listen at an address, in a sentence that says what to do; null when it is free. */
export async function addressProblem({ host, port }: Address): Promise<string | null> {
  const problem = await new Promise<NodeJS.ErrnoException | null>((done) => {
    const probe = createServer();
    probe.once('error', done);
    probe.listen({ host, port }, () => probe.close(() => done(null)));
  });
  return problem === null ? null : explainAddress(problem, { host, port });
}

/** What an error of listening means. */
async function explainAddress(error: NodeJS.ErrnoException, { host, port }: Address): Promise<string> {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken by ${await whoHas({ host, port })}: stop it, or choose another with --port or SANDBANK_PORT (0 takes a free one)`;
    case 'EACCES': {
      const why =
        port < FIRST_FREE_FOR_ALL
          ? `ports below ${FIRST_FREE_FOR_ALL} are for administrators`
          : error.message;
      return `port ${port} on ${host} may not be used (${why}): choose another with --port or SANDBANK_PORT (0 takes a free one)`;
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine (${error.message}): choose another with --host or SANDBANK_HOST`;
    default:
      return `port ${port} on ${host} cannot be used: ${error.message}`;
  }
}

/** Why a folder cannot be written, in a sentence that says what to do; null when it can, or can be made. */
export function dataProblem(folder: string): string | null {
  const path = resolve(folder);
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    rmSync(mkdtempSync(resolve(nearest, '.sandbank-doctor-')), { recursive: true });
    return null;
  } catch (error) {
    return explainData(folder, (error as Error).message);
  }
}

/** What an error of opening the data means. */
function explainData(folder: string, said: string): string {
  return `the data directory ${folder} cannot be written (${said}): choose another with --data or SANDBANK_DATA, or set it empty to keep everything in memory`;
}

/** Whether a bank of ours answers there. */
export async function isSandbank({ host, port }: Address): Promise<boolean> {
  try {
    const answer = await fetch(`${urlOf({ host, port })}/openapi/v2.json`, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return answer.ok && (await answer.text()).includes('"Sandbank');
  } catch {
    return false;
  }
}

/** The URL by which this machine reaches who listens there. */
export function urlOf({ host, port }: Address): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

async function whoHas(address: Address): Promise<string> {
  const program = programOn(address.port) ?? 'another program';
  return (await isSandbank(address))
    ? `${program}, a Sandbank that is already open at ${urlOf(address)}`
    : program;
}
