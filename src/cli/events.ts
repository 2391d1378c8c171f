/**
 * `sandbank events`: the log of a sandbox's events, the newest last, and how their deliveries stand. `sandbank listen`
 * prints those to come.
 */
import type { Command } from 'commander';
import type { BankEvent } from '../kit/events.ts';
import { type BankOptions, bankOf, columns, printAnswer, talksToBank } from './bank.ts';
import { given, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';

interface EventsOptions extends BankOptions {
  readonly type?: string;
  readonly resource?: string;
  readonly dialect?: BankEvent['dialect'];
  readonly since?: string;
  readonly limit: number;
}

const DEFAULT_LIMIT = 20;
const MOST = 1_000;

/** Adds the command. */
export function addEvents(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('events')
      .description('list the last events of a sandbox, the newest last')
      .option('--type <kind>', 'only this kind; transaction.* is a beginning')
      .option('--resource <id>', 'only about this record, or about one noun: transaction, card, ...')
      .addOption(dialectOption(program))
      .option('--since <event>', 'the first ones after this event instead')
      .option('--limit <count>', 'at most so many', wholeNumber(1, MOST), DEFAULT_LIMIT),
  )
    .addHelpText(
      'after',
      "\nExamples:\n  $ sandbank events --type 'transaction.*' --limit 5\n  $ sandbank listen    prints those to come",
    )
    .action(async (options: EventsOptions) => {
      const { type, resource, dialect, since, limit } = options;
      const query = { ...given({ type, resource, dialect, since }), limit: String(limit) };
      const answer = await bankOf(shell, options).sandbox.listEvents({ query });
      const oldestFirst = since === undefined ? answer.events.toReversed() : answer.events;
      printAnswer(shell, options, { ...answer, events: oldestFirst }, () =>
        columns(
          oldestFirst.map(({ id, at, type: kind, resource_id: about, deliveries }) => [
            at,
            id,
            kind,
            about,
            countsOf(deliveries),
          ]),
        ),
      );
    });
}

/** The option that names a version. */
export function dialectOption(program: Command) {
  return program.createOption('--dialect <version>', 'only events of one version').choices(['v1', 'v2']);
}

/** How deliveries stand, in words: `3 delivered, 1 waiting`. */
export function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}
