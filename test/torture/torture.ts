/**
 * Runs rounds until the time is over and prints a line for each, a shorter round for each finding, and totals at the
 * end.
 */
import { planIdleRound, planRound } from './draw.ts';
import { FAULTS, type FaultName, type Round } from './plan.ts';
import { type Outcome, runRound } from './round.ts';
import { TOOLS } from './server.ts';
import { shrink } from './shrink.ts';

export interface Report {
  line(text: string): void;
  /** Stores a failing round; returns its file. */
  history(round: Round): string;
}

export interface Options {
  readonly seed: number;
  readonly minutes: number;
  readonly from: number;
  readonly rounds: number;
  /** Seconds. */
  readonly shrink: number;
  readonly keepGoing: boolean;
}

const MINUTE_MS = 60_000;
/** The approximate duration of a round in which all sandboxes are idle. */
const IDLE_ROUND_MS = 80_000;
const LOG_LINES = 8;
const LOG_WIDTH = 400;

/** The date as a number, such as 20260131. */
export function seedOfToday(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
}

/** Runs rounds until the time is over; returns the number of findings. */
export async function torture(options: Options, report: Report): Promise<number> {
  const { seed, minutes, from, rounds, keepGoing } = options;
  const began = performance.now();
  const until = began + minutes * MINUTE_MS;
  const can = Object.entries(TOOLS).map(([name, has]) => `${has ? '' : 'no '}${name}`);
  report.line(`seed ${seed}, ${minutes} minutes, with ${can.join(', ')}`);
  const outcomes: Outcome[] = [];
  let found = 0;
  const isOver = (): boolean => performance.now() > until || (found > 0 && !keepGoing);
  const run = async (round: Round, title: string): Promise<void> => {
    const outcome = await tortureRound(round, report, title);
    outcomes.push(outcome);
    found += outcome.findings.length;
    if (outcome.findings.length > 0) await shorten(round, outcome, options, report);
  };
  const runAll = async (): Promise<void> => {
    for (let number = from; number < from + rounds && !isOver(); number += 1) {
      await run(planRound(seed, number), String(number));
    }
  };
  /** Concurrently with the others, because these rounds mostly wait. */
  const idleAll = async (): Promise<void> => {
    if (!TOOLS.tmpfs || !FAULTS.idle) return;
    for (let number = 1; number <= rounds; number += 1) {
      if (isOver() || performance.now() + IDLE_ROUND_MS > until) return;
      await run(planIdleRound(seed, number), `i${number}`);
    }
  };
  await Promise.all([runAll(), idleAll()]);
  summarize(outcomes, (performance.now() - began) / 1000, report);
  return found;
}

/** Searches for a shorter round with the same finding, and stores it. */
async function shorten(round: Round, { findings }: Outcome, options: Options, report: Report): Promise<void> {
  if (options.shrink === 0) {
    report.line(`  again: npm run torture -- --history ${report.history(round)}`);
    return;
  }
  const fails = async (shorter: Round): Promise<boolean> =>
    (await runRound(shorter)).findings.some(({ what }) => what === findings[0]?.what);
  const shortest = await shrink(round, fails, performance.now() + options.shrink * 1000);
  const left = shortest.phases.reduce((sum, { actions }) => sum + actions.length, 0);
  report.line(
    `  the shortest that still fails has ${left} actions: npm run torture -- --history ${report.history(shortest)}`,
  );
  if (left <= 12) report.line(`  ${JSON.stringify(shortest)}`);
}

/** Runs one round and prints its results. */
export async function tortureRound(round: Round, report: Report, title = '0'): Promise<Outcome> {
  const outcome = await runRound(round);
  const {
    requests,
    payments,
    deliveries,
    kills,
    most,
    rest,
    seconds,
    findings,
    unavailable,
    slowestStartMs,
    slowestStopMs,
  } = outcome;
  const figures = [
    `${requests} requests`,
    `${payments} payments`,
    `${deliveries} deliveries`,
    `${unavailable} unavailable`,
    `${kills} kills`,
    `start ${Math.round(slowestStartMs)} ms`,
    `stop ${Math.round(slowestStopMs)} ms`,
    `rss ${Math.round(most.rssMb)}>${Math.round(rest.rssMb)} MB`,
    `fds ${most.fds}>${rest.fds}`,
    `${seconds.toFixed(1)} s`,
  ];
  report.line(`${title.padStart(4)}  ${figures.join(', ')}  [${outcome.mix}]`);
  for (const { what, detail } of findings) report.line(`  FOUND ${what}: ${detail}`);
  if (findings.length > 0) {
    report.line(`  seed and round: ${round.seed}`);
    const lines = outcome.log.split('\n').slice(-LOG_LINES);
    for (const line of lines) if (line !== '') report.line(`  | ${line.slice(0, LOG_WIDTH)}`);
  }
  return outcome;
}

function summarize(outcomes: readonly Outcome[], seconds: number, { line }: Report): void {
  const sum = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const most = (of: (outcome: Outcome) => number): number => Math.max(0, ...outcomes.map(of));
  const requests = sum((outcome) => outcome.requests);
  const deliveries = sum((outcome) => outcome.deliveries);
  line(
    [
      `${outcomes.length} rounds in ${Math.round(seconds)} s`,
      `${requests} requests (${Math.round(requests / seconds)}/s)`,
      `${sum((outcome) => outcome.payments)} payments`,
      `${deliveries} deliveries (${Math.round(deliveries / seconds)}/s)`,
      `${sum((outcome) => outcome.kills)} kills`,
      `${sum((outcome) => outcome.starts)} starts, the slowest ${Math.round(most((outcome) => outcome.slowestStartMs))} ms`,
      `at most ${Math.round(most((outcome) => outcome.most.rssMb))} MB and ${most((outcome) => outcome.most.fds)} descriptors`,
      `${sum((outcome) => outcome.findings.length)} findings`,
    ].join(', '),
  );
  const faults = (Object.keys(FAULTS) as FaultName[]).map((name): [string, number] => [
    `fault: ${name}`,
    sum((outcome) => outcome.faults.get(name) ?? 0),
  ]);
  const rows: [string, number][] = [
    ['kills', sum((outcome) => outcome.kills)],
    ...faults,
    ['acknowledged', sum((outcome) => outcome.acknowledged)],
    ['lost', sum((outcome) => outcome.lost)],
    ['doubled', sum((outcome) => outcome.doubled)],
    ['dropped', sum((outcome) => outcome.dropped)],
    ['answers in explained histories', sum((outcome) => outcome.explained)],
    ['histories cut', sum((outcome) => outcome.cut)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, count] of rows) line(`  ${name.padEnd(width)}  ${String(count).padStart(8)}`);
}
