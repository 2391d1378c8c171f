/**
 * A list of the newest entries that is stored part by part: bounded, and the same whether its parts were read back or not.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StoredPart, Tape } from '../../../src/bank/kernel/tape.ts';

const LIMITS = { length: 120, characters: 1000, sizeOf: (entry: string) => entry.length };

/** The list as another process would read it. */
function createShelf() {
  const parts = new Map<number, StoredPart & { packed: Buffer }>();
  let reads = 0;
  return {
    parts,
    reads: () => reads,
    store(tape: Tape<string>): void {
      for (const { entries, packed = Buffer.from(JSON.stringify(entries)), ...part } of tape.takeChanged()) {
        parts.set(part.first, { ...part, packed });
        tape.keepPacked(part, packed);
      }
      for (const first of parts.keys()) if (first < tape.oldest()) parts.delete(first);
    },
    reopen(numbers = { next: 0, from: 0 }): Tape<string> {
      const tape = new Tape(LIMITS);
      const stored = [...parts.values()].toSorted((a, b) => a.first - b.first);
      tape.continue(stored, numbers, (first) => {
        reads += 1;
        return JSON.parse(String(parts.get(first)?.packed ?? '[]'));
      });
      return tape;
    },
  };
}

const fill = (tape: Tape<string>, from: number, upTo: number): void => {
  for (let number = from; number <= upTo; number += 1) tape.push(String(number));
};

describe('a tape', () => {
  it('has the same entries after a restart, and reads them only on use', () => {
    const shelf = createShelf();
    const tape = new Tape(LIMITS);
    fill(tape, 1, 130);
    shelf.store(tape);
    const restarted = shelf.reopen();
    expect([restarted.counts(), shelf.reads()]).toEqual([{ kept: 120, dropped: 10 }, 0]);
    expect(restarted.newest()).toEqual(tape.newest());
    expect(restarted.newest().slice(-1)).toEqual(['11']);
    expect(shelf.reads()).toBe(3);
  });

  it('writes only the part that has grown', () => {
    const tape = new Tape(LIMITS);
    fill(tape, 1, 70);
    expect(tape.takeChanged().map(({ first, upTo }) => [first, upTo])).toEqual([
      [0, 50],
      [50, 70],
    ]);
    tape.push('71');
    expect(tape.takeChanged().map(({ first, entries }) => [first, entries.length])).toEqual([[50, 21]]);
    expect(tape.takeChanged()).toEqual([]);
  });

  it('returns a part again that could not be stored', () => {
    const tape = new Tape(LIMITS);
    fill(tape, 1, 60);
    tape.takeChanged();
    tape.markChanged([0]);
    expect(tape.takeChanged().map(({ first }) => first)).toEqual([0]);
    tape.markChanged();
    expect(tape.takeChanged().map(({ first }) => first)).toEqual([0, 50]);
  });

  it('continues with its own numbers after a restart, and is empty after it was emptied', () => {
    const shelf = createShelf();
    const tape = new Tape(LIMITS);
    fill(tape, 1, 60);
    tape.clear();
    expect([tape.newest(), tape.counts()]).toEqual([[], { kept: 0, dropped: 0 }]);
    shelf.store(tape);
    const restarted = shelf.reopen(tape.numbers());
    restarted.push('61');
    expect([restarted.newest(), restarted.counts(), restarted.numbers().next]).toEqual([
      ['61'],
      { kept: 1, dropped: 0 },
      61,
    ]);
  });

  it('keeps what was stored of a part until it changes', () => {
    const tape = new Tape(LIMITS);
    const arePacked = (): boolean[] => {
      tape.markChanged();
      const parts = tape.takeChanged();
      for (const part of parts) tape.keepPacked(part, Buffer.from('packed'));
      return parts.map(({ packed }) => packed !== undefined);
    };
    fill(tape, 1, 70);
    expect([arePacked(), arePacked()]).toEqual([
      [false, false],
      [true, true],
    ]);
    tape.push('71');
    expect(arePacked()).toEqual([true, false]);
    const change = (text: string): boolean =>
      tape.replace(
        (entry) => entry === text,
        (entry) => `${entry}!`,
      );
    expect([change('12'), arePacked()]).toEqual([true, [false, true]]);
    tape.push('72');
    const [part] = tape.takeChanged();
    tape.push('73');
    // It was written meanwhile, and is out of date.
    if (part !== undefined) tape.keepPacked(part, Buffer.from('of 72 entries'));
    expect(arePacked()).toEqual([true, false]);
    // The oldest entry is removed.
    fill(tape, 74, 121);
    expect(arePacked()).toEqual([false, false, false]);
  });

  it('restores the entries when an emptying is rolled back', () => {
    const tape = new Tape(LIMITS);
    fill(tape, 1, 3);
    tape.clear()();
    expect([tape.newest(), tape.counts()]).toEqual([['3', '2', '1'], { kept: 3, dropped: 0 }]);
  });

  it('changes the newest matching entry, in any part', () => {
    const shelf = createShelf();
    const tape = new Tape(LIMITS);
    fill(tape, 1, 60);
    shelf.store(tape);
    const restarted = shelf.reopen();
    fill(restarted, 61, 62);
    restarted.takeChanged();
    const change = (text: string) =>
      restarted.replace(
        (entry) => entry === text,
        (entry) => `${entry} changed`,
      );
    expect([change('12'), change('none')]).toEqual([true, false]);
    expect(restarted.takeChanged().map(({ first }) => first)).toEqual([0]);
    shelf.store(restarted);
    expect(restarted.newest()).toContain('12 changed');
  });

  it('stays within its limits and keeps the newest, whatever is added and however often it is opened', () => {
    const entries = fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 90 });
    fc.assert(
      fc.property(fc.array(entries, { minLength: 1, maxLength: 6 }), (rounds) => {
        const shelf = createShelf();
        const all: string[] = [];
        for (const round of rounds) {
          const tape = shelf.reopen();
          for (const size of round) {
            const text = `${all.length}`.padEnd(size, '.');
            all.push(text);
            tape.push(text);
          }
          shelf.store(tape);
          // Another file replaces the one that was written.
          tape.markChanged();
          shelf.parts.clear();
          shelf.store(tape);
          const newest = tape.newest();
          expect(newest).toEqual(all.slice(all.length - newest.length).reverse());
          const held = newest.reduce((sum, { length }) => sum + length, 0);
          const fits = newest.length <= LIMITS.length && held <= LIMITS.characters;
          expect(fits || newest.length === 1).toBe(true);
          // As many as possible: one more would exceed the limit.
          const more = all.at(-newest.length - 1);
          if (more !== undefined)
            expect(newest.length === LIMITS.length || held + more.length > LIMITS.characters).toBe(true);
          expect(tape.counts()).toEqual({ kept: newest.length, dropped: all.length - newest.length });
        }
        expect([...shelf.parts.values()].length).toBeLessThanOrEqual(LIMITS.length);
      }),
    );
  });
});
