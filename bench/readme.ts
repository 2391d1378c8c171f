/**
 * Writes the figures of a run into the pages: the cases at 16 connections with their aims, the aims of no case, and all missed aims;
 * of a run with `--only lists` these alone, of one with `--only
 * cluster` those of several instances.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  type CloneSpeed,
  type InstancesSpeed,
  printSpeed,
  SPEED_FILE,
  type Speed,
} from '../build/print-speed.ts';
import { type Aim, aimOf, type Figures } from './aims.ts';
import type { ClusterFigures } from './cluster.ts';
import { median } from './numbers.ts';

const CONNECTIONS = 16;
const PLACES: Readonly<Record<string, string>> = { memory: 'in memory', file: 'on a file' };
/** Matches the aims of a case, which are in its row. */
const OF_A_CASE = /\d connections, /;

interface RunOf {
  readonly at: string;
  readonly command: string;
  readonly machine: readonly string[];
}

interface Run extends Figures, RunOf {
  readonly aims: readonly Aim[];
}

interface ClusterRun extends RunOf {
  readonly cluster: ClusterFigures;
}

/** Writes `docs/speed.json` and the pages from a file of `npm run bench`. Throws if the run was incomplete. */
export function printReadme(file: string): void {
  const run = JSON.parse(readFileSync(file, 'utf8')) as Run | ClusterRun;
  const present = JSON.parse(readFileSync(SPEED_FILE, 'utf8')) as Speed;
  const speed: Speed =
    'cluster' in run
      ? { ...present, instances: instancesOf(run) }
      : { ...present, ...(run.lines.length === 0 ? listsOf(run, present) : speedOf(run)) };
  keepSpeed(speed);
}

/** The aims of a run with `--only lists`, in place of their earlier figures. */
function listsOf({ at, aims }: Run, present: Speed): Partial<Speed> {
  const isOfLists = ({ what }: { what: string }): boolean =>
    /^(first )?list by |of a long history/.test(what);
  return { listsAt: at, aims: [...present.aims.filter((aim) => !isOfLists(aim)), ...aims.filter(isOfLists)] };
}

function keepSpeed(speed: Speed): void {
  writeFileSync(SPEED_FILE, `${JSON.stringify(speed, null, 2)}\n`);
  printSpeed();
}

/** Writes the figures of a fresh clone into the same pages. */
export function printClone(clone: CloneSpeed): void {
  keepSpeed({ ...(JSON.parse(readFileSync(SPEED_FILE, 'utf8')) as Speed), clone });
}

const machineOf = ({ machine }: RunOf): string => (machine[0] ?? '').replace(/^machine +/, '');

/** The figures of several instances that the guide shows. */
export function instancesOf(run: ClusterRun): InstancesSpeed {
  const { at, command } = run;
  const { share, sandboxes, connections, points } = run.cluster.curve;
  return {
    at,
    command,
    machine: machineOf(run),
    load: Number(/^load +([\d.]+)/.exec(run.machine[1] ?? '')?.[1] ?? Number.NaN),
    share,
    sandboxes,
    connections,
    points: points.map(({ instances, payments, p50, used }) => ({ instances, payments, p50, used })),
  };
}

/** The figures of a run that the README shows. */
export function speedOf(run: Run): Omit<Speed, 'instances' | 'clone'> {
  const { at, command, aims, ...figures } = run;
  const missing = (['lines', 'process', 'control', 'webhooks'] as const).filter(
    (name) => figures[name].length === 0,
  );
  if (missing.length > 0) {
    throw new Error(
      `the run does not contain ${missing.join(', ')}: run "npm run bench" without --only first`,
    );
  }
  const shown = figures.lines.filter(
    ({ connections, target, measured }) =>
      connections === CONNECTIONS && target in PLACES && (measured.name !== 'read' || target === 'memory'),
  );
  return {
    at,
    listsAt: at,
    command,
    machine: machineOf(run),
    cases: shown.map((line) => ({
      what: `${line.measured.title}, ${PLACES[line.target]}`,
      perSecond: Math.round(line.perSecond),
      p50: line.p50,
      p99: line.p99,
      share: median(line.toFloor),
      aim: aimOf(line) ?? null,
    })),
    aims: aims.filter(({ what, met }) => !met || !OF_A_CASE.test(what)),
  };
}
