/**
 * Prints figures from `docs/speed.json`, which `npm run bench -- --print-readme` and `node bench/clone.ts --print-readme` write
 * after a run: three into the README, all figures of a bank with their aims into a page, and those of several instances into the
 * guide to a cluster, with their picture.
 */
import { readFileSync } from 'node:fs';
import { drawCurve } from '../bench/curve.ts';
import { type Page, print, table } from './page.ts';

/** The results of a run that `npm run bench -- --print-readme` stores. */
export interface Speed {
  /** ISO 8601, when the run ended. */
  readonly at: string;
  /** ISO 8601; the lists can be measured alone. */
  readonly listsAt: string;
  /** Cores, processor, memory and Node. */
  readonly machine: string;
  readonly command: string;
  /** The cases at 16 connections. */
  readonly cases: readonly SpeedCase[];
  /** The aims of no case, and all missed aims. */
  readonly aims: readonly SpeedAim[];
  /** A separate run, with `--only cluster`. */
  readonly instances: InstancesSpeed;
  /** A separate run, of `bench/clone.ts`. */
  readonly clone: CloneSpeed;
}

/** A fresh clone until the first answer of its bank, with a filled npm cache; medians. */
export interface CloneSpeed {
  readonly at: string;
  readonly machine: string;
  readonly command: string;
  /** On the disk after `npm ci`, without Node. */
  readonly megabytes: number;
  readonly packages: number;
  readonly installSeconds: number;
  readonly startSeconds: number;
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
const printedBy = 'node build/print-speed.ts';
const PICTURE = 'docs/pictures/cluster-instances.svg';

const FIRST_LIST = 'first list by common status, bank in memory';

/** Matches an aim of one of the cases. */
const OF_CASES = /^(?!payments with a webhook).*, \d+ connections, (?:bank|file)/;

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const HEAD = `# Performance

<!-- ${printedBy} prints this page from docs/speed.json. -->`;

function write({ at, listsAt, machine, command, cases, aims, clone }: Speed): string {
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
    HEAD,
    `\`${command}\` measured these figures on ${at.slice(0, 10)} on a machine with ${machine}. They are medians at 16 connections:`,
    table(['Case', 'Requests/s', 'p50 ms', 'p99 ms', 'Requests/s relative to bare Fastify', 'Aim'], ofCases),
    `The cases also have aims at 64 connections and with \`synchronous=full\`. In all, ${missed} aims of these cases were missed; \`docs/speed.json\` lists them.`,
    '## Start, memory, sandboxes, webhooks and lists',
    table(['What', 'Aim', 'Measured', 'Result'], ofAims),
    `The lists were measured on ${listsAt.slice(0, 10)}.`,
    '## A fresh clone',
    `\`${clone.command}\` measured ${clone.packages} packages and ${whole(clone.megabytes)} MB on the disk, Node not included, on ${clone.at.slice(0, 10)}. \`npm ci\` took ${clone.installSeconds.toFixed(1)} s with a filled npm cache, and \`npm start\` ${clone.startSeconds.toFixed(1)} s to the first answer.`,
  ].join('\n\n');
}

/** The rows of the README: what a user waits for. */
function summarize({ at, listsAt, machine, aims, clone }: Speed): string {
  const measured = (what: string): string => aims.find((aim) => aim.what === what)?.measured ?? '?';
  const seconds = clone.installSeconds + clone.startSeconds;
  return [
    table(
      ['What', 'Measured'],
      [
        [
          'from a clone to the first answer, with a filled npm cache',
          `${seconds.toFixed(0)} s, ${whole(clone.megabytes)} MB`,
        ],
        ['what a new bank adds to a test', measured('new sandbox, bank in memory')],
        ['the first list by status of 200,000 transactions', measured(FIRST_LIST)],
      ],
    ),
    `Measured on ${[...new Set([at, listsAt, clone.at].map((one) => one.slice(0, 10)))].join(' and ')}, on a machine with ${machine}, by \`npm run bench\` and \`node bench/clone.ts\`. More is in [performance](docs/performance.md).`,
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

export const SPEED_PAGES: readonly Page[] = [
  { path: 'README.md', printedBy, text: section(SECTION, () => summarize(readSpeed())) },
  {
    path: 'docs/guides/cluster.md',
    printedBy,
    text: section(INSTANCES, () => describeInstances(readSpeed().instances)),
  },
  { path: 'docs/performance.md', printedBy, text: () => `${write(readSpeed())}\n` },
  { path: PICTURE, printedBy, text: () => drawCurve(readSpeed().instances) },
];

/** Prints all of them. */
export const printSpeed = (): void => SPEED_PAGES.forEach(print);

if (import.meta.main) printSpeed();
