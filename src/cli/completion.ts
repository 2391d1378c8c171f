/**
 * `sandbank completion`: a script with which a shell completes commands, options and what they take. The script asks this
 * program at each key (`sandbank complete -- <words>`, which the help does not list), so it knows every command that there
 * is. Why this library: docs/decisions/0015-what-stays-by-hand.md.
 */
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { causedKinds, kindsOf } from '../kit/causes/trigger.ts';
import { INCOMING_RAILS } from './simulate.ts';

/** What an argument or an option takes, where the parser does not know it. */
const VALUES: readonly {
  readonly command: string;
  readonly argument?: string;
  readonly option?: string;
  readonly values: () => readonly string[];
}[] = [
  { command: 'trigger', argument: 'event', values: causedKinds },
  { command: 'events', option: 'type', values: () => kindsOf() },
  { command: 'listen', option: 'events', values: () => kindsOf() },
  { command: 'webhook add', option: 'events', values: () => kindsOf() },
  { command: 'webhook send-example', argument: 'kind', values: () => kindsOf() },
  { command: 'simulate incoming', argument: 'rail', values: () => INCOMING_RAILS },
];

/** Adds the command, for all that were added before. */
export function addCompletion(program: Command): void {
  const known = tab(program, { completionCommandName: 'completion' });
  for (const { command, argument = '', option = '', values } of VALUES) {
    const one = known.commands.get(command);
    const taker = one?.arguments.get(argument) ?? one?.options.get(option);
    if (taker === undefined) throw new Error(`sandbank ${command} has no ${argument || option}`);
    taker.handler = (complete) => {
      for (const value of values()) complete(value, '');
    };
  }
  const added = program.commands.find((command) => command.name() === 'completion');
  added
    ?.description('print a script that completes commands in bash, zsh, fish or PowerShell')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sandbank completion bash >> ~/.bashrc\n  $ sandbank completion zsh >> ~/.zshrc\n' +
        '  $ sandbank completion fish > ~/.config/fish/completions/sandbank.fish',
    );
}
