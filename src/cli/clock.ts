/**
 * `sandbank clock`: reads and moves the clock of a sandbox. An advance ends when no work is due or in flight; the
 * command exits with 1 if this takes longer than the deadline.
 */
import type { Command } from 'commander';
import type { Sandbank } from '../kit/bank.ts';
import type { ControlMethods } from '../kit/client/types.ts';
import { type BankOptions, bankOf, printAnswer, talksToBank, UsageError } from './bank.ts';
import { duration, instant, positiveNumber, sentOnly, wholeNumber } from './options.ts';
import { type Shell, withProgress } from './shell.ts';

type Travel = Awaited<ReturnType<ControlMethods['advanceClock']>>;
type ClockState = Awaited<ReturnType<ControlMethods['retrieveClock']>>;

interface TravelOptions extends BankOptions {
  readonly businessDays?: number;
  readonly to?: string;
  readonly within: number;
}

interface RunOptions extends BankOptions {
  readonly rate?: number;
}

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 600;

/** Adds the command with its sub-commands. */
export function addClock(program: Command, shell: Shell): void {
  const clock = program.command('clock').description('read and move the clock of a sandbox');

  talksToBank(
    clock.command('show').description('print the time of the sandbox (default command)'),
    'clock show',
  ).action(async (options: BankOptions) => {
    printClock(shell, options, await bankOf(shell, options).sandbox.retrieveClock());
  });

  takesTime(
    clock
      .command('advance')
      .description('advance the clock and execute all due steps')
      .argument('[duration]', 'like 2d, 90m or P2D', duration)
      .option('--business-days <count>', 'by a number of banking days', wholeNumber(1, 5_000))
      .option('--to <instant>', 'to an instant, like 2026-12-24T12:00:00Z', instant),
    'clock advance 2d',
    'clock advance --business-days 3',
  ).action(async (by: string | undefined, options: TravelOptions) => {
    const { businessDays: business_days, to, within } = options;
    if (by === undefined && business_days === undefined && to === undefined) {
      throw new UsageError(
        'clock advance needs a duration like 2d, --business-days 3, or --to 2026-12-24T12:00:00Z',
      );
    }
    const body = { ...sentOnly({ by, business_days, to }), deadline_ms: within * 1_000 };
    await travel(shell, options, (bank) => bank.sandbox.advanceClock({ body }));
  });

  takesTime(
    clock.command('settle').description('advance the clock until every pending payment has settled'),
    'clock settle',
  ).action(async (options: TravelOptions) => {
    const body = { deadline_ms: options.within * 1_000 };
    await travel(shell, options, (bank) => bank.sandbox.settleClock({ body }));
  });

  talksToBank(
    clock
      .command('freeze')
      .description('stop the clock')
      .argument('[instant]', `${INSTANT}; default: the current time of the clock`, instant),
    'clock freeze 2026-12-24T12:00:00Z',
  ).action(async (now: string | undefined, options: BankOptions) => {
    const body = { mode: 'frozen' as const, ...sentOnly({ now }) };
    printClock(shell, options, await bankOf(shell, options).sandbox.setClock({ body }));
  });

  talksToBank(
    clock
      .command('run')
      .description('run the clock')
      .argument('[instant]', `${INSTANT}; default: the current time of the clock`, instant)
      .option('--rate <number>', 'seconds of the sandbox per real second (default: 1)', positiveNumber),
    'clock run --rate 3600',
  ).action(async (now: string | undefined, options: RunOptions) => {
    const mode = options.rate === undefined ? ('live' as const) : ('scaled' as const);
    const body = { mode, ...sentOnly({ now, rate: options.rate }) };
    printClock(shell, options, await bankOf(shell, options).sandbox.setClock({ body }));
  });
}

const INSTANT = 'ISO 8601 with a zone, like 2026-12-24T12:00:00Z';

function takesTime(command: Command, ...examples: string[]): Command {
  return talksToBank(
    command.option(
      '--within <seconds>',
      'exit with 1 if it takes longer in real time',
      wholeNumber(1, MAX_SECONDS),
      DEFAULT_SECONDS,
    ),
    ...examples,
  );
}

async function travel(
  shell: Shell,
  options: TravelOptions,
  go: (bank: Sandbank) => Promise<Travel & { left?: { transaction_id: string; status: string }[] }>,
): Promise<void> {
  const bank = bankOf(shell, options);
  const present = async (): Promise<string> => `the clock is at ${(await bank.sandbox.retrieveClock()).now}`;
  const answer = await withProgress(shell, present, go(bank));
  const {
    quiescent,
    problem,
    stopped_by: stop,
    from,
    clock,
    transitions,
    events,
    deliveries,
    left = [],
  } = answer;
  printAnswer(shell, options, answer, () => [
    `${from} -> ${clock.now}  steps: ${transitions.length}, events: ${events.length}, deliveries: ${deliveries.length}`,
    // The clock stops at the last step, which may be days after the others.
    ...transitions
      .slice(-1)
      .map(({ transaction_id: id, rail, to, at }) => `the last step: ${id} (${rail}) is ${to} at ${at}`),
    ...left.map(({ transaction_id: id, status }) => `${id} is ${status} and waits for a simulated event`),
  ]);
  if (quiescent) return;
  const late =
    stop?.reason === 'in_flight'
      ? `${stop.webhook_id} has not responded to ${stop.event_id} (sandbank explain ${stop.event_id}); give it longer with --within`
      : `something was still due or in flight after ${options.within} seconds; give it longer with --within`;
  shell.notify(`sandbank: ${problem === '' ? late : `the clock stopped before the end: ${problem}`}\n`);
  shell.exitCode = 1;
}

function printClock(shell: Shell, options: BankOptions, clock: ClockState): void {
  const { now, mode, rate } = clock;
  printAnswer(shell, options, clock, () => `${now}  ${mode}${mode === 'scaled' ? ` at ${rate}` : ''}`);
}
