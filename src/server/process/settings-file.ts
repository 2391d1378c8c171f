/**
 * The settings of a process from all their sources: the command line, the environment, and a settings file, which is
 * `sandbank.config.json` of the folder unless another is named.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type OtherSources, type ReadConfig, readConfig } from './config.ts';

const SETTINGS_FILE = 'sandbank.config.json';

/** The settings of the command line. */
export interface SettingsInput extends Pick<OtherSources, 'flags'> {
  /** The settings file. Default: SANDBANK_CONFIG, or `sandbank.config.json` if it exists. */
  readonly file?: string;
}

/** Reads the configuration, or returns all problems, one per line. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  { flags, file }: SettingsInput = {},
): ReadConfig | { problems: string[] } {
  const settings = readFile(file ?? environment.SANDBANK_CONFIG);
  if (typeof settings === 'string') return { problems: [settings] };
  return readConfig(environment, { ...(flags && { flags }), ...(settings && { file: settings }) });
}

/** The settings of a file; empty if none was named and none exists; a sentence if it cannot be used. */
function readFile(named: string | undefined): OtherSources['file'] | string | undefined {
  const path = named || SETTINGS_FILE;
  if (!named && !existsSync(path)) return undefined;
  try {
    const values: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
      return { path, values: values as Record<string, unknown> };
    }
    return `${path} does not contain settings; expected a JSON object like {"port": 4800}`;
  } catch (error) {
    return `the settings file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
