// The random sequence: the same seed gives the same values, a stored position continues the sequence, and ids sort by
// creation, even if the clock is set back.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALPHANUMERIC, createSequence, HEX, UPPER_ALPHANUMERIC } from '../../../src/bank/kernel/sequence.ts';

const AT = Date.parse('2026-03-04T18:00:00.123Z');

/** One call of each function, so that a difference in any of them is found. */
const drawAll = (sequence: ReturnType<typeof createSequence>) => [
  sequence.id(AT),
  sequence.integer(1_000_000),
  sequence.fraction(),
  sequence.digits(9),
  sequence.text(32, ALPHANUMERIC),
];

describe('a random sequence', () => {
  test('returns the same values for the same seed', () => {
    expect(drawAll(createSequence('a'))).toEqual(drawAll(createSequence('a')));
  });

  test('returns different values for every other seed', () => {
    const first = drawAll(createSequence('seed'));
    for (const seed of ['seed2', 'Seed', 'sede', 'see', '']) {
      const other = drawAll(createSequence(seed));
      expect(other.filter((value, place) => value === first[place])).toEqual([]);
    }
  });

  test('continues from a stored position', () => {
    const first = createSequence('a');
    drawAll(first);
    const position = JSON.parse(JSON.stringify(first.position()));
    const second = createSequence('a');
    second.moveTo(position);
    expect(drawAll(second)).toEqual(drawAll(first));
    expect(second.position()).toEqual(first.position());
  });

  test('returns every number below its bound about equally often', () => {
    const sequence = createSequence('dice');
    const counts = Array.from({ length: 6 }, () => 0);
    for (let left = 6_000; left > 0; left -= 1) {
      const place = sequence.integer(6);
      counts[place] = (counts[place] ?? 0) + 1;
    }
    expect(counts).toHaveLength(6);
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  test('returns text of the requested alphabet and length', () => {
    const sequence = createSequence('text');
    expect(sequence.digits(40)).toMatch(/^\d{40}$/);
    expect(sequence.text(40, HEX)).toMatch(/^[0-9a-f]{40}$/);
    expect(sequence.text(40, UPPER_ALPHANUMERIC)).toMatch(/^[A-Z0-9]{40}$/);
    expect(sequence.text(0, HEX)).toBe('');
  });
});

describe('an id', () => {
  test('has the 32 digits of a UUID of version 7, which starts with its instant', () => {
    const id = createSequence('a').id(AT);
    expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(Number.parseInt(id.slice(0, 12), 16)).toBe(AT);
  });

  test('sorts after every earlier one, whether the clock stands, runs or is set back', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.integer({ min: AT - 100_000, max: AT + 100_000 }), { minLength: 2 }),
        (seed, instants) => {
          const sequence = createSequence(seed);
          const ids = instants.map((instant) => sequence.id(instant));
          expect(ids.toSorted()).toEqual(ids);
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
    );
  });

  test('uses the next millisecond after 4096 ids in one', () => {
    const sequence = createSequence('a');
    const ids = Array.from({ length: 10_000 }, () => sequence.id(AT));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(10_000);
    expect(Number.parseInt(ids.at(-1)?.slice(0, 12) ?? '', 16)).toBe(AT + 2);
  });

  test('sorts after those before a restart, even if the clock was set back meanwhile', () => {
    const before = createSequence('a');
    const last = before.id(AT);
    const after = createSequence('a');
    after.moveTo(before.position());
    expect(after.id(AT - 1_000) > last).toBe(true);
  });
});
