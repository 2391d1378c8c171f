/**
 * A server for one test with its own registry: the test sets the storage, the access and the maximum number of
 * sandboxes. The wall clock is frozen until the test moves it, and every delivery succeeds.
 */
import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import { type App, buildApp } from '../../../src/app.ts';
import type { Outgoing } from '../../../src/delivery/sender.ts';
import type { Observers } from '../../../src/registry/observers.ts';
import { createRegistry, type Registry, type RegistryOptions } from '../../../src/registry/registry.ts';
import { createHandClock, type HandClock, START } from '../../support/sandbox.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Body = any;

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Body;
  bytes: Buffer;
}

export interface Server {
  app: App;
  registry: Registry;
  clock: HandClock;
  sent: Outgoing[];
  /** Calls with `api-key` and, for v1, `sd-api-key`; the default sandbox unless a key is given. */
  call(
    method: Method,
    url: string,
    body?: unknown,
    key?: string,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** Ends it before the test does. */
  end(): Promise<void>;
}

/** Opens a server that belongs to the running test. */
export async function openServer(
  options: Partial<RegistryOptions> & { at?: number; observers?: Observers } = {},
  /** What was logged as an error; a test that expects some takes them out. */
  failures: unknown[] = [],
): Promise<Server> {
  const { at = START, observers, ...changes } = options;
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
    send: async (outgoing) => {
      sent.push(outgoing);
      return { status: 200, durationMs: 1, error: '', retryAfter: null };
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

  return {
    app,
    registry,
    clock,
    sent,
    end,
    async call(method, url, body, key = 'test_default', headers = {}) {
      const isBinary = Buffer.isBuffer(body);
      const payload = body === undefined ? undefined : isBinary ? body : JSON.stringify(body);
      const response = await app.server.inject({
        method,
        url,
        headers: {
          ...(payload !== undefined && {
            'content-type': isBinary ? 'application/octet-stream' : 'application/json',
          }),
          ...(url.startsWith('/v1') ? { 'sd-api-key': key } : { 'api-key': key }),
          ...headers,
        },
        ...(payload !== undefined && { payload }),
      });
      const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
      return {
        status: response.statusCode,
        headers: response.headers as Record<string, string>,
        body: isJson ? JSON.parse(response.body) : undefined,
        bytes: response.rawPayload,
      };
    },
  };
}

/** Asks another bank for money, through v2; answers the transaction. */
export async function pull({ call }: Server, amount: string, key = 'test_default'): Promise<Body> {
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
