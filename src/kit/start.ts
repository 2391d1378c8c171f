/**
 * A bank in this process: the same server as that of the command, in a thread of its own, on a free port of this
 * machine and in memory. `close` or the end of `await using` stops it; a bank that was not closed ends with the process
 * and does not keep it alive.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { projectFile } from '../bank/kernel/project.ts';
import type { Config } from '../server/process/settings.ts';
import { bankAt, type Sandbank } from './bank.ts';
import type { When } from './clock.ts';
import type { Started } from './thread.ts';

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

/** Starts a bank. Throws an error that names the setting if one is invalid. */
export async function startSandbank({ now, ...options }: StartOptions = {}): Promise<Sandbank> {
  const input = Object.entries(options).filter(([, value]) => value !== undefined);
  const worker = new Worker(projectFile('bin/sandbank.mjs'), {
    name: 'sandbank',
    workerData: Object.fromEntries(input),
    execArgv: [],
    env: environment(),
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const started = await new Promise<Started>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread of the bank ended with ${code}`)));
  });
  if ('problem' in started) {
    await worker.terminate();
    throw new (started.isInvalid ? TypeError : Error)(started.problem);
  }
  worker.on('error', (error) => process.stderr.write(`sandbank: the bank ended: ${error.stack}\n`));
  worker.unref();
  const stop = async (): Promise<void> => {
    worker.ref();
    worker.postMessage('stop');
    await ended;
  };
  const { url, apiKey, controlToken } = started;
  const ca = options.tlsCert === undefined ? undefined : certificateIn(options.tlsCert);
  const bank = bankAt({ url, apiKey, controlToken: controlToken ?? undefined, ca }, stop);
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

/** The environment of this process without what Node and a bank would read from it, so that only the options apply. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('SANDBANK_') && name !== 'NODE_OPTIONS'),
  );
}
