import { expect, test } from 'vitest';
import { createBackPressure, HOLD_MS } from '../../src/sandboxes/back-pressure.ts';

function createGate() {
  const ran: number[] = [];
  const timers = new Map<number, () => void>();
  const state = { isBehind: false };
  const gate = Object.assign(state, {
    ran,
    timers,
    pressure: createBackPressure(
      async (command) => command(),
      () => state.isBehind,
      (ms, action) => {
        timers.set(ms, action);
        return () => void timers.delete(ms);
      },
    ),
  });
  return {
    ...gate,
    setBehind: (isBehind: boolean): void => {
      state.isBehind = isBehind;
    },
    give: (n: number) => gate.pressure.run(() => ran.push(n)),
  };
}

test('a command runs at once while nothing is behind', () => {
  const gate = createGate();
  void gate.give(1);
  expect([gate.ran, gate.timers.size]).toEqual([[1], 0]);
});

test('one that waits runs when nothing is behind any more, in the order of the calls', async () => {
  const gate = createGate();
  gate.setBehind(true);
  const answers = [gate.give(1), gate.give(2)];
  gate.pressure.look();
  expect([gate.ran, gate.pressure.isEmpty()]).toEqual([[], false]);
  gate.setBehind(false);
  answers.push(gate.give(3));
  expect(gate.ran).toEqual([]);
  gate.pressure.look();
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  expect([gate.ran, gate.timers.size, gate.pressure.isEmpty()]).toEqual([[1, 2, 3], 0, true]);
});

test('none waits for longer than its time, and a closing bank waits for none', async () => {
  const gate = createGate();
  gate.setBehind(true);
  const first = gate.give(1);
  expect([...gate.timers.keys()]).toEqual([HOLD_MS]);
  gate.timers.get(HOLD_MS)?.();
  expect(await first).toBe(1);
  const second = gate.give(2);
  gate.pressure.release();
  expect(await second).toBe(2);
  expect(gate.timers.size).toBe(0);
});

test('what a command throws goes to its caller', async () => {
  const gate = createGate();
  gate.setBehind(true);
  const failing = gate.pressure.run(() => {
    throw new Error('no');
  });
  gate.pressure.release();
  await expect(failing).rejects.toThrow('no');
});
