// A garbage collection runs when the process is idle, after many sandboxes have come to rest.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIdleMemory } from '../../../src/server/process/idle-memory.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watch(...busy: number[]) {
  let collections = 0;
  const memory = createIdleMemory(
    () => {
      collections += 1;
    },
    () => () => busy.shift() ?? 0,
  );
  return { memory, collections: () => collections };
}

function rest({ rested }: { rested(): void }, times: number): void {
  for (let time = 0; time < times; time += 1) rested();
}

test('a collection runs once, after the process has become idle', () => {
  const { memory, collections } = watch(1, 0.4);
  rest(memory, 70);
  vi.advanceTimersByTime(1000);
  expect(collections()).toBe(0);
  vi.advanceTimersByTime(500);
  expect(collections()).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(collections()).toBe(1);
});

test('a collection runs after many rests, and not after a few', () => {
  const { memory, collections } = watch();
  const after = (times: number) => {
    rest(memory, times);
    vi.advanceTimersByTime(1000);
    return collections();
  };
  expect([after(63), after(1), after(63), after(1)]).toEqual([0, 1, 1, 2]);
});

test('a collection returns memory to V8', () => {
  vi.useRealTimers();
  let garbage: object[] | undefined = Array.from({ length: 500_000 }, () => ({}));
  const used = () => process.memoryUsage().heapUsed;
  expect(garbage.length).toBeGreaterThan(0);
  const before = used();
  garbage = undefined;
  vi.useFakeTimers();
  rest(
    createIdleMemory(undefined, () => () => 0),
    64,
  );
  vi.advanceTimersByTime(500);
  expect(before - used()).toBeGreaterThan(5_000_000);
});
