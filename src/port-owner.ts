/**
 * Which program listens on a port. Linux tells it in /proc, to whoever may look; elsewhere lsof does, where it is
 * installed.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The program that listens on a port, where the system tells: `node (process 4711)`. */
export function programOn(port: number): string | undefined {
  return process.platform === 'linux' ? fromProc(port) : fromLsof(port);
}

const LISTENING = '0A';

/** Linux lists its sockets by number, and under each process the numbers of those that it holds. */
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

/** The program's file alone: what follows it on the command line is nobody's business. */
function nameOf(pid: string): string {
  const [file = ''] = textOf(`/proc/${pid}/cmdline`).split('\0');
  return basename(file) || 'a program';
}

function fromLsof(port: number): string | undefined {
  try {
    const said = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const [, pid, name] = /p(\d+)\nc(.+)/.exec(said) ?? [];
    return pid === undefined ? undefined : `${name} (process ${pid})`;
  } catch {
    // It is not installed, or may not look.
    return undefined;
  }
}

/** What is gone meanwhile, or may not be looked at, is empty. */
function orEmpty<T>(look: () => T, empty: T): T {
  try {
    return look();
  } catch {
    return empty;
  }
}

const textOf = (path: string): string => orEmpty(() => readFileSync(path, 'utf8'), '');
const namesIn = (path: string): string[] => orEmpty(() => readdirSync(path), []);
const linkOf = (path: string): string => orEmpty(() => readlinkSync(path), '');
