/** A path may end with a slash, as on some pages of the platform; nothing else about a path is tolerant. */
import { describe, expect, it } from 'vitest';
import { CASES, prepareCase, send } from './cases.ts';
import { useHttp } from './support.ts';

const http = useHttp();

/** With a slash at the end of the path, before the query. */
const withSlash = (path: string): string => path.replace(/\?|$/, (end) => `/${end}`);

const EACH = CASES.map((entry) => [entry.title, entry] as const);

describe('a path with a trailing slash', () => {
  it.each(EACH)('%s: is the same operation', async (_, entry) => {
    const caller = http.caller();
    const { path, ...rest } = prepareCase(caller, entry);
    const answer = await send(caller, entry.operation, { ...rest, path: withSlash(path), body: rest.body });
    expect(answer.status, answer.text).toBe(entry.operation.status);
    const { body } = await http.call('GET', '/_sandbox/requests', { headers: { 'api-key': caller.key } });
    expect(body).toMatchObject({ requests: [{ operation: entry.operation.id }] });
  });

  it('is the same request under an idempotency key', async () => {
    const caller = http.caller();
    const make = (path: string) =>
      caller.v2(
        'POST',
        path,
        { url: 'http://a.example', events: ['card.created'] },
        { 'idempotency-key': 'k' },
      );
    const first = await make('/v2/webhook');
    const again = await make('/v2/webhook/');
    expect(again.text).toBe(first.text);
    expect(again.headers['x-sandbox-hint']).toBeUndefined();
  });

  it('has the faults and the access control of its operation', async () => {
    const caller = http.caller();
    await caller.v2('POST', '/_sandbox/faults/', { match: { route: '/v1/account' }, error: { status: 503 } });
    expect((await caller.v1('GET', '/v1/account/')).status).toBe(503);
  });

  it('keeps 405 with `allow`, 404 and HEAD', async () => {
    const caller = http.caller();
    const wrong = await caller.v2('PUT', '/v2/webhook/');
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST, GET']);
    expect((await caller.v1('GET', '/v1/nowhere/')).status).toBe(404);
    const headers = { 'api-key': caller.key };
    const [head, plain] = await Promise.all(
      ['/v2/webhook/', '/v2/webhook'].map((url) => http.app.server.inject({ method: 'HEAD', url, headers })),
    );
    expect([head?.statusCode, head?.body]).toEqual([plain?.statusCode, '']);
  });

  it.each([
    '/v1/',
    '/v2/',
    '/v2/webhook//',
    '/v1//webhook',
    '/v1/webhook/%2F',
    '/v2/Webhook/',
    '/v1/account//',
    '/nothing/',
  ])('%s is 404', async (path) => {
    const caller = http.caller();
    const call = path.startsWith('/v1') ? caller.v1 : caller.v2;
    expect((await call('GET', path)).status).toBe(404);
  });

  it('is also accepted in the control plane', async () => {
    const caller = http.caller();
    expect((await caller.v2('GET', '/_sandbox/clock/')).status).toBe(200);
    expect((await caller.v2('GET', '/_sandbox/requests/?limit=1')).status).toBe(200);
  });
});
