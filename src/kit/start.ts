/**
 * A bank in this process: the same server as the command starts, on a free port of this machine, in memory, ended by
 * `close` or at the end of `await using`.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pino from 'pino';
import { readConfig } from '../process/config.ts';
import type { Config } from '../process/settings.ts';
import { startServer } from '../server.ts';
import { bankAt, type Sandbank } from './bank.ts';
import type { When } from './clock.ts';

/** How the bank is started; each setting is that of the command, under its name in camel case. */
export interface StartOptions {
  /** The text that ids and numbers are made from: the same text and the same clock give the same bank. */
  readonly randomSeed?: string;
  /** The records that the bank begins with, in place of the default ones: a JSON file (docs/guides/seed.md), or a folder with one. */
  readonly seedFile?: string;
  /** The default records have a month of payments behind them. */
  readonly seedHistory?: boolean;
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
  /** A certificate in a PEM file: the bank speaks HTTPS, and its own client trusts this certificate. Needs `tlsKey`. */
  readonly tlsCert?: string;
  /** The private key of the certificate, in a PEM file. */
  readonly tlsKey?: string;
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
  const config = configOf(options);
  const server = await startServer(config, pino({ level: 'silent' }));
  const { url, apiKey, controlToken } = server;
  const ca = config.tlsCert === null ? undefined : certificateIn(config.tlsCert);
  const bank = bankAt({ url, apiKey, controlToken: controlToken ?? undefined, ca }, () => server.stop());
  try {
    if (now !== undefined) await bank.clock.freeze(now);
  } catch (error) {
    await bank.close();
    throw error;
  }
  return bank;
}

/** The first certificate of the file, in PEM: the server's own, without those of its issuers. */
function certificateIn(path: string): string {
  return new X509Certificate(readFileSync(path)).toString();
}

/** The options as a file of settings would hold them: one reader checks them all, and the environment has no say. */
function configOf(options: Omit<StartOptions, 'now'>): Config {
  const input = Object.entries(options).filter(([, value]) => value !== undefined);
  const values = { ...OF_ITS_OWN, ...Object.fromEntries(input) };
  const read = readConfig({}, { file: { path: 'the options', values } });
  if ('problems' in read) throw new TypeError(read.problems.join('\n'));
  return read.config;
}
