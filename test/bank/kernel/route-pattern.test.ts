/** Patterns of paths match the same texts as a regular expression, in bounded time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routePattern } from '../../../src/bank/kernel/route-pattern.ts';
import { usedMs } from '../../support/processor-time.ts';

/** The pattern as a regular expression: correct, and too slow in some cases. */
function asExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+?^$()|[\]\\]/g, '\\$&')
    .replace(/:\w+|\{\w+\}/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${source}$`, 's');
}

describe('a path pattern', () => {
  it.each([
    ['/v2/card/:card_id', '/v2/card/crd_1', true],
    ['/v2/card/{card_id}', '/v2/card/crd_1', true],
    ['/v2/card/:card_id', '/v2/card/', false],
    ['/v2/card/:card_id', '/v2/card/crd_1/show', false],
    ['/v2/card/:card_id/show', '/v2/card/crd_1/show', true],
    ['/v2/card/crd_:rest', '/v2/card/crd_1', true],
    ['/v2/*', '/v2/', true],
    ['/v2/*', '/v2', false],
    ['*/show', '/v2/card/crd_1/show', true],
    ['/v2/*/show', '/v2/show', false],
    ['*', '', true],
    ['**', '/anything/at/all', true],
    ['/v2/p.yments', '/v2/payments', false],
    ['/v2/(a|b)', '/v2/a', false],
    [':a:b', 'x', false],
    [':a:b', 'xy', true],
  ])('%s and %s: %j', (pattern, path, fits) => {
    expect(routePattern(pattern)(path)).toBe(fits);
    expect(asExpression(pattern).test(path)).toBe(fits);
  });

  it('matches like the equivalent regular expression', () => {
    const pattern = fc
      .array(fc.constantFrom('/', 'a', 'b', '*', ':n', '{n}', '.', '/a'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    const path = fc
      .array(fc.constantFrom('/', 'a', 'b', '.', 'n'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, path, (written, requestPath) => {
        expect(routePattern(written)(requestPath)).toBe(asExpression(written).test(requestPath));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes no longer for a pattern with backtracking', () => {
    const path = `/v2/${'a'.repeat(16_000)}`;
    const before = usedMs();
    for (const pattern of [
      `${'*a'.repeat(99)}*b`,
      `*${'a'.repeat(198)}b`,
      `${':n'.repeat(99)}-b`,
      `${'*:n'.repeat(60)}-b`,
    ]) {
      expect(routePattern(pattern)(path)).toBe(false);
    }
    expect(usedMs() - before).toBeLessThan(5000);
  });
});
