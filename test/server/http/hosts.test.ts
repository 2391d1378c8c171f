/**
 * The host names of the server: on loopback only those of this machine, at every path, so that no web page reaches it
 * by its own domain name. Decision `server-names` in docs/fidelity.md.
 */
import pino from 'pino';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type App, buildApp } from '../../../src/server/app.ts';
import { bodyOf, statusOf, talkTo } from './sockets.ts';
import { type Http, useHttp } from './support.ts';

const KEYS = { 'api-key': 'test_default', 'sd-api-key': 'test_default' };

async function request(
  { app }: Pick<Http, 'app'>,
  method: 'GET' | 'POST' | 'PUT' | 'OPTIONS',
  url: string,
  host: string,
) {
  const { statusCode, body, headers } = await app.server.inject({
    method,
    url,
    headers: { ...KEYS, host },
  });
  const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
  return { status: statusCode, body: isJson ? JSON.parse(body) : body };
}

const OUR_ERROR = {
  error: { code: 'host_foreign', message: expect.stringContaining('SANDBANK_ALLOWED_HOSTS') },
};
const V1_ERROR = { code: 'EC_FORBIDDEN', message: expect.stringContaining('SANDBANK_ALLOWED_HOSTS') };
const V2_ERROR = {
  error: { code: 'ERROR_CODE_FORBIDDEN', message: expect.stringContaining('SANDBANK_ALLOWED_HOSTS') },
};

describe('a server on loopback', () => {
  const http = useHttp({ small: true, allowedHosts: [] });

  it.each([
    ['GET', '/v2/webhook', V2_ERROR],
    ['POST', '/v2/webhook', V2_ERROR],
    ['GET', '/v2/nothing', V2_ERROR],
    ['OPTIONS', '/v2/webhook', V2_ERROR],
    ['OPTIONS', '/v2/card/crd_1/show', V2_ERROR],
    ['GET', '/v1/webhook', V1_ERROR],
    ['GET', '/v1/nothing', V1_ERROR],
    ['OPTIONS', '/v1/card/crd-1/show', V1_ERROR],
    ['GET', '/_sandbox/files/default/doc-1', V1_ERROR],
    ['PUT', '/_sandbox/files/default/doc-1', V1_ERROR],
    ['GET', '/_sandbox/disclosures/default/bus-1', V1_ERROR],
    ['GET', '/_sandbox', OUR_ERROR],
    ['GET', '/_sandbox/nothing', OUR_ERROR],
    ['GET', '/openapi/v2.json', OUR_ERROR],
    ['GET', '/docs/', OUR_ERROR],
    ['GET', '/docs/v2.html', OUR_ERROR],
    ['GET', '/', OUR_ERROR],
    ['GET', '/nothing', OUR_ERROR],
  ] as const)(
    'refuses a foreign host name at %s %s, in the format of that path',
    async (method, url, error) => {
      for (const host of [
        'evil.example',
        'evil.example:4800',
        '192.168.0.10:4800',
        'localhost.evil.example',
      ]) {
        const { status, body } = await request(http, method, url, host);
        expect([host, status]).toEqual([host, 403]);
        expect(body).toMatchObject(error);
      }
      for (const host of ['localhost:4800', '127.0.0.1', '[::1]:4800', 'bank.localhost', 'LOCALHOST.:4800']) {
        expect((await request(http, method, url, host)).status, host).not.toBe(403);
      }
    },
  );

  it('does not change anything for a foreign host name', async () => {
    const caller = http.caller();
    const before = caller.sandbox.store.counts();
    const { statusCode } = await http.app.server.inject({
      method: 'POST',
      url: '/v2/payments/ach/pull',
      headers: { host: 'evil.example', 'api-key': caller.key },
      payload: {
        sub_account_id: caller.seed('sub_account_id'),
        counterparty_id: caller.seed('ach_counterparty_id'),
        amount: '12.34',
      },
    });
    expect(statusCode).toBe(403);
    expect(caller.sandbox.store.counts()).toEqual(before);
  });

  it('accepts health checks with any host name', async () => {
    for (const url of ['/livez', '/readyz']) {
      expect((await request(http, 'GET', url, '10.1.2.3:4800')).status).toBe(200);
    }
  });

  it.each(['<b>', 'a b', 'a:b', 'a:99999', '[::1', '%zz', '{a}', 'a#b', 'a"b'])(
    'refuses %j, which is not a host name, and accepts health checks with it',
    async (host) => {
      const { status, body } = await request(http, 'GET', '/v2/webhook', host);
      expect(status).toBe(403);
      expect(body).toMatchObject(V2_ERROR);
      const { statusCode } = await http.app.server.inject({
        url: '/_sandbox/stream',
        headers: { host, 'x-sandbox-keys': 'test_a,test_b' },
      });
      expect(statusCode).toBe(403);
      for (const url of ['/livez', '/readyz']) {
        expect((await request(http, 'GET', url, host)).status, url).toBe(200);
      }
    },
  );

  it('accepts the host names of the platform without a setting', async () => {
    for (const host of ['api.solidfi.com', 'test-api.solidfi.com:443', 'API.sandbox.solidfi.com']) {
      for (const url of ['/v1/webhook', '/v2/webhook']) {
        expect((await request(http, 'GET', url, host)).status, `${host}${url}`).toBe(200);
      }
    }
    for (const host of ['solidfi.com', 'evil.api.solidfi.com', 'api.solidfi.com.evil.example']) {
      expect((await request(http, 'GET', '/v2/webhook', host)).status, host).toBe(403);
    }
  });
});

describe('a server on loopback with additionally allowed host names', () => {
  const http = useHttp({ small: true, allowedHosts: ['bank.example', '.test.example'] });

  it('accepts them, and no others', async () => {
    const statusAt = async (host: string) => (await request(http, 'GET', '/v2/webhook', host)).status;
    for (const host of [
      'bank.example',
      'Bank.Example:443',
      'test.example',
      'a.b.test.example',
      'localhost',
    ]) {
      expect(await statusAt(host), host).toBe(200);
    }
    for (const host of ['a.bank.example', 'eviltest.example', 'bank.example.evil.example', 'evil.example']) {
      expect(await statusAt(host), host).toBe(403);
    }
  });
});

describe('a server on loopback if * is allowed', () => {
  const http = useHttp({ small: true, allowedHosts: ['*'] });

  it('accepts every host name', async () => {
    expect((await request(http, 'GET', '/v2/webhook', 'evil.example')).status).toBe(200);
  });
});

describe('a server on other addresses', () => {
  const http = useHttp({ small: true });
  const build = async (allowedHosts: readonly string[]): Promise<{ app: App }> => {
    const app = await buildApp({
      registry: http.registry,
      log: pino({ level: 'silent' }),
      version: '0.0.0',
      bodyLimit: 1_048_576,
      control: true,
      hosts: { isLocal: false, allowedHosts },
      strictFields: false,
      strictPersonHeader: false,
    });
    onTestFinished(() => app.stop());
    return { app };
  };

  it('accepts every host name', async () => {
    const server = await build([]);
    expect((await request(server, 'GET', '/v2/webhook', 'host.docker.internal:4800')).status).toBe(200);
  });

  it('accepts only the configured host names, if there are any', async () => {
    const server = await build(['bank.example']);
    expect((await request(server, 'GET', '/v2/webhook', 'bank.example')).status).toBe(200);
    expect((await request(server, 'GET', '/v2/webhook', 'evil.example')).status).toBe(403);
  });
});

describe('on a socket', () => {
  const http = useHttp({ small: true, allowedHosts: [] });
  let url = '';
  beforeAll(async () => {
    url = await http.app.server.listen({ port: 0, host: '127.0.0.1' });
  });
  const statusFor = async (head: string[]): Promise<number> => {
    const { ended } = talkTo(
      url,
      [...head, 'api-key: test_default', 'connection: close', '', ''].join('\r\n'),
    );
    return statusOf((await ended).text);
  };

  it('a request target in absolute form determines the host, whatever the header is', async () => {
    const { host } = new URL(url);
    expect(await statusFor([`GET http://${host}/v2/webhook HTTP/1.1`, 'host: evil.example'])).toBe(200);
    expect(await statusFor(['GET http://evil.example/v2/webhook HTTP/1.1', `host: ${host}`])).toBe(403);
    expect(await statusFor([`GET http://${host} HTTP/1.1`, `host: ${host}`])).toBe(200);
  });

  it("HTTP/1.0 without a Host is accepted, because no browser uses it, and links have the server's address", async () => {
    expect(await statusFor(['GET /v2/webhook HTTP/1.0'])).toBe(200);
    const caller = http.caller();
    const { ended } = talkTo(
      url,
      [
        `POST /v1/person/${caller.seed('person_id')}/document HTTP/1.0`,
        `sd-api-key: ${caller.key}`,
        'content-type: application/json',
        'content-length: 19',
        '',
        '{"name":"Passport"}',
      ].join('\r\n'),
    );
    expect(bodyOf((await ended).text).url).toMatch(new RegExp(`^${url}/_sandbox/files/`));
  });

  it('HTTP/1.1 without a Host is refused', async () => {
    const refused = async (path: string): Promise<unknown> => {
      const { text } = await talkTo(url, `GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`).ended;
      expect(statusOf(text)).toBe(400);
      return bodyOf(text);
    };
    const message = 'a request of HTTP/1.1 requires the header Host';
    expect(await refused('/v2/webhook')).toMatchObject({ status: 400, error: { message } });
    expect(await refused('/v1/webhook')).toMatchObject({ status: 400, message });
    expect(await refused('/_sandbox')).toMatchObject({ error: { message } });
  });
});
