/**
 * Compares this build and the build of another commit under the same load. Within a round they run directly after one
 * another, in reversed order in every other round, and ratios are computed only within a round. So the ratio shows
 * the effect of a change even on a busy machine.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Case } from './cases.ts';
import { freshPath, type Place, startClient } from './children.ts';
import { median } from './numbers.ts';
import { loading, type Pace, perSecond, type Run, startServer, WARM_UP_CONNECTIONS } from './rounds.ts';

/** One line of the table: a case with one storage and number of connections. */
export interface Comparison {
  readonly measured: Case;
  readonly place: Place;
  readonly connections: number;
  /** Medians of the rounds: requests per second, and microseconds of processor time per request. */
  readonly other: Side;
  readonly own: Side;
  /** The ratio of requests per second, this build to the other, for each round. */
  readonly ratios: readonly number[];
  /**
   * The ratio of processor time, the other build to this one, for each round: more than 1 is faster. Empty if
   * unknown.
   */
  readonly cpuRatios: readonly number[];
}

interface Side {
  readonly perSecond: number;
  readonly cpuMicros: number | null;
}

/** Another build of the program. */
export interface Build {
  readonly commit: string;
  readonly folder: string;
  remove(): void;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOCK = 'package-lock.json';

/**
 * Builds another commit in a separate folder. It uses the packages of this clone, or installs its own if they differ.
 */
export function buildCommit(name: string): Build {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const commit = git('rev-parse', '--verify', `${name}^{commit}`);
  const folder = freshPath('build');
  git('worktree', 'add', '--detach', folder, commit);
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  };
  try {
    const isSameLock = existsSync(join(folder, LOCK)) && textOf(folder) === textOf(ROOT);
    if (isSameLock) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
    // Older commits have the file at the root.
    const bundler = ['build/bundle.mjs', 'bundle.mjs'].find((path) => existsSync(join(folder, path)));
    if (bundler === undefined) throw new Error(`${name} has no build/bundle.mjs`);
    execFileSync(process.execPath, [bundler], { cwd: folder, stdio: 'ignore' });
  } catch (error) {
    remove();
    throw error;
  }
  return { commit, folder, remove };
}

const textOf = (folder: string): string => readFileSync(join(folder, LOCK), 'utf8');

/** Measures one case with both builds, in memory and on a file. */
export async function compareCase(
  measured: Case,
  build: Build,
  pace: Pace,
  note: (text: string) => void,
): Promise<Comparison[]> {
  const lines: Comparison[] = [];
  for (const place of ['memory', 'file'] as const) {
    const found = new Map(pace.connections.map((connections) => [connections, [] as Round[]]));
    // New processes in each round: the time of one build differs by 7% from process to process.
    for (let round = 0; round < pace.rounds; round += 1) {
      const sides = [await startServer(place, build.folder), await startServer(place)] as const;
      const client = startClient();
      const load = loading(measured, client, note);
      for (const side of sides) await load(side, WARM_UP_CONNECTIONS, pace.warmUpSeconds);
      for (const [connections, rounds] of found) {
        const run = (at: 0 | 1): Promise<Run> => load(sides[at], connections, pace.seconds);
        const isForward = round % 2 === 0;
        const first = await run(isForward ? 0 : 1);
        const second = await run(isForward ? 1 : 0);
        rounds.push(isForward ? { other: first, own: second } : { other: second, own: first });
      }
      await Promise.all([client, ...sides].map((child) => child.stop()));
    }
    for (const [connections, rounds] of found) {
      lines.push({
        measured,
        place,
        connections,
        other: sideOf(rounds.map(({ other }) => other)),
        own: sideOf(rounds.map(({ own }) => own)),
        ratios: rounds.map(({ other, own }) => perSecond(own) / perSecond(other)),
        cpuRatios: rounds.flatMap(({ other, own }) =>
          other.cpuMicros === null || own.cpuMicros === null ? [] : [other.cpuMicros / own.cpuMicros],
        ),
      });
    }
  }
  return lines;
}

interface Round {
  readonly other: Run;
  readonly own: Run;
}

function sideOf(runs: readonly Run[]): Side {
  const cpus = runs.flatMap(({ cpuMicros }) => (cpuMicros === null ? [] : [cpuMicros]));
  return {
    perSecond: median(runs.map(perSecond)),
    cpuMicros: cpus.length === runs.length ? median(cpus) : null,
  };
}
