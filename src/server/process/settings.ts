// The settings of the process. Every setting is one row of a table: its variable, its default and its type. The
// reader, the messages and docs/settings.md use this table.
import { isIP } from 'node:net';
import {
  isHostName,
  isHttpUrl,
  oneOf,
  onOrOff,
  readHosts,
  readReceiverHosts,
  type Taker,
  wholeNumber,
} from './setting-values.ts';

export type Profile = 'dev' | 'ci' | 'qa';
type RailsPace = 'fast' | 'calendar' | 'manual';
type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
type LogFormat = 'auto' | 'json' | 'pretty';
type Synchronous = 'normal' | 'full' | 'off';
type SandboxAccess = 'open' | 'closed';
type Secrets = 'random' | 'seeded';
type RateLimits = 'off' | 'sandbox' | 'production';
type Shortfall = 'refused' | 'declined';

export interface Config {
  readonly profile: Profile;
  readonly host: string;
  readonly port: number;
  /** PEM files of a certificate and its key, both or neither; with them the server serves HTTPS. */
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  /** The data directory as configured; null keeps everything in memory. */
  readonly data: string | null;
  readonly synchronous: Synchronous;
  readonly readyFile: string | null;
  readonly rails: RailsPace;
  /** The seed of ids and all random values. */
  readonly randomSeed: string;
  /** A seed document, or a folder with one; null for the default records. */
  readonly seedFile: string | null;
  /** Whether the default records include a month of history. */
  readonly seedHistory: boolean;
  readonly secrets: Secrets;
  readonly webhookUrl: string | null;
  readonly webhookConcurrency: number;
  /** The hosts that receive webhooks and real-time requests; null for the default of the address it listens on. */
  readonly webhookHosts: readonly string[] | null;
  readonly sandboxes: SandboxAccess;
  readonly maxSandboxes: number;
  /** In seconds. */
  readonly restAfter: number;
  readonly maxObservers: number;
  /** The root from which the secrets of seeded records and links are derived; null for a separate root. */
  readonly secretRoot: string | null;
  readonly control: boolean;
  readonly controlToken: string | null;
  readonly allowedHosts: readonly string[];
  readonly bodyLimit: number;
  readonly strictFields: boolean;
  readonly strictPersonHeader: boolean;
  readonly rateLimits: RateLimits;
  readonly shortfall: Shortfall;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

interface Setting<Value> extends Taker<Value> {
  readonly environment: string;
  readonly meaning: string;
  readonly default: Value;
  /** Defaults that a profile changes. */
  readonly profiles?: Partial<Record<Profile, Value>>;
  /** Whether its value is hidden in messages. */
  readonly secret?: true;
  /** Whether an empty value is read, and not treated as unset. */
  readonly takesEmpty?: true;
}

export const SETTINGS: { readonly [Name in keyof Config]: Setting<Config[Name]> } = {
  profile: {
    environment: 'SANDBANK_PROFILE',
    meaning:
      'The set of defaults: dev for one developer; ci keeps everything in memory; qa listens on every address and begins with a ' +
      'month of history',
    default: 'dev',
    ...oneOf<Profile>('dev', 'ci', 'qa'),
  },
  host: {
    environment: 'SANDBANK_HOST',
    meaning:
      'The address to listen on; on an address other than loopback, the control plane requires its token',
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
      'The certificate for HTTPS; if it is set, the server does not accept plain HTTP; the guide "HTTPS" shows how to make one',
    default: null,
    expected: 'a PEM file, together with SANDBANK_TLS_KEY',
    parse: (text) => text,
  },
  tlsKey: {
    environment: 'SANDBANK_TLS_KEY',
    meaning: 'The private key of the certificate',
    default: null,
    expected: 'a PEM file, together with SANDBANK_TLS_CERT',
    parse: (text) => text,
  },
  data: {
    environment: 'SANDBANK_DATA',
    meaning:
      'The directory that stores the sandboxes, one file each; if it is set but empty, everything is in memory, at most one gigabyte per sandbox',
    default: '.sandbank',
    profiles: { ci: null },
    takesEmpty: true,
    expected: 'a directory, or nothing',
    parse: (text) => (text === '' ? null : text),
  },
  synchronous: {
    environment: 'SANDBANK_SYNCHRONOUS',
    meaning:
      'How data is written to the disk. If the process is killed, no value loses an acknowledged request. In a power failure, ' +
      'full loses none, normal may lose the last ones and new or reset sandboxes, and off may lose the whole file',
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
    meaning:
      'When payments proceed: within seconds (fast), on banking days (calendar), or only when a call moves them (manual)',
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
      'The file with the initial records of new sandboxes, as the guide "Start with your own records" describes; existing ' +
      'sandboxes do not change',
    default: null,
    expected: 'a JSON file, or a folder with one',
    parse: (text) => text,
  },
  seedHistory: {
    environment: 'SANDBANK_SEED_HISTORY',
    meaning: 'Whether a new sandbox has a month of history, if it has the default initial records',
    default: false,
    profiles: { qa: true },
    ...onOrOff(),
  },
  secrets: {
    environment: 'SANDBANK_SECRETS',
    meaning:
      'Whether the secrets of webhooks, tokens and signed links are random, or derived from the random seed, which is not ' +
      'secret (seeded); seeded works only on loopback',
    default: 'random',
    ...oneOf<Secrets>('random', 'seeded'),
  },
  webhookUrl: {
    environment: 'SANDBANK_WEBHOOK_URL',
    meaning:
      'The address to which the webhook of a new sandbox sends its events; without it the webhook is paused',
    default: null,
    expected: 'an http or https URL',
    parse: (text) => (isHttpUrl(text) ? text : undefined),
  },
  webhookConcurrency: {
    environment: 'SANDBANK_WEBHOOK_CONCURRENCY',
    meaning:
      'The maximum number of concurrent deliveries to a webhook; with 1 they are sent one after another',
    default: 16,
    ...wholeNumber(1, 256),
  },
  webhookHosts: {
    environment: 'SANDBANK_WEBHOOK_HOSTS',
    meaning:
      'The hosts to which webhooks and real-time requests are sent; the address of the connection decides. By default every ' +
      'host for a bank on loopback, otherwise public,private: all but link-local addresses, which are used only if a network ' +
      'in the list contains them',
    default: null,
    expected:
      'names, addresses, networks like 10.2.0.0/16, or the words public and private, separated by commas; .example.com for a ' +
      'domain and its subdomains, or * for every host',
    parse: readReceiverHosts,
    schema: { type: ['string', 'array'], items: { type: 'string' } },
  },
  sandboxes: {
    environment: 'SANDBANK_SANDBOXES',
    meaning:
      'Whether the first request with a key test_<name> creates its sandbox (open), or only the control plane creates sandboxes (closed)',
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
      'The seconds without use after which a sandbox other than the default one rests: its file is closed, or its bank in ' +
      'memory is compressed, until its next request or due step',
    default: 60,
    ...wholeNumber(1, 86_400),
  },
  maxObservers: {
    environment: 'SANDBANK_MAX_OBSERVERS',
    meaning: 'The maximum number of clients that read the stream of events, such as open inspectors',
    default: 200,
    ...wholeNumber(1, 10_000),
  },
  secretRoot: {
    environment: 'SANDBANK_SECRET_ROOT',
    meaning:
      'The secret from which the bank derives the secrets of its initial records and of signed links; all instances of a ' +
      'cluster need the same; if it is unset, the bank creates one and stores it in its data directory',
    default: null,
    secret: true,
    expected: 'at least 44 characters of printable ASCII without spaces; `openssl rand -hex 32` makes one',
    parse: (text) => (/^[\x21-\x7e]{44,}$/.test(text) ? text : undefined),
  },
  control: {
    environment: 'SANDBANK_CONTROL',
    meaning: 'Whether the control plane, below /_sandbox, is available',
    default: true,
    ...onOrOff(),
  },
  controlToken: {
    environment: 'SANDBANK_CONTROL_TOKEN',
    meaning:
      'The token of the control plane; on an address other than loopback, a bank without one creates a token and logs it once',
    default: null,
    secret: true,
    expected: 'at least 16 characters of printable ASCII without spaces; `openssl rand -hex 16` makes one',
    parse: (text) => (/^[\x21-\x7e]{16,}$/.test(text) ? text : undefined),
  },
  allowedHosts: {
    environment: 'SANDBANK_ALLOWED_HOSTS',
    meaning:
      'Additional host names that the server accepts, for example those of a proxy; by default a bank on loopback accepts only ' +
      'names of this machine, to prevent DNS rebinding',
    default: [],
    expected:
      'host names, separated by commas; .example.com for a domain and its subdomains, or * for every name',
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
    meaning: 'Whether a request is refused if its body has a field that Solid does not document',
    default: false,
    ...onOrOff(),
  },
  strictPersonHeader: {
    environment: 'SANDBANK_STRICT_PERSON_HEADER',
    meaning: 'Whether v1 refuses a request without an sd-person-id header',
    default: false,
    ...onOrOff(),
  },
  rateLimits: {
    environment: 'SANDBANK_RATE_LIMITS',
    meaning:
      "Which of Solid's rate limits apply: none (off), those of its sandbox or those of its production",
    default: 'off',
    ...oneOf<RateLimits>('off', 'sandbox', 'production'),
  },
  shortfall: {
    environment: 'SANDBANK_SHORTFALL',
    meaning:
      'What v2 does with a payment over the balance or a limit, or by a method that is switched off: refused (400, and nothing ' +
      'is created), or declined (201 with a transaction in declined); a sandbox can change it',
    default: 'refused',
    ...oneOf<Shortfall>('refused', 'declined'),
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
