/** The nearest served operation to a path that is not served. */
import { expect, test } from 'vitest';
import { createNearestPath } from '../../../src/server/http/nearest-path.ts';

const nearestTo = createNearestPath([
  { method: 'GET', path: '/v2/card' },
  { method: 'POST', path: '/v2/cart' },
  { method: 'GET', path: '/v2/cart/:cart_id' },
]);

test.each([
  ['GET', '/v2/carx', 'GET /v2/card'],
  ['POST', '/v2/carx', 'POST /v2/cart'],
  ['DELETE', '/v2/cart', 'POST /v2/cart'],
  ['GET', '/v2/crt/17', 'GET /v2/cart/{cart_id}'],
])('of %s %s is %s', (method, path, nearest) => {
  expect(nearestTo({ method, path })).toBe(`the nearest operation is ${nearest}`);
});
