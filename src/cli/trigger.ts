/**
 * `sandbank trigger`: causes an event by making the change that it reports, and prints the event.
 */
import type { Command } from 'commander';
import { NotSeeded } from '../kit/causes/cause.ts';
import {
  causedTypes,
  causeOf,
  isEventType,
  NoCause,
  trigger,
  unknownEventType,
} from '../kit/causes/trigger.ts';
import { type BankOptions, bankOf, CommandError, printAnswer, talksToBank, UsageError } from './bank.ts';
import type { Shell } from './shell.ts';

interface TriggerOptions extends BankOptions {
  readonly on?: string;
  readonly list?: boolean;
}

const LIST_HINT = '"sandbank trigger --list" prints all types';

/** Adds the command. */
export function addTrigger(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('trigger')
      .description('cause an event by making the change that it reports')
      .argument('[event]', 'an event type of v2 or v1, like transaction.status.returned')
      .option('--on <id>', 'execute only the last step, on this record (default: on a new record)')
      .option('--list', 'print the event types that can be caused, with the record that --on takes'),
    'trigger transaction.status.returned',
    'trigger card.spend --on crd_0190...',
    'trigger --list',
  ).action(async (type: string | undefined, options: TriggerOptions) => {
    if (options.list === true) return list(shell, options);
    if (type === undefined) throw new UsageError(`trigger needs an event type; ${LIST_HINT}`);
    if (!isEventType(type)) throw new UsageError(`${unknownEventType(type)}; ${LIST_HINT}`);
    const events = await trigger(bankOf(shell, options), type, options.on).catch((error: unknown) => {
      throw error instanceof NoCause || error instanceof NotSeeded ? new CommandError(error.message) : error;
    });
    printAnswer(shell, options, { events }, () =>
      events.map(
        ({ id, type, api_version: apiVersion, resource_id: about }) =>
          `${id}  ${apiVersion}  ${type}  ${about}`,
      ),
    );
  });
}

function list(shell: Shell, options: BankOptions): void {
  const rows = causedTypes().map((type) => ({ type, on: causeOf(type).on }));
  printAnswer(shell, options, { types: rows }, () =>
    rows.map(({ type, on }) => (on === null ? type : `${type}  --on <${on}>`)),
  );
}
