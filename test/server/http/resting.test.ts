// A sandbox that rests before every request returns the same bytes as one that never rests, for every operation of
// both versions.

import { expect, test } from 'vitest';
import { seededIds } from '../../../src/sandboxes/control/summary.ts';
import { CASES, type Case, prepareExample } from './cases.ts';

import { type Http, useHttp } from './support.ts';

const KEY = 'test_same';
const awake = useHttp();
const resting = useHttp();

/** The response of an operation to its example, after `prepare`. */
async function answerOf(http: Http, { operation, apiVersion }: Case, prepare?: () => void): Promise<string> {
  const sandbox = http.registry.byKey(KEY);
  if (sandbox === undefined) throw new Error(`${KEY} opens no sandbox`);
  const seeded = seededIds(sandbox);
  const { path, body, form, headers } = prepareExample(operation, (name) => seeded[name] ?? '');
  prepare?.();
  const answer = await http.call(operation.method, path, {
    body: form ?? body,
    headers: { [apiVersion === 'v1' ? 'sd-api-key' : 'api-key']: KEY, ...headers },
  });
  return `${answer.status} ${answer.text}`;
}

test('a bank that rests between requests has the same responses on every operation', async () => {
  let rested = 0;
  const rest = (): void => {
    const sandbox = resting.registry.byKey(KEY);
    // A sandbox with due work does not rest.
    if (sandbox?.rest(-1) !== undefined) rested += 1;
  };
  for (const entry of CASES) {
    const expected = await answerOf(awake, entry);
    expect(await answerOf(resting, entry, rest), entry.name).toBe(expected);
  }
  expect(rested).toBeGreaterThan(CASES.length * 0.9);
  const [one, other] = [awake, resting].map((http) => http.registry.byKey(KEY)?.audit());
  expect(other).toEqual(one);
});
