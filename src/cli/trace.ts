/**
 * `sandbank trace`: writes the current contents of a sandbox to one HTML file, which opens without a server.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type BankOptions, bankOf, CommandError, printAnswer, talksToBank } from './bank.ts';
import { sentOnly } from './options.ts';
import type { Shell } from './shell.ts';

interface TraceOptions extends BankOptions {
  readonly out: string;
  readonly test?: string;
  readonly error?: string;
}

/** Adds the command. */
export function addTrace(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('trace')
      .description('write the activity and the records of a sandbox to an HTML file that opens offline')
      .requiredOption('--out <file>', 'the file to write, like trace.html')
      .option('--test <name>', 'the name of a test, shown at the top')
      .option('--error <text>', 'why the test failed, shown at the top'),
    'trace --out trace.html',
    'trace --out trace.html --key test_alice',
  ).action(async (options: TraceOptions) => {
    const { test, error } = options;
    const page = await bankOf(shell, options).trace(
      sentOnly({ test, error }) as { test?: string; error?: string },
    );
    const path = resolve(options.out);
    try {
      writeFileSync(path, page);
    } catch (problem) {
      throw new CommandError(`${path} cannot be written (${(problem as Error).message})`);
    }
    printAnswer(shell, options, { path, bytes: page.length }, () => [`${path}  ${page.length} bytes`]);
  });
}
