/**
 * A bank in the hand of a program: its clock, its events, its snapshots, its interfaces. All of it goes over HTTP, so a
 * bank that runs in this process and one that runs elsewhere are the same object.
 */
import { X509Certificate } from 'node:crypto';
import { type Client, createClient } from '../client/client.ts';
import { SandbankError } from '../client/error.ts';
import { type Clock, clockOf } from './clock.ts';
import { type BankEvents, eventsOf } from './events.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';
import type { Seeded } from './seeded.ts';
import { type TraceOptions, traceBody, traceFolder, writeTrace } from './traces.ts';

/** Where a running bank is. */
export interface ConnectOptions {
  /** Like `http://127.0.0.1:4800`; SANDBANK_URL unless given. */
  readonly url?: string;
  /** Opens a sandbox; SANDBANK_API_KEY unless given, and the default sandbox without either. */
  readonly apiKey?: string;
  /** SANDBANK_CONTROL_TOKEN unless given. */
  readonly controlToken?: string;
  /**
   * For a bank that speaks HTTPS with a certificate for development: the text of `authority.pem`, in PEM. Only the
   * authorities that Node trusts unless given.
   */
  readonly ca?: string;
}

/** What another sandbox is made from. */
export interface SandboxOptions {
  /** A sandbox to copy, or else a snapshot of this one; a sandbox of this name must not be there yet. */
  readonly from?: string;
}

/** One sandbox of a bank. */
export interface Sandbank extends Client, AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
  /** The certificate that the bank's own client trusts, in PEM; there only if one was given. */
  readonly ca?: string;
  /** What a program under test wants in its environment. */
  readonly env: {
    readonly SANDBANK_URL: string;
    readonly SANDBANK_API_KEY: string;
    /** Where the control plane wants one. */
    readonly SANDBANK_CONTROL_TOKEN?: string;
  };
  readonly clock: Clock;
  readonly events: BankEvents;
  /** `fetch` of a path of this bank, with the keys of both versions. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The ids of the records that the bank was seeded with, by name: `sub_account_id`, `card_id`, ... */
  seeded(): Promise<Seeded>;
  /** The last requests and answers, newest first. */
  requests(): ReturnType<Client['sandbox']['listRequests']>;
  /** Keeps the bank as it is; `restore` with the same name brings it back. */
  snapshot(name?: string): Promise<void>;
  restore(name?: string): Promise<void>;
  /** Brings the bank back to how it was seeded. */
  reset(): Promise<void>;
  /** Starts a receiver on loopback that this bank sends its events to; it ends with the bank. */
  receiver(options?: ReceiverOptions): Promise<Receiver>;
  /** A trace of this sandbox as it is now: the inspector, read-only, in one HTML file that opens without a server. */
  trace(options?: TraceOptions): Promise<Uint8Array>;
  /**
   * Writes the trace of a test that failed to `sandbank-traces/`, prints its path, and answers it. `SANDBANK_TRACES` names another
   * folder or is `off`; without it traces are on where `CI` is set, and otherwise this answers `undefined`. It does not throw.
   */
  traceFailure(test: string, error?: unknown): Promise<string | undefined>;
  /** Another sandbox of the same server, made if it is not there. */
  inSandbox(name: string, options?: SandboxOptions): Promise<Sandbank>;
  /** Ends what was made for this object: the server of `startSandbank`, the sandbox that `inSandbox` made. */
  close(): Promise<void>;
}

const DEFAULT_KEY = 'test_default';
const DEFAULT_SNAPSHOT = 'kept';

/** The bank at a URL. Nothing is started, and `close` ends nothing. Fails when `ca` is not a certificate. */
export function connectSandbank(options: ConnectOptions = {}): Sandbank {
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

/** The object for a sandbox that is there; `end` ends what was started for it. */
export function bankAt(place: Place, end: () => Promise<void>): Sandbank {
  const { url, apiKey, controlToken, ca } = place;
  const trusting = ca === undefined ? undefined : fetchTrusting(ca);
  const client = createClient({
    url,
    apiKey,
    ...(controlToken !== undefined && { controlToken }),
    ...(trusting !== undefined && { fetch: trusting }),
  });
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
      const headers = new Headers(init.headers);
      for (const name of ['api-key', 'sd-api-key']) if (!headers.has(name)) headers.set(name, apiKey);
      if (controlToken !== undefined && path.startsWith('/_sandbox')) {
        headers.set('x-control-token', controlToken);
      }
      return (trusting ?? fetch)(url + path, { ...init, headers });
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
      const folder = traceFolder(process.env);
      if (folder === undefined) return undefined;
      try {
        const path = writeTrace(folder, test, await trace({ test, error }));
        process.stderr.write(`sandbank: the trace of "${test}" is ${path}\n`);
        return path;
      } catch (problem) {
        // The test has failed already, and for another reason.
        process.stderr.write(
          `sandbank: no trace of "${test}" was written: ${problem instanceof Error ? problem.message : String(problem)}\n`,
        );
        return undefined;
      }
    },
    async inSandbox(name, { from } = {}) {
      const body = { name, ...(from !== undefined && { from }) };
      const made = await sandbox.createSandbox({ body }).catch(unless('sandbox_exists', from === undefined));
      // Its maker ends it.
      if (made === undefined) return bankAt({ ...place, apiKey: keyOf(name) }, async () => {});
      return bankAt({ ...place, apiKey: made.key }, async () => {
        await sandbox.deleteSandbox({ params: { name } }).catch(unless('sandbox_not_found'));
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** `fetch` that trusts these certificates too. */
function fetchTrusting(ca: string): typeof fetch {
  try {
    new X509Certificate(ca);
  } catch (error) {
    throw new TypeError(`ca is not a certificate in PEM format (${(error as Error).message})`);
  }
  let loading: Promise<object> | undefined;
  return async (input, init) => {
    loading ??= import('./trust.ts').then(({ agentTrusting }) => agentTrusting(ca));
    return fetch(input, { ...init, dispatcher: await loading } as RequestInit);
  };
}

/** The key that opens a sandbox which anybody may open. */
function keyOf(name: string): string {
  return `test_${name}`;
}

/** Takes a refusal of this code for an answer. */
function unless(code: string, isFine = true): (error: unknown) => undefined {
  return (error) => {
    if (!isFine || !(error instanceof SandbankError) || error.code !== code) throw error;
    return undefined;
  };
}
