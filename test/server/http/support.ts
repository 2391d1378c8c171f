/**
 * The common parts of the HTTP tests: a server without a socket with banks in memory, a clock that only tests move,
 * and a sender that records deliveries. Every test has its own sandbox, whose books are audited when the test ends.
 */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createSender, type Outgoing, type Sender } from '../../../src/bank/delivery/sender.ts';
import { V1_KINDS, V2_KINDS } from '../../../src/bank/model/facts.ts';
import { seededIds } from '../../../src/sandboxes/control/summary.ts';
import { keyOf } from '../../../src/sandboxes/registry/keys.ts';
import { createRegistry, type Registry } from '../../../src/sandboxes/registry/registry.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { type App, buildApp } from '../../../src/server/app.ts';
import { smallFixture } from '../../support/sandbox.ts';
import { undocumented } from './documented.ts';
import { useProgram } from './program-target.ts';

/** A Friday on which banks work, 10:00 in San Francisco. */
const START = Date.UTC(2026, 10, 20, 18, 0, 0);

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

interface CallOptions {
  /** A string or bytes are sent as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string | undefined>;
}

/** One answer, with its JSON body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly body: unknown;
  /** The value at a path like `ach.trace_number` or `members.0.id`; `undefined` where there is none. */
  at(path: string): unknown;
  /** The text at a path; anything else fails the test. */
  id(path?: string): string;
}

/** An event as a webhook got it. */
export interface ReceivedEvent {
  /** The kind. */
  kind: string;
  record: Record<string, unknown>;
}

/** A client with a sandbox of its own. */
export interface Caller {
  readonly key: string;
  readonly sandbox: Sandbox;
  /** The id of a record that the bank was seeded with, under its name in `GET /_sandbox`. */
  seed(name: string): string;
  v1(method: Method, path: string, body?: unknown, headers?: CallOptions['headers']): Promise<Answer>;
  v2(method: Method, path: string, body?: unknown, headers?: CallOptions['headers']): Promise<Answer>;
  /** Listens to every kind of both generations from now on. */
  listen(): Promise<void>;
  /** What was heard since the last time, once all of it has arrived. */
  receivedEvents(): Promise<{ v1: ReceivedEvent[]; v2: ReceivedEvent[] }>;
}

export interface Http {
  readonly app: App;
  readonly registry: Registry;
  readonly clock: { now(): number; advance(ms: number): void };
  /** What failed on the server's side; a test that expects some takes them out. */
  readonly failures: unknown[];
  caller(): Caller;
  call(method: Method, url: string, options?: CallOptions): Promise<Answer>;
}

export interface HttpOptions {
  rails?: 'manual' | 'fast' | 'calendar';
  strictFields?: boolean;
  strictPersonHeader?: boolean;
  bodyLimit?: number;
  /** The rate limits that hold, by the clock of the tests; none unless given. */
  rates?: 'sandbox' | 'production';
  /** The banks of callers have no more than two persons with an account each need, for tests that count. */
  small?: boolean;
  /** False serves no control plane. */
  control?: boolean;
  /** The server answers only to names of this machine and to these; to every name unless given. */
  allowedHosts?: readonly string[];
  /** Webhooks leave the process, as in the real thing, instead of being recorded; questions in real time always do. */
  realSender?: boolean;
  /** 1 unless given, so that events arrive in their order over whichever connections. */
  webhookConcurrency?: number;
}

/** What a server in this process and a program have in common. */
export interface Shared {
  readonly start: number;
  readonly readAnswer: typeof readAnswer;
  readonly callerOf: typeof callerOf;
}

/** The server of a test file. What failed on the server's side, and was not expected to, fails the test. */
export function useHttp(options: HttpOptions = {}): Http {
  if (process.env.SANDBANK_TEST_TARGET !== undefined) {
    return useProgram(options, { start: START, readAnswer, callerOf });
  }
  let now = START;
  let app: App | undefined;
  let registry: Registry | undefined;
  let sender: Sender | undefined;
  const sent: Outgoing[] = [];
  const failures: unknown[] = [];
  const opened: Sandbox[] = [];
  const clock = {
    now: () => now,
    advance: (ms: number) => {
      now += ms;
    },
  };
  const running = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the server is there only while a test runs');
    return part;
  };

  beforeAll(async () => {
    const real = createSender();
    sender = real;
    registry = createRegistry({
      data: null,
      synchronous: 'off',
      seed: 'http-tests',
      rails: options.rails ?? 'manual',
      webhookUrl: null,
      webhookConcurrency: options.webhookConcurrency ?? 1,
      clock,
      // Tests hold parts of a bank while they move the clock by days.
      restAfterMs: Number.POSITIVE_INFINITY,
      // Whoever checks a real signature compares its time with the real one.
      wallClock: options.realSender === true ? { now: () => Date.now() } : clock,
      async send(outgoing) {
        if (options.realSender === true || outgoing.answerWithinMs !== undefined) return real.send(outgoing);
        sent.push(outgoing);
        return { status: 200, durationMs: 0, error: '', retryAfter: null };
      },
      onError: (_, error) => failures.push(error),
    });
    const log = pino({ level: 'error' }, { write: (line: string) => failures.push(line) });
    app = await buildApp({
      registry,
      log,
      version: '0.0.0',
      bodyLimit: options.bodyLimit ?? 1_048_576,
      control: options.control ?? true,
      ...(options.allowedHosts !== undefined && {
        hosts: { isLocal: true, allowedHosts: options.allowedHosts },
      }),
      strictFields: options.strictFields ?? false,
      strictPersonHeader: options.strictPersonHeader ?? false,
      ...(options.rates !== undefined && { limits: { rates: options.rates, clock } }),
    });
  });

  const auditAll = (sandboxes: Iterable<Sandbox>): void => {
    for (const { name, audit } of sandboxes) expect(audit().problems, `the books of ${name}`).toEqual([]);
  };

  // A sandbox that a test opened ends with it; one that was opened before the tests is there for all of them.
  afterEach(async () => {
    auditAll(opened);
    for (const { name } of opened.splice(0)) await registry?.remove(name);
    expect(failures.splice(0), 'what failed on the side of the server').toEqual([]);
  });

  afterAll(async () => {
    if (registry !== undefined) auditAll(registry.open());
    await app?.stop();
    await registry?.close();
    await sender?.close();
  });

  const call = async (method: Method, url: string, { body, headers = {} }: CallOptions = {}) => {
    const isReady = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    const payload = isReady ? body : JSON.stringify(body);
    const response = await running(app).server.inject({
      method,
      url,
      headers: {
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      } as Record<string, string>,
      ...(payload !== undefined && { payload }),
    });
    const head = response.headers as Record<string, string>;
    return readAnswer(method, url, response.statusCode, head, response.body, failures);
  };

  return {
    get app() {
      return running(app);
    },
    get registry() {
      return running(registry);
    },
    clock,
    failures,
    call,
    caller() {
      const key = keyOf(`http_${randomUUID()}`);
      const sandbox = running(registry).byKey(key);
      if (sandbox === undefined) throw new Error(`${key} opens no sandbox`);
      if (expect.getState().currentTestName !== undefined) opened.push(sandbox);
      if (options.small === true) {
        sandbox.replaceWith(running(registry).seedImages.imageFrom(smallFixture(), START));
      }
      return callerOf(key, sandbox, call, sent, () => seededIds(sandbox), `http://${sandbox.name}.example`);
    },
  };
}

function callerOf(
  key: string,
  sandbox: Sandbox,
  call: Http['call'],
  sent: Outgoing[],
  readSeeded: () => Readonly<Record<string, string>>,
  receiver: string,
): Caller {
  const seeded = readSeeded();
  const v1: Caller['v1'] = (method, path, body, headers) =>
    call(method, path, { body, headers: { 'sd-api-key': key, ...headers } });
  const v2: Caller['v2'] = (method, path, body, headers) =>
    call(method, path, { body, headers: { 'api-key': key, ...headers } });
  const take = (url: string): Record<string, unknown>[] => {
    const own = sent.filter((outgoing) => outgoing.url === url);
    for (const outgoing of own) sent.splice(sent.indexOf(outgoing), 1);
    return own.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  };
  const receive = (event: Record<string, unknown>, kind: string): ReceivedEvent => ({
    kind: String(event[kind]),
    record: event.data as Record<string, unknown>,
  });
  return {
    key,
    sandbox,
    v1,
    v2,
    seed(name) {
      const id = seeded[name];
      if (id === undefined) throw new Error(`no record was seeded as ${name}`);
      return id;
    },
    async listen() {
      await v1('POST', '/v1/webhook', { url: `${receiver}/v1`, events: V1_KINDS });
      await v2('POST', '/v2/webhook', { url: `${receiver}/v2`, events: V2_KINDS });
    },
    async receivedEvents() {
      await sandbox.courier?.idle();
      return {
        v1: take(`${receiver}/v1`).map((event) => receive(event, 'eventType')),
        v2: take(`${receiver}/v2`).map((event) => receive(event, 'event_type')),
      };
    },
  };
}

/** Reads an answer; one that no document describes is a failure. */
function readAnswer(
  method: Method,
  url: string,
  status: number,
  headers: Record<string, string>,
  text: string,
  failures: unknown[],
): Answer {
  const answer = answerOf(status, headers, text);
  const undocumentedPart = undocumented(method, url, answer);
  if (undocumentedPart !== undefined)
    failures.push(`no document tells of ${undocumentedPart}: ${answer.text}`);
  return answer;
}

function answerOf(status: number, headers: Record<string, string>, text: string): Answer {
  const body: unknown = text !== '' && isJson(headers) ? JSON.parse(text) : undefined;
  const at = (path: string): unknown => valueAt(body, path);
  return {
    status,
    headers,
    text,
    body,
    at,
    id(path = 'id') {
      const value = at(path);
      if (typeof value !== 'string') throw new Error(`no text at ${path} of ${status} ${text.slice(0, 500)}`);
      return value;
    },
  };
}

const isJson = (headers: Record<string, string>): boolean =>
  String(headers['content-type'] ?? '').startsWith('application/json');

/** The value at a path, or `undefined`. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split('.')) {
    if (found === null || typeof found !== 'object') return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}
