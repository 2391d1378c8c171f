/** Long responses of the control plane, long lists and the files of the inspector are compressed if the client accepts it. */
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { useHttp } from './support.ts';

const http = useHttp({ small: true });
const get = (url: string, encoding?: string) =>
  http.app.server.inject({
    url,
    headers: { 'api-key': 'test_default', ...(encoding !== undefined && { 'accept-encoding': encoding }) },
  });

it.each(['/_sandbox/rails', '/_sandbox/events?limit=1000', '/v2/payments/transaction?limit=100'])(
  '%s is compressed, with the same content',
  async (url) => {
    const plain = await get(url);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.rawPayload.length).toBeGreaterThan(8 * 1024);
    const packed = await get(url, 'gzip, deflate');
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(plain.json());
  },
);

it.each([
  ['short', '/_sandbox/clock', 'gzip'],
  ['of a list', '/v2/payments/transaction?limit=1', 'gzip'],
  ['for a client without compression', '/_sandbox/rails', 'br'],
])('a response is not compressed: %s', async (_, url, encoding) => {
  const { statusCode, headers } = await get(url, encoding);
  expect([statusCode, headers['content-encoding']]).toEqual([200, undefined]);
});

it('the script of the inspector is compressed', async () => {
  const { body } = await get('/_sandbox/ui');
  const [, script = ''] = /src="([^"]+\.js)"/.exec(body) ?? [];
  const plain = await get(script);
  const packed = await get(script, 'gzip');
  expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
});
