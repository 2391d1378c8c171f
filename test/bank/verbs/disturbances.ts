/**
 * Actions that a bank runs from time to time, at random points of one history: waiting rows are written, caches are
 * emptied, and the sandbox rests and is opened again from its image. The points follow from a seed, so a failure can
 * be reproduced.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { createSequence, type Id } from '../../../src/bank/kernel/sequence.ts';
import { cachesOf } from '../../../src/bank/store/cache.ts';
import type { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { WaitingRows } from '../../../src/bank/store/waiting-rows.ts';
import type { TestSandbox } from '../../support/sandbox.ts';

/** How often each of them occurs: per hundred added rows, or per hundred pauses between two groups. */
export interface Disturbances {
  readonly seed: number;
  /** For added rows: all waiting rows are written. */
  readonly writes: number;
  /** For added rows: rows that may be read again within a command are removed from caches. */
  readonly forgets: number;
  /** For pauses: all caches are emptied. */
  readonly clears: number;
  /** For pauses: the sandbox rests. */
  readonly rests: number;
}

/** Disturbances with few rests: opening a bank again takes longer than a command. */
export const disturbances = (...rests: number[]): fc.Arbitrary<Disturbances> =>
  fc.record({
    seed: fc.nat(),
    writes: fc.constantFrom(5, 30, 100),
    forgets: fc.constantFrom(2, 20),
    clears: fc.constantFrom(5, 50),
    rests: fc.constantFrom(...rests),
  });

/** How often each has occurred in a test. */
export type Happened = Record<'writes' | 'forgets' | 'clears' | 'rests', number>;

export const nothingHappened = (): Happened => ({ writes: 0, forgets: 0, clears: 0, rests: 0 });

/**
 * Caches that may also be emptied within a command, because a missing row is read again. The counters of the ledger
 * are not among them: until the group ends, only the cache has them.
 */
const READ_AGAIN = [
  'accounts',
  'cards',
  'card_holders',
  'counterparties',
  'holder_statuses',
  'last_places',
  'last_numbers',
  'unmade_deliveries',
];

/**
 * Draws an id, as a request does that only reads. No commit follows that stores the position of the sequence, so a rest must
 * store it. Call this before each group of commands, in the disturbed bank and in the others.
 */
export const readOf = ({ sandbox }: TestSandbox): Id => sandbox.nextId();

/** Disturbs a bank. Call the returned function before each group of commands. */
export function disturb(
  { sandbox }: TestSandbox,
  often: Disturbances,
  happened: Happened = nothingHappened(),
): () => void {
  const random = createSequence(`disturbances/${often.seed}`);
  const now = (what: keyof Happened): boolean => {
    if (random.fraction() * 100 >= often[what]) return false;
    happened[what] += 1;
    return true;
  };
  const driver = (): NodeDriver => sandbox.connection.sqlite as NodeDriver;
  const disturbed = new WeakSet<WaitingRows>();
  /** After a rest the sandbox has another database, with its own waiting rows. */
  const attach = (): void => {
    const sqlite = driver();
    const { waitingRows } = sqlite;
    if (disturbed.has(waitingRows)) return;
    disturbed.add(waitingRows);
    const { add } = WaitingRows.prototype;
    waitingRows.add = (...row) => {
      add.apply(waitingRows, row);
      if (now('writes')) waitingRows.write();
      if (now('forgets')) for (const name of READ_AGAIN) cachesOf(sqlite).named(name).clear();
    };
  };
  return () => {
    if (now('rests')) expect(sandbox.rest(-1)).toBeDefined();
    if (now('clears')) cachesOf(driver()).settle(0);
    attach();
  };
}
