/**
 * The bank from which the answers of the OpenAPI documents are recorded: in memory, with a fixed seed and a frozen
 * clock, so that the same sources record the same responses.
 */
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import pino from 'pino';
import { refuse } from '../../src/bank/kernel/refusal.ts';
import type { RefusalCode } from '../../src/bank/kernel/refusals.ts';
import { createRegistry, type Registry } from '../../src/sandboxes/registry/registry.ts';
import { type App, buildApp } from '../../src/server/app.ts';

/** A Friday that is a banking day, 10:00 in San Francisco. */
const RECORDED_AT = Date.UTC(2026, 10, 20, 18);
/** The address at which the recorded bank was called. */
const RECORDED_HOST = '127.0.0.1:4800';
export const CONTROL_TOKEN = 'recorded-control-token';

/** The configurations of the server. */
export type Setup = 'usual' | 'strict' | 'small' | 'guarded';

/** A serialized request. */
export interface Wire {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
}

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  /** Parsed JSON or text; `undefined` for no body and for bytes. */
  readonly body: unknown;
  readonly bytes: Buffer;
}

export interface RecordedBank {
  readonly registry: Registry;
  send(request: Wire, setup?: Setup): Promise<Reply>;
  /** Sends a request while every call of the sandbox is refused with this code. */
  sendFailing(request: Wire, code: RefusalCode): Promise<Reply>;
  /** Listens on a free port of this machine and returns it. */
  listen(): Promise<number>;
  close(): Promise<void>;
}

/** The options of a bank. By default it is in memory. */
export interface BankOptions {
  readonly data?: string;
  readonly maxSandboxes?: number;
  readonly maxOpen?: number;
  readonly areLimited?: boolean;
}

const SETUPS: Readonly<Record<Setup, object>> = {
  usual: {},
  strict: { strictFields: true, strictPersonHeader: true },
  small: { bodyLimit: 1000 },
  guarded: { guard: { token: CONTROL_TOKEN } },
};

/** Opens a bank; the server of each configuration is built at its first request. */
export function openBank({ data, areLimited = false, ...limits }: BankOptions = {}): RecordedBank {
  const clock = { now: () => RECORDED_AT };
  const registry = createRegistry({
    data: data ?? null,
    synchronous: 'off',
    seed: 'answers',
    secretRoot: 'answers',
    rails: 'calendar',
    webhookUrl: null,
    ...limits,
    baseUrl: () => `http://${RECORDED_HOST}`,
    clock,
    wallClock: clock,
    send: async () => ({ status: 200, durationMs: 1, error: '', retryAfter: null }),
    onError(sandbox, error) {
      throw new Error(`background work of ${sandbox} failed`, { cause: error });
    },
  });
  let failing: RefusalCode | undefined;
  const failable = new Proxy(registry, {
    get(target, name, receiver) {
      if (failing !== undefined) throw refuse(failing);
      return Reflect.get(target, name, receiver);
    },
  });
  const apps = new Map<Setup, Promise<App>>();
  const appOf = (setup: Setup): Promise<App> => {
    const known = apps.get(setup);
    if (known !== undefined) return known;
    const built = buildApp({
      registry: failable,
      log: pino({ level: 'silent' }),
      version: '0.0.0',
      bodyLimit: 2_000_000,
      control: true,
      strictFields: false,
      strictPersonHeader: false,
      ...(areLimited && { limits: { rates: 'sandbox', clock } }),
      ...SETUPS[setup],
    });
    apps.set(setup, built);
    return built;
  };

  const send = async (
    { method, url, headers, payload }: Wire,
    setup: Setup = 'usual',
    code?: RefusalCode,
  ): Promise<Reply> => {
    const { server } = await appOf(setup);
    await server.ready();
    failing = code;
    const reply = await server
      .inject({
        payloadAsStream: true,
        method: method as 'GET',
        url,
        headers: { host: RECORDED_HOST, ...headers },
        ...(payload !== undefined && { payload }),
      })
      .finally(() => {
        failing = undefined;
      });
    const contentType = String(reply.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    const bytes = await readWhole(reply.stream(), contentType === 'text/event-stream');
    return replyOf(reply.statusCode, contentType, bytes);
  };

  return {
    registry,
    send: (request, setup) => send(request, setup),
    sendFailing: (request, code) => send(request, 'usual', code),
    async listen() {
      const { server } = await appOf('usual');
      if (!server.server.listening) await server.listen({ host: '127.0.0.1', port: 0 });
      return (server.server.address() as AddressInfo).port;
    },
    async close() {
      for (const app of apps.values()) await (await app).stop();
      await registry.close();
    },
  };
}

/** An unprocessed response. */
export const replyOf = (status: number, contentType: string, bytes: Buffer): Reply => ({
  status,
  contentType,
  body: bodyOf(contentType, bytes),
  bytes,
});

/** Reads a response; of an event stream, which does not end, the first two events. */
async function readWhole(stream: Readable, isEndless: boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    if (!isEndless) continue;
    const events = Buffer.concat(chunks).toString().split('\n\n');
    if (events.length > 2) return Buffer.from(`${events.slice(0, 2).join('\n\n')}\n\n`);
  }
  return Buffer.concat(chunks);
}

function bodyOf(contentType: string, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (contentType === 'application/json') return JSON.parse(bytes.toString());
  return contentType.startsWith('text/') ? bytes.toString() : undefined;
}
