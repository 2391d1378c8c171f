/** The parts of a request's address, as the runtime writes it. */
import { expect, it } from 'vitest';
import { pathOf, targetOf } from '../../src/worker/target.ts';

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
