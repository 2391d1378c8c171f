/** The frequency of faults and chaos: a table of settings with the occurrences that each selects. */
import { describe, expect, it } from 'vitest';
import { applies, type Frequency } from '../../../src/bank/kernel/frequency.ts';
import { createSequence } from '../../../src/bank/kernel/sequence.ts';

/** The positions, from 1, of the selected ones among the first `count`. */
function placesOf(frequency: Frequency, count: number, draw = () => 0): number[] {
  const counted = { seen: 0, hits: 0 };
  const places: number[] = [];
  for (let place = 1; place <= count; place += 1) {
    const isTaken = applies(frequency, counted, draw);
    counted.seen += 1;
    if (!isTaken) continue;
    counted.hits += 1;
    places.push(place);
  }
  return places;
}

describe('a frequency', () => {
  it.each<[Frequency, number[]]>([
    [{}, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ times: 2 }, [1, 2]],
    [{ every: 3 }, [3, 6, 9]],
    [{ skipFirst: 4 }, [5, 6, 7, 8, 9]],
    [{ skipFirst: 4, every: 2 }, [6, 8]],
    [{ skipFirst: 1, every: 3, times: 2 }, [4, 7]],
    [{ probability: 0 }, []],
    [{ probability: 1 }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ probability: 0.5, times: 1, skipFirst: 2 }, [3]],
  ])('as %j happens at %j', (frequency, places) => {
    expect(placesOf(frequency, 9)).toEqual(places);
  });

  it('applies about as often as its probability, reproducibly by the seed', () => {
    const hitsOf = (seed: string) => placesOf({ probability: 0.25 }, 2000, createSequence(seed).fraction);
    expect(hitsOf('a')).toEqual(hitsOf('a'));
    expect(hitsOf('a')).not.toEqual(hitsOf('b'));
    expect(hitsOf('a').length / 2000).toBeCloseTo(0.25, 1);
  });

  it('uses a random number only if the counts do not decide', () => {
    let drawn = 0;
    const draw = () => {
      drawn += 1;
      return 0.9;
    };
    placesOf({ probability: 0.5, skipFirst: 3, every: 2 }, 9, draw);
    expect(drawn).toBe(3);
    placesOf({ every: 2 }, 9, draw);
    expect(drawn).toBe(3);
  });
});
