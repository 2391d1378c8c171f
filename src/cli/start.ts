/**
 * `sandbank start`: the bank itself. Every setting has a flag, a variable and a key of the settings file; the first of
 * these that is said holds.
 */
import type { Command } from 'commander';
import { type Config, settingsFlags } from '../config.ts';

interface StartFlags extends Partial<Record<keyof Config, string>> {
  readonly config?: string;
  readonly printConfig?: boolean;
}

/** Adds the command. */
export function addStart(program: Command): void {
  const command = program
    .command('start', { isDefault: true })
    .description('start a bank (the default)')
    .option('--config <file>', 'a JSON file of settings (SANDBANK_CONFIG; sandbank.config.json where it is)')
    .option('--print-config', 'print the settings and where each comes from, and start nothing')
    .addHelpText(
      'after',
      '\nEvery setting is also a variable, SANDBANK_PORT for --port; a flag goes before a variable, that before the file.',
    );
  const flags = settingsFlags();
  for (const { flag, meaning } of flags) command.option(`${flag} <value>`, meaning);
  command.action(async (given: StartFlags) => {
    const { run } = await import('../main.ts');
    // A flag's name in camel case is the setting's own name.
    const said = flags.flatMap(({ name }) => (given[name] === undefined ? [] : [[name, given[name]] as const]));
    await run({
      flags: Object.fromEntries(said),
      ...(given.config !== undefined && { file: given.config }),
      ...(given.printConfig === true && { printOnly: true }),
    });
  });
}
