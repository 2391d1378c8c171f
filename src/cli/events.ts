/**
 * `sandbank events`: the event log of a sandbox, newest last, with the state of deliveries. `sandbank listen` prints new
 * events as they happen.
 */
import type { Command } from 'commander';
import type { BankEvent } from '../kit/events.ts';
import { type BankOptions, bankOf, columns, printAnswer, talksToBank } from './bank.ts';
import { matchingEventTypes } from './listen.ts';
import { sentOnly, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';

interface EventsOptions extends BankOptions {
  readonly type?: string;
  readonly resource?: string;
  readonly apiVersion?: BankEvent['api_version'];
  readonly since?: string;
  readonly limit: number;
}

const DEFAULT_LIMIT = 20;
const MAX = 1_000;

/** Adds the command. */
export function addEvents(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('events')
      .description('list the last events of a sandbox, newest last')
      .option(
        '--type <type>',
        'only this event type; transaction.* matches all that begin with "transaction."',
      )
      .option(
        '--resource <id>',
        'only events of this record, or of one type of record: transaction, card, ...',
      )
      .addOption(apiVersionOption(program))
      .option('--since <event>', 'the first events after this one instead of the last')
      .option('--limit <count>', 'maximum number of events', wholeNumber(1, MAX), DEFAULT_LIMIT),
    "events --type 'transaction.*' --limit 5",
    'events --resource txn_0190...',
  ).action(async (options: EventsOptions) => {
    const { type, resource, apiVersion, since, limit } = options;
    if (type !== undefined) matchingEventTypes(type, apiVersion);
    const query = { ...sentOnly({ type, resource, api_version: apiVersion, since }), limit: String(limit) };
    const answer = await bankOf(shell, options).sandbox.listEvents({ query });
    const oldestFirst = since === undefined ? answer.events.toReversed() : answer.events;
    printAnswer(shell, options, { ...answer, events: oldestFirst }, () =>
      columns(
        oldestFirst.map(({ id, at, type, resource_id: about, deliveries }) => [
          at,
          id,
          type,
          about,
          countsOf(deliveries),
        ]),
      ),
    );
  });
}

/** The option that selects an API version. */
function apiVersionOption(program: Command) {
  return program.createOption('--api-version <version>', 'only events of this version').choices(['v1', 'v2']);
}

/** Counts of deliveries by state as text: `3 delivered, 1 waiting`. */
export function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}
