/**
 * `sandbank clock`: reads and moves the clock of a sandbox.
 */
import type { Command } from 'commander';
import type { ControlMethods } from '../client/types.ts';
import { type BankOptions, bankOf, printAnswer, talksToBank } from './bank.ts';

type Travel = Awaited<ReturnType<ControlMethods['advanceClock']>>;
type ClockState = Awaited<ReturnType<ControlMethods['retrieveClock']>>;

/** Adds the command with its sub-commands. */
export function addClock(program: Command): void {
  const clock = program.command('clock').description('read and move the clock of a sandbox');

  talksToBank(clock.command('show', { isDefault: true }).description('where the clock stands (the default)')).action(
    async (options: BankOptions) => {
      const answer = await bankOf(options).sandbox.retrieveClock();
      printAnswer(options, answer, () => lineOf(answer));
    },
  );

  talksToBank(
    clock
      .command('advance')
      .description('let time pass, with every step that is due on the way')
      .argument('[duration]', 'ISO 8601, like P2D or PT90M')
      .option('--business-days <count>', 'so many banking days')
      .option('--to <instant>', 'up to an instant, like 2026-12-24T12:00:00Z'),
  ).action(async (by: string | undefined, options: BankOptions & { businessDays?: string; to?: string }) => {
    const answer = await bankOf(options).sandbox.advanceClock({
      body: {
        ...(by !== undefined && { by }),
        ...(options.businessDays !== undefined && { business_days: Number(options.businessDays) }),
        ...(options.to !== undefined && { to: options.to }),
      },
    });
    printTravel(options, answer);
  });

  talksToBank(
    clock.command('settle').description('let time pass until every payment under way has arrived'),
  ).action(async (options: BankOptions) => {
    printTravel(options, await bankOf(options).sandbox.settleClock({ body: {} }));
  });

  const modes = [
    ['freeze', 'frozen', 'stop the clock, at an instant if one is given'],
    ['run', 'live', 'let the clock go on, from an instant if one is given'],
  ] as const;
  for (const [name, mode, meaning] of modes) {
    talksToBank(clock.command(name).description(meaning).argument('[instant]', 'ISO 8601 with a zone')).action(
      async (now: string | undefined, options: BankOptions) => {
        const answer = await bankOf(options).sandbox.setClock({
          body: { mode, ...(now !== undefined && { now }) },
        });
        printAnswer(options, answer, () => lineOf(answer));
      },
    );
  }
}

function lineOf({ now, mode, rate }: ClockState): string {
  return `${now}  ${mode}${mode === 'scaled' ? ` at ${rate}` : ''}`;
}

function printTravel(options: BankOptions, answer: Travel): void {
  printAnswer(options, answer, () => [
    `${answer.from} -> ${answer.clock.now}, ${answer.transitions.length} steps taken`,
    ...(answer.quiescent ? [] : ['something was still due or in flight when the time was up']),
  ]);
  if (!answer.quiescent) process.exitCode = 1;
}
