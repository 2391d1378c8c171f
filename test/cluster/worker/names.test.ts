/** The sandbox that a request addresses, before any sandbox is open. */
import { expect, test } from 'vitest';
import { addressedBy } from '../../../src/cluster/worker/names.ts';

const of = (path: string, headers: Record<string, string> = {}, body?: string) =>
  addressedBy(
    new Request(`http://bank.example${path}`, {
      headers,
      ...(body !== undefined && { method: 'POST', body }),
    }),
  );

test.each([
  ['the key of v2', '/v2/card', { 'api-key': 'test_alice' }, 'alice'],
  ['the key of v1', '/v1/card', { 'sd-api-key': 'test_alice' }, 'alice'],
  ['the token of a user of v1', '/v1/card', { authorization: 'Bearer test_alice:per-1' }, 'alice'],
  ['the key of a control-plane call', '/_sandbox/clock', { 'api-key': 'test_alice' }, 'alice'],
  ['a link to a file', '/_sandbox/files/alice/doc-1?signature=1', { 'api-key': 'test_bob' }, 'alice'],
  ['the page of a check', '/_sandbox/checks/alice/per-1/idv-1', {}, 'alice'],
  ['the sandbox to delete', '/_sandbox/sandboxes/alice', { 'api-key': 'test_bob' }, 'alice'],
])('%s names it', async (_, path, headers, name) => {
  expect(await of(path, headers as Record<string, string>)).toEqual({ name });
});

test.each([
  ['no key', '/v2/card', {}],
  ['the key of the other version', '/v2/card', { 'sd-api-key': 'test_alice' }],
  ['an empty key', '/v2/card', { 'api-key': 'live_alice' }],
  ['a path that cannot be decoded', '/_sandbox/sandboxes/%zz', {}],
  ['a page', '/docs/', {}],
])('%s goes to the default one, which refuses invalid requests', async (_, path, headers) => {
  expect(await of(path, headers as Record<string, string>)).toEqual({ name: 'default' });
});

test('a new sandbox is named in the body, which can still be read', async () => {
  const body = '{"name":"alice"}';
  const request = new Request('http://bank.example/_sandbox/sandboxes', { method: 'POST', body });
  expect(await addressedBy(request)).toEqual({ name: 'alice' });
  expect(await request.text()).toBe(body);
  expect(await of('/_sandbox/sandboxes', {}, 'no JSON')).toEqual({ name: 'default' });
});

test('a token without a key is looked up by its mark', async () => {
  expect(await of('/v1/card/crd-1/show', { 'sd-show-token': 'card_show_test_1' })).toEqual({
    token: 'card_show_test_1',
  });
});
