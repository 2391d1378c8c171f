// The clock of a sandbox, based on a real clock that the test moves: live, frozen or scaled, from the instant to
// which it was set, and unchanged after a restart.

import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/bank/kernel/time.ts';
import { createSandboxClock } from '../../../src/sandboxes/sandbox/sandbox-clock.ts';
import { makeFolder } from '../../support/folder.ts';
import { createHandClock, openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';

const openClock = () => {
  const wall = createHandClock();
  return { wall, clock: createSandboxClock(wall) };
};

describe('a clock', () => {
  test('that was never set is the real one', () => {
    const { wall, clock } = openClock();
    expect(clock.now()).toBe(START);
    wall.advance(1_234);
    expect(clock.now()).toBe(START + 1_234);
  });

  test.each([
    ['live', 1],
    ['scaled', 60],
  ] as const)('that is %s continues from its last time when the real one is set back', (mode, rate) => {
    const { wall, clock } = openClock();
    clock.set(mode, START, rate);
    wall.advance(10_000);
    expect(clock.now()).toBe(START + 10_000 * rate);
    wall.advance(-HOUR_MS);
    expect(clock.now()).toBe(START + 10_000 * rate);
    expect(clock.realUntil(START + 11_000 * rate)).toBe(1_000);
    wall.advance(1_000);
    expect(clock.now()).toBe(START + 11_000 * rate);
  });

  test('that is set back goes back, whatever the real one does', () => {
    const { wall, clock } = openClock();
    clock.set('live', START - HOUR_MS);
    wall.advance(-HOUR_MS);
    expect(clock.now()).toBe(START - HOUR_MS);
    clock.moveTo(START - 2 * HOUR_MS);
    wall.advance(5);
    expect(clock.now()).toBe(START - 2 * HOUR_MS + 5);
  });

  test('of a bank with a later recorded instant starts there', () => {
    const { wall } = openClock();
    const clock = createSandboxClock(wall, undefined, START + HOUR_MS);
    expect(clock.now()).toBe(START + HOUR_MS);
    expect(createSandboxClock(wall, undefined, START - HOUR_MS).now()).toBe(START);
  });

  test('that was set continues from its last time if the process starts with a real one that was set back', () => {
    const { wall, clock } = openClock();
    clock.set('live', START + HOUR_MS);
    const setting = clock.setting();
    wall.advance(-DAY_MS);
    expect(createSandboxClock(wall, setting).now()).toBe(START + HOUR_MS);
  });

  test('that is frozen stands still, and continues from there when it is live again', () => {
    const { wall, clock } = openClock();
    clock.set('frozen');
    wall.advance(DAY_MS);
    expect(clock.now()).toBe(START);
    clock.set('live');
    wall.advance(10);
    expect(clock.now()).toBe(START + 10);
  });

  test('that is scaled runs at its rate, in whole milliseconds', () => {
    const { wall, clock } = openClock();
    clock.set('scaled', START, 60);
    wall.advance(1_000);
    expect(clock.now()).toBe(START + 60_000);
    clock.set('scaled', START, 1 / 3);
    wall.advance(1_000);
    expect(clock.now()).toBe(START + 333);
  });

  test.each([
    ['live', 1],
    ['frozen', 0],
    ['scaled', 10],
  ] as const)('that is %s and is moved continues in the same way', (mode, rate) => {
    const { wall, clock } = openClock();
    clock.set(mode, START, 10);
    clock.moveTo(START + DAY_MS);
    expect(clock.now()).toBe(START + DAY_MS);
    wall.advance(100);
    expect(clock.now()).toBe(START + DAY_MS + rate * 100);
    expect(clock.setting().mode).toBe(mode);
  });

  test('continues from its setting as if it had not been stored', () => {
    for (const mode of ['live', 'frozen', 'scaled'] as const) {
      const { wall, clock } = openClock();
      clock.set(mode, START + DAY_MS, 7);
      const again = createSandboxClock(wall, JSON.parse(JSON.stringify(clock.setting())));
      wall.advance(1_000);
      expect(again.now()).toBe(clock.now());
    }
  });
});

describe('the real time until an instant', () => {
  test('depends on the rate of the clock, and is null if it is frozen', () => {
    const { clock } = openClock();
    expect(clock.realUntil(START + 1_000)).toBe(1_000);
    clock.set('scaled', START, 10);
    expect(clock.realUntil(START + 1_000)).toBe(100);
    clock.set('frozen');
    expect(clock.realUntil(START + 1_000)).toBeNull();
  });

  test('is zero if it is past, whatever the clock is', () => {
    const { clock } = openClock();
    for (const mode of ['live', 'frozen', 'scaled'] as const) {
      clock.set(mode, START, 10);
      expect(clock.realUntil(START)).toBe(0);
      expect(clock.realUntil(START - 1)).toBe(0);
    }
  });
});

const pay = ({ run, id }: TestSandbox) =>
  run(({ payments }) =>
    payments.originate('ach_push', {
      accountId: id('account'),
      counterpartyId: id('ach_counterparty'),
      amount: 100,
      shortage: 'refuse',
    }),
  );

describe('a bank whose clock was set', () => {
  test('dates events by it', async () => {
    const sandbox = openTestSandbox();
    await sandbox.sandbox.setClock((clock) => clock.set('frozen', START + DAY_MS));
    sandbox.clock.advance(HOUR_MS);
    expect((await pay(sandbox)).createdAt).toBe(START + DAY_MS);
  });

  test('runs due steps by it, without a request', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { bank, run, id } = sandbox;
    const auth = await run(({ cardPayments }) =>
      cardPayments.authorize({ cardId: id('virtual_card'), amount: 100 }),
    );
    await sandbox.sandbox.setClock((clock) => clock.set('frozen', START + 8 * DAY_MS));
    while (bank.payments.byId(auth.id).status === 'pending') await new Promise((turn) => setImmediate(turn));
    expect(bank.payments.byId(auth.id)).toMatchObject({
      status: 'reversed',
      updatedAt: START + 7 * DAY_MS,
    });
  });

  test('keeps it over a restart, a snapshot and a copy', async () => {
    const place = { kind: 'file', path: `${makeFolder()}/bank.sqlite`, synchronous: 'off' } as const;
    const first = openTestSandbox({ place });
    await first.sandbox.setClock((clock) => clock.set('frozen', START + DAY_MS));
    const clone = openTestSandbox({ place: { kind: 'image', image: first.sandbox.image() } });
    await first.end();
    for (const again of [clone, openTestSandbox({ place, at: START + 9 * DAY_MS })]) {
      expect(again.sandbox.clock.setting()).toMatchObject({ mode: 'frozen', shows: START + DAY_MS });
      expect((await pay(again)).createdAt).toBe(START + DAY_MS);
    }
  });
});
