/**
 * Requests that arrive slowly: the server refuses a request before it reads the body if possible, discards the body
 * of a refused request, sends the response to a client that still sends, and responds with 408, in the format of the
 * interface, if a request does not arrive in time. Decision `late-request` in docs/fidelity.md.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { request as undici } from 'undici';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type App, buildApp } from '../../../src/server/app.ts';
import { bodyOf, statusOf, talkTo } from './sockets.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp({ small: true });
const MEGABYTE = 1_048_576;
const TIMEOUT_MS = 400;
let url = '';
beforeAll(async () => {
  url = await http.app.server.listen({ port: 0, host: '127.0.0.1' });
});

/** The same bank behind a server with short time limits, a token and rate limits. */
async function listen(options: {
  requestTimeoutMs?: number;
  token?: string;
  rates?: 'sandbox';
}): Promise<string> {
  const { requestTimeoutMs, token = null, rates } = options;
  const app: App = await buildApp({
    registry: http.registry,
    log: pino({ level: 'silent' }),
    version: '0.0.0',
    bodyLimit: MEGABYTE,
    control: true,
    guard: { token },
    strictFields: false,
    strictPersonHeader: false,
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(rates !== undefined && { limits: { rates, clock: http.clock } }),
  });
  onTestFinished(() => app.stop());
  return app.server.listen({ port: 0, host: '127.0.0.1' });
}

const head = (line: string, headers: string[] = []): string =>
  [`${line} HTTP/1.1`, `host: ${new URL(url).host}`, ...headers, '', ''].join('\r\n');

const KEY = 'api-key: test_default';
const JSON_TYPE = 'content-type: application/json';
const LONG = `content-length: ${10 * MEGABYTE}`;

async function documentLink(caller: Caller): Promise<string> {
  const made = await caller.v1('POST', `/v1/person/${caller.seed('person_id')}/document`, {
    name: 'Passport',
  });
  const { pathname, search } = new URL(made.id('url'));
  return pathname + search;
}

describe('before its body arrives, a request is refused', () => {
  it.each([
    ['for an unknown key of v2', 'POST /v2/webhook', ['api-key: nobody', JSON_TYPE, LONG], 401],
    ['without a key in v1', 'POST /v1/webhook', [JSON_TYPE, LONG], 401],
    ['at an unknown path of v2', 'POST /v2/nothing', [KEY, JSON_TYPE, 'content-length: 1000'], 404],
    ['at an unknown path of v1', 'POST /v1/nothing', ['sd-api-key: test_default', JSON_TYPE, LONG], 404],
    ['with a method that is not allowed', 'PUT /v2/webhook', [KEY, JSON_TYPE, 'content-length: 1000'], 405],
    ['at an unknown path of the control plane', 'POST /_sandbox/nothing', [JSON_TYPE, LONG], 404],
    ['at any other path', 'POST /nothing', [JSON_TYPE, LONG], 404],
    ['for a body that is too long', 'POST /v2/webhook', [KEY, JSON_TYPE, LONG], 413],
    ['for a body of another type', 'POST /v2/webhook', [KEY, 'content-type: text/plain', LONG], 415],
    [
      'for an image at an operation without one',
      'POST /_sandbox/seed',
      ['content-type: application/x', LONG],
      415,
    ],
    ['for an image that is too long', 'POST /_sandbox/import', ['content-length: 9999999999'], 413],
    ['for an image for an unknown sandbox', 'POST /_sandbox/import', ['api-key: nobody', LONG], 404],
    ['for a file without a link', 'PUT /_sandbox/files/default/doc-1?expires=1&signature=x', [LONG], 404],
    ['with a foreign host name', 'POST /v2/webhook', ['host: evil.example', KEY, JSON_TYPE, LONG], 403],
  ])('%s', async (_, line, headers, status) => {
    const isNamed = headers.some((header) => header.startsWith('host:'));
    const bytes = isNamed ? [`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n') : head(line, headers);
    expect(statusOf(await talkTo(url, bytes).receives('\r\n\r\n'))).toBe(status);
  });

  it('for an expired link', async () => {
    const caller = http.caller();
    const link = await documentLink(caller);
    http.clock.advance(901_000);
    // The clock of another process is moved before the next request of this client.
    await caller.v2('GET', '/v2/webhook');
    expect(statusOf(await talkTo(url, head(`PUT ${link}`, [LONG])).receives('\r\n\r\n'))).toBe(410);
  });

  it('for a wrong control token', async () => {
    const behind = await listen({ token: 'a-token-of-the-control-plane' });
    const bytes = head('POST /_sandbox/import', ['x-control-token: x', LONG]);
    expect(statusOf(await talkTo(behind, bytes).receives('\r\n\r\n'))).toBe(401);
  });

  it('for exceeding the rate limit', async () => {
    const behind = await listen({ rates: 'sandbox' });
    const caller = http.caller();
    const headers = { 'api-key': caller.key };
    await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${behind}/v2/webhook`, { method: 'POST', headers })),
    );
    const bytes = head('POST /v2/webhook', [`api-key: ${caller.key}`, JSON_TYPE, 'content-length: 1000']);
    expect(statusOf(await talkTo(behind, bytes).receives('\r\n\r\n'))).toBe(429);
  });
});

describe('a refused body', () => {
  it('is never buffered, however many there are', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const file = Buffer.alloc(9 * MEGABYTE);
    const talks = Array.from({ length: 40 }, () => {
      const talk = talkTo(url, head('PUT /_sandbox/files/default/doc-1?expires=1', [LONG]));
      talk.socket.write(file);
      return talk;
    });
    await Promise.all(talks.map(({ receives }) => receives('EC_DOCUMENT_LINK_NOT_FOUND')));
    // All of them share the file, and unsent data refer to it.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(120 * MEGABYTE);
  });

  it.each([
    ['without a link', 'PUT', '/_sandbox/files/default/doc-1?expires=1&signature=x', {}, 404],
    ['with an unknown key', 'POST', '/v2/webhook', { 'api-key': 'nobody' }, 401],
    ['at an unknown path', 'POST', '/v2/nothing', { 'api-key': 'test_default' }, 404],
    ['that is too long', 'POST', '/v2/webhook', { 'api-key': 'test_default' }, 413],
    ['of another type', 'POST', '/v2/card/x/show', { 'api-key': 'test_default', 'content-type': 'x/y' }, 405],
    ['of a wrong type', 'POST', '/_sandbox/seed', { 'content-type': 'x/y' }, 415],
  ] as const)(
    '%s does not prevent the client from reading the response',
    async (_, method, path, headers, status) => {
      const body = Buffer.alloc(8 * MEGABYTE, 'x');
      const options = { method, headers: { 'content-type': 'application/json', ...headers }, body };
      for (let round = 0; round < 3; round += 1) {
        expect((await fetch(url + path, options)).status).toBe(status);
        const answer = await undici(url + path, options);
        expect(answer.statusCode).toBe(status);
        expect(await answer.body.json()).toMatchObject({});
      }
    },
  );

  it('in chunks is refused when it is too long, and the client reads the response', async () => {
    const chunk = `${MEGABYTE.toString(16)}\r\n${'x'.repeat(MEGABYTE)}\r\n`;
    const talk = talkTo(url, head('POST /v2/webhook', [KEY, JSON_TYPE, 'transfer-encoding: chunked']));
    for (let sent = 0; sent < 8; sent += 1) talk.socket.write(chunk);
    talk.socket.write('0\r\n\r\n');
    expect(statusOf(await talk.receives('\r\n\r\n'))).toBe(413);
  });

  it('leaves the connection usable for the next request', async () => {
    const talk = talkTo(url, head('POST /v2/webhook', [JSON_TYPE, 'content-length: 5']));
    await talk.receives('401');
    talk.socket.write(`{"a":${head('GET /v2/webhook', [KEY])}`);
    expect(await talk.receives('HTTP/1.1 200')).toContain('HTTP/1.1 401');
  });
});

describe('a request that is not complete in time', () => {
  const drip = async (behind: string, bytes: string) => {
    const talk = talkTo(behind, bytes);
    const timer = setInterval(() => talk.socket.writable && talk.socket.write(' '), 20);
    const { text, ms } = await talk.ended;
    clearInterval(timer);
    expect(ms).toBeGreaterThanOrEqual(TIMEOUT_MS - 20);
    // Not the usual limits of sixty seconds, or of fifteen for the head.
    expect(ms).toBeLessThan(10_000);
    return { status: statusOf(text), body: text === '' ? {} : bodyOf(text) };
  };

  it.each([
    ['v2', 'POST /v2/webhook', [KEY], { error: { code: 'ERROR_CODE_REQUEST_TIMEOUT' }, status: 408 }],
    ['v1', 'POST /v1/webhook', ['sd-api-key: test_default'], { code: 'EC_REQUEST_TIMEOUT', status: 408 }],
    ['the control plane', 'POST /_sandbox/seed', [], { error: { code: 'request_timeout' } }],
  ])('is 408 in the format of %s', async (_, line, headers, body) => {
    const behind = await listen({ requestTimeoutMs: TIMEOUT_MS });
    const answer = await drip(behind, head(line, [...headers, JSON_TYPE, 'content-length: 1000']));
    expect(answer).toMatchObject({ status: 408, body });
  });

  it('is also 408 for a file, in the format of the version of its link', async () => {
    const behind = await listen({ requestTimeoutMs: TIMEOUT_MS });
    const link = await documentLink(http.caller());
    const answer = await drip(behind, head(`PUT ${link}`, ['content-length: 1000']));
    expect(answer).toMatchObject({ status: 408, body: { code: 'EC_REQUEST_TIMEOUT' } });
  });

  it('is 408 if not even its head is complete', async () => {
    const behind = await listen({ requestTimeoutMs: TIMEOUT_MS });
    const answer = await drip(behind, `POST /v2/webhook HTTP/1.1\r\nhost: localhost\r\nx-drip:`);
    expect(answer).toMatchObject({ status: 408, body: { error: { code: 'request_timeout' } } });
  });

  it('is refused before its body arrives, if its head is invalid', async () => {
    const behind = await listen({ requestTimeoutMs: TIMEOUT_MS });
    const answer = await drip(behind, head('POST /v2/webhook', [JSON_TYPE, 'content-length: 1000']));
    expect(answer.status).toBe(401);
  });

  it('does not use up its idempotency key', async () => {
    const behind = await listen({ requestTimeoutMs: TIMEOUT_MS });
    const caller = http.caller();
    const headers = { 'api-key': caller.key, 'idempotency-key': 'one' };
    const bytes = head('POST /v2/webhook', [
      `api-key: ${caller.key}`,
      'idempotency-key: one',
      JSON_TYPE,
      'content-length: 1000',
    ]);
    expect((await drip(behind, bytes)).status).toBe(408);
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['card.created'] });
    const again = await fetch(`${behind}/v2/webhook`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    expect([again.status, await again.text()]).toEqual([201, expect.any(String)]);
  });

  it('is not logged as a slow request', async () => {
    const behind = await listen({ requestTimeoutMs: TIMEOUT_MS });
    const caller = http.caller();
    await caller.v2('POST', '/_sandbox/faults', { latency: { fixed_ms: TIMEOUT_MS * 4 }, times: 1 });
    const answer = await fetch(`${behind}/v2/webhook`, { headers: { 'api-key': caller.key } });
    expect(answer.status).toBe(200);
  });

  it('is not refused if it arrives in pieces but in time', async () => {
    const behind = await listen({ requestTimeoutMs: 10_000 });
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['card.created'] });
    const caller = http.caller();
    const length = `content-length: ${body.length}`;
    const talk = talkTo(behind, head('POST /v2/webhook', [`api-key: ${caller.key}`, JSON_TYPE, length]));
    for (const letter of body) {
      talk.socket.write(letter);
      await pause(1);
    }
    expect(statusOf(await talk.receives('\r\n\r\n'))).toBe(201);
  });
});

describe('a message that is not HTTP', () => {
  it.each([
    ['GARBAGE\r\n\r\n', 400, 'body_unreadable'],
    [
      `GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: x\r\n\r\n', 400, 'body_unreadable'],
  ])('is refused with an error of the server', async (bytes, status, code) => {
    const { text } = await talkTo(url, bytes).ended;
    expect(statusOf(text)).toBe(status);
    expect(bodyOf(text)).toMatchObject({ error: { code } });
  });

  it.each([
    [
      '/v1/person',
      431,
      { code: 'EC_HEADERS_TOO_LARGE', message: expect.any(String), requestId: expect.any(String) },
    ],
    ['/v2/webhook?limit=1', 431, { error: { code: 'ERROR_CODE_HEADERS_TOO_LARGE' } }],
    ['http://localhost/v2/webhook', 431, { error: { code: 'ERROR_CODE_HEADERS_TOO_LARGE' } }],
    ['/v1x', 431, { error: { code: 'headers_too_large' } }],
    ['/v1/person', 400, { code: 'EC_PERSON_INVALID_REQUEST' }],
    ['/v2/webhook', 400, { error: { code: 'ERROR_CODE_INVALID_REQUEST_BODY' } }],
  ])('is refused at %s with %i in the format of its version', async (path, status, body) => {
    const header = status === 431 ? `connection: close\r\nx: ${'x'.repeat(20_000)}` : 'content-length: x';
    const { text } = await talkTo(url, `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n`).ended;
    expect(statusOf(text)).toBe(status);
    expect(bodyOf(text)).toMatchObject(body);
  });
});
