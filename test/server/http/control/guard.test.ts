/**
 * Access to the control plane, by the address of the server, the token, the origin and the host of the call. Both API
 * versions and the files are open to every client, and pages of other origins are never allowed.
 */
import pino from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { isLoopback } from '../../../../src/bank/kernel/loopback.ts';
import { type App, buildApp } from '../../../../src/server/app.ts';
import { useHttp } from '../support.ts';

const TOKEN = 'a-token-of-the-control-plane';
const http = useHttp();
const apps: App[] = [];
afterAll(async () => {
  for (const app of apps) await app.stop();
});

const build = async (options: {
  control?: boolean;
  isLocal?: boolean;
  token?: string | null;
}): Promise<App> => {
  const { control = true, isLocal = true, token = null } = options;
  const app = await buildApp({
    registry: http.registry,
    log: pino({ level: 'silent' }),
    version: '0.0.0',
    bodyLimit: 1_048_576,
    control,
    guard: { token },
    hosts: { isLocal, allowedHosts: [] },
    strictFields: false,
    strictPersonHeader: false,
  });
  apps.push(app);
  return app;
};

async function request(app: App, headers: Record<string, string>, path = '/_sandbox') {
  const { statusCode, headers: answered, body } = await app.server.inject({ url: path, headers });
  for (const name of Object.keys(answered)) expect(name).not.toMatch(/^access-control/);
  if (statusCode === 200) return { status: 200, code: '' };
  const { error, code } = JSON.parse(body) as { error?: { code: string }; code?: string };
  return { status: statusCode, code: error?.code ?? code };
}

const LOCAL = 'localhost:4800';
const CROSS_SITE = { 'sec-fetch-site': 'cross-site' };
const FOLLOWED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

describe('the control plane', () => {
  it.each([
    // local, token, headers, status
    [true, null, { host: LOCAL }, 200, ''],
    [true, null, { host: '127.0.0.1:4800' }, 200, ''],
    [true, null, { host: '127.8.9.10' }, 200, ''],
    [true, null, { host: '[::1]:4800' }, 200, ''],
    [true, null, { host: 'bank.localhost:4800' }, 200, ''],
    [true, null, { host: LOCAL, 'x-control-token': 'whatever' }, 200, ''],
    [true, null, { host: 'evil.example:4800' }, 403, 'host_foreign'],
    [true, null, { host: '192.168.0.10:4800' }, 403, 'host_foreign'],
    [true, null, { host: '127.0.0.1.evil.example' }, 403, 'host_foreign'],
    [true, null, { host: 'localhost.evil.example' }, 403, 'host_foreign'],
    [true, null, { host: 'evillocalhost' }, 403, 'host_foreign'],
    [true, null, { host: LOCAL, origin: 'http://localhost:4800' }, 200, ''],
    [true, null, { host: LOCAL, origin: 'http://localhost:3000' }, 403, 'origin_foreign'],
    [true, null, { host: LOCAL, origin: 'https://localhost:4800' }, 403, 'origin_foreign'],
    [true, null, { host: LOCAL, origin: 'https://evil.example' }, 403, 'origin_foreign'],
    [true, null, { host: LOCAL, origin: 'null' }, 403, 'origin_foreign'],
    // A browser sends no origin with the GET of an image, a script or a frame.
    [
      true,
      null,
      { host: LOCAL, ...CROSS_SITE, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      403,
      'origin_foreign',
    ],
    [
      true,
      null,
      { host: LOCAL, ...CROSS_SITE, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      403,
      'origin_foreign',
    ],
    [true, null, { host: LOCAL, ...CROSS_SITE }, 403, 'origin_foreign'],
    [true, null, { host: LOCAL, ...CROSS_SITE, ...FOLLOWED }, 200, ''],
    [true, null, { host: LOCAL, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, 200, ''],
    [true, null, { host: 'evil.example', origin: 'http://evil.example' }, 403, 'host_foreign'],
    [true, TOKEN, { host: LOCAL }, 401, 'control_token_wrong'],
    [true, TOKEN, { host: LOCAL, 'x-control-token': TOKEN }, 200, ''],
    [true, TOKEN, { host: 'evil.example', 'x-control-token': TOKEN }, 403, 'host_foreign'],
    [false, TOKEN, { host: 'bank.example' }, 401, 'control_token_wrong'],
    [false, TOKEN, { host: 'bank.example', 'x-control-token': '' }, 401, 'control_token_wrong'],
    [false, TOKEN, { host: 'bank.example', 'x-control-token': TOKEN.slice(1) }, 401, 'control_token_wrong'],
    [
      false,
      TOKEN,
      { host: 'bank.example', 'x-control-token': `${TOKEN}${TOKEN}` },
      401,
      'control_token_wrong',
    ],
    [
      false,
      TOKEN,
      { host: 'bank.example', 'x-control-token': TOKEN.toUpperCase() },
      401,
      'control_token_wrong',
    ],
    [false, TOKEN, { host: 'bank.example', 'x-control-token': TOKEN }, 200, ''],
    [false, TOKEN, { host: 'bank.example', 'api-key': 'test_default' }, 401, 'control_token_wrong'],
    [
      false,
      TOKEN,
      { host: 'bank.example', origin: 'http://bank.example', 'x-control-token': TOKEN },
      200,
      '',
    ],
    [
      false,
      TOKEN,
      { host: 'bank.example', origin: 'http://evil.example', 'x-control-token': TOKEN },
      403,
      'origin_foreign',
    ],
  ])('local %j, token %j: %j is %i %s', async (isLocal, token, headers, status, code) => {
    const app = await build({ isLocal, token });
    expect(await request(app, headers)).toEqual({ status, code });
  });

  it('says how to get access', async () => {
    const app = await build({ isLocal: false, token: TOKEN });
    const { body } = await app.server.inject({ url: '/_sandbox' });
    expect(JSON.parse(body).error.hint).toMatch(/x-control-token.*SANDBANK_CONTROL_TOKEN/);
    expect(body).not.toContain(TOKEN);
  });

  it('also protects unknown paths, with every method', async () => {
    const app = await build({ isLocal: false, token: TOKEN });
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'] as const) {
      const { statusCode } = await app.server.inject({ method, url: '/_sandbox/nothing' });
      expect([method, statusCode]).toEqual([method, 401]);
    }
    expect(await request(app, { 'x-control-token': TOKEN }, '/_sandbox/nothing')).toEqual({
      status: 404,
      code: 'path_unknown',
    });
  });

  it('does not protect the two API versions, the files, the documents and the health checks', async () => {
    const app = await build({ isLocal: false, token: TOKEN });
    const headers = { host: 'bank.example', origin: 'https://shop.example' };
    expect((await request(app, { ...headers, 'api-key': 'test_default' }, '/v2/webhook')).status).toBe(200);
    expect(await request(app, headers, '/_sandbox/files/default/doc_1')).toEqual({
      status: 404,
      code: 'EC_DOCUMENT_LINK_NOT_FOUND',
    });
    expect((await request(app, headers, '/openapi/v2.json')).status).toBe(200);
    expect((await request(app, headers, '/livez')).status).toBe(200);
  });

  it('responds to a preflight without CORS headers', async () => {
    const app = await build({});
    for (const url of [
      '/_sandbox',
      '/v2/webhook',
      '/v1/webhook',
      '/livez',
      '/_sandbox/files/default/doc_1',
    ]) {
      const { headers } = await app.server.inject({
        method: 'OPTIONS',
        url,
        headers: {
          host: LOCAL,
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'api-key',
        },
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('without a control plane', () => {
  it('only the files below /_sandbox are available', async () => {
    const app = await build({ control: false });
    for (const path of ['/_sandbox', '/_sandbox/faults', '/_sandbox/requests', '/openapi/sandbox.json']) {
      expect(await request(app, { host: LOCAL }, path)).toEqual({ status: 404, code: 'path_unknown' });
    }
    expect(await request(app, { host: LOCAL }, '/_sandbox/files/default/doc_1')).toEqual({
      status: 404,
      code: 'EC_DOCUMENT_LINK_NOT_FOUND',
    });
    expect((await request(app, { host: LOCAL, 'api-key': 'test_default' }, '/v2/webhook')).status).toBe(200);
  });
});

describe('loopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.255.255.254', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['localhost', true],
    ['LOCALHOST', true],
    ['a.b.localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['128.0.0.1', false],
    ['10.0.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['bank.example', false],
    ['localhost.example', false],
    ['localhost.', true],
    ['127.0.0.1.nip.io', false],
    ['', false],
  ])('%s: %j', (host, is) => {
    expect(isLoopback(host)).toBe(is);
  });
});
