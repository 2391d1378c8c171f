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
  /** The seed of ids and numbers: the same seed and the same clock give the same bank. */
  readonly seed?: string;
  /** The clock stands at this instant until it is moved; it goes with the real one unless given. */
  readonly now?: When;
  /** How payments move: a second per step (`fast`), by the banking calendar, or only when told. */
  readonly rails?: Config['rails'];
  /** Where events are sent from the first one on. */
  readonly webhookUrl?: string;
  /** A folder, to keep the bank; in memory unless given. */
  readonly data?: string;
  /** A free one unless given. */
  readonly port?: number;
  readonly strictFields?: boolean;
  readonly strictPersonHeader?: boolean;
}

/** Starts a bank. Fails, with the setting by its name, when one makes no sense. */
export async function startSandbank(options: StartOptions = {}): Promise<Sandbank> {
  const server = await startServer(configOf(options), pino({ level: 'silent' }));
  const { url, apiKey, controlToken } = server;
  const bank = bankAt({ url, apiKey, controlToken: controlToken ?? undefined }, () => server.stop());
  if (options.now !== undefined) await bank.clock.freeze(options.now);
  return bank;
}

const flag = (value: boolean): string => (value ? 'on' : 'off');

/** The settings as the environment would spell them: one reader checks them all. */
function configOf(options: StartOptions): Config {
  const { seed, rails, webhookUrl, data = '', port = 0, strictFields, strictPersonHeader } = options;
  const read = readConfig({
    SANDBANK_PROFILE: 'ci',
    SANDBANK_HOST: '127.0.0.1',
    SANDBANK_PORT: String(port),
    SANDBANK_DATA: data,
    SANDBANK_SEED: seed,
    SANDBANK_RAILS: rails,
    SANDBANK_WEBHOOK_URL: webhookUrl,
    ...(strictFields !== undefined && { SANDBANK_STRICT_FIELDS: flag(strictFields) }),
    ...(strictPersonHeader !== undefined && { SANDBANK_STRICT_PERSON_HEADER: flag(strictPersonHeader) }),
  });
  if ('problems' in read) throw new TypeError(read.problems.join('\n'));
  return read.config;
}
