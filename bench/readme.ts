/**
 * Writes the figures of a run into the README: the cases at 16 connections with their aims, the aims of no case, and
 * all missed aims.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { print } from '../build/page.ts';
import { README_SPEED, SPEED_FILE, type Speed } from '../build/print-speed.ts';
import { type Aim, aimOf, type Figures } from './aims.ts';
import { median } from './numbers.ts';

const CONNECTIONS = 16;
const PLACES: Readonly<Record<string, string>> = { memory: 'in memory', file: 'on a file' };
/** Matches the aims of a case, which are in its row. */
const OF_A_CASE = /\d connections, /;

interface Run extends Figures {
  readonly at: string;
  readonly command: string;
  readonly machine: readonly string[];
  readonly aims: readonly Aim[];
}

/** Writes `docs/speed.json` and the README from a file of `npm run bench`. Throws if the run was incomplete. */
export function printReadme(file: string): void {
  writeFileSync(
    SPEED_FILE,
    `${JSON.stringify(speedOf(JSON.parse(readFileSync(file, 'utf8')) as Run), null, 2)}\n`,
  );
  print(README_SPEED);
}

/** The figures of a run that the README shows. */
export function speedOf({ at, command, machine, aims, ...figures }: Run): Speed {
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
    command,
    machine: (machine[0] ?? '').replace(/^machine +/, ''),
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
