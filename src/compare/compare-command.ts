/**
 * `sandbank compare`: runs scenarios against this bank and against the platform, and reports where they differ. It
 * exits with 0 without differences, with 1 if there are differences, and with 2 if it could not finish. The keys of
 * the other side come from the environment; they are in no argument, no output and no file.
 */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { counted } from '../bank/kernel/count.ts';
import {
  type BankOptions,
  bankOf,
  columns,
  explainFailure,
  isFailure,
  readDocument,
  talksToBank,
  UsageError,
} from '../cli/bank.ts';
import { httpUrl, positiveNumber, wholeNumber } from '../cli/options.ts';
import type { Shell } from '../cli/shell.ts';
import type { Catalogue } from './catalogue.ts';
import { printReport } from './compare-report.ts';
import type { RunComparison } from './compare-runs.ts';
import { DEFAULT_RATE } from './pace.ts';
import type { Report } from './report.ts';
import type { RunResult } from './run.ts';
import type { Scenario } from './scenario.ts';
import type { Side, Version } from './side.ts';
import type { Transcript } from './transcript.ts';

interface CompareOptions extends BankOptions {
  readonly with?: string;
  readonly only?: readonly string[];
  readonly scenarios?: string;
  readonly readOnly?: boolean;
  readonly dryRun?: boolean;
  readonly record?: string;
  readonly updateRegister?: boolean;
  readonly rate: number;
  readonly timeout: number;
  readonly patience: number;
  readonly receiver?: string;
  readonly receiverPort?: number;
  readonly lateAfter: number;
}

const COULD_NOT_RUN = 2;
const SECOND_MS = 1_000;
const VERSIONS: readonly Version[] = ['v1', 'v2'];
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Adds the command. */
export function addCompare(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('compare')
      .description('run the same calls against this bank and the platform, and report where they differ')
      .argument('[recording]', 'a recording or a HAR file to compare with, instead of --with')
      .option('--with <url>', 'address of the other side, like https://test-api.example', platformUrl)
      .option(
        '--only <scenario>',
        'run this scenario; repeatable; name* matches all that begin with name',
        collect,
      )
      .option('--scenarios <folder>', 'a folder with your own scenarios')
      .option('--read-only', 'send only GET requests')
      .option('--dry-run', 'print the requests without sending them')
      .option('--record <file>', 'record the responses of the other side in a file, redacted')
      .option(
        '--update-register',
        'print a patch of data/decisions.json with the proven decisions, and the report to stderr',
      )
      .option(
        '--rate <number>',
        'maximum requests per second to the other side',
        positiveNumber,
        DEFAULT_RATE,
      )
      .option('--timeout <seconds>', 'maximum wait for a response', wholeNumber(1), 30)
      .option('--patience <seconds>', 'maximum wait for a state or an event', wholeNumber(1), 120)
      .option(
        '--receiver <url>',
        'address at which both sides reach this machine, to compare events',
        httpUrl,
      )
      .option('--receiver-port <port>', 'port for the events (default: a free port)', wholeNumber(1, 65_535))
      .option('--late-after <seconds>', 'report an event that is later than this', wholeNumber(1), 10),
    'compare --with https://test-api.example',
    "compare --with https://test-api.example --only 'v2_life_*'",
    'compare --with https://test-api.example --dry-run',
  )
    .addHelpText(
      'after',
      '\nSANDBANK_COMPARE_KEY_V2 and SANDBANK_COMPARE_KEY_V1 are the keys of the other side; with one of them, only one\n' +
        'version is compared. Only paths below /v1 and /v2 of the other side are called. Created records are marked and\n' +
        'removed at the end. --json prints { operations, differences }. Exit codes: 0 no difference,\n' +
        '1 a difference, 2 the run was incomplete. "git apply" applies the patch of --update-register.',
    )
    .action((file: string | undefined, options: CompareOptions) =>
      orCouldNotRun(() =>
        file === undefined ? compare(shell, options) : compareRecording(shell, options, file),
      ),
    );
}

/** An address with a key goes over HTTPS, except on this machine. */
export function platformUrl(text: string): string {
  const url = httpUrl(text);
  const { protocol, hostname, username } = new URL(url);
  if (username !== '') throw new InvalidArgumentError('Expected an address without a user name or key.');
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return url;
  throw new InvalidArgumentError(
    'Expected an address that begins with https://, because a key is sent to it.',
  );
}

function collect(text: string, others: readonly string[] = []): string[] {
  return [...others, text];
}

/** An error that prevents the comparison exits with 2. */
async function orCouldNotRun(run: () => Promise<void>): Promise<void> {
  const { ScenarioError } = await import('./scenario.ts');
  const { RecordingError } = await import('./recording.ts');
  const { SideGone } = await import('./side.ts');
  const ours = [ScenarioError, RecordingError, SideGone];
  try {
    await run();
  } catch (error) {
    if (!isFailure(error) && !ours.some((kind) => error instanceof kind)) throw error;
    throw new UsageError(explainFailure(error));
  }
}

async function compare(shell: Shell, options: CompareOptions): Promise<void> {
  const { loadCatalogue } = await import('./catalogue.ts');
  const catalogue = loadCatalogue(options.scenarios);
  const scenarios = selected(catalogue, options.only);
  if (options.dryRun === true) return printPlan(shell, options, scenarios, catalogue);
  const url = options.with;
  if (url === undefined)
    throw new UsageError('compare needs the address of the other side: --with https://…');
  const { startEventServer } = await import('./receive.ts');
  const receiver =
    options.receiver === undefined ? undefined : await startEventServer(options.receiverPort ?? 0);
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt);
  try {
    const sides = await sidesOf(shell, options, url, receiver);
    const result = await runAll(shell, options, sides, scenarios, catalogue, interrupted.signal);
    if (options.record !== undefined) await record(shell, options.record, result.transcripts.there);
    await report(shell, options, result, scenarios, catalogue);
  } finally {
    process.off('SIGINT', interrupt);
    await receiver?.close();
  }
}

/** Writes the responses of the other side. */
async function record(shell: Shell, file: string, transcript: Transcript): Promise<void> {
  const { formatRecording } = await import('./recording.ts');
  const text = formatRecording(transcript, today());
  writeFileSync(file, text, { flag: 'w' });
  shell.notify(`recorded ${counted(transcript.exchanges.length, 'response')} in ${file}\n`);
}

/** Sends the requests of a recording to this bank. */
async function compareRecording(shell: Shell, options: CompareOptions, file: string): Promise<void> {
  const { parseRecording } = await import('./recording.ts');
  const { replay } = await import('./replay.ts');
  const { reportOf } = await import('./report.ts');
  const recording = parseRecording(readDocument(file), file);
  const side = await ownSide(shell, options);
  const comparison = await replay({ side, recording, patienceMs: options.patience * SECOND_MS });
  const written = reportOf(comparison, new Set(comparison.compared.keys()), () => '');
  await print(shell, options, written, comparison, recording.recorded);
  if (written.differences.length > 0) shell.exitCode = 1;
  if (written.operations.every(({ result }) => result === 'not compared')) {
    shell.notify(`sandbank: nothing in ${file} could be compared; the report has the reasons\n`);
    shell.exitCode = COULD_NOT_RUN;
  }
}

/** This bank as a side. Fails with the usual message of all commands if it does not respond. */
async function ownSide(
  shell: Shell,
  options: CompareOptions,
  events: Partial<Pick<Side, 'events'>> = {},
): Promise<Side> {
  const { sideAt } = await import('./side.ts');
  const { ownClock } = await import('./own-clock.ts');
  const bank = bankOf(shell, options);
  await bank.fetch('/livez');
  return sideAt({
    url: bank.url,
    keys: { v1: bank.apiKey, v2: bank.apiKey },
    timeoutMs: options.timeout * SECOND_MS,
    ...ownClock(bank),
    ...events,
  });
}

/** The scenarios that `--only` names, in the order of the catalogue. */
function selected({ runnable }: Catalogue, only: readonly string[] | undefined): readonly Scenario[] {
  if (only === undefined) return runnable;
  const fits = (pattern: string, name: string): boolean =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  const unknown = only.find((pattern) => !runnable.some(({ name }) => fits(pattern, name)));
  if (unknown !== undefined) {
    const others = runnable.filter(({ name }) => name.includes('life')).map(({ name }) => name);
    throw new UsageError(
      `there is no scenario ${unknown}. A scenario has the name of its operation, like v2_create_card, or is one of ${others.join(', ')}`,
    );
  }
  return runnable.filter(({ name }) => only.some((pattern) => fits(pattern, name)));
}

async function printPlan(
  shell: Shell,
  options: CompareOptions,
  scenarios: readonly Scenario[],
  { all }: Catalogue,
): Promise<void> {
  const { planOf } = await import('./plan.ts');
  const calls = planOf(scenarios, all, options.readOnly === true);
  if (options.json === true) {
    shell.answer(`${JSON.stringify(calls)}\n`);
    return;
  }
  for (const { step, method, path, query = {}, body, until } of calls) {
    const words = new URLSearchParams(query).toString();
    const address = `${path}${words === '' ? '' : `?${decodeURIComponent(words)}`}`;
    const rest =
      until === undefined ? (body === undefined ? '' : ` ${JSON.stringify(body)}`) : `, until ${until}`;
    shell.answer(`${method} ${address}${rest}  # ${step}\n`);
  }
  shell.notify(`${counted(calls.length, 'call')}; nothing was sent\n`);
}

/** The two sides. Fails without a key of the other side, or if this bank does not respond. */
async function sidesOf(
  shell: Shell,
  options: CompareOptions,
  url: string,
  receiver: Awaited<ReturnType<typeof import('./receive.ts').startEventServer>> | undefined,
): Promise<{ here: Side; there: Side }> {
  const { sideAt } = await import('./side.ts');
  const { paceOf } = await import('./pace.ts');
  const keys = keysIn(shell);
  const timeoutMs = options.timeout * SECOND_MS;
  const isLocal = LOOPBACK.test(new URL(bankOf(shell, options).url).hostname);
  const events = (name: string, publicUrl?: string) =>
    receiver === undefined ? {} : { events: receiver.sourceAt(name, publicUrl) };
  return {
    here: await ownSide(shell, options, events('here', isLocal ? undefined : options.receiver)),
    there: sideAt({ url, keys, timeoutMs, pace: paceOf(options.rate), ...events('there', options.receiver) }),
  };
}

function keysIn({ environment }: Shell): Partial<Record<Version, string>> {
  const keys: Partial<Record<Version, string>> = {};
  for (const version of VERSIONS) {
    const key = environment[`SANDBANK_COMPARE_KEY_${version.toUpperCase()}`] ?? '';
    if (key !== '') keys[version] = key;
  }
  if (Object.keys(keys).length > 0) return keys;
  throw new UsageError(
    'the key of the other side is missing: set SANDBANK_COMPARE_KEY_V2, SANDBANK_COMPARE_KEY_V1, or both',
  );
}

async function runAll(
  shell: Shell,
  options: CompareOptions,
  sides: { here: Side; there: Side },
  scenarios: readonly Scenario[],
  { all }: Catalogue,
  signal: AbortSignal,
): Promise<RunResult> {
  const { runScenarios } = await import('./run.ts');
  let number = 0;
  return runScenarios({
    sides,
    scenarios,
    catalogue: all,
    run: `cmp-${randomBytes(4).toString('hex')}`,
    today: today(),
    isReadOnly: options.readOnly === true,
    patienceMs: options.patience * SECOND_MS,
    signal,
    onScenario: (name) => {
      number += 1;
      if (shell.isTerminal) shell.notify(`\r\u001B[K${number} of ${scenarios.length}: ${name}`);
    },
  });
}

async function report(
  shell: Shell,
  options: CompareOptions,
  result: RunResult,
  scenarios: readonly Scenario[],
  catalogue: Catalogue,
): Promise<void> {
  const { compareRuns } = await import('./compare-runs.ts');
  const { reportOf } = await import('./report.ts');
  const { requestedBy } = await import('./requested.ts');
  const { here, there } = result.transcripts;
  const comparison = compareRuns(here, there, {
    sameRecords: options.readOnly !== true,
    lateMs: options.lateAfter * SECOND_MS,
  });
  const { operations, why } = requestedBy(scenarios, catalogue.all, options.only === undefined, result);
  const written = reportOf(comparison, operations, why);
  if (shell.isTerminal) shell.notify('\r\u001B[K');
  await print(shell, options, written, comparison, today());
  printLeft(shell, result);
  if (written.differences.length > 0) shell.exitCode = 1;
  if (result.stopped !== '') {
    shell.notify(
      `sandbank: the run ended early: ${result.stopped}; the report contains what was compared before\n`,
    );
    shell.exitCode = COULD_NOT_RUN;
  } else if (written.operations.every(({ result: word }) => word === 'not compared')) {
    shell.notify('sandbank: nothing could be compared; the report has the reasons\n');
    shell.exitCode = COULD_NOT_RUN;
  }
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** Prints the report; with `--update-register` prints the patch and the report. */
async function print(
  shell: Shell,
  options: CompareOptions,
  written: Report,
  comparison: RunComparison,
  date: string,
): Promise<void> {
  if (options.updateRegister !== true) return printReport(shell, options, written);
  const { formatPatch, proofsOf } = await import('./register.ts');
  printReport({ ...shell, answer: (text) => shell.notify(text) }, options, written);
  const proofs = proofsOf(written, comparison, date);
  const patch = formatPatch(proofs);
  shell.answer(patch);
  const count = (result: string): number =>
    [...proofs.values()].filter((one) => one.result === result).length;
  shell.notify(
    `${count('confirms')} decisions are confirmed and ${count('contradicts')} contradicted${patch === '' ? '; the register already contains them' : ''}\n`,
  );
}

/** Lists the changes that could not be undone. */
function printLeft(shell: Shell, { left }: RunResult): void {
  const rows = (['here', 'there'] as const).flatMap((name) =>
    left[name].map(({ id, reason }) => [name === 'here' ? 'this bank' : 'other side', id, reason]),
  );
  if (rows.length === 0) return;
  shell.notify(`not removed, ${counted(rows.length, 'record')}:\n`);
  for (const line of columns(rows)) shell.notify(`  ${line}\n`);
}
