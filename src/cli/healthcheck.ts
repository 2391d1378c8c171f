/**
 * `sandbank healthcheck`: checks whether the bank of this environment accepts requests. Without options the launcher
 * runs it without this file, because it runs every few seconds.
 */
import type { Command } from 'commander';
import { withExamples } from './options.ts';
import type { Shell } from './shell.ts';

/** Adds the command. */
export function addHealthcheck(program: Command, shell: Shell): void {
  withExamples(program.command('healthcheck'), 'healthcheck && echo ready')
    .description('exit with 0 if the bank of this environment accepts requests, otherwise with 1')
    .option('--json', 'print only the response, as JSON')
    .addHelpText('after', '\nIt sends its request to SANDBANK_HOST and SANDBANK_PORT.')
    .action(async ({ json }: { json?: boolean }) => {
      // Imported at run time, so that it remains the only file that the launcher loads.
      const { healthcheck } = await import('../server/process/healthcheck.ts');
      const problem = await healthcheck(shell.environment);
      if (json === true) shell.answer(`${JSON.stringify({ ready: problem === null, problem })}\n`);
      else if (problem !== null) shell.notify(`${problem}\n`);
      if (problem !== null) shell.exitCode = 1;
    });
}
