// Reads the settings of the process into one frozen, typed Config. Every setting is one row of a table (its
// environment twin, its default, what it takes), from which reading, the messages and the table in docs/settings.md all come.
// Nothing wrong is guessed at or passed over: every problem is reported, all at once, and then nothing starts.
// An empty variable counts as unset, as compose files write it; only SANDBANK_DATA gives the empty value a meaning.
import { isIP } from 'node:net';
import { distance } from 'fastest-levenshtein';
import { isLoopback } from '../http/hosts.ts';
import {
  isHostName,
  isHttpUrl,
  isServiceLink,
  oneOf,
  onOrOff,
  readHosts,
  readSlots,
  show,
  type Taker,
  textOf,
  wholeNumber,
} from './setting-values.ts';

type Profile = 'dev' | 'ci' | 'qa';
type RailsPace = 'fast' | 'calendar' | 'manual';
type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
type LogFormat = 'auto' | 'json' | 'pretty';
type Synchronous = 'normal' | 'full' | 'off';
type SandboxAccess = 'open' | 'closed';
type Secrets = 'random' | 'seeded';
type RateLimits = 'off' | 'sandbox' | 'production';

export interface Config {
  readonly profile: Profile;
  readonly host: string;
  readonly port: number;
  /** PEM files of a certificate and its key, both or neither; with them the server speaks HTTPS. */
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  /** The data directory as it was given; null keeps everything in memory. */
  readonly data: string | null;
  readonly synchronous: Synchronous;
  readonly readyFile: string | null;
  readonly rails: RailsPace;
  /** What ids and everything random are drawn from. */
  readonly randomSeed: string;
  /** A seed document, or a folder with one; null for the default records. */
  readonly seedFile: string | null;
  /** The default records have a month behind them. */
  readonly seedHistory: boolean;
  readonly secrets: Secrets;
  readonly webhookUrl: string | null;
  readonly webhookConcurrency: number;
  readonly sandboxes: SandboxAccess;
  readonly maxSandboxes: number;
  /** In seconds. */
  readonly restAfter: number;
  readonly maxObservers: number;
  /** The slots that this bank of a fleet serves, like `0-127`; `all` for one that is in no fleet. */
  readonly slots: string;
  /** What the secrets of seeded records and links are derived from; null for a root of its own. */
  readonly secretRoot: string | null;
  readonly control: boolean;
  readonly controlToken: string | null;
  readonly allowedHosts: readonly string[];
  readonly bodyLimit: number;
  readonly strictFields: boolean;
  readonly strictPersonHeader: boolean;
  readonly rateLimits: RateLimits;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

type Environment = Record<string, string | undefined>;

interface Setting<Value> extends Taker<Value> {
  readonly environment: string;
  readonly meaning: string;
  readonly default: Value;
  /** Defaults that a profile changes. */
  readonly profiles?: Partial<Record<Profile, Value>>;
  /** Its value never appears in a message. */
  readonly secret?: true;
  /** The empty value is read, not taken as unset. */
  readonly takesEmpty?: true;
}

const SETTINGS: { readonly [Name in keyof Config]: Setting<Config[Name]> } = {
  profile: {
    environment: 'SANDBANK_PROFILE',
    meaning: 'The set of defaults to start from',
    default: 'dev',
    ...oneOf<Profile>('dev', 'ci', 'qa'),
  },
  host: {
    environment: 'SANDBANK_HOST',
    meaning: 'The address to listen on; off loopback, the control plane requires its token',
    default: '127.0.0.1',
    profiles: { qa: '0.0.0.0' },
    expected: 'an IP address or a host name, without scheme and port',
    parse: (text) => (isIP(text) > 0 || isHostName(text) ? text : undefined),
  },
  port: {
    environment: 'SANDBANK_PORT',
    meaning: 'The port to listen on; 0 chooses a free one',
    default: 4800,
    ...wholeNumber(0, 65_535),
  },
  tlsCert: {
    environment: 'SANDBANK_TLS_CERT',
    meaning:
      'The certificate for HTTPS; with it the server accepts no plain HTTP; docs/guides/tls.md shows how to make one',
    default: null,
    expected: 'a PEM file; SANDBANK_TLS_KEY names its key',
    parse: (text) => text,
  },
  tlsKey: {
    environment: 'SANDBANK_TLS_KEY',
    meaning: 'The private key of the certificate',
    default: null,
    expected: 'a PEM file; SANDBANK_TLS_CERT names its certificate',
    parse: (text) => text,
  },
  data: {
    environment: 'SANDBANK_DATA',
    meaning: 'The directory of the sandboxes, one file each; if set but empty, everything is in memory',
    default: '.sandbank',
    profiles: { ci: null },
    takesEmpty: true,
    expected: 'a directory, or nothing',
    parse: (text) => (text === '' ? null : text),
  },
  synchronous: {
    environment: 'SANDBANK_SYNCHRONOUS',
    meaning:
      "SQLite's synchronous pragma; every value survives a killed process; in a power failure, full loses nothing that " +
      'was answered, normal may lose the last commits and new or reset sandboxes, and off may lose the whole file',
    default: 'normal',
    ...oneOf<Synchronous>('normal', 'full', 'off'),
  },
  readyFile: {
    environment: 'SANDBANK_READY_FILE',
    meaning: 'A file to write once requests are accepted: {"url","api_key","pid"}',
    default: null,
    expected: 'a file path',
    parse: (text) => text,
  },
  rails: {
    environment: 'SANDBANK_RAILS',
    meaning: 'How fast payments move: soon (fast), on banking days (calendar), or only by a call (manual)',
    default: 'fast',
    ...oneOf<RailsPace>('fast', 'calendar', 'manual'),
  },
  randomSeed: {
    environment: 'SANDBANK_RANDOM_SEED',
    meaning:
      'The text from which ids and all random values are generated: the same text and requests give the same responses',
    default: 'sandbank',
    expected: 'any text',
    parse: (text) => text,
  },
  seedFile: {
    environment: 'SANDBANK_SEED_FILE',
    meaning:
      'The records that a new sandbox begins with, in place of the default ones: a seed document, as docs/guides/seed.md ' +
      'describes; what is in the data directory already stays as it is',
    default: null,
    expected: 'a JSON file, or a folder with one',
    parse: (text) => text,
  },
  seedHistory: {
    environment: 'SANDBANK_SEED_HISTORY',
    meaning: 'Whether the default records begin with a month of history, as docs/guides/seed.md describes',
    default: false,
    profiles: { qa: true },
    ...onOrOff(),
  },
  secrets: {
    environment: 'SANDBANK_SECRETS',
    meaning:
      'Whether secrets (of webhooks, tokens and signed links) are random, or are drawn from the random seed, which anybody may ' +
      'know; seeded ones are for loopback only',
    default: 'random',
    ...oneOf<Secrets>('random', 'seeded'),
  },
  webhookUrl: {
    environment: 'SANDBANK_WEBHOOK_URL',
    meaning: 'Where the seeded webhook sends its events',
    default: null,
    expected: 'an http or https URL',
    parse: (text) => (isHttpUrl(text) ? text : undefined),
  },
  webhookConcurrency: {
    environment: 'SANDBANK_WEBHOOK_CONCURRENCY',
    meaning: 'The maximum number of deliveries to one webhook at a time; 1 sends them one after the other',
    default: 16,
    ...wholeNumber(1, 256),
  },
  sandboxes: {
    environment: 'SANDBANK_SANDBOXES',
    meaning:
      'Whether a key test_<name> creates its sandbox at the first request, or only sandboxes that you create exist',
    default: 'open',
    ...oneOf<SandboxAccess>('open', 'closed'),
  },
  maxSandboxes: {
    environment: 'SANDBANK_MAX_SANDBOXES',
    meaning: 'The maximum number of sandboxes',
    default: 1000,
    ...wholeNumber(1, 1_000_000),
  },
  restAfter: {
    environment: 'SANDBANK_REST_AFTER',
    meaning:
      'After how many seconds without use a sandbox rests, all but the default one: its file is closed, or its bank in memory is ' +
      'compressed, until somebody asks for it or a step of a payment is due',
    default: 60,
    ...wholeNumber(1, 86_400),
  },
  maxObservers: {
    environment: 'SANDBANK_MAX_OBSERVERS',
    meaning: 'The maximum number of clients of event streams',
    default: 200,
    ...wholeNumber(1, 10_000),
  },
  slots: {
    environment: 'SANDBANK_SLOTS',
    meaning:
      'The slots that this bank of a fleet serves, as docs/guides/fleet.md describes; all is for a bank in no fleet',
    default: 'all',
    expected: 'all, none, or numbers from 0 to 255 and ranges with commas between them, like 0-127,200',
    parse: readSlots,
  },
  secretRoot: {
    environment: 'SANDBANK_SECRET_ROOT',
    meaning:
      'The root from which the secrets of seeded records and signed links are derived, the same for all banks of a fleet; ' +
      'if it is unset, a bank creates a root and stores it in its data directory',
    default: null,
    secret: true,
    expected: 'at least 44 characters of printable ASCII without spaces; `openssl rand -hex 32` makes one',
    parse: (text) => (/^[\x21-\x7e]{44,}$/.test(text) ? text : undefined),
  },
  control: {
    environment: 'SANDBANK_CONTROL',
    meaning: 'The control plane under /_sandbox',
    default: true,
    ...onOrOff(),
  },
  controlToken: {
    environment: 'SANDBANK_CONTROL_TOKEN',
    meaning: 'The token of the control plane; off loopback, a bank without one creates and logs it once',
    default: null,
    secret: true,
    expected:
      'at least 16 characters of printable ASCII without spaces, as it travels in a header; `openssl rand -hex 16` makes one',
    parse: (text) => (/^[\x21-\x7e]{16,}$/.test(text) ? text : undefined),
  },
  allowedHosts: {
    environment: 'SANDBANK_ALLOWED_HOSTS',
    meaning:
      'More host names that the server accepts, for example those of a proxy; by default a bank on loopback accepts only ' +
      'names of this machine, as a protection against DNS rebinding',
    default: [],
    expected:
      'host names with commas between them, .example.com for a domain and all below it, or * for every name',
    parse: readHosts,
    schema: { type: ['string', 'array'], items: { type: 'string' } },
  },
  bodyLimit: {
    environment: 'SANDBANK_BODY_LIMIT',
    meaning: 'The largest request body, in bytes',
    default: 1_048_576,
    ...wholeNumber(1, 1_073_741_824),
  },
  strictFields: {
    environment: 'SANDBANK_STRICT_FIELDS',
    meaning: 'Whether a body field that the platform does not document is refused',
    default: false,
    ...onOrOff(),
  },
  strictPersonHeader: {
    environment: 'SANDBANK_STRICT_PERSON_HEADER',
    meaning: 'Whether v1 refuses a request that has no sd-person-id header',
    default: false,
    ...onOrOff(),
  },
  rateLimits: {
    environment: 'SANDBANK_RATE_LIMITS',
    meaning: "The platform's rate limits: none, those of its sandbox or those of its production",
    default: 'off',
    ...oneOf<RateLimits>('off', 'sandbox', 'production'),
  },
  logLevel: {
    environment: 'SANDBANK_LOG_LEVEL',
    meaning: 'The lowest severity that is logged',
    default: 'info',
    ...oneOf<LogLevel>('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  },
  logFormat: {
    environment: 'SANDBANK_LOG_FORMAT',
    meaning: 'The form of the log; auto is pretty on a terminal and JSON elsewhere',
    default: 'auto',
    ...oneOf<LogFormat>('auto', 'json', 'pretty'),
  },
};

const NAMES = Object.keys(SETTINGS) as (keyof Config)[];
const ENVIRONMENT_NAMES = NAMES.map((name) => SETTINGS[name].environment);

/** Not of the bank but of those who call it or start it; `sandbank exec` sets the first two for what it runs. */
const CLIENT_NAMES = ['SANDBANK_URL', 'SANDBANK_API_KEY', 'SANDBANK_CONFIG', 'SANDBANK_BANKS'];

/** Settings that had another name. */
const FORMER_NAMES: Readonly<Record<string, string>> = { SANDBANK_SEED: 'SANDBANK_RANDOM_SEED' };

/** The sources besides the environment: flags come before it, a file after it. */
export interface OtherSources {
  readonly flags?: Partial<Record<keyof Config, string>>;
  readonly file?: { readonly path: string; readonly values: Readonly<Record<string, unknown>> };
}

/** The configuration, and where each value of it came from. */
export interface ReadConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<keyof Config, string>>;
}

/** The whole configuration, or every problem with it, a line each: flag before variable, file, profile and default. */
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
      problems.push(`${key} in ${file?.path} is not a setting; there are ${NAMES.join(', ')}.`);
    }
  }
  const all = { config: config as Config, origins: origins as Record<keyof Config, string> };
  problems.push(...togetherProblems(all));
  if (problems.length > 0) return { problems };
  return { ...all, config: Object.freeze(all.config) };
}

/** What two settings say together that neither says alone. */
function togetherProblems({ config, origins }: ReadConfig): string[] {
  const { secrets, host, tlsCert, tlsKey } = config;
  const problems: string[] = [];
  if (secrets === 'seeded' && !isLoopback(host)) {
    problems.push(
      `${origins.secrets} is "seeded" while the bank listens on ${host} (${origins.host}): anybody who reaches it could make its ` +
        'tokens, links and signatures. Listen on 127.0.0.1, or unset it for random ones.',
    );
  }
  if ((tlsCert === null) !== (tlsKey === null)) {
    const [input, missing] = tlsKey === null ? [origins.tlsCert, 'tlsKey'] : [origins.tlsKey, 'tlsCert'];
    problems.push(
      `${input} is given without ${SETTINGS[missing as 'tlsKey'].environment}: HTTPS needs a certificate and its key. Give both, or neither.`,
    );
  }
  return problems;
}

/** A row per setting for the command line: its flag, what it means and takes, and whether it is on or off. */
export function settingsFlags(): {
  name: keyof Config;
  flag: string;
  meaning: string;
  isSwitch: boolean;
}[] {
  return NAMES.map((name) => {
    const { meaning, expected, default: usual } = SETTINGS[name];
    const isSwitch = typeof usual === 'boolean';
    return { name, flag: flagOf(name), meaning: `${meaning}. Takes ${expected}.`, isSwitch };
  });
}

/** Every variable that means something: those of the settings, and those of callers. */
export function variableNames(): string[] {
  return [...ENVIRONMENT_NAMES, ...CLIENT_NAMES];
}

/** The configuration, each value with where it came from, as lines or as JSON; secrets are not shown. */
export function printConfig({ config, origins }: ReadConfig, form: 'lines' | 'json' = 'lines'): string {
  const shown = NAMES.map((name) => {
    const isHidden = SETTINGS[name].secret === true && config[name] !== null;
    return { name, value: isHidden ? '(not shown)' : config[name], origin: origins[name] };
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

/** `SANDBANK_BODY_LIMIT` -> `--body-limit`. */
function flagOf(name: keyof Config): string {
  return `--${SETTINGS[name].environment.slice('SANDBANK_'.length).toLowerCase().replaceAll('_', '-')}`;
}

/** A row for each setting in docs/settings.md: its variable, its default with the profiles that differ, what it means and takes. */
export function settingsTable(): { environment: string; default: string; meaning: string }[] {
  return NAMES.map((name) => {
    const setting = SETTINGS[name];
    const exceptions = Object.entries(setting.profiles ?? {}).map(
      ([profile, value]) => `${profile}: ${show(value)}`,
    );
    return {
      environment: setting.environment,
      default: [show(setting.default), ...exceptions].join('; '),
      meaning: `${setting.meaning}. Takes ${setting.expected}.`,
    };
  });
}

/** The JSON schema of a settings file (`sandbank.config.json`), for editors. */
export function settingsSchema(): object {
  const properties = NAMES.map((name) => {
    const { meaning, expected, default: usual, schema = { type: 'string' } } = SETTINGS[name];
    const description = `${meaning}. Takes ${expected}.`;
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

/** The value of a setting from the first source that has one, and the name of that source; `undefined` when none has. */
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

/** The nearest name is one that has the word in it (_TOKEN, _URL), or else the one with the fewest wrong letters. */
function explainUnknown(variable: string): string {
  const far = (name: string) =>
    name.includes(variable.slice('SANDBANK'.length)) ? 1 : distance(variable, name);
  const now = FORMER_NAMES[variable];
  if (now !== undefined) return `${variable} is called ${now} now. Rename it, or unset it.`;
  const [nearest] = ENVIRONMENT_NAMES.toSorted((a, b) => far(a) - far(b));
  return `${variable} is not a setting; the nearest that exists is ${nearest}. Rename it, or unset it.`;
}
