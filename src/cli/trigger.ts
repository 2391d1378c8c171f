/**
 * `sandbank trigger`: causes an event by making the change that it reports, and prints the event.
 */
import type { Command } from 'commander';
import { NotSeeded } from '../kit/causes/cause.ts';
import { causedKinds, causeOf, isKind, NoCause, trigger, unknownKind } from '../kit/causes/trigger.ts';
import { type BankOptions, bankOf, CommandError, printAnswer, talksToBank, UsageError } from './bank.ts';
import type { Shell } from './shell.ts';

interface TriggerOptions extends BankOptions {
  readonly on?: string;
  readonly list?: boolean;
}

const LIST_HINT = '"sandbank trigger --list" prints all kinds';

/** Adds the command. */
export function addTrigger(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('trigger')
      .description('cause an event by making the change that it reports')
      .argument('[event]', 'a kind of event of v2 or v1, like transaction.status.returned')
      .option('--on <id>', 'execute only the last step, on this record (default: on a new record)')
      .option('--list', 'print the kinds of events that can be caused, with the record that --on takes'),
    'trigger transaction.status.returned',
    'trigger card.spend --on crd_0190...',
    'trigger --list',
  ).action(async (kind: string | undefined, options: TriggerOptions) => {
    if (options.list === true) return list(shell, options);
    if (kind === undefined) throw new UsageError(`trigger needs a kind of event; ${LIST_HINT}`);
    if (!isKind(kind)) throw new UsageError(`${unknownKind(kind)}; ${LIST_HINT}`);
    const events = await trigger(bankOf(shell, options), kind, options.on).catch((error: unknown) => {
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
  const rows = causedKinds().map((type) => ({ type, on: causeOf(type).on }));
  printAnswer(shell, options, { kinds: rows }, () =>
    rows.map(({ type, on }) => (on === null ? type : `${type}  --on <${on}>`)),
  );
}
