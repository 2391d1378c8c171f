// The decisions of delivery chaos: the same seed affects the same deliveries, independent of other settings, and only
// the counts decide which.

import { describe, expect, test } from 'vitest';
import { CHAOS_KINDS, type ChaosSetting, createChaos } from '../../../src/bank/delivery/chaos.ts';

const chaos = (setting: Partial<ChaosSetting>) =>
  createChaos({ on: {}, delayMs: 30_000, shuffleSize: 0, seed: 'seed', ...setting });
const upTo = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
/** The affected ones of this many deliveries. */
const decided = (setting: Partial<ChaosSetting>, count = 12) => {
  const { decide } = chaos(setting);
  return upTo(count).filter((seq) => decide(seq).kinds.length > 0);
};

describe('chaos for single deliveries', () => {
  test('has no effect without settings', () => {
    expect(chaos({}).decide(1)).toEqual({ kinds: [], delayMs: null });
  });

  test.each(CHAOS_KINDS)('applies %s to every delivery without conditions', (kind) => {
    const { decide, hits } = chaos({ on: { [kind]: {} } });
    for (const seq of upTo(5))
      expect(decide(seq)).toEqual({ kinds: [kind], delayMs: kind === 'delay' ? 30_000 : null });
    expect(hits()).toMatchObject({ [kind]: 5 });
  });

  test.each([
    [{ times: 2 }, [1, 2]],
    [{ every: 3 }, [3, 6, 9, 12]],
    [{ skipFirst: 10 }, [11, 12]],
    [{ skipFirst: 1, every: 4 }, [5, 9]],
    [{ skipFirst: 2, every: 2, times: 3 }, [4, 6, 8]],
    [{ probability: 0 }, []],
    [{ probability: 1 }, upTo(12)],
  ])('applies to the deliveries that %j selects', (frequency, expected) => {
    expect(decided({ on: { duplicate: frequency } })).toEqual(expected);
  });

  test.each(CHAOS_KINDS)('applies %s randomly and reproducibly by the seed', (kind) => {
    const setting = { on: { [kind]: { probability: 0.4 } } };
    const once = decided(setting, 200);
    expect(decided(setting, 200)).toEqual(once);
    expect(once.length).toBeGreaterThan(50);
    expect(once.length).toBeLessThan(110);
    expect(decided({ ...setting, seed: 'another' }, 200)).not.toEqual(once);
  });

  test('applies each effect independently of the others', () => {
    const alone = chaos({ on: { duplicate: { probability: 0.5 } } });
    const combined = chaos({ on: { duplicate: { probability: 0.5 }, bad_signature: { probability: 0.3 } } });
    for (const seq of upTo(100))
      expect(combined.decide(seq).kinds.includes('duplicate')).toBe(alone.decide(seq).kinds.length > 0);
  });

  test('counts deliveries in the order of their arrival, not by their numbers', () => {
    const { decide } = chaos({ on: { drop: { every: 2 } } });
    expect([7, 40, 41, 90].filter((seq) => decide(seq).kinds.length > 0)).toEqual([40, 90]);
  });

  test('repeats the decision for a delivery that is asked for again, and counts it once', () => {
    const { decide, hits } = chaos({ on: { drop: { times: 1 } } });
    expect(decide(1)).toEqual(decide(1));
    expect(decide(2).kinds).toEqual([]);
    expect(hits().drop).toBe(1);
  });

  test('applies no other effect to a dropped delivery', () => {
    expect(chaos({ on: { drop: {}, delay: {}, duplicate: {} } }).decide(1)).toEqual({
      kinds: ['drop'],
      delayMs: null,
    });
  });

  test('applies the other effects to a delayed delivery when it is sent', () => {
    const { decide, decideDelayed } = chaos({
      on: { delay: { times: 1 }, duplicate: {}, bad_signature: {} },
    });
    expect(decideDelayed(1)).toBeUndefined();
    expect(decide(1)).toEqual({ kinds: ['delay'], delayMs: 30_000 });
    expect(decideDelayed(1)).toEqual({ kinds: ['duplicate', 'bad_signature'], delayMs: null });
    expect(decide(2).kinds).toEqual(['duplicate', 'bad_signature']);
    expect(decideDelayed(2)).toBeUndefined();
  });
});

describe('the order of first attempts', () => {
  /** The order in which `count` waiting deliveries are sent. */
  const order = (setting: Partial<ChaosSetting>, count: number) => {
    const { next, setting: whole } = chaos(setting);
    let waiting = upTo(count);
    const sent: number[] = [];
    for (;;) {
      const seq = next(waiting.slice(0, whole.shuffleSize), true);
      if (seq === undefined) return sent;
      sent.push(seq);
      waiting = waiting.filter((other) => other !== seq);
    }
  };

  test.each([2, 3, 5])('changes only within windows of %i', (shuffleSize) => {
    const sent = order({ shuffleSize }, 30);
    for (let from = 0; from < sent.length; from += shuffleSize) {
      const window = sent.slice(from, from + shuffleSize);
      const inOrder = upTo(30).slice(from, from + shuffleSize);
      expect(window).not.toEqual(inOrder);
      expect(window.toSorted((one, other) => one - other)).toEqual(inOrder);
    }
  });

  test('is the same for the same seed, and different for another one', () => {
    const once = order({ shuffleSize: 5 }, 25);
    expect(order({ shuffleSize: 5 }, 25)).toEqual(once);
    expect(order({ shuffleSize: 5, seed: 'another' }, 25)).not.toEqual(once);
  });

  test('waits for a full window, unless it is flushed', () => {
    const { next } = chaos({ shuffleSize: 3 });
    expect(next([1, 2], false)).toBeUndefined();
    expect(next([], true)).toBeUndefined();
    const first = next([1, 2], true);
    expect([1, 2]).toContain(first);
    const rest = [1, 2].filter((seq) => seq !== first);
    expect(next([...rest, 3], false)).toBe(rest[0]);
  });

  test('continues with the rest of a window if some deliveries were dropped', () => {
    const { next } = chaos({ shuffleSize: 3 });
    next([1, 2, 3], false);
    expect(next([2, 7, 8], false)).toBe(2);
  });
});
