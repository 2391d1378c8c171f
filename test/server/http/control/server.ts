/**
 * A bank for one test, with settings of its own and a clock that stands until the test moves it: a server in this
 * process with its own registry, or a sandbox of its own in an instance of workerd (the project `workerd`). Every
 * delivery succeeds unless the test says otherwise.
 */
import { randomInt } from 'node:crypto';
import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import type { Outgoing } from '../../../../src/bank/delivery/sender.ts';
import { keyOf } from '../../../../src/sandboxes/registry/keys.ts';
import { DEFAULT_SANDBOX } from '../../../../src/sandboxes/registry/names.ts';
import type { Observers } from '../../../../src/sandboxes/registry/observers.ts';
import {
  createRegistry,
  type Registry,
  type RegistryOptions,
} from '../../../../src/sandboxes/registry/registry.ts';
import { type App, buildApp } from '../../../../src/server/app.ts';
import { makeFolder } from '../../../support/folder.ts';
import { createHandClock, type HandClock, START } from '../../../support/sandbox.ts';
import { digestOf } from '../../../support/tables.ts';
import { IS_WORKERD } from '../../process/support.ts';
import { openInWorkerd } from './workerd-server.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Body = any;

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Body;
  bytes: Buffer;
}

/** A request to a bank. */
export type Call = (
  method: Method,
  url: string,
  body?: unknown,
  /** Sent as `api-key`, or as `sd-api-key` to v1; `''` for none. Default: the key of the bank. */
  key?: string,
  headers?: Record<string, string>,
) => Promise<Reply>;

/** What is known of a bank from outside. */
export interface Bank {
  /** The name of its sandbox. */
  readonly name: string;
  /** An address that accepts deliveries, and answers as `answer` says. */
  readonly receiver: string;
  /** What the receiver got. */
  readonly sent: Pick<Outgoing, 'body' | 'headers'>[];
  readonly call: Call;
  /** The rows of `GET /_sandbox/sandboxes`, without those of other tests. */
  list(): Promise<Body[]>;
  /** Lets real time pass, which clocks that are not frozen follow. */
  advance(ms: number): Promise<void>;
  /** Resolves when no delivery is under way. */
  idle(): Promise<unknown>;
  /** What a sandbox contains, as a SQLite database. */
  image(key?: string): Promise<Buffer>;
  /** A digest of what a sandbox contains, the bank's own unless a key is given. */
  digest(key?: string): Promise<string>;
  /** Ends it before the test does. */
  end(): Promise<void>;
}

/** A bank whose server is in this process. */
export interface Server extends Bank {
  readonly app: App;
  readonly registry: Registry;
  readonly clock: HandClock;
  readonly sent: Outgoing[];
}

/** The options of a bank of either kind. */
export interface BankOptions
  extends Partial<Pick<RegistryOptions, 'data' | 'seed' | 'rails' | 'maxSandboxes'>> {
  at?: number;
  /** The bank begins with a webhook that gets all events. */
  hasWebhook?: boolean;
  /** What the receiver answers with; 200 unless given. */
  answer?: () => number | Promise<number>;
  /** Secrets are random, and not those of the seed. */
  hasRandomSecrets?: boolean;
  /** Only created sandboxes exist. */
  isClosed?: boolean;
}

/** Where a bank may be kept. */
export const PLACES: readonly [string, () => { data: string | null }][] = IS_WORKERD
  ? [['in an object', () => ({ data: null })]]
  : [
      ['in memory', () => ({ data: null })],
      ['in a file', () => ({ data: makeFolder() })],
    ];

const RECEIVER = 'http://receiver.example/';

/** Opens a bank that belongs to the running test. */
export async function openBank(options: BankOptions = {}): Promise<Bank> {
  if (IS_WORKERD) return openInWorkerd(options);
  const { hasWebhook, answer = () => 200, hasRandomSecrets, isClosed, ...registry } = options;
  return openInProcess({
    ...registry,
    webhookUrl: hasWebhook === true ? RECEIVER : null,
    ...(hasRandomSecrets === true && { randomText }),
    ...(isClosed === true && { closed: { randomText: () => randomText(8, 'abcdefgh') } }),
    answer,
  });
}

/** Opens a server that belongs to the running test, for tests that look inside it. */
export async function openServer(options: ServerOptions = {}, failures: unknown[] = []): Promise<Server> {
  if (IS_WORKERD) throw new Error('the test looks inside the server');
  return openInProcess(options, failures);
}

const randomText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

interface ServerOptions extends Partial<RegistryOptions> {
  at?: number;
  observers?: Observers;
  answer?: () => number | Promise<number>;
}

/** Opens a server in this process whatever the tests are about. */
export async function openInProcess(
  options: ServerOptions = {},
  /** What was logged as an error; a test that expects some takes them out. */
  failures: unknown[] = [],
): Promise<Server> {
  const { at = START, observers, answer = () => 200, ...changes } = options;
  const clock = createHandClock(at);
  const sent: Outgoing[] = [];
  const registry = createRegistry({
    data: null,
    synchronous: 'normal',
    seed: 'control',
    rails: 'calendar',
    webhookUrl: null,
    clock,
    wallClock: clock,
    async send(outgoing) {
      sent.push(outgoing);
      return { status: await answer(), durationMs: 1, error: '', retryAfter: null };
    },
    onError: (_, error) => failures.push(error),
    ...changes,
  });
  const log = pino({ level: 'error' }, { write: (line: string) => failures.push(line) });
  const app = await buildApp({
    registry,
    log,
    version: '0.0.0',
    ...(observers !== undefined && { observers }),
    bodyLimit: 1_048_576,
    control: true,
    strictFields: false,
    strictPersonHeader: false,
  });
  let ended = false;
  const end = async (): Promise<void> => {
    if (ended) return;
    ended = true;
    const problems = [...registry.open()].flatMap((sandbox) => sandbox.audit().problems);
    await app.stop();
    await registry.close();
    expect([problems, failures]).toEqual([[], []]);
  };
  onTestFinished(end);

  const server: Server = {
    name: DEFAULT_SANDBOX,
    receiver: RECEIVER,
    app,
    registry,
    clock,
    sent,
    end,
    advance: async (ms) => clock.advance(ms),
    idle: async () => registry.default().courier?.idle(),
    image: async (key) => (await server.call('GET', '/_sandbox/export', undefined, key)).bytes,
    async digest(key = keyOf(DEFAULT_SANDBOX)) {
      const sandbox = registry.byKey(key);
      if (sandbox === undefined) throw new Error(`${key} opens no sandbox`);
      return digestOf(sandbox);
    },
    list: async () => (await server.call('GET', '/_sandbox/sandboxes')).body.sandboxes,
    async call(method, url, body, key = keyOf(DEFAULT_SANDBOX), headers = {}) {
      const response = await app.server.inject({ method, url, ...requestOf(url, body, key, headers) });
      return replyOf(response.statusCode, response.headers as Record<string, string>, response.rawPayload);
    },
  };
  return server;
}

/** The headers and the body of a request. */
export function requestOf(
  url: string,
  body: unknown,
  key: string,
  headers: Record<string, string>,
): { headers: Record<string, string>; payload?: Buffer | string } {
  const isBinary = Buffer.isBuffer(body);
  const payload = body === undefined ? undefined : isBinary ? body : JSON.stringify(body);
  const keyHeader = url.startsWith('/v1') ? 'sd-api-key' : 'api-key';
  return {
    headers: {
      ...(payload !== undefined && {
        'content-type': isBinary ? 'application/octet-stream' : 'application/json',
      }),
      ...(key !== '' && { [keyHeader]: key }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  };
}

export function replyOf(status: number, headers: Record<string, string>, bytes: Buffer): Reply {
  const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
  return { status, headers, body: isJson ? JSON.parse(bytes.toString('utf8')) : undefined, bytes };
}

/** Asks another bank for money, through v2; answers the transaction. */
export async function pull({ call }: Pick<Bank, 'call'>, amount: string, key?: string): Promise<Body> {
  const { seeded } = (await call('GET', '/_sandbox', undefined, key)).body;
  const { status, body } = await call(
    'POST',
    '/v2/payments/ach/pull',
    {
      sub_account_id: seeded.sub_account_id,
      counterparty_id: seeded.ach_counterparty_id,
      amount,
    },
    key,
  );
  expect([status, body.error?.message]).toEqual([201, undefined]);
  return body;
}
