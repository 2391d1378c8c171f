/**
 * The command line: its commands and exit codes. 0 is success, 1 a failure that stderr explains, 2 invalid arguments;
 * `exec` exits as its program does. Each file adds its own commands.
 */

import { Command, CommanderError } from 'commander';
import { maskAddresses } from './bank/kernel/address.ts';
import { packageVersion } from './bank/kernel/project.ts';
import { explainFailure, isFailure, isUsageError } from './cli/bank.ts';
import { addCalls } from './cli/call.ts';
import { addClock } from './cli/clock.ts';
import { paint } from './cli/colour.ts';
import { addDoctor } from './cli/doctor.ts';
import { addEnv } from './cli/env.ts';
import { addEvents } from './cli/events.ts';
import { addExec } from './cli/exec.ts';
import { addExplain } from './cli/explain.ts';
import { addFaults } from './cli/faults.ts';
import { addHealthcheck } from './cli/healthcheck.ts';
import { addListen } from './cli/listen.ts';
import { addLogs } from './cli/logs.ts';
import { addAgents } from './cli/mcp.ts';
import { sayNext } from './cli/next.ts';
import { addOpen } from './cli/open.ts';
import { examplesOf } from './cli/options.ts';
import { processShell, type Shell } from './cli/shell.ts';
import { addSimulate } from './cli/simulate.ts';
import { addStart } from './cli/start.ts';
import { addState } from './cli/state.ts';
import { addTrace } from './cli/trace.ts';
import { addTrigger } from './cli/trigger.ts';
import { addWebhooks } from './cli/webhooks.ts';
import { addCluster } from './cluster/command/cluster.ts';
import { addCompare } from './compare/compare-command.ts';
import { addPassthrough } from './compare/passthrough-command.ts';

const FAILURE_CODE = 1;
const USAGE_CODE = 2;

const LAST_GROUP = 'Operate';
/** The groups of the help, each with its commands in their order. */
const GROUPS: Readonly<Record<string, readonly ((program: Command, shell: Shell) => void)[]>> = {
  'Run a bank': [addStart, addExec, addEnv, addDoctor],
  'Requests and inspection': [addCalls, addOpen, addLogs, addExplain, addTrace],
  'Compare with the platform': [addCompare, addPassthrough],
  'Events and webhooks': [addListen, addTrigger, addEvents, addWebhooks],
  Simulation: [addClock, addSimulate, addFaults],
  'Data and sandboxes': [addState],
  'Coding agents': [addAgents],
  [LAST_GROUP]: [addCluster, addHealthcheck],
};

/** The default subcommands. */
const COMMON_COMMANDS: readonly { readonly after: readonly string[]; readonly word: string }[] = [
  { after: [], word: 'start' },
  { after: ['clock'], word: 'show' },
];

/** Options that need no command. */
const OF_THE_PROGRAM: readonly string[] = ['-h', '--help', '-v', '--version'];

const EXAMPLES = `
Examples:
  $ sandbank                                     start a bank at http://127.0.0.1:4800
  $ sandbank start --port 5000 --rails manual    start a bank with other settings
  $ sandbank exec -- npm test                    run tests against a new bank
  $ sandbank get v2/accounts/sub_account         send a request
  $ sandbank listen --forward-to http://127.0.0.1:3000/webhooks
  $ sandbank trigger transaction.status.returned
  $ sandbank clock advance 2d

"sandbank <command> --help" describes a command. Exit codes: 0 success, 1 failure, 2 invalid arguments.
A running bank serves the documentation at /docs, by default http://127.0.0.1:4800/docs.
`;

/** The command line as a program, without running it. */
export function commandLine(shell: Shell): Command {
  const program = new Command('sandbank')
    .description('A local bank that imitates the API of Solid, v2 and v1, for development, CI and QA.')
    .version(packageVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', EXAMPLES)
    .enablePositionalOptions()
    .configureOutput({
      writeOut: shell.answer,
      writeErr: (text) => shell.notify(maskAddresses(text)),
      getOutHasColors: () => shell.colours.answer,
      getErrHasColors: () => shell.colours.notify,
    })
    .configureHelp({ styleTitle: (text) => paint('bold', text) })
    .exitOverride();
  for (const [group, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(`${group}:`);
    for (const add of commands) add(program, shell);
  }
  const help = program.createCommand('help').argument('[command]').helpOption(false);
  program.addHelpCommand(help.description('print the help of a command').helpGroup(`${LAST_GROUP}:`));
  for (const command of program.commands) {
    if (command.commands.length > 0) command.helpCommand('help [command]', 'print the help of a command');
    printExamples(command);
  }
  explainErrors(program, program.name(), shell);
  sayNext(program, shell);
  return program;
}

/** The help of a command ends with its examples. */
function printExamples(command: Command): void {
  const examples = examplesOf(command);
  if (examples.length > 0) {
    const lines = examples.map((example) => `  $ sandbank ${example}`);
    command.addHelpText('after', `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`);
  }
  for (const inner of command.commands) printExamples(inner);
}

/** An error of the parser names the command whose help to read. */
function explainErrors(command: Command, words: string, shell: Shell): void {
  command.configureOutput({
    outputError: (text, write) => write(`${nameIn(shell)} ${inOneLine(text, words)}`),
  });
  for (const inner of command.commands) explainErrors(inner, `${words} ${inner.name()}`, shell);
}

/** Runs a command, whose words follow the program's name; returns the exit code of the process. */
export async function runCli(words: readonly string[], shell: Shell = processShell()): Promise<number> {
  try {
    const program = commandLine(shell);
    await program.parseAsync(withUsual(asHelp(program, words)), { from: 'user' });
    return shell.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_CODE;
    // An error of this program is printed with its stack.
    if (!isFailure(error)) throw error;
    shell.notify(maskAddresses(`${nameIn(shell)} ${explainFailure(error)}\n`));
    return isUsageError(error) ? USAGE_CODE : FAILURE_CODE;
  }
}

/** `help` names a command by all its words, as in `sandbank help clock advance`. */
function asHelp(program: Command, words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first !== 'help' || rest.length === 0) return words;
  return program.commands.some((command) => command.name() === rest[0]) ? [...rest, '--help'] : rest;
}

/** A command in full. */
function withUsual(words: readonly string[]): string[] {
  const usual = COMMON_COMMANDS.find(
    ({ after }) => after.every((word, at) => words[at] === word) && isOption(words[after.length]),
  );
  if (usual === undefined) return [...words];
  const { after, word } = usual;
  return [...after, word, ...words.slice(after.length)];
}

/** True for an option whose value is missing at the end of the words. */
function isOption(word: string | undefined): boolean {
  return word === undefined || (word.startsWith('-') && !OF_THE_PROGRAM.includes(word));
}

/** The parser's errors start with "error:" and have the suggestion on a separate line. */
function inOneLine(text: string, words: string): string {
  const message = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
  return `${message}; see "${words} --help"\n`;
}

/** The prefix of a failure. */
function nameIn({ colours }: Shell): string {
  return colours.notify ? paint('red', 'sandbank:') : 'sandbank:';
}
