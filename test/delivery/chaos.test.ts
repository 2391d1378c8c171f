// The decisions of delivery chaos: the same seed affects the same deliveries, independent of other settings, and only
// the counts decide which.

import { describe, expect, test } from 'vitest';
import { CHAOS_KINDS, type ChaosSetting, createChaos } from '../../src/delivery/chaos.ts';

const chaos = (setting: Partial<ChaosSetting>) =>
  createChaos({ on: {}, delayMs: 30_000, shuffleSize: 0, seed: 'seed', ...setting });
const upTo = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
/** Which of the first so many deliveries suffer anything. */
const decided = (setting: Partial<ChaosSetting>, count = 12) => {
  const { decide } = chaos(setting);
  return upTo(count).filter((seq) => decide(seq).kinds.length > 0);
};

describe('single deliveries', () => {
  test('are left alone where nothing is set', () => {
    expect(chaos({}).decide(1)).toEqual({ kinds: [], delayMs: null });
  });

  test.each(CHAOS_KINDS)('suffer %s, every one, when it has no conditions', (kind) => {
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
  ])('are struck as %j says', (frequency, expected) => {
    expect(decided({ on: { duplicate: frequency } })).toEqual(expected);
  });

  test.each(CHAOS_KINDS)('suffer %s by chance as the seed says, every time', (kind) => {
    const setting = { on: { [kind]: { probability: 0.4 } } };
    const once = decided(setting, 200);
    expect(decided(setting, 200)).toEqual(once);
    expect(once.length).toBeGreaterThan(50);
    expect(once.length).toBeLessThan(110);
    expect(decided({ ...setting, seed: 'another' }, 200)).not.toEqual(once);
  });

  test('suffer by chance what they do whatever else is set', () => {
    const alone = chaos({ on: { duplicate: { probability: 0.5 } } });
    const combined = chaos({ on: { duplicate: { probability: 0.5 }, bad_signature: { probability: 0.3 } } });
    for (const seq of upTo(100))
      expect(combined.decide(seq).kinds.includes('duplicate')).toBe(alone.decide(seq).kinds.length > 0);
  });

  test('are counted as they come, not by their numbers', () => {
    const { decide } = chaos({ on: { drop: { every: 2 } } });
    expect([7, 40, 41, 90].filter((seq) => decide(seq).kinds.length > 0)).toEqual([40, 90]);
  });

  test('meet the same fate when they are asked for again, and that counts once', () => {
    const { decide, hits } = chaos({ on: { drop: { times: 1 } } });
    expect(decide(1)).toEqual(decide(1));
    expect(decide(2).kinds).toEqual([]);
    expect(hits().drop).toBe(1);
  });

  test('that are dropped suffer nothing else', () => {
    expect(chaos({ on: { drop: {}, delay: {}, duplicate: {} } }).decide(1)).toEqual({
      kinds: ['drop'],
      delayMs: null,
    });
  });

  test('that are delayed suffer the rest when they are sent', () => {
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

  test.each([2, 3, 5])('changes within windows of %i, and only within them', (shuffleSize) => {
    const sent = order({ shuffleSize }, 30);
    for (let from = 0; from < sent.length; from += shuffleSize) {
      const window = sent.slice(from, from + shuffleSize);
      const inOrder = upTo(30).slice(from, from + shuffleSize);
      expect(window).not.toEqual(inOrder);
      expect(window.toSorted((one, other) => one - other)).toEqual(inOrder);
    }
  });

  test('is the same under the same seed, and another under another', () => {
    const once = order({ shuffleSize: 5 }, 25);
    expect(order({ shuffleSize: 5 }, 25)).toEqual(once);
    expect(order({ shuffleSize: 5, seed: 'another' }, 25)).not.toEqual(once);
  });

  test('waits until there are enough, unless it is told not to', () => {
    const { next } = chaos({ shuffleSize: 3 });
    expect(next([1, 2], false)).toBeUndefined();
    expect(next([], true)).toBeUndefined();
    const first = next([1, 2], true);
    expect([1, 2]).toContain(first);
    const rest = [1, 2].filter((seq) => seq !== first);
    expect(next([...rest, 3], false)).toBe(rest[0]);
  });

  test('goes on with what is left of a window when some of it was given up', () => {
    const { next } = chaos({ shuffleSize: 3 });
    next([1, 2, 3], false);
    expect(next([2, 7, 8], false)).toBe(2);
  });
});
