/**
 * Amounts without cents in bodies of v1, `"200"` for 200.00: of every operation, at every place. Decision
 * `value-strictness` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { MONEY_PATTERN } from '../../../src/bank/kernel/money.ts';
import { prepareCase, WITH_BODY } from './cases.ts';
import { useHttp } from './support.ts';

const http = useHttp();
const V1 = WITH_BODY.filter(({ apiVersion }) => apiVersion === 'v1');
const AMOUNT_TEXT = /"\d+\.\d\d"/;
const AMOUNT = /^(\d+)\.\d\d$/;

/**
 * The body with every amount in whole dollars, and the expected field of each in the response, by its path.
 */
function inWholeDollars(
  value: unknown,
  path = '',
): [whole: unknown, shown: [path: string, amount: string][]] {
  if (typeof value === 'string') {
    const [, dollars] = AMOUNT.exec(value) ?? [];
    if (dollars === undefined) return [value, []];
    const whole = dollars === '0' ? '1' : dollars;
    return [whole, [[path, `${whole}.00`]]];
  }
  if (value === null || typeof value !== 'object') return [value, []];
  const parts = Object.entries(value).map(
    ([name, inner]) => [name, ...inWholeDollars(inner, path === '' ? name : `${path}.${name}`)] as const,
  );
  const whole = Object.fromEntries(parts.map(([name, part]) => [name, part]));
  return [Array.isArray(value) ? Object.values(whole) : whole, parts.flatMap(([, , shown]) => shown)];
}

const WITH_AMOUNTS = V1.filter((entry) => {
  const { body } = entry.operation.example ?? {};
  return AMOUNT_TEXT.test(JSON.stringify(typeof body === 'function' ? body({ seed: () => 'x' }) : body));
});

describe('an amount in whole dollars', () => {
  it.each(WITH_AMOUNTS.map((entry) => [entry.title, entry] as const))(
    'is accepted by %s',
    async (_, entry) => {
      const caller = http.caller();
      const { path, body, headers } = prepareCase(caller, entry);
      const [whole, shown] = inWholeDollars(body);
      const answer = await caller.v1(entry.operation.method, path, whole, headers);
      expect(answer.status, answer.text).toBeLessThan(300);
      for (const [place, amount] of shown)
        expect([place, answer.at(place) ?? amount]).toEqual([place, amount]);
    },
  );

  it('is accepted by every schema of a body of v1, and refused by those of v2', () => {
    const strict = WITH_BODY.filter(({ operation }) =>
      JSON.stringify(operation.body).includes(JSON.stringify(MONEY_PATTERN)),
    );
    expect(strict.filter(({ apiVersion }) => apiVersion === 'v1').map(({ name }) => name)).toEqual([]);
    expect(strict.length).toBeGreaterThan(10);
    expect(WITH_AMOUNTS.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'PATCH /v1/account/:accountId',
        'PATCH /v1/business/:businessId/projection',
        'POST /v1/batch/intrabank',
        'POST /v1/card',
        'POST /v1/card/:cardId/test',
        'POST /v1/send/ach',
      ]),
    );
  });
});
