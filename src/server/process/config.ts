// Reads the settings of the process (settings.ts) into one frozen, typed Config. Invalid values are neither corrected
// nor ignored: all problems are reported at once, and the bank does not start. An empty variable counts as unset,
// because compose files write it so; only for SANDBANK_DATA the empty value has a meaning.

import { maskAddresses } from '../../bank/kernel/address.ts';
import { isLoopback } from '../../bank/kernel/loopback.ts';
import { similarTo } from '../../bank/kernel/similar.ts';
import { isServiceLink, show, textOf } from './setting-values.ts';
import { type Config, type Profile, SETTINGS } from './settings.ts';

type Environment = Record<string, string | undefined>;

const NAMES = Object.keys(SETTINGS) as (keyof Config)[];
const ENVIRONMENT_NAMES = NAMES.map((name) => SETTINGS[name].environment);
const PREFIX = 'SANDBANK_';

/** Variables of clients and launchers, not of the bank; `sandbank exec` sets the first two for its command. */
const CLIENT_NAMES = [
  'SANDBANK_URL',
  'SANDBANK_API_KEY',
  'SANDBANK_CONFIG',
  'SANDBANK_WORKERD',
  'SANDBANK_TRACES',
  'SANDBANK_COMPARE_KEY_V2',
  'SANDBANK_COMPARE_KEY_V1',
];

/** Settings that had another name. */
const FORMER_NAMES: Readonly<Record<string, string>> = { SANDBANK_SEED: 'SANDBANK_RANDOM_SEED' };

/** The sources besides the environment: flags override it, and it overrides a file. */
export interface OtherSources {
  readonly flags?: Partial<Record<keyof Config, string>>;
  readonly file?: { readonly path: string; readonly values: Readonly<Record<string, unknown>> };
}

/** The configuration and the source of each value. */
export interface ReadConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<keyof Config, string>>;
}

/**
 * Reads the configuration, or returns all problems, one per line. Precedence: flag, variable, file, profile, default.
 */
export function readConfig(
  environment: Environment,
  { flags = {}, file }: OtherSources = {},
): ReadConfig | { problems: string[] } {
  const problems: string[] = [];
  const config: { -readonly [Name in keyof Config]?: Config[Name] } = {};
  const origins: Partial<Record<keyof Config, string>> = {};
  const sources: Sources = { flags, environment, file };
  const profile = readSetting('profile', 'dev', sources, []).value;
  const read = <Name extends keyof Config>(name: Name) => {
    const { value, origin } = readSetting(name, profile, sources, problems);
    config[name] = value;
    origins[name] = origin;
  };
  NAMES.forEach(read);
  problems.push(...Object.keys(environment).filter(isUnknown(environment)).map(explainUnknown));
  for (const key of Object.keys(file?.values ?? {})) {
    if (key !== '$schema' && !NAMES.some((name) => name === key)) {
      problems.push(
        `${key} in ${file?.path} is not a setting${question(similarTo(key, NAMES))} The settings are ${NAMES.join(', ')}.`,
      );
    }
  }
  const all = { config: config as Config, origins: origins as Record<keyof Config, string> };
  problems.push(...togetherProblems(all));
  if (problems.length > 0) return { problems };
  return { ...all, config: Object.freeze(all.config) };
}

/** The problems of combinations of settings. */
function togetherProblems({ config, origins }: ReadConfig): string[] {
  const { secrets, host, tlsCert, tlsKey } = config;
  const problems: string[] = [];
  if (secrets === 'seeded' && !isLoopback(host)) {
    problems.push(
      `${origins.secrets} is "seeded" while the bank listens on ${host} (${origins.host}): anybody who reaches it could create its ` +
        'tokens, links and signatures. Listen on 127.0.0.1, or unset it for random secrets.',
    );
  }
  if ((tlsCert === null) !== (tlsKey === null)) {
    const [input, missing] = tlsKey === null ? [origins.tlsCert, 'tlsKey'] : [origins.tlsKey, 'tlsCert'];
    problems.push(
      `${input} is set without ${SETTINGS[missing as 'tlsKey'].environment}: HTTPS needs a certificate and its key. Set both, or neither.`,
    );
  }
  return problems;
}

/** A row per setting for the command line: its flag, its meaning, its values, and whether it is a switch. */
export function settingsFlags(): {
  name: keyof Config;
  flag: string;
  meaning: string;
  isSwitch: boolean;
}[] {
  return NAMES.map((name) => {
    const { meaning, expected, default: usual } = SETTINGS[name];
    const isSwitch = typeof usual === 'boolean';
    return { name, flag: flagOf(name), meaning: `${meaning}. Value: ${expected}.`, isSwitch };
  });
}

/** All known variables: those of the settings, and those of clients. */
export function variableNames(): string[] {
  return [...ENVIRONMENT_NAMES, ...CLIENT_NAMES];
}

/** Prints the configuration with the source of each value, as lines or as JSON, without secrets. */
export function printConfig({ config, origins }: ReadConfig, form: 'lines' | 'json' = 'lines'): string {
  const shown = NAMES.map((name) => {
    const isHidden = SETTINGS[name].secret === true && config[name] !== null;
    return { name, value: isHidden ? '(not shown)' : masked(config[name]), origin: origins[name] };
  });
  if (form === 'json') {
    const rows = shown.map(({ name, value, origin }) => [name, { value, origin }]);
    return `${JSON.stringify(Object.fromEntries(rows))}\n`;
  }
  const width = Math.max(...NAMES.map((name) => name.length));
  return shown
    .map(({ name, value, origin }) => `${name.padEnd(width)} = ${show(value)}  # ${origin}\n`)
    .join('');
}

/** Without the user and password of an address. */
function masked<T>(value: T): T | string {
  return typeof value === 'string' ? maskAddresses(value) : value;
}

/** `SANDBANK_BODY_LIMIT` -> `--body-limit`. */
function flagOf(name: keyof Config): string {
  return `--${SETTINGS[name].environment.slice('SANDBANK_'.length).toLowerCase().replaceAll('_', '-')}`;
}

/** A row for each setting in docs/settings.md: its variable, its defaults, its meaning and its values. */
export function settingsTable(): { environment: string; default: string; meaning: string }[] {
  return NAMES.map((name) => {
    const setting = SETTINGS[name];
    const exceptions = Object.entries(setting.profiles ?? {}).map(
      ([profile, value]) => `${profile}: ${show(value)}`,
    );
    return {
      environment: setting.environment,
      default: [show(setting.default), ...exceptions].join('; '),
      meaning: `${setting.meaning}. Value: ${setting.expected}.`,
    };
  });
}

/** The JSON schema of a settings file (`sandbank.config.json`), for editors. */
export function settingsSchema(): object {
  const properties = NAMES.map((name) => {
    const { meaning, expected, default: usual, schema = { type: 'string' } } = SETTINGS[name];
    const description = `${meaning}. Value: ${expected}.`;
    return [name, { ...schema, description, ...(usual !== null && { default: usual }) }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The settings of Sandbank',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  };
}

interface Sources {
  readonly flags: Partial<Record<keyof Config, string>>;
  readonly environment: Environment;
  readonly file: OtherSources['file'];
}

/** The value of a setting from the first source that has one, and the name of that source; `undefined` if none has. */
function inputValue(name: keyof Config, sources: Sources): { text: string; origin: string } | undefined {
  const { environment: variable, takesEmpty } = SETTINGS[name];
  const { flags, environment, file } = sources;
  const inFile = file?.values[name];
  const candidates = [
    { text: flags[name], origin: flagOf(name) },
    { text: environment[variable], origin: variable },
    { text: inFile === undefined ? undefined : textOf(inFile), origin: `${name} in ${file?.path}` },
  ];
  const found = candidates.find(
    ({ text }) => text !== undefined && !isServiceLink(variable, text) && (text !== '' || takesEmpty),
  );
  return found === undefined ? undefined : { text: found.text ?? '', origin: found.origin };
}

function readSetting<Name extends keyof Config>(
  name: Name,
  profile: Profile,
  sources: Sources,
  problems: string[],
): { value: Config[Name]; origin: string } {
  const setting = SETTINGS[name];
  const changed = setting.profiles?.[profile];
  const fallback =
    changed === undefined
      ? { value: setting.default, origin: 'default' }
      : { value: changed, origin: `profile ${profile}` };
  const input = inputValue(name, sources);
  if (input === undefined) return fallback;
  const value = setting.parse(input.text);
  if (value !== undefined) return { value, origin: input.origin };
  const found = setting.secret
    ? 'has a value (not shown) that cannot be used'
    : `is ${JSON.stringify(input.text)}`;
  problems.push(
    `${input.origin} ${found}; expected ${setting.expected}. ` +
      `Correct it, or unset it for the default (${show(fallback.value)}).`,
  );
  return fallback;
}

function isUnknown(environment: Environment): (variable: string) => boolean {
  return (variable) =>
    variable.startsWith('SANDBANK_') &&
    environment[variable] !== undefined &&
    !ENVIRONMENT_NAMES.includes(variable) &&
    !CLIENT_NAMES.includes(variable) &&
    !isServiceLink(variable, '');
}

/** Suggests a name that contains the word (_TOKEN, _URL), or else a similar one. */
function explainUnknown(variable: string): string {
  const now = FORMER_NAMES[variable];
  if (now !== undefined) return `${variable} was renamed to ${now}. Rename it, or unset it.`;
  const word = variable.slice(PREFIX.length);
  const similar = similarTo(
    word,
    ENVIRONMENT_NAMES.map((name) => name.slice(PREFIX.length)),
  );
  const meant =
    ENVIRONMENT_NAMES.find((name) => name.includes(`_${word}`)) ?? (similar && `${PREFIX}${similar}`);
  return meant === undefined
    ? `${variable} is not a setting. Unset it; "sandbank start --help" lists the settings.`
    : `${variable} is not a setting${question(meant)} Rename it, or unset it.`;
}

const question = (meant: string | undefined): string =>
  meant === undefined ? '.' : `; did you mean ${meant}?`;
