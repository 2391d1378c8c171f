/**
 * A bank in this process: the same server as the command starts, on a free port of this machine, in memory, ended by
 * `close` or at the end of `await using`.
 */
import pino from 'pino';
import { type Config, readConfig } from '../config.ts';
import { startServer } from '../server.ts';
import { bankAt, type Sandbank } from './bank.ts';
import type { When } from './clock.ts';

/** How the bank is started; each setting is that of the command, under its name in camel case. */
export interface StartOptions {
  /** The text that ids and numbers are drawn from: the same text and the same clock give the same bank. */
  readonly randomSeed?: string;
  /**
   * Whether secrets of webhooks, tokens and signed links are random (unless given), or are drawn from the random seed, for tests that
   * compare whole answers.
   */
  readonly secrets?: Config['secrets'];
  /** The clock stands at this instant until it is moved; it goes with the real one unless given. */
  readonly now?: When;
  /** How payments move: a second per step (`fast`), by the banking calendar, or only on request. */
  readonly rails?: Config['rails'];
  /** Where events are sent from the first one on. */
  readonly webhookUrl?: string;
  /** A folder, to keep the bank; in memory unless given. */
  readonly data?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** Refuses a body field that the platform does not document. */
  readonly strictFields?: boolean;
  /** v1: refuses a request that has no `sd-person-id` header. */
  readonly strictPersonHeader?: boolean;
  /** Holds the rate limits of the platform's sandbox, or of its production. */
  readonly rateLimits?: Config['rateLimits'];
}

const OF_ITS_OWN = { profile: 'ci', host: '127.0.0.1', port: 0, data: '' };

/** Starts a bank. Fails, with the setting by its name, when one makes no sense. */
export async function startSandbank({ now, ...options }: StartOptions = {}): Promise<Sandbank> {
  const server = await startServer(configOf(options), pino({ level: 'silent' }));
  const { url, apiKey, controlToken } = server;
  const bank = bankAt({ url, apiKey, controlToken: controlToken ?? undefined }, () => server.stop());
  try {
    if (now !== undefined) await bank.clock.freeze(now);
  } catch (error) {
    await bank.close();
    throw error;
  }
  return bank;
}

/** The options as a file of settings would hold them: one reader checks them all, and the environment has no say. */
function configOf(options: Omit<StartOptions, 'now'>): Config {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const values = { ...OF_ITS_OWN, ...Object.fromEntries(given) };
  const read = readConfig({}, { file: { path: 'the options', values } });
  if ('problems' in read) throw new TypeError(read.problems.join('\n'));
  return read.config;
}
