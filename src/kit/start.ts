/**
 * A bank in this process: the same server as that of the command, on a free port of this machine and in memory.
 * `close` or the end of `await using` stops it.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pino from 'pino';
import { readConfig } from '../server/process/config.ts';
import type { Config } from '../server/process/settings.ts';
import { startServer } from '../server/server.ts';
import { bankAt, type Sandbank } from './bank.ts';
import type { When } from './clock.ts';

/** The options of a bank; each is a setting of the command with its name in camel case. */
export interface StartOptions {
  /** The text from which ids and numbers are generated: the same text and the same clock produce the same bank. */
  readonly randomSeed?: string;
  /**
   * The initial records of the bank instead of the default ones: a JSON file (docs/guides/seed.md), or a folder with
   * one.
   */
  readonly seedFile?: string;
  /** Whether the default records include a month of payments. */
  readonly seedHistory?: boolean;
  /**
   * Whether secrets of webhooks, tokens and signed links are random (the default), or generated from the random seed,
   * for tests that compare whole responses.
   */
  readonly secrets?: Config['secrets'];
  /** Freezes the clock at this instant. Default: the clock runs in real time. */
  readonly now?: When;
  /**
   * How payments move: one second per step (`fast`), by the banking calendar (`calendar`), or only when simulated
   * (`manual`).
   */
  readonly rails?: Config['rails'];
  /** The URL to which all events are sent. */
  readonly webhookUrl?: string;
  /** A folder in which the bank is stored. Default: in memory. */
  readonly data?: string;
  /** The port. Default: a free one. */
  readonly port?: number;
  /**
   * A certificate in a PEM file: the bank serves HTTPS, and its own client trusts this certificate. Requires
   * `tlsKey`.
   */
  readonly tlsCert?: string;
  /** The private key of the certificate, in a PEM file. */
  readonly tlsKey?: string;
  /** Refuses a body field that the platform does not document. */
  readonly strictFields?: boolean;
  /** v1: refuses a request that has no `sd-person-id` header. */
  readonly strictPersonHeader?: boolean;
  /** What v2 does with a payment that the account cannot make. Default: `refused`. */
  readonly shortfall?: Config['shortfall'];
  /** Applies the rate limits of the platform's sandbox, or of its production. */
  readonly rateLimits?: Config['rateLimits'];
}

const OF_ITS_OWN = { profile: 'ci', host: '127.0.0.1', port: 0, data: '' };

/** Starts a bank. Throws an error that names the setting if one is invalid. */
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

/** The first certificate of the file in PEM, which is the server's, without those of its issuers. */
function certificateIn(path: string): string {
  return new X509Certificate(readFileSync(path)).toString();
}

/** Converts the options to a settings file, so that the same parser checks them and the environment is ignored. */
function configOf(options: Omit<StartOptions, 'now'>): Config {
  const input = Object.entries(options).filter(([, value]) => value !== undefined);
  const values = { ...OF_ITS_OWN, ...Object.fromEntries(input) };
  const read = readConfig({}, { file: { path: 'the options', values } });
  if ('problems' in read) throw new TypeError(read.problems.join('\n'));
  return read.config;
}
