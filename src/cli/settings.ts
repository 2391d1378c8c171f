/**
 * The bank's settings as options of a command: one for each, from the same table as the variables.
 */
import type { Command } from 'commander';
import { settingsFlags } from '../server/process/config.ts';
import type { Config } from '../server/process/settings.ts';
import type { SettingsInput } from '../server/process/settings-file.ts';

/** The values of the options; the name of a flag in camel case is the name of its setting. `true`: without a value. */
export interface SettingsFlags extends Partial<Record<keyof Config, string | true>> {
  readonly config?: string;
}

/** Adds an option to a command for each setting except those in `except`. */
export function takesSettings(command: Command, except: readonly (keyof Config)[] = []): Command {
  command.option(
    '--config <file>',
    'a JSON file of settings (SANDBANK_CONFIG; default: sandbank.config.json if it exists)',
  );
  for (const { name, flag, meaning, isSwitch } of settingsFlags()) {
    if (except.includes(name)) continue;
    command.option(`${flag} ${isSwitch ? '[value]' : '<value>'}`, meaning);
  }
  return command;
}

/** Selects the settings from the options of a command. */
export function settingsInput(options: SettingsFlags): SettingsInput {
  const flags = settingsFlags().flatMap(({ name }) => {
    const value = options[name];
    return value === undefined ? [] : [[name, value === true ? 'on' : value] as const];
  });
  return {
    flags: Object.fromEntries(flags),
    ...(options.config !== undefined && { file: options.config }),
  };
}
