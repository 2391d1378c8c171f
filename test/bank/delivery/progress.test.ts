import { expect, test } from 'vitest';
import { createProgress } from '../../../src/bank/delivery/progress.ts';

const MINUTE_MS = 60_000;

test('a receiver without attempts does not stall, however long that lasts', () => {
  let now = 0;
  const progress = createProgress({ now: () => now });
  expect(progress.isStalled('a')).toBe(false);
  progress.begin('a');
  progress.end('a', true);
  now = 100 * MINUTE_MS;
  expect(progress.isStalled('a')).toBe(false);
});

test('a receiver with attempts stalls a minute after its last success', () => {
  let now = 0;
  const progress = createProgress({ now: () => now });
  progress.begin('a');
  progress.begin('a');
  now = MINUTE_MS - 1;
  expect(progress.isStalled('a')).toBe(false);
  progress.end('a', true);
  now += 1000;
  now = 2 * MINUTE_MS - 2;
  expect(progress.isStalled('a')).toBe(false);
  now += 1;
  expect([progress.isStalled('a'), progress.isStalled('b')]).toEqual([true, false]);
  progress.end('a', false);
  expect(progress.isStalled('a')).toBe(true);
  progress.begin('a');
  progress.end('a', true);
  expect(progress.isStalled('a')).toBe(false);
});
