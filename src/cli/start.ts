/**
 * `sandbank start`: starts the bank. Every setting has a flag, a variable and a key of the settings file; the first
 * of these that is set applies. Without options the launcher starts the bank without this file, which is faster.
 */
import type { Command } from 'commander';
import { withExamples } from './options.ts';
import { type SettingsFlags, settingsInput, takesSettings } from './settings.ts';
import type { Shell } from './shell.ts';

interface StartOptions extends SettingsFlags {
  readonly printConfig?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function addStart(program: Command, shell: Shell): void {
  const command = withExamples(
    program.command('start').description('start a bank (default command)'),
    'start --port 5000 --rails manual',
    'start --profile ci --print-config',
  );
  takesSettings(command)
    .option('--print-config', 'print the settings with their sources without starting a bank')
    .option('--json', 'print the log as JSON, one line per entry')
    .addHelpText(
      'after',
      '\nEvery setting is also a variable, SANDBANK_PORT for --port, and a key of the file, like {"port": 5000}. An option overrides\n' +
        'a variable, and a variable overrides the file.',
    )
    .action(async (options: StartOptions) => {
      const { run } = await import('../server/main.ts');
      shell.exitCode = await run({
        ...settingsInput(options),
        ...(options.printConfig === true && { printOnly: true }),
        ...(options.json === true && { json: true }),
      });
    });
}
