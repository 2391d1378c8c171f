// The number of open banks in memory: above a limit idle ones rest before their minute is over, and those that are
// used alternately stay open, however many they are.

import { expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS } from '../../../src/bank/kernel/time.ts';
import { FEWEST_IN_MEMORY } from '../../../src/sandboxes/registry/open-limit.ts';
import { createRegistry } from '../../../src/sandboxes/registry/registry.ts';
import { createHandClock } from '../../support/sandbox.ts';
import { optionsFor } from './support.ts';

const JUST_NOW_MS = 30;

/** Opens sandboxes, one each `stepMs`. */
function open(count: number, stepMs = 1) {
  const clock = createHandClock();
  const errors: unknown[] = [];
  const registry = createRegistry({
    ...optionsFor(clock, errors),
    rails: 'calendar',
    lookEveryMs: 1,
  });
  onTestFinished(async () => {
    await registry.close();
    expect(errors).toEqual([]);
  });
  const names = Array.from({ length: count }, (_, number) => `s${number}`);
  const use = (name: string): void => {
    registry.byKey(`test_${name}`)?.open();
    clock.advance(stepMs);
  };
  for (const name of names) use(name);
  return { registry, clock, names, use, openNames: () => [...registry.open()].map(({ name }) => name) };
}

/** Sandboxes rest by a timer of the real clock. */
async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isSo() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(isSo()).toBe(true);
}
const someTimers = () => new Promise((resolve) => setTimeout(resolve, 300));

test('above the limit the least recently used sandboxes rest, but none that was just used', async () => {
  const { clock, names, use, openNames } = open(FEWEST_IN_MEMORY + 20, 0);
  await someTimers();
  expect(openNames()).toHaveLength(FEWEST_IN_MEMORY + 21);
  clock.advance(JUST_NOW_MS);
  use('s0');
  await until(() => openNames().length === FEWEST_IN_MEMORY);
  // The default one always stays open.
  expect(openNames()).toEqual(['default', 's0', ...names.slice(-(FEWEST_IN_MEMORY - 2))]);
});

test('sandboxes that are used again within their minute raise the limit, until they rest', async () => {
  const { clock, names, use, openNames } = open(FEWEST_IN_MEMORY + 20);
  clock.advance(JUST_NOW_MS);
  await until(() => openNames().length === FEWEST_IN_MEMORY);
  for (const name of names) use(name);
  clock.advance(JUST_NOW_MS);
  await someTimers();
  expect(openNames()).toHaveLength(FEWEST_IN_MEMORY + 21);
  clock.advance(MINUTE_MS);
  await until(() => openNames().length === 1);
  for (const name of names) use(name);
  clock.advance(JUST_NOW_MS);
  await until(() => openNames().length === FEWEST_IN_MEMORY);
});
