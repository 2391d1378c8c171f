/**
 * The command line: the commands and how they end. 0 is done, 1 is a failure that is explained on stderr, 2 is a command
 * that makes no sense; `exec` passes on what its program ended with. Each command is a file that adds itself.
 */
import { Command, CommanderError } from 'commander';
import { packageVersion } from '../server.ts';
import { explainFailure } from './bank.ts';
import { addClock } from './clock.ts';
import { addDoctor } from './doctor.ts';
import { addEvents } from './events.ts';
import { addExec } from './exec.ts';
import { addListen } from './listen.ts';
import { addLogs } from './logs.ts';
import { addSimulate } from './simulate.ts';
import { addStart } from './start.ts';
import { addState } from './state.ts';
import { addTrigger } from './trigger.ts';

const USAGE_CODE = 2;

const EXAMPLES = `
Examples:
  $ sandbank                                     start a bank at http://127.0.0.1:4800
  $ sandbank start --port 5000 --rails manual    the same with other settings
  $ sandbank exec -- npm test                    run a command against a bank of its own
  $ sandbank listen --forward-to http://127.0.0.1:3000/webhooks
  $ sandbank trigger transaction.status.returned
  $ sandbank clock advance P2D
`;

/** The command line as a program, without running it. */
export function commandLine(): Command {
  const program = new Command('sandbank')
    .description('A local bank for development, CI and QA.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('--help', 'print this')
    .addHelpText('after', EXAMPLES)
    .configureHelp({ sortSubcommands: false })
    .showSuggestionAfterError()
    .exitOverride();
  for (const add of [
    addStart,
    addExec,
    addListen,
    addTrigger,
    addEvents,
    addClock,
    addSimulate,
    addState,
    addLogs,
    addDoctor,
  ]) {
    add(program);
  }
  program
    .command('healthcheck')
    .description('exit 0 if the bank of this environment is ready, 1 if not')
    .action(async () => {
      const { healthcheck } = await import('../healthcheck.ts');
      const problem = await healthcheck(process.env);
      if (problem !== null) {
        process.stderr.write(`${problem}\n`);
        process.exitCode = 1;
      }
    });
  return program;
}

/** Carries out a command; `args` are what follows the program's name. */
export async function runCli(args: readonly string[]): Promise<void> {
  try {
    await commandLine().parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version are answers, everything else of the parser's is a command that makes no sense.
      process.exitCode = error.exitCode === 0 ? 0 : USAGE_CODE;
      return;
    }
    process.stderr.write(`sandbank: ${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
}
