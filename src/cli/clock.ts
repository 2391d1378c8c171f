/**
 * `sandbank clock`: reads and moves the clock of a sandbox. A way through time is answered when nothing is due and
 * nothing in flight; one that takes longer than it may ends with 1.
 */
import type { Command } from 'commander';
import type { ControlMethods } from '../client/types.ts';
import type { Sandbank } from '../kit/bank.ts';
import { type BankOptions, bankOf, printAnswer, talksToBank } from './bank.ts';
import { given, positiveNumber, wholeNumber } from './options.ts';
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
const MOST_SECONDS = 600;

/** Adds the command with its sub-commands. */
export function addClock(program: Command, shell: Shell): void {
  const clock = program
    .command('clock')
    .description('read and move the clock of a sandbox')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sandbank clock\n  $ sandbank clock advance P2D\n  $ sandbank clock advance --business-days 3\n' +
        '  $ sandbank clock settle\n  $ sandbank clock freeze 2026-12-24T12:00:00Z\n  $ sandbank clock run --rate 3600',
    );

  talksToBank(
    clock.command('show').description('where the clock stands (what "sandbank clock" alone does)'),
  ).action(async (options: BankOptions) => {
    printClock(shell, options, await bankOf(shell, options).sandbox.retrieveClock());
  });

  takesTime(
    clock
      .command('advance')
      .description('let time pass, with every step that is due on the way')
      .argument('[duration]', 'ISO 8601, like P2D or PT90M')
      .option('--business-days <count>', 'so many banking days', wholeNumber(1, 5_000))
      .option('--to <instant>', 'up to an instant, like 2026-12-24T12:00:00Z'),
  ).action(async (by: string | undefined, options: TravelOptions) => {
    const { businessDays: business_days, to, within } = options;
    const body = { ...given({ by, business_days, to }), deadline_ms: within * 1_000 };
    await travel(shell, options, (bank) => bank.sandbox.advanceClock({ body }));
  });

  takesTime(
    clock.command('settle').description('let time pass until every payment under way has arrived'),
  ).action(async (options: TravelOptions) => {
    const body = { deadline_ms: options.within * 1_000 };
    await travel(shell, options, (bank) => bank.sandbox.settleClock({ body }));
  });

  talksToBank(
    clock
      .command('freeze')
      .description('stop the clock, at an instant if one is given')
      .argument('[instant]', INSTANT),
  ).action(async (now: string | undefined, options: BankOptions) => {
    const body = { mode: 'frozen' as const, ...given({ now }) };
    printClock(shell, options, await bankOf(shell, options).sandbox.setClock({ body }));
  });

  talksToBank(
    clock
      .command('run')
      .description('let the clock go on, from an instant if one is given')
      .argument('[instant]', INSTANT)
      .option('--rate <number>', 'seconds of the sandbox in a real second; 1 unless given', positiveNumber),
  ).action(async (now: string | undefined, options: RunOptions) => {
    const mode = options.rate === undefined ? ('live' as const) : ('scaled' as const);
    const body = { mode, ...given({ now, rate: options.rate }) };
    printClock(shell, options, await bankOf(shell, options).sandbox.setClock({ body }));
  });
}

const INSTANT = 'ISO 8601 with a zone, like 2026-12-24T12:00:00Z';

function takesTime(command: Command): Command {
  return talksToBank(
    command.option(
      '--within <seconds>',
      'end with 1 if it takes longer in real time',
      wholeNumber(1, MOST_SECONDS),
      DEFAULT_SECONDS,
    ),
  );
}

async function travel(
  shell: Shell,
  options: TravelOptions,
  go: (bank: Sandbank) => Promise<Travel & { left?: { transaction_id: string; status: string }[] }>,
): Promise<void> {
  const bank = bankOf(shell, options);
  const present = async (): Promise<string> =>
    `the clock stands at ${(await bank.sandbox.retrieveClock()).now}`;
  const answer = await withProgress(shell, present, go(bank));
  const { quiescent, from, clock, transitions, events, deliveries, left = [] } = answer;
  printAnswer(shell, options, answer, () => [
    `${from} -> ${clock.now}  steps: ${transitions.length}, events: ${events.length}, deliveries: ${deliveries.length}`,
    ...left.map(({ transaction_id: id, status }) => `${id} is ${status} and waits for somebody`),
  ]);
  if (quiescent) return;
  shell.notify(
    `sandbank: something was still due or in flight after ${options.within} seconds; give it longer with --within\n`,
  );
  shell.exitCode = 1;
}

function printClock(shell: Shell, options: BankOptions, clock: ClockState): void {
  const { now, mode, rate } = clock;
  printAnswer(shell, options, clock, () => `${now}  ${mode}${mode === 'scaled' ? ` at ${rate}` : ''}`);
}
