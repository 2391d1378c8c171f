/**
 * `npm run bench`: measures the speed of the bank relative to bare Fastify, and the costs of the process. Runs the
 * command and the floor as child processes, compares them within each round, and prints the figures with the targets.
 * The exit code is 0 whatever the figures are, and 1 if an answer was wrong or a child failed.
 *
 *   npm run bench                  everything, in about five minutes
 *   npm run bench -- --quick       one round of a second, without 1 connection, under one minute
 *   npm run bench -- --only ach    one case: intra, ach, card or read; or process, bytes, sandboxes, control, lists or webhooks
 *   npm run bench -- --only webhook-load   a minute of payments with a webhook, and until everything has arrived
 *   npm run bench -- --only observers      payments with 0, 10, 50 and 200 observers
 *   npm run bench -- --only cluster        sandboxes as objects of workerd beside Node, and instances that share a bucket
 *   npm run bench -- --compare <commit>    compares this build with another commit in alternating rounds
 *   npm run bench -- --rounds 12 --connections 64   other rounds and connections for the cases
 *   npm run bench -- --json <file>         where the figures and aims are written; default: bench.json
 *   npm run bench -- --print-readme        measures nothing: writes the figures of that file into the README, or those of
 *                                          `--only cluster` into the guide to a cluster
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { aimsOf, type Figures } from './aims.ts';
import { measureBytes } from './bytes.ts';
import { CASES, type Case } from './cases.ts';
import { cleanUp, directory } from './children.ts';
import { measureCluster } from './cluster.ts';
import { buildCommit, type Comparison, compareCase } from './compare.ts';
import { type ControlFigures, measureControl } from './control.ts';
import { type ListFigures, measureLists } from './lists.ts';
import { measureObservers } from './observers.ts';
import { measureProcess, type ProcessFigures } from './process.ts';
import { printReadme } from './readme.ts';
import {
  describeAims,
  describeBytes,
  describeCluster,
  describeComparison,
  describeControl,
  describeLines,
  describeLists,
  describeMachine,
  describeObservers,
  describeProcess,
  describeWebhookLoad,
  describeWebhooks,
} from './report.ts';
import { type Line, measureCase, type Pace } from './rounds.ts';
import { describeSandboxes, measureSandboxes, type SandboxFigures } from './sandboxes.ts';
import { measureWebhookLoad } from './webhook-load.ts';
import { measureWebhooks, type WebhookFigures } from './webhooks.ts';

const FULL: Pace = { connections: [1, 16, 64], rounds: 3, seconds: 1.3, warmUpSeconds: 1 };
const QUICK: Pace = { connections: [16, 64], rounds: 1, seconds: 1, warmUpSeconds: 0.3 };
/** With the default sandbox, the default maximum of a bank. */
const SANDBOXES = 999;
const QUICK_SANDBOXES = 50;
/** That rest, one process after the other. */
const RESTING = [1000, 10_000];
const QUICK_RESTING = [100];
const STARTS = 5;
const QUICK_STARTS = 2;
const PROCESS = 'process';
const BYTES = 'bytes';
const RESTING_SANDBOXES = 'sandboxes';
const CONTROL = 'control';
const LISTS = 'lists';
const WEBHOOKS = 'webhooks';
const WEBHOOK_LOAD = 'webhook-load';
const OBSERVERS = 'observers';
const CLUSTER = 'cluster';
const BYTES_SECONDS = 3;
const QUICK_BYTES_SECONDS = 1;
const WEBHOOK_SECONDS = 8;
const QUICK_WEBHOOK_SECONDS = 3;
const WEBHOOK_LOAD_SECONDS = 60;
const QUICK_WEBHOOK_LOAD_SECONDS = 5;
const OBSERVER_SECONDS = 3;
const OBSERVER_ROUNDS = 3;
const FULL_CLUSTER = { rounds: 3, seconds: 4, sandboxes: 50 };
const QUICK_CLUSTER = { rounds: 1, seconds: 2, sandboxes: 20 };

interface Options {
  readonly quick: boolean;
  readonly only?: string | undefined;
  readonly compare?: string | undefined;
  readonly json: string;
  readonly rounds?: string | undefined;
  readonly connections?: string | undefined;
  readonly 'print-readme': boolean;
}

/** Parses the command line; ends the process with 2 for an unknown option or case. */
function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        compare: { type: 'string' },
        json: { type: 'string', default: 'bench.json' },
        rounds: { type: 'string' },
        connections: { type: 'string' },
        'print-readme': { type: 'boolean', default: false },
      },
    });
    const others = [
      PROCESS,
      BYTES,
      RESTING_SANDBOXES,
      CONTROL,
      LISTS,
      WEBHOOKS,
      WEBHOOK_LOAD,
      OBSERVERS,
      CLUSTER,
    ];
    const names = [...others, ...CASES.map(({ name }) => name)];
    if (values.only !== undefined && !names.includes(values.only)) {
      throw new Error(`there is no case "${values.only}"; there are ${names.join(', ')}`);
    }
    const compared = [...CASES.map(({ name }) => name), BYTES];
    if (values.compare !== undefined && values.only !== undefined && !compared.includes(values.only)) {
      throw new Error(`--compare takes the cases ${compared.join(', ')}`);
    }
    return values;
  } catch (error) {
    process.stderr.write(`bench: ${(error as Error).message}\n`);
    process.exit(2);
  }
}

async function main(): Promise<void> {
  const { quick, only, compare, json, rounds, connections, 'print-readme': printOnly } = readOptions();
  if (printOnly) {
    printReadme(json);
    print(`docs/speed.json and the pages that show it have the figures of ${json}`);
    return;
  }
  const wanted = (name: string): boolean => only === undefined || only === name;
  const pace = {
    ...(quick ? QUICK : FULL),
    ...(rounds !== undefined && { rounds: Number(rounds) }),
    ...(connections !== undefined && { connections: [Number(connections)] }),
  };
  const notes: string[] = [];
  const begun = performance.now();
  const machine = describeMachine(pace, directory);
  print(machine);
  /** Written in addition to the output, to compare runs. */
  const keep = (found: object): void => {
    writeFileSync(
      json,
      `${JSON.stringify({ at: new Date(), command: commandLine(), machine: machine.split('\n'), ...found }, null, 2)}\n`,
    );
    print(`the figures are in ${json}; ${seconds(begun)} s`);
  };
  if (only === BYTES) {
    const length = quick ? QUICK_BYTES_SECONDS : BYTES_SECONDS;
    if (compare !== undefined) {
      const build = buildCommit(compare);
      process.once('exit', build.remove);
      print(`commit ${build.commit}\n\n${describeBytes(await measureBytes(length, build.folder))}`);
    }
    const bytes = await measureBytes(length);
    print(describeBytes(bytes));
    keep({ bytes });
    return;
  }
  if (compare !== undefined) {
    const cases = CASES.filter(({ name }) => wanted(name));
    keep({ comparison: await compareAll(compare, cases, pace, (note) => notes.push(note)) });
    for (const note of notes) print(note);
    return;
  }

  const figures: ProcessFigures[] = [];
  if (wanted(PROCESS)) {
    for (const place of ['memory', 'file'] as const) {
      figures.push(
        await (quick
          ? measureProcess(place, QUICK_STARTS, QUICK_SANDBOXES)
          : measureProcess(place, STARTS, SANDBOXES)),
      );
    }
    print(describeProcess(figures));
  }
  const bytes = wanted(BYTES) ? await measureBytes(quick ? QUICK_BYTES_SECONDS : BYTES_SECONDS) : null;
  if (bytes !== null) print(describeBytes(bytes));
  const sandboxes: SandboxFigures[] = [];
  if (wanted(RESTING_SANDBOXES)) {
    for (const count of quick ? QUICK_RESTING : RESTING) sandboxes.push(await measureSandboxes(count));
    print(describeSandboxes(sandboxes));
  }
  const controls: ControlFigures[] = [];
  if (wanted(CONTROL)) {
    for (const place of ['memory', 'file'] as const) controls.push(await measureControl(place));
    print(describeControl(controls));
  }
  const lists: ListFigures[] = [];
  if (wanted(LISTS)) {
    for (const place of ['memory', 'file'] as const) lists.push(await measureLists(place));
    print(describeLists(lists));
  }
  const webhooks: WebhookFigures[] = [];
  if (wanted(WEBHOOKS)) {
    webhooks.push(await measureWebhooks(quick ? QUICK_WEBHOOK_SECONDS : WEBHOOK_SECONDS));
    print(describeWebhooks(webhooks));
  }
  if (only === WEBHOOK_LOAD) {
    const length = quick ? QUICK_WEBHOOK_LOAD_SECONDS : WEBHOOK_LOAD_SECONDS;
    print(describeWebhookLoad(await measureWebhookLoad(length)));
  }
  if (only === OBSERVERS) {
    print(describeObservers(await measureObservers(OBSERVER_SECONDS, quick ? 1 : OBSERVER_ROUNDS)));
  }
  if (only === CLUSTER) {
    const cluster = await measureCluster(quick ? QUICK_CLUSTER : FULL_CLUSTER);
    print(describeCluster(cluster));
    keep({ cluster });
    return;
  }
  const lines: Line[] = [];
  for (const measured of CASES.filter(({ name }) => wanted(name))) {
    const found = await measureCase(measured, pace, (note) => notes.push(note));
    print(describeLines(found));
    lines.push(...found);
  }
  const all: Figures = { process: figures, bytes, sandboxes, control: controls, lists, webhooks, lines };
  const aims = aimsOf(all);
  print(describeAims(aims));
  for (const note of notes) print(note);
  print('every answer had the expected status, and its effect is in the books');
  keep({ ...all, aims });
}

/** Measures the cases with this build and another one. */
async function compareAll(
  commit: string,
  cases: readonly Case[],
  pace: Pace,
  note: (text: string) => void,
): Promise<{ commit: string; lines: Comparison[] }> {
  const build = buildCommit(commit);
  process.once('exit', build.remove);
  const lines: Comparison[] = [];
  for (const measured of cases) {
    const found = await compareCase(measured, build, pace, note);
    print(describeComparison(build.commit, found));
    lines.push(...found);
  }
  return { commit: build.commit, lines };
}

/** The command line, to repeat the run. */
function commandLine(): string {
  const words = process.argv.slice(2);
  return ['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' ');
}

function print(text: string): void {
  process.stdout.write(`${text}\n\n`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}

process.once('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  await main();
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
process.exit();
