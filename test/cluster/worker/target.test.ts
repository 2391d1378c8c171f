/** The parts of a request's address, as the runtime writes it. */
import { expect, it } from 'vitest';
import { addressOf, pathOf, targetOf } from '../../../src/cluster/worker/target.ts';

it.each([
  ['http://localhost:4800/', '/', '/'],
  ['http://localhost/v2/things?a=1&b=/x', '/v2/things?a=1&b=/x', '/v2/things'],
  ['https://[::1]:4800/v1/card?', '/v1/card?', '/v1/card'],
  ['http://user@bank.example/a%20b//c#part', '/a%20b//c', '/a%20b//c'],
  ['http://bank.example/?a=#?b', '/?a=', '/'],
])('%s has the target %s and the path %s', (url, target, path) => {
  expect(new URL(url).href).toBe(url);
  expect([targetOf(url), pathOf(url)]).toEqual([target, path]);
});

it.each([
  'http://localhost:4800/v2/things?a=1',
  'https://[::1]:4800/',
  'http://bank_1.example/a',
  // No URL, but the runtime accepts them.
  'http://a:b/',
  'http://[::1/',
])('an object gets %s as it is', (url) => {
  expect(addressOf(url)).toBe(url);
});

it.each([
  'http://<b>/v2/things?a=1',
  'http://a b/v2/things?a=1',
  'http://{a}/v2/things?a=1',
  'http://a#b/v2/things?a=1',
  'http://a?b/v2/things?a=1',
  'http://%zz:80/v2/things?a=1',
])('an object gets %s with another host', (url) => {
  expect(addressOf(url)).toBe('http://localhost/v2/things?a=1');
});
