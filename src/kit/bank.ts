/**
 * A bank as an object: its clock, its events, its snapshots, its interfaces. It uses HTTP for everything, so the
 * object is the same for a bank in this process and for any other bank.
 */
import { targetOf } from '../bank/kernel/address.ts';
import { type Client, createClient } from './client/client.ts';
import { SandbankError } from './client/error.ts';
import { createSend } from './client/http.ts';
import { type Clock, clockOf } from './clock.ts';
import { type BankEvents, eventsOf } from './events.ts';
import { failureReport } from './failure-report.ts';
import { createFetch, headersOf } from './fetch.ts';
import { checkOptions } from './options.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';
import type { Seeded } from './seeded.ts';
import { type TraceOptions, traceBody, traceFolder, writeTrace } from './traces.ts';

/** The address of a running bank. */
export interface ConnectOptions {
  /** Such as `http://127.0.0.1:4800`. A user and password in it are sent as basic authorization. Default: SANDBANK_URL. */
  readonly url?: string;
  /** The key of a sandbox. Default: SANDBANK_API_KEY, otherwise the default sandbox. */
  readonly apiKey?: string;
  /** The token of the control plane. Default: SANDBANK_CONTROL_TOKEN. */
  readonly controlToken?: string;
  /**
   * For a bank with a certificate for development: the certificate or its authority, as PEM text. Default: only the
   * authorities that Node trusts.
   */
  readonly ca?: string;
}

/** The options of a new sandbox. */
export interface SandboxOptions {
  /** A sandbox, or a snapshot of this sandbox, to copy. The new sandbox must not exist yet. */
  readonly from?: string;
}

/** One sandbox of a bank. */
export interface Sandbank extends Client, AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
  /** The certificate that the bank's own client trusts, in PEM, if one was set. */
  readonly ca?: string;
  /** The environment variables for a program under test. */
  readonly env: {
    readonly SANDBANK_URL: string;
    readonly SANDBANK_API_KEY: string;
    /** Set if the control plane requires one. */
    readonly SANDBANK_CONTROL_TOKEN?: string;
  };
  readonly clock: Clock;
  readonly events: BankEvents;
  /** Sends a request like `fetch` to a path of this bank, with the key headers of both versions. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The ids of the seeded records by name: `sub_account_id`, `card_id`, ... */
  seeded(): Promise<Seeded>;
  /** The last requests and responses, newest first. */
  requests(): ReturnType<Client['sandbox']['listRequests']>;
  /** Takes a snapshot; `restore` with the same name restores it. */
  snapshot(name?: string): Promise<void>;
  restore(name?: string): Promise<void>;
  /** Restores the initial records of the bank. */
  reset(): Promise<void>;
  /** Starts a receiver on loopback for the events of this bank; it closes with the bank. */
  receiver(options?: ReceiverOptions): Promise<Receiver>;
  /**
   * A trace of this sandbox in its current state: a read-only inspector in one HTML file that opens without a server.
   */
  trace(options?: TraceOptions): Promise<Uint8Array>;
  /**
   * Prints the requests and deliveries of a failed test, writes its trace to `sandbank-traces/`, and prints and returns
   * the path of the trace. `SANDBANK_TRACES` sets another folder or is `off`; by default traces are on if `CI` is set.
   * Returns `undefined` if traces are off. Does not throw.
   */
  traceFailure(test: string, error?: unknown): Promise<string | undefined>;
  /** Another sandbox of the same server, created if it does not exist. */
  inSandbox(name: string, options?: SandboxOptions): Promise<Sandbank>;
  /** Closes what this object owns: the server of `startSandbank`, or the sandbox that `inSandbox` created. */
  close(): Promise<void>;
}

const DEFAULT_KEY = 'test_default';
const DEFAULT_SNAPSHOT = 'kept';

/** Connects to a running bank. `close` does not stop the bank. Throws if `ca` is not a certificate. */
export function connectSandbank(options: ConnectOptions = {}): Sandbank {
  checkOptions('connectSandbank', options, ['url', 'apiKey', 'controlToken', 'ca']);
  const url = options.url ?? process.env.SANDBANK_URL;
  if (url === undefined || url === '') {
    throw new Error('no bank to connect to: pass a url, or set SANDBANK_URL');
  }
  const controlToken = options.controlToken ?? process.env.SANDBANK_CONTROL_TOKEN;
  return bankAt(
    {
      url: url.replace(/\/+$/, ''),
      apiKey: options.apiKey ?? (process.env.SANDBANK_API_KEY || DEFAULT_KEY),
      controlToken: controlToken === '' ? undefined : controlToken,
      ca: options.ca,
    },
    async () => {},
  );
}

interface Place {
  readonly url: string;
  readonly apiKey: string;
  readonly controlToken: string | undefined;
  readonly ca: string | undefined;
}

/** Creates the object for an existing sandbox; `end` stops the bank if it was started for this object. */
export function bankAt(place: Place, end: () => Promise<void>): Sandbank {
  const { url, apiKey, controlToken, ca } = place;
  const send = createSend(ca);
  const fetch = createFetch(send);
  const client = createClient({ url, apiKey, ...(controlToken !== undefined && { controlToken }) }, send);
  const { sandbox } = client;
  const events = eventsOf(sandbox);
  const receivers: Receiver[] = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await Promise.all(receivers.map((receiver) => receiver.close()));
      await end();
    })();
    return closing;
  };
  const trace: Sandbank['trace'] = (options = {}) => sandbox.makeTrace({ body: traceBody(options) });
  return {
    ...client,
    url,
    apiKey,
    ...(ca !== undefined && { ca }),
    env: {
      SANDBANK_URL: url,
      SANDBANK_API_KEY: apiKey,
      ...(controlToken !== undefined && { SANDBANK_CONTROL_TOKEN: controlToken }),
    },
    clock: clockOf(sandbox),
    events,
    fetch(path, init = {}) {
      const target = targetOf(url);
      const ofControl = controlToken !== undefined && path.startsWith('/_sandbox');
      const headers = {
        ...target.headers,
        'api-key': apiKey,
        'sd-api-key': apiKey,
        ...headersOf(init.headers),
        ...(ofControl && { 'x-control-token': controlToken }),
      };
      return fetch(target.url + path, { ...init, headers });
    },
    seeded: async () => (await sandbox.retrieveSummary()).seeded as Seeded,
    requests: () => sandbox.listRequests(),
    async snapshot(name = DEFAULT_SNAPSHOT) {
      await sandbox.takeSnapshot({ params: { name } });
    },
    async restore(name = DEFAULT_SNAPSHOT) {
      await sandbox.restoreSnapshot({ params: { name } });
      await events.dropMissing();
    },
    async reset() {
      await sandbox.reset();
      await events.dropMissing();
    },
    async receiver(options) {
      const receiver = await startReceiver(client, options);
      receivers.push(receiver);
      return receiver;
    },
    trace,
    async traceFailure(test, error) {
      const print = (text: string): boolean => process.stderr.write(`${text}\n`);
      try {
        print(await failureReport(test, sandbox));
        const folder = traceFolder(process.env);
        if (folder === undefined) {
          print('sandbank: to write a trace of this test, run it again with SANDBANK_TRACES=on');
          return undefined;
        }
        const path = writeTrace(folder, test, await trace({ test, error }));
        print(`sandbank: the trace of "${test}" is ${path}`);
        return path;
      } catch (problem) {
        // The test has already failed for another reason.
        print(
          `sandbank: no trace of "${test}" was written: ${problem instanceof Error ? problem.message : String(problem)}`,
        );
        return undefined;
      }
    },
    async inSandbox(name, options = {}) {
      checkOptions('inSandbox', options, ['from']);
      const { from } = options;
      const body = { name, ...(from !== undefined && { from }) };
      const made = await sandbox.createSandbox({ body }).catch(unless('sandbox_exists', from === undefined));
      // The object that created the sandbox deletes it.
      if (made === undefined) return bankAt({ ...place, apiKey: keyOf(name) }, async () => {});
      return bankAt({ ...place, apiKey: made.key }, async () => {
        await sandbox.deleteSandbox({ params: { name } }).catch(unless('sandbox_not_found'));
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The public key of a sandbox. */
function keyOf(name: string): string {
  return `test_${name}`;
}

/** Ignores a refusal with this code. */
function unless(code: string, isFine = true): (error: unknown) => undefined {
  return (error) => {
    if (!isFine || !(error instanceof SandbankError) || error.code !== code) throw error;
    return undefined;
  };
}
