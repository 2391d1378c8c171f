/**
 * The calls that a page of another origin may make: a browser sends a preflight request, and lets the page read a
 * response only if its headers allow it. Decision `cross-origin` in docs/fidelity.md; a real browser does the same in
 * test/long.
 */
import { describe, expect, it } from 'vitest';
import { CONTROL_OPERATIONS } from '../../../src/sandboxes/control/index.ts';
import { CASES, type Case, prepareCase, send } from './cases.ts';
import { digestOf } from './digest.ts';
import { type Answer, type Caller, type Method, useHttp } from './support.ts';

const http = useHttp({ bodyLimit: 10_000 });

const PAGE = { origin: 'https://pages.example' };
const OPEN = CASES.filter(({ operation }) => operation.tokenHeader !== undefined);
const SHUT = CASES.filter(({ operation }) => operation.tokenHeader === undefined);
const named = (entries: readonly Case[]) => entries.map((entry) => [entry.title, entry] as const);

const request = (path: string, method: string, headers = '', more: Record<string, string> = {}) =>
  http.call('OPTIONS' as Method, path, {
    headers: {
      ...PAGE,
      'access-control-request-method': method,
      'access-control-request-headers': headers,
      ...more,
    },
  });
/** The headers of a response that a browser evaluates. */
const allowedBy = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, x-sandbox-hint',
};

/** The request of a page: only the token, from its own origin. */
async function sendFromPage(caller: Caller, entry: Case, changes: { body?: unknown; token?: string } = {}) {
  const { path, body, headers } = prepareCase(caller, entry);
  const { method, tokenHeader = '' } = entry.operation;
  return http.call(method, path, {
    body: 'body' in changes ? changes.body : body,
    headers: { ...PAGE, [tokenHeader]: changes.token ?? headers[tokenHeader] },
  });
}

describe('an operation that a page may call', () => {
  it('accepts a token, and exists under both prefixes', () => {
    expect(OPEN.map(({ name }) => name).sort()).toEqual([
      'GET /v1/card/:cardId/show',
      'GET /v2/card/:cardId/show',
      'GET /v2/issuing/card/:card_id/show',
      'PATCH /v1/contact/:contactId/debitcard',
      'PATCH /v2/contact/:contactId/debitcard',
      'POST /v1/card/:cardId/pin',
      'POST /v1/contact/:contactId/debitcard',
      'POST /v2/card/:cardId/pin',
      'POST /v2/contact/:contactId/debitcard',
    ]);
  });

  it.each([
    ['/v2/issuing/card/x/show', 'GET', 'show-token'],
    ['/v1/card/x/show', 'GET', 'sd-show-token'],
    ['/v2/card/x/show', 'GET', 'sd-show-token'],
    ['/v1/card/x/pin', 'POST', 'sd-pin-token'],
    ['/v2/card/x/pin', 'POST', 'sd-pin-token'],
    ['/v1/contact/x/debitcard', 'PATCH, POST', 'sd-debitcard-token'],
    ['/v2/contact/x/debitcard', 'PATCH, POST', 'sd-debitcard-token'],
  ])('%s: the preflight response allows %s and %s, without a key', async (path, methods, header) => {
    const [method = ''] = methods.split(', ');
    const answer = await request(path, method, `content-type,${header}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.allow).toBe(methods);
    expect(allowedBy(answer)).toEqual({
      ...READABLE,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': `${header}, content-type`,
    });
    expect(answer.headers['x-request-id']).toBeUndefined();
    // It does not allow a page to send more, whatever it requests.
    const more = await request(path, 'DELETE', 'api-key,sd-api-key', { 'api-key': 'test_default' });
    expect(allowedBy(more)).toEqual(allowedBy(answer));
  });

  it.each(named(OPEN))('%s: a page reads the response, with the token alone', async (_, entry) => {
    const answer = await sendFromPage(http.caller(), entry);
    expect([answer.status, answer.text]).toEqual([entry.operation.status, answer.text]);
    expect(allowedBy(answer)).toEqual(READABLE);
    expect(answer.headers['x-request-id']).toMatch(/^req[_-]/);
  });

  it.each(named(OPEN))('%s: a page reads the reason of a refusal', async (_, entry) => {
    const caller = http.caller();
    const { method, tokenHeader = '', path } = entry.operation;
    const { headers, ...prepared } = prepareCase(caller, entry);
    const sent = { ...prepared, headers: { ...PAGE, ...headers } };
    const token = headers[tokenHeader];
    const refusals: [number, Answer][] = [
      [401, await sendFromPage(caller, entry, { token: '' })],
      [401, await sendFromPage(caller, entry, { token: 'x' })],
      [404, await send(caller, entry.operation, { ...sent, path: path.replace(/:\w+/, 'x') })],
    ];
    if (method !== 'GET') {
      const type = { [tokenHeader]: token, 'content-type': 'text/plain' };
      refusals.push(
        [400, await sendFromPage(caller, entry, { body: {} })],
        [400, await sendFromPage(caller, entry, { body: '{' })],
        [413, await sendFromPage(caller, entry, { body: { pin: 'x'.repeat(10_001) } })],
        [415, await http.call(method, sent.path, { body: 'x', headers: { ...PAGE, ...type } })],
      );
    }
    // After the token has expired.
    await caller.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2100-01-01T00:00:00Z' });
    refusals.push([401, await http.call(method, sent.path, { body: sent.body, headers: sent.headers })]);
    expect(refusals.map(([, { status }]) => status)).toEqual(refusals.map(([status]) => status));
    for (const [, answer] of refusals) {
      expect(answer.text).toContain(entry.apiVersion === 'v1' ? '"EC_' : '"ERROR_CODE_');
      expect(allowedBy(answer)).toEqual(READABLE);
    }
  });

  it('can be read by a page if a fault causes an error', async () => {
    const caller = http.caller();
    const [entry] = OPEN;
    if (entry === undefined) throw new Error('no operation is opened by a token');
    await caller.v2('POST', '/_sandbox/faults', {
      error: { status: 503 },
      match: { operation: entry.operation.id },
    });
    const answer = await sendFromPage(caller, entry);
    expect(answer.status).toBe(503);
    expect(allowedBy(answer)).toEqual(READABLE);
  });

  it('does not change the bank in a preflight request', async () => {
    const caller = http.caller();
    const before = [digestOf(caller.sandbox), digestOf(http.registry.default())];
    for (const { operation } of OPEN) {
      await request(operation.path.replace(/:\w+/, caller.seed('card_id')), operation.method);
    }
    expect([digestOf(caller.sandbox), digestOf(http.registry.default())]).toEqual(before);
    expect((await caller.v2('GET', '/_sandbox/requests')).at('requests')).toEqual([]);
  });
});

describe('any other operation', () => {
  it.each(named(SHUT))('%s: is neither called nor read by a page', async (_, { operation }) => {
    const path = operation.path.replace(/:\w+/g, 'x');
    const key = { 'api-key': 'test_default', 'sd-api-key': 'test_default' };
    for (const headers of [{}, key]) {
      const requested = await request(path, operation.method, 'api-key', headers);
      expect([401, 405]).toContain(requested.status);
      expect(allowedBy(requested)).toEqual({});
    }
    const read = await http.call('GET', path, { headers: { ...PAGE, ...key } });
    expect(allowedBy(read)).toEqual({});
  });

  it.each([
    '/',
    '/livez',
    '/readyz',
    '/docs',
    '/docs/',
    '/openapi/v2.json',
    '/openapi/v1.json',
    '/openapi/sandbox.json',
    '/_sandbox/file/x',
    '/_sandbox/disclosure/x',
    '/v1/card/x',
    '/v1/card/x/show/more',
    '/v2/card',
    '/v2/card/x',
    '/v2/contact/x',
    '/v2/issuing/card/x/show_token',
  ])('%s: is neither called nor read by a page', async (path) => {
    for (const method of ['GET', 'OPTIONS'] as Method[]) {
      const headers = { ...PAGE, 'access-control-request-method': 'GET', 'api-key': 'test_default' };
      const answer = await http.call(method, path, { headers });
      expect(allowedBy(answer)).toEqual({});
      if (method !== 'GET') expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  it.each(CONTROL_OPERATIONS.map(({ id, method, path }) => [id, method, path] as const))(
    '%s of the control plane is refused to a page',
    async (_, method, path) => {
      const url = path.replace(/:\w+/g, 'x');
      const answers = [
        await http.call(method, url, { headers: { ...PAGE, 'api-key': 'test_default' } }),
        await request(url, method),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, expect.any(Number)]);
      for (const answer of answers) {
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(allowedBy(answer)).toEqual({});
      }
    },
  );
});
