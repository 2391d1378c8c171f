/**
 * Replaces the server in this process by the installed package, started as a program and called over its socket.
 * `useHttp` returns it if SANDBANK_TEST_TARGET is `package` (vitest.package.config.ts). The internals of the server
 * are not available, and a test that uses them fails with the reason.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Outgoing } from '../../src/delivery/sender.ts';
import { keyOf } from '../../src/registry/keys.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { makeFolder, type Running, type Settings, startBank } from '../process/support.ts';
import { smallFixture } from '../support/sandbox.ts';
import type { Caller, Http, HttpOptions, Shared } from './support.ts';

/** The settings of the program that are these options of a test file. */
function settingsOf(options: HttpOptions): Settings {
  const settings: Record<string, string | false | undefined> = {
    SANDBANK_PROFILE: 'ci',
    SANDBANK_RANDOM_SEED: 'http-tests',
    SANDBANK_LOG_LEVEL: 'error',
    SANDBANK_RAILS: options.rails ?? 'manual',
    SANDBANK_WEBHOOK_CONCURRENCY: String(options.webhookConcurrency ?? 1),
    SANDBANK_STRICT_FIELDS: options.strictFields === true && 'on',
    SANDBANK_STRICT_PERSON_HEADER: options.strictPersonHeader === true && 'on',
    SANDBANK_CONTROL: options.control === false && 'off',
    SANDBANK_BODY_LIMIT: options.bodyLimit?.toString(),
    SANDBANK_RATE_LIMITS: options.rates,
  };
  if (options.small === true) {
    settings.SANDBANK_SEED_FILE = join(makeFolder(), 'seed.json');
    writeFileSync(settings.SANDBANK_SEED_FILE, JSON.stringify(smallFixture()));
  }
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => !!entry[1]),
  );
}

/** What a test file gets from the package. `start` is the instant at which the clocks of its sandboxes stand. */
export function usePackage(options: HttpOptions, { start, readAnswer, callerOf }: Shared): Http {
  let bank: Running | undefined;
  let receiver: Server | undefined;
  const sent: Outgoing[] = [];
  const failures: unknown[] = [];
  const opened: Caller[] = [];
  const running = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the bank is there only while a test runs');
    return part;
  };
  const url = (path: string): string => running(bank).url + path;

  beforeAll(async () => {
    bank = await startBank(settingsOf(options));
    receiver = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString('utf8');
      sent.push({ url: `http://${request.headers.host}${request.url}`, body } as Outgoing);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });

  /** One after the other and at once, because a caller is there before anything can be waited for. */
  const curl = (key: string, ...words: string[]): Buffer =>
    execFileSync('curl', ['-sS', '--fail-with-body', '-H', `api-key: ${key}`, ...words], {
      maxBuffer: 2 ** 28,
    });
  const json = ['-H', 'content-type: application/json', '--data-binary'];

  const call: Http['call'] = async (method, path, { body, headers = {} } = {}) => {
    const isReady = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    const payload = isReady ? body : JSON.stringify(body);
    const given = { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers };
    const response = await fetch(url(path), {
      method,
      redirect: 'manual',
      headers: Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ...(payload !== undefined && { body: payload as string | Uint8Array<ArrayBuffer> }),
    });
    return readAnswer(
      method,
      path,
      response.status,
      Object.fromEntries(response.headers),
      await response.text(),
      failures,
    );
  };

  const auditAll = async (callers: readonly Caller[]): Promise<void> => {
    if (options.control === false) return;
    const audits = callers.map(async ({ key, sandbox: { name } }) => {
      const headers = { 'api-key': key };
      const { problems } = (await (await fetch(url('/_sandbox/ledger/verify'), { headers })).json()) as {
        problems: [];
      };
      await fetch(url(`/_sandbox/sandboxes/${name}`), { method: 'DELETE', headers });
      return problems.map((problem) => `${name}: ${problem}`);
    });
    expect((await Promise.all(audits)).flat(), 'what is wrong with the books').toEqual([]);
  };

  afterEach(async () => {
    await auditAll(opened.splice(0));
    failures.push(
      ...(bank
        ?.stdout()
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line)) ?? []),
    );
    expect(failures.splice(0), 'what failed on the side of the server').toEqual([]);
  });
  afterAll(() => {
    receiver?.close();
  });

  return {
    get app() {
      return lacking<Http['app']>('app', { server: { inject } });
    },
    get registry() {
      return lacking<Http['registry']>('registry', {});
    },
    clock: {
      now: () => start,
      advance(ms) {
        for (const { key } of opened) {
          const by = JSON.stringify({ by: `PT${ms / 1000}S` });
          curl(key, ...json, by, url('/_sandbox/clock/advance'));
        }
      },
    },
    failures,
    call,
    caller() {
      const name = `http_${randomUUID()}`;
      const key = keyOf(name);
      const sandbox = lacking<Sandbox>('sandbox', {
        name,
        image: () => curl(key, url('/_sandbox/export')),
        replaceWith: (image: Buffer) =>
          execFileSync(
            'curl',
            [
              '-sS',
              '--fail-with-body',
              '-H',
              `api-key: ${key}`,
              '-H',
              'content-type: application/octet-stream',
              '--data-binary',
              '@-',
              url('/_sandbox/import'),
            ],
            { input: image },
          ),
        courier: { idle: () => call('POST', '/_sandbox/drain', { headers: { 'api-key': key } }) },
      });
      const now = JSON.stringify({ mode: 'frozen', now: new Date(start).toISOString() });
      const { port } = running(receiver).address() as AddressInfo;
      const seeded = (): Record<string, string> => {
        if (options.control === false) return {};
        const clock = ['-X', 'PUT', ...json, now, '-o', '/dev/null', url('/_sandbox/clock')];
        const summary = ['--next', '-sS', '-H', `api-key: ${key}`, url('/_sandbox')];
        return JSON.parse(curl(key, ...clock, ...summary).toString()).seeded;
      };
      const caller = callerOf(key, sandbox, call, sent, seeded, `http://127.0.0.1:${port}/${name}`);
      if (expect.getState().currentTestName !== undefined) opened.push(caller);
      return caller;
    },
  };

  async function inject(given: { method?: string; url: string; headers?: object; payload?: unknown }) {
    const { method = 'GET', headers, payload } = given;
    const isObject = typeof payload === 'object' && !Buffer.isBuffer(payload);
    const response = await fetch(url(given.url), {
      method,
      redirect: 'manual',
      headers: { ...(isObject && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && {
        body: (isObject ? JSON.stringify(payload) : payload) as string | Uint8Array<ArrayBuffer>,
      }),
    });
    const rawPayload = Buffer.from(await response.arrayBuffer());
    const body = rawPayload.toString('utf8');
    const read = (): unknown => JSON.parse(body);
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body,
      payload: body,
      rawPayload,
      json: read,
    };
  }
}

/** What the package shows of a thing; whatever else is asked of it is named. */
function lacking<T extends object>(name: string, shown: object): T {
  return new Proxy(shown, {
    get(target, key) {
      if (key in target || typeof key === 'symbol') return Reflect.get(target, key);
      throw new Error(`the package does not show ${name}.${key}: the test looks inside the server`);
    },
  }) as T;
}
