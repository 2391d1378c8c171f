/**
 * Prints figures from `docs/speed.json`, which `npm run bench -- --print-readme` writes after a run: three into the README, and
 * those of several instances into the guide to a cluster, with their picture. `--show` prints all figures of a bank: each with its
 * aim, and every missed aim.
 */
import { readFileSync } from 'node:fs';
import { drawCurve } from '../bench/curve.ts';
import { type Page, print, table } from './page.ts';

/** The results of a run that `npm run bench -- --print-readme` stores. */
export interface Speed {
  /** ISO 8601, when the run ended. */
  readonly at: string;
  /** Cores, processor, memory and Node. */
  readonly machine: string;
  readonly command: string;
  /** The cases at 16 connections. */
  readonly cases: readonly SpeedCase[];
  /** The aims of no case, and all missed aims. */
  readonly aims: readonly SpeedAim[];
  /** A separate run, with `--only cluster`. */
  readonly instances: InstancesSpeed;
}

/** Instances of a cluster that share a bucket. */
export interface InstancesSpeed {
  readonly at: string;
  readonly machine: string;
  readonly command: string;
  /** How many processes used or awaited a core in the minute before the run. */
  readonly load: number;
  /** The part of a core that each of them has. */
  readonly share: number;
  /** Of each instance. */
  readonly sandboxes: number;
  /** Of each sandbox. */
  readonly connections: number;
  readonly points: readonly {
    readonly instances: number;
    /** Per second. */
    readonly payments: number;
    readonly p50: number;
    /** The part of their processor time that they used; `null` where it was not measured. */
    readonly used: number | null;
  }[];
}

export interface SpeedCase {
  readonly what: string;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly share: number;
  /** The aim for the share; `null` if there is none. */
  readonly aim: number | null;
}

export interface SpeedAim {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
}

export const SPEED_FILE = new URL('../docs/speed.json', import.meta.url);
const SECTION = /(<!-- speed -->\n)[\s\S]*(<!-- end of speed -->)/;
const INSTANCES = /(<!-- instances -->\n)[\s\S]*(<!-- end of instances -->)/;
const PICTURE = 'docs/pictures/cluster-instances.svg';

/** Matches an aim of one of the cases. */
const OF_CASES = /^(?!payments with a webhook).*, \d+ connections, (?:bank|file)/;

const whole = (value: number): string => Math.round(value).toLocaleString('en');

function write({ at, machine, command, cases, aims }: Speed): string {
  const ofCases = cases.map(({ what, perSecond, p50, p99, share, aim }) => [
    what,
    whole(perSecond),
    p50.toFixed(1),
    p99.toFixed(1),
    share.toFixed(2),
    aim === null ? '' : `${aim.toFixed(2)}, ${share >= aim ? 'met' : 'missed'}`,
  ]);
  const others = aims.filter(({ what }) => !OF_CASES.test(what));
  const ofAims = others.map(({ what, target, measured, met }) => [
    what,
    target,
    measured,
    met ? 'met' : 'missed',
  ]);
  const missed = aims.length - others.length;
  return [
    `\`${command}\` measured these figures on ${at.slice(0, 10)} on a machine with ${machine}. They are medians at 16 connections:`,
    table(['Case', 'Requests/s', 'p50 ms', 'p99 ms', 'Requests/s relative to bare Fastify', 'Aim'], ofCases),
    `The cases also have aims at 64 connections and with \`synchronous=full\`. In all, ${missed} aims of these cases were missed; \`docs/speed.json\` lists them.`,
    '<details>\n<summary>The other aims: start, memory, sandboxes, webhooks and lists</summary>',
    table(['What', 'Aim', 'Measured', 'Result'], ofAims),
    '</details>',
  ].join('\n\n');
}

/** The rows of the README: what a user waits for, or has to provide. */
function summarize({ at, machine, command, cases, aims }: Speed): string {
  const measured = (what: string): string => aims.find((aim) => aim.what === what)?.measured ?? '?';
  const pull = cases.find(({ what }) => what === 'ACH pull, fresh idempotency key, on a file');
  return [
    table(
      ['What', 'Measured'],
      [
        ['a new bank for a test', measured('new sandbox, bank in memory')],
        ['an ACH pull, stored in a file, at 16 connections (median)', `${pull?.p50.toFixed(1) ?? '?'} ms`],
        ['memory of an idle bank', measured('idle memory, bank in memory')],
      ],
    ),
    `\`${command}\` measured this on ${at.slice(0, 10)}, on a machine with ${machine}.`,
  ].join('\n\n');
}

/** The section of the guide to a cluster. */
function describeInstances({
  at,
  machine,
  command,
  load,
  share,
  sandboxes,
  connections,
  points,
}: InstancesSpeed): string {
  const one = points[0]?.payments ?? Number.NaN;
  const rows = points.map(({ instances, payments, used, p50 }) => [
    String(instances),
    whole(payments),
    (payments / one).toFixed(2),
    (payments / one / instances).toFixed(2),
    used === null ? '' : `${Math.round(used * 100)}%`,
    `${whole(p50)} ms`,
  ]);
  const last = points.at(-1);
  const alternative = `Payments per second rise from ${whole(one)} with one instance to ${whole(last?.payments ?? Number.NaN)} with ${last?.instances}.`;
  return [
    `![${alternative}](../${PICTURE.replace('docs/', '')})`,
    table(
      ['Instances', 'Payments/s', 'Relative to one', 'Relative to linear', 'Processor time used', 'Median'],
      rows,
    ),
    `\`${command}\` measured this on ${at.slice(0, 10)}, on a machine with ${machine}, whose load before the run was ${load.toFixed(1)}. Each instance had ${share} of a core and owned ${sandboxes} sandboxes, with ${connections} connections each, on which ACH pulls were made. The clients called the owner of a sandbox. They and the bucket used the rest of the machine.`,
  ].join('\n\n');
}

const readSpeed = (): Speed => JSON.parse(readFileSync(SPEED_FILE, 'utf8')) as Speed;
const section = (mark: RegExp, write: () => string) => (present: string) =>
  present.replace(mark, (_, begin, end) => `${begin}${write()}\n${end}`);
const printedBy = 'node build/print-speed.ts';

export const SPEED_PAGES: readonly Page[] = [
  { path: 'README.md', printedBy, text: section(SECTION, () => summarize(readSpeed())) },
  {
    path: 'docs/guides/cluster.md',
    printedBy,
    text: section(INSTANCES, () => describeInstances(readSpeed().instances)),
  },
  { path: PICTURE, printedBy, text: () => drawCurve(readSpeed().instances) },
];

/** Prints all of them. */
export const printSpeed = (): void => SPEED_PAGES.forEach(print);

if (import.meta.main) {
  if (process.argv.includes('--show')) process.stdout.write(`${write(readSpeed())}\n`);
  else printSpeed();
}
