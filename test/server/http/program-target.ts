/**
 * Replaces the server in this process by a program that is called over its socket: the installed package
 * (SANDBANK_TEST_TARGET=package), or workerd with sandboxes as objects (SANDBANK_TEST_TARGET=workerd). `useHttp`
 * returns it. The sandboxes have the same rows as in this process. The internals of the server are not available, and
 * a test that uses them fails with the reason.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Outgoing } from '../../../src/bank/delivery/sender.ts';
import { databaseOf } from '../../../src/bank/store/images.ts';
import { isRowImage } from '../../../src/bank/store/row-image.ts';
import { seededIds } from '../../../src/sandboxes/control/summary.ts';
import { keyOf } from '../../../src/sandboxes/registry/keys.ts';
import { createRegistry } from '../../../src/sandboxes/registry/registry.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { readable } from '../../support/readable.ts';
import { smallFixture } from '../../support/sandbox.ts';
import { type Running, type Settings, shareBank, startBank } from '../process/support.ts';
import type { Caller, Http, HttpOptions, Shared } from './support.ts';

/** The settings of the program that are these options of a test file. */
function settingsOf(options: HttpOptions): Settings {
  const settings: Record<string, string | false | undefined> = {
    SANDBANK_PROFILE: 'ci',
    SANDBANK_RANDOM_SEED: 'http-tests',
    SANDBANK_SECRETS: 'seeded',
    SANDBANK_LOG_LEVEL: 'error',
    SANDBANK_RAILS: options.rails ?? 'manual',
    SANDBANK_WEBHOOK_CONCURRENCY: String(options.webhookConcurrency ?? 1),
    SANDBANK_STRICT_FIELDS: options.strictFields === true && 'on',
    SANDBANK_STRICT_PERSON_HEADER: options.strictPersonHeader === true && 'on',
    SANDBANK_CONTROL: options.control === false && 'off',
    SANDBANK_ALLOWED_HOSTS: options.allowedHosts?.join(','),
    SANDBANK_BODY_LIMIT: options.bodyLimit?.toString(),
    SANDBANK_RATE_LIMITS: options.rates,
  };
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => !!entry[1]),
  );
}

/** A seeded sandbox of which those of the tests are copies. */
interface Original {
  readonly name: string;
  readonly image: Buffer;
  readonly seeded: Sandbox['seeded'];
  readonly program: Sandbox['program'];
  /** The ids of `GET /_sandbox` in a copy of this name, which is in its tokens. */
  ids(name: string): Readonly<Record<string, string>>;
}

/** Those of this process; a bank seeds its own at another time. */
const originals = new Map<boolean, Original>();

function originalOf(isSmall: boolean, start: number): Original {
  const found = originals.get(isSmall) ?? makeOriginal(isSmall, start);
  originals.set(isSmall, found);
  return found;
}

function makeOriginal(isSmall: boolean, start: number): Original {
  const clock = { now: () => start };
  const registry = createRegistry({
    data: null,
    synchronous: 'off',
    seed: 'http-tests',
    rails: 'manual',
    webhookUrl: null,
    clock,
    wallClock: clock,
    restAfterMs: Number.POSITIVE_INFINITY,
    send: () => Promise.reject(new Error('an image sends nothing')),
    onError: (_, error) => {
      throw error;
    },
  });
  const sandbox = registry.default();
  if (isSmall) sandbox.replaceWith(registry.seedImages.imageFrom(smallFixture(), start));
  return {
    name: isSmall ? 'original-small' : 'original',
    image: Buffer.from(sandbox.image()),
    seeded: sandbox.seeded,
    program: sandbox.program,
    ids: (copy: string) =>
      seededIds(new Proxy(sandbox, { get: (of, key) => (key === 'name' ? copy : Reflect.get(of, key)) })),
  };
}

/** The banks to which the originals were imported. */
const imported = new WeakMap<Running, Map<string, Promise<void>>>();

/** Tells of a failure on the server's side. */
const isFailure = (line: string): boolean => /"level":"(?:error|fatal)"/.test(line);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array | undefined;
}

interface Got {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request as it is, which `fetch` would not. */
async function send(base: string, { method, path, headers = {}, body }: Sent): Promise<Got> {
  const { hostname, port } = new URL(base);
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const call = request({ hostname, port, path, method, agent, headers: Object.fromEntries(given) });
  const answered = once(call, 'response');
  // A server may answer and close before it has read all of a large body.
  call.on('error', () => {});
  call.end(body);
  const [response] = await answered;
  const head = response.headers as IncomingHttpHeaders;
  return {
    status: response.statusCode ?? 0,
    headers: head as Record<string, string>,
    body: Buffer.concat(await response.toArray()),
  };
}

/** What a test file gets from the program. `start` is the instant at which the clocks of its sandboxes stand. */
export function useProgram(options: HttpOptions, { start, readAnswer, callerOf }: Shared): Http {
  let bank: Running | undefined;
  let original: Original | undefined;
  let receiver: Server | undefined;
  let now = start;
  /** The length of the output that earlier tests caused. */
  let seen = 0;
  const sent: Outgoing[] = [];
  const failures: unknown[] = [];
  const opened: Caller[] = [];
  /**
   * The moves of clocks that are under way. Whoever moves a clock does not wait, and this process must go on, because
   * it receives what is due; so the next request waits.
   */
  let moved: Promise<unknown> = Promise.resolve();
  /** The sandbox of the next caller, which cannot wait for it, and the time on its clock. */
  let spare: { readonly name: string; readonly at: number } | undefined;
  const running = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the bank is there only while a test runs');
    return part;
  };
  const url = (path: string): string => running(bank).url + path;
  const sendNext = async (sent: Sent): Promise<Got> => {
    await moved;
    return send(running(bank).url, sent);
  };
  const control = async (method: string, path: string, key: string, body?: unknown): Promise<Got> => {
    const isBytes = Buffer.isBuffer(body);
    const got = await send(running(bank).url, {
      method,
      path,
      headers: {
        'api-key': key,
        'content-type': isBytes ? 'application/octet-stream' : 'application/json',
      },
      body: isBytes ? body : body === undefined ? undefined : JSON.stringify(body),
    });
    if (got.status >= 400) throw new Error(`${method} ${path} answers ${got.status}: ${got.body}`);
    return got;
  };
  const frozenAt = (instant: number) => ({ mode: 'frozen', now: new Date(instant).toISOString() });

  const importOriginal = async ({ name, image }: Original): Promise<void> => {
    await control('POST', '/_sandbox/sandboxes', keyOf('default'), { name });
    await control('POST', '/_sandbox/import', keyOf(name), readable(image));
    await control('PUT', '/_sandbox/clock', keyOf(name), frozenAt(start));
  };
  /** Without the control plane the first call of each sandbox creates it, and nothing of it is known. */
  const hasOriginal = options.control !== false;
  const creation = (name: string) => ({ name, from: running(original).name });
  const prepareSpare = async (): Promise<void> => {
    if (!hasOriginal || spare !== undefined) return;
    const name = `http_${randomUUID()}`;
    await control('POST', '/_sandbox/sandboxes', keyOf('default'), creation(name));
    spare = { name, at: start };
  };
  const removeSpare = async (): Promise<void> => {
    if (spare === undefined) return;
    await control('DELETE', `/_sandbox/sandboxes/${spare.name}`, keyOf(spare.name));
    spare = undefined;
  };

  beforeAll(async () => {
    const settings = settingsOf(options);
    const isUsual = Object.entries(settingsOf({})).join() === Object.entries(settings).join();
    bank = await (isUsual ? shareBank(settings) : startBank(settings));
    seen = bank.stdout().length;
    original = originalOf(options.small === true, start);
    receiver = createServer(async (incoming, response) => {
      const body = Buffer.concat(await incoming.toArray()).toString('utf8');
      sent.push({ url: `http://${incoming.headers.host}${incoming.url}`, body } as Outgoing);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    if (!hasOriginal) return;
    const there = imported.get(bank) ?? new Map<string, Promise<void>>();
    imported.set(bank, there);
    const importing = there.get(original.name) ?? importOriginal(original);
    there.set(original.name, importing);
    await importing;
    await prepareSpare();
  });
  beforeEach(prepareSpare);

  /** Sends a request at once. */
  const curl = (key: string, ...words: string[]): Buffer =>
    execFileSync('curl', ['-sS', '--fail-with-body', '-H', `api-key: ${key}`, ...words], {
      maxBuffer: 2 ** 28,
    });
  const json = ['-H', 'content-type: application/json', '--data-binary'];

  const call: Http['call'] = async (method, path, { body, headers = {} } = {}) => {
    const isReady = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    const payload = isReady ? body : JSON.stringify(body);
    const got = await sendNext({
      method,
      path,
      headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: payload,
    });
    return readAnswer(method, path, got.status, got.headers, got.body.toString('utf8'), failures);
  };

  const audit = async ({ key, sandbox: { name } }: Caller): Promise<string[]> => {
    const { problems } = JSON.parse(String((await control('GET', '/_sandbox/ledger/verify', key)).body)) as {
      problems: string[];
    };
    await control('DELETE', `/_sandbox/sandboxes/${name}`, key);
    return problems.map((problem) => `${name}: ${problem}`);
  };

  afterEach(async () => {
    const last = moved;
    moved = Promise.resolve();
    await last;
    const callers = opened.splice(0);
    const problems = hasOriginal ? await Promise.all(callers.map(audit)) : [];
    expect(problems.flat(), 'what is wrong with the books').toEqual([]);
    const output = running(bank).stdout();
    failures.push(...output.slice(seen).split('\n').filter(isFailure));
    seen = output.length;
    expect(failures.splice(0), 'what failed on the side of the server').toEqual([]);
  });
  afterAll(async () => {
    receiver?.close();
    await removeSpare();
  });

  const sandboxOf = (name: string): Sandbox => {
    const key = keyOf(name);
    return lacking<Sandbox>('sandbox', {
      name,
      seeded: running(original).seeded,
      image() {
        const image = curl(key, url('/_sandbox/export'));
        return isRowImage(image) ? databaseOf(image) : image;
      },
      replaceWith(image: Buffer) {
        const words = ['-sS', '--fail-with-body', '-H', `api-key: ${key}`];
        const type = ['-H', 'content-type: application/octet-stream', '--data-binary', '@-'];
        execFileSync('curl', [...words, ...type, url('/_sandbox/import')], { input: readable(image) });
      },
      store: lacking<Sandbox['store']>('store', {
        counts: () => JSON.parse(String(curl(key, url('/_sandbox')))).counts,
      }),
      program: running(original).program,
      // Whoever moves the clock wakes it.
      courier: {
        idle: () => moved.then(() => control('POST', '/_sandbox/drain', key, { deadline_ms: 60_000 })),
        wake() {},
      },
      // What is due was carried out when the clock was moved.
      agenda: { runDue: () => moved },
    });
  };

  return {
    get app() {
      const address = () => ({ port: Number(new URL(url('')).port) });
      return lacking<Http['app']>('app', {
        server: { inject, listen: async () => url(''), server: { address } },
      });
    },
    get registry() {
      return lacking<Http['registry']>('registry', { default: () => sandboxOf('default') });
    },
    clock: {
      now: () => now,
      advance(ms) {
        now += ms;
        const to = frozenAt(now);
        // More than enough on any machine; the usual deadline is that of a person.
        const by = { by: `PT${ms / 1000}S`, deadline_ms: 60_000 };
        const move = (key: string): Promise<Got> =>
          ms < 0
            ? control('PUT', '/_sandbox/clock', key, to)
            : control('POST', '/_sandbox/clock/advance', key, by);
        const keys = opened.map(({ key }) => key);
        moved = moved.then(() => Promise.all(keys.map(move)));
        // The next request throws its error.
        moved.catch(() => {});
      },
    },
    failures,
    call,
    caller() {
      const { name, at } = takeSpare();
      const key = keyOf(name);
      if (at !== now) curl(key, '-X', 'PUT', ...json, JSON.stringify(frozenAt(now)), url('/_sandbox/clock'));
      const { port } = running(receiver).address() as AddressInfo;
      const ids = hasOriginal ? running(original).ids(name) : {};
      const caller = callerOf(
        key,
        sandboxOf(name),
        call,
        sent,
        () => ids,
        `http://127.0.0.1:${port}/${name}`,
      );
      if (expect.getState().currentTestName !== undefined) opened.push(caller);
      return caller;
    },
  };

  /** The sandbox for a caller: that which was prepared, or another one, which is made while everything waits. */
  function takeSpare(): { name: string; at: number } {
    const prepared = spare;
    spare = undefined;
    if (prepared !== undefined) return prepared;
    const name = `http_${randomUUID()}`;
    if (!hasOriginal) return { name, at: now };
    curl(keyOf('default'), ...json, JSON.stringify(creation(name)), url('/_sandbox/sandboxes'));
    return { name, at: start };
  }

  async function inject(given: { method?: string; url: string; headers?: object; payload?: unknown }) {
    const { method = 'GET', headers, payload } = given;
    const isObject = typeof payload === 'object' && !Buffer.isBuffer(payload);
    const got = await sendNext({
      method,
      path: given.url,
      headers: { ...(isObject && { 'content-type': 'application/json' }), ...headers },
      body: (isObject ? JSON.stringify(payload) : payload) as string | Buffer | undefined,
    });
    const body = got.body.toString('utf8');
    const read = (): unknown => JSON.parse(body);
    return {
      statusCode: got.status,
      headers: got.headers,
      body,
      payload: body,
      rawPayload: got.body,
      json: read,
    };
  }
}

/** What the program shows of a thing; whatever else is asked of it is named. */
function lacking<T extends object>(name: string, shown: object): T {
  return new Proxy(shown, {
    get(target, key) {
      if (key in target || typeof key === 'symbol') return Reflect.get(target, key);
      throw new Error(
        `a bank behind a socket does not show ${name}.${key}: the test looks inside the server`,
      );
    },
  }) as T;
}
