/**
 * `sandbank events`: the log of a sandbox's events, the newest first, and how their deliveries stand.
 */
import type { Command } from 'commander';
import { type BankOptions, bankOf, columns, printAnswer, talksToBank } from './bank.ts';

interface EventsOptions extends BankOptions {
  readonly type?: string;
  readonly resource?: string;
  readonly dialect?: string;
  readonly limit?: string;
}

/** Adds the command. */
export function addEvents(program: Command): void {
  talksToBank(
    program
      .command('events')
      .description('list the events of a sandbox, the newest first')
      .option('--type <kind>', 'only this kind; transaction.* is a beginning')
      .option('--resource <id>', 'only about this record')
      .option('--dialect <generation>', 'v2 or v1; both unless sent')
      .option('--limit <count>', 'at most so many', '20'),
  ).action(async (options: EventsOptions) => {
    const { type, resource, dialect, limit } = options;
    const answer = await bankOf(options).sandbox.listEvents({
      query: {
        ...(type !== undefined && { type }),
        ...(resource !== undefined && { resource }),
        ...(dialect !== undefined && { dialect }),
        ...(limit !== undefined && { limit }),
      },
    });
    printAnswer(options, answer, () =>
      columns(
        answer.events.map(({ at, dialect: generation, type: kind, resource_id: id, deliveries }) => [
          at,
          generation,
          kind,
          id,
          stateOf(deliveries),
        ]),
      ),
    );
  });
}

function stateOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}
