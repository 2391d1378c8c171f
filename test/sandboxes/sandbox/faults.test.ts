/** The fault that applies to a request: it depends only on the list, the request, the clock and a seed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSequence } from '../../../src/bank/kernel/sequence.ts';
import {
  type FaultMatch,
  type FaultRequest,
  Faults,
  type Latency,
  LONGEST_LATENCY_MS,
  randomLatency,
} from '../../../src/sandboxes/sandbox/faults.ts';

const PULL: FaultRequest = {
  method: 'POST',
  path: '/v2/payments/ach/pull',
  operation: 'v2_originate_ach_pull',
};
const CARD: FaultRequest = { method: 'GET', path: '/v2/issuing/card/crd_1', operation: 'v2_retrieve_card' };

function open() {
  let now = 1000;
  const faults = new Faults('seed', () => now);
  return {
    faults,
    at: (instant: number) => {
      now = instant;
    },
  };
}

describe('a fault', () => {
  it.each<[FaultMatch, boolean, boolean]>([
    [{}, true, true],
    [{ method: 'POST' }, true, false],
    [{ operation: 'v2_retrieve_card' }, false, true],
    [{ route: '/v2/issuing/card/:card_id' }, false, true],
    [{ route: '/v2/issuing/card/{card_id}' }, false, true],
    [{ route: '/v2/issuing/card' }, false, false],
    [{ route: '/v2/issuing/card/crd_1' }, false, true],
    [{ route: '/v2/*' }, true, true],
    [{ route: '/v2/payments/*' }, true, false],
    [{ route: '/v2/p.yments/ach/pull' }, false, false],
    [{ route: '/v2/payments/*', method: 'GET' }, false, false],
    [{ route: '*', method: 'GET', operation: 'v2_retrieve_card' }, false, true],
  ])('that matches %j strikes a pull: %j, a card: %j', (match, hitsPull, hitsCard) => {
    const { faults } = open();
    faults.add({ match, when: 'before', error: { status: 500 } });
    expect(faults.hit(PULL) !== null).toBe(hitsPull);
    expect(faults.hit(CARD) !== null).toBe(hitsCard);
  });

  it('that applies to a request hides it from later faults; one that does not apply does not', () => {
    const { faults } = open();
    const first = faults.add({ match: {}, when: 'before', error: { status: 500 }, every: 2 });
    const second = faults.add({ match: {}, when: 'before', error: { status: 503 } });
    expect([1, 2, 3, 4].map(() => faults.hit(PULL)?.fault.id)).toEqual(['flt_2', 'flt_1', 'flt_2', 'flt_1']);
    expect([first.seen, first.hits, second.seen, second.hits]).toEqual([4, 2, 2, 2]);
  });

  it('ends after its maximum count or its time, and stays ended when the clock is set back', () => {
    const { faults, at } = open();
    faults.add({ match: {}, when: 'before', error: { status: 500 }, times: 1 });
    faults.add({ match: {}, when: 'before', error: { status: 503 }, ttlMs: 500 });
    expect(faults.hit(PULL)?.fault.id).toBe('flt_1');
    at(1499);
    expect(faults.hit(PULL)?.fault.id).toBe('flt_2');
    expect(faults.active).toBe(true);
    at(1500);
    expect(faults.hit(PULL)).toBeNull();
    expect(faults.active).toBe(false);
    at(1000);
    expect(faults.hit(PULL)).toBeNull();
    expect(faults.list().map(({ over, hits }) => [over, hits])).toEqual([
      [true, 1],
      [true, 1],
    ]);
  });

  it('can be removed, and its id is not used again in the same bank', () => {
    const { faults } = open();
    const add = () => faults.add({ match: {}, when: 'before', error: { status: 500 } }).id;
    expect(faults.active).toBe(false);
    expect([add(), add()]).toEqual(['flt_1', 'flt_2']);
    expect(faults.remove('flt_1')).toBe(true);
    expect(faults.remove('flt_1')).toBe(false);
    expect(faults.active).toBe(true);
    faults.clear();
    expect(faults.active).toBe(false);
    expect(add()).toBe('flt_3');
    faults.restart();
    expect(faults.active).toBe(false);
    expect(add()).toBe('flt_1');
  });

  it('applies to the same requests with the same seed, whatever other faults exist', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, probability) => {
        const run = (others: number) => {
          const { faults } = open();
          for (let other = 0; other < others; other += 1) {
            faults.add({ match: { method: 'PUT' }, when: 'before', error: { status: 500 } });
          }
          faults.add({ match: {}, when: 'before', error: { status: 500 }, probability, seed });
          return Array.from({ length: 50 }, () => faults.hit(PULL) !== null);
        };
        expect(run(0)).toEqual(run(0));
        expect(run(2)).toEqual(run(0));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a latency', () => {
  const drawAll = (latency: Latency, count = 4000) => {
    const { fraction } = createSequence('latency');
    return Array.from({ length: count }, () => randomLatency(latency, fraction)).sort((a, b) => a - b);
  };

  it('with a fixed value has that value', () => {
    expect(drawAll({ kind: 'fixed', ms: 40 }, 3)).toEqual([40, 40, 40]);
  });

  it('with a range stays in it and covers it', () => {
    const drawn = drawAll({ kind: 'even', minMs: 10, maxMs: 20 });
    expect(drawn[0]).toBe(10);
    expect(drawn.at(-1)).toBe(20);
    expect(drawn[2000]).toBe(15);
  });

  it('with a log-normal distribution has its median, its spread and a maximum', () => {
    const drawn = drawAll({ kind: 'log_normal', medianMs: 100, sigma: 0.5 });
    expect(Math.abs((drawn[2000] ?? 0) - 100)).toBeLessThan(5);
    // One standard deviation above the median: 84.13 % lie below.
    expect(Math.abs((drawn[3365] ?? 0) - 100 * Math.exp(0.5))).toBeLessThan(10);
    expect(drawAll({ kind: 'log_normal', medianMs: LONGEST_LATENCY_MS, sigma: 10 }).at(-1)).toBe(
      LONGEST_LATENCY_MS,
    );
  });
});
