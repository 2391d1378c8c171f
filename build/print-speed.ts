/**
 * Prints three figures into the README from `docs/speed.json`, which `npm run bench -- --print-readme` writes after a
 * run. `--show` prints all of them: each figure with its aim, and every missed aim.
 */
import { readFileSync } from 'node:fs';
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

export const README_SPEED: Page = {
  path: 'README.md',
  printedBy: 'node build/print-speed.ts',
  text: (present) =>
    present.replace(
      SECTION,
      (_, begin, end) =>
        `${begin}${summarize(JSON.parse(readFileSync(SPEED_FILE, 'utf8')) as Speed)}\n${end}`,
    ),
};

if (import.meta.main) {
  if (process.argv.includes('--show'))
    process.stdout.write(`${write(JSON.parse(readFileSync(SPEED_FILE, 'utf8')) as Speed)}\n`);
  else print(README_SPEED);
}
