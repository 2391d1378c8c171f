/**
 * What a stranger waits for: clones commits of this repository in turns, and measures their `npm ci`, the first answer of
 * `npm start`, its pages, and starts beside bare Fastify. npm's cache should be filled, so run a first pair for nothing.
 *
 *   node bench/clone.ts --pairs 5 --starts 12 <commit> HEAD
 *   node bench/clone.ts --pairs 3 --print-readme      writes the figures of HEAD into docs/speed.json and the pages
 *
 * Processor time is user and system together, of a process and all that it started (/proc, so Linux only).
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from './format.ts';
import { median } from './numbers.ts';
import { printClone } from './readme.ts';
import { machineNow } from './report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TICKS_PER_SECOND = 100;
const LIMIT_MS = 300_000;
const STOP_MS = 10_000;
const { values, positionals } = parseArgs({
  options: {
    pairs: { type: 'string', default: '1' },
    starts: { type: 'string', default: '0' },
    'print-readme': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const commits = positionals.length > 0 ? positionals : ['HEAD'];
const found = new Map<string, Map<string, number[]>>();
const folder = mkdtempSync(join(tmpdir(), 'sandbank-clone-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

function note(commit: string, figures: Readonly<Record<string, number>>): void {
  const own = found.get(commit) ?? new Map<string, number[]>();
  found.set(commit, own);
  for (const [name, value] of Object.entries(figures)) own.set(name, [...(own.get(name) ?? []), value]);
  process.stderr.write(`${commit} ${JSON.stringify(figures)}\n`);
}

/** The fields of /proc/PID/stat after the name of the program, from the third. */
const statOf = (pid: number | 'self'): number[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
/** Seconds of processor time of a process. */
const secondsOf = (pid: number): number => {
  const fields = statOf(pid);
  return ((fields[11] ?? 0) + (fields[12] ?? 0)) / TICKS_PER_SECOND;
};
/** Seconds of processor time of the ended children of this process. */
const secondsOfChildren = (): number => {
  const fields = statOf('self');
  return ((fields[13] ?? 0) + (fields[14] ?? 0)) / TICKS_PER_SECOND;
};
const megabytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Waits until `url` answers with a success; throws if `child` ends before. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`The process of ${url} ended with ${child.exitCode}`);
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await sleep(10);
  }
  throw new Error(`${url} did not answer`);
}

/** The pid of the Node that serves: `npm start` runs it as a child. */
function serverOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return child === undefined || child === '' ? pid : serverOf(Number(child));
}

async function install(commit: string, round: number): Promise<string> {
  const place = join(folder, `${commit}-${round}`);
  execFileSync('git', ['clone', '--quiet', ROOT, place]);
  execFileSync('git', ['-c', 'advice.detachedHead=false', 'checkout', '--quiet', commit], { cwd: place });
  const before = secondsOfChildren();
  const begun = performance.now();
  execFileSync('npm', ['ci'], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  const wall = (performance.now() - begun) / 1000;
  const cpu = secondsOfChildren() - before;
  const modules = join(place, 'node_modules');
  const sizeOf = (path: string): number =>
    existsSync(path)
      ? Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0]) / 1024
      : 0;
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    packages: object;
  };
  note(commit, {
    packages: Object.keys(packages).length,
    // Without a Node that is installed because the user's is too old.
    'MB on disk': sizeOf(place) - sizeOf(join(modules, '.sandbank-node')),
    'npm ci, CPU s': cpu,
    'npm ci, s': wall,
  });
  return place;
}

async function startOnce(commit: string, place: string): Promise<void> {
  const port = await freePort();
  const env = { ...process.env, SANDBANK_PORT: String(port) };
  const begun = performance.now();
  // A group of its own: npm of an old commit may stay after its server.
  const child = spawn('npm', ['start'], { cwd: place, env, stdio: 'ignore', detached: true });
  const end = once(child, 'exit');
  await answers(`http://127.0.0.1:${port}/readyz`, child);
  const first = performance.now();
  await answers(`http://127.0.0.1:${port}/docs/`, child);
  note(commit, {
    'npm start to the first answer, s': (first - begun) / 1000,
    'first answer to /docs, s': (performance.now() - first) / 1000,
  });
  const pid = child.pid ?? 0;
  process.kill(serverOf(pid), 'SIGTERM');
  await Promise.race([end, sleep(STOP_MS)]);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
  await end;
}

/** A start in memory without npm; of bare Fastify if `commit` is `bare`. */
async function startAlone(commit: string, place: string): Promise<void> {
  const port = await freePort();
  const file = join(folder, `bare-${port}`);
  const isBare = commit === 'bare';
  const words = isBare ? ['bench/bare.mjs', file] : ['bin/sandbank.mjs', 'start'];
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: join(folder, 'bare-cache'),
    SANDBANK_PROFILE: 'ci',
    SANDBANK_PORT: String(port),
    SANDBANK_DATA: '',
  };
  const child = spawn(process.execPath, words, { cwd: place, env, stdio: 'ignore' });
  while (isBare && !existsSync(file)) await sleep(5);
  await answers(`http://127.0.0.1:${isBare ? readFileSync(file, 'utf8') : port}/readyz`, child);
  const pid = child.pid ?? 0;
  note(commit, { 'start, CPU ms': secondsOf(pid) * 1000, 'start, resident MB': megabytesOf(pid) });
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const places = new Map<string, string>();
for (let round = 0; round < Number(values.pairs); round += 1) {
  for (const commit of commits) {
    const old = places.get(commit);
    if (old !== undefined) rmSync(old, { recursive: true, force: true });
    const place = await install(commit, round);
    places.set(commit, place);
    await startOnce(commit, place);
  }
}
for (let round = 0; round < Number(values.starts); round += 1) {
  for (const [commit, place] of places) await startAlone(commit, place);
  await startAlone('bare', ROOT);
}
const names = [...new Set([...found.values()].flatMap((figures) => [...figures.keys()]))];
const columns = [...found.keys()];
process.stdout.write(
  `${table(
    ['median', ...columns],
    names.map((name) => [
      name,
      ...columns.map((commit) => {
        const own = found.get(commit)?.get(name);
        return own === undefined
          ? '-'
          : `${median(own).toFixed(1)} (${Math.min(...own).toFixed(1)}-${Math.max(...own).toFixed(1)})`;
      }),
    ]),
    1,
  )}\n`,
);
if (values['print-readme']) {
  const of = (name: string): number => median(found.get(commits.at(-1) ?? '')?.get(name) ?? []);
  printClone({
    at: new Date().toISOString(),
    machine: machineNow(),
    command: `node bench/clone.ts ${process.argv.slice(2).join(' ')}`,
    megabytes: Math.round(of('MB on disk')),
    packages: of('packages'),
    installSeconds: of('npm ci, s'),
    startSeconds: of('npm start to the first answer, s'),
  });
}
