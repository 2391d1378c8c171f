import { expect, test } from 'vitest';
import { createDropReports } from '../../../src/sandboxes/sandbox/drop-reports.ts';

const TOO_MANY = 'deliveries were dropped: too many retries were pending for a webhook that accepts nothing';

function openReports() {
  const stored = new Map<string, unknown>();
  const logged: unknown[][] = [];
  const counted: unknown[][] = [];
  const timers: (() => void)[] = [];
  const undone: (() => void)[] = [];
  const time = { now: 1000 };
  const reports = createDropReports({
    meta: {
      read: <T>(key: string) => stored.get(key) as T | undefined,
      write: (key, value) => void stored.set(key, value),
    },
    onUndo: (undo) => void undone.push(undo),
    clock: { now: () => time.now },
    log: (message, { webhookId, count }) => logged.push([message, webhookId, count]),
    count: (reason, count) => counted.push([reason, count]),
    setTimer(_, action) {
      timers.push(action);
      return () => void timers.splice(timers.indexOf(action), 1);
    },
  });
  return {
    time,
    undone,
    logged,
    counted,
    /** A minute passes. */
    tick: () => {
      for (const timer of timers.splice(0)) timer();
    },
    timers,
    reports,
    drop(webhookId: string, count: number) {
      reports.note(webhookId, count, 'too_many');
      reports.committed();
    },
  };
}

test('drops are logged once per webhook and minute with their number, and all are counted', () => {
  const world = openReports();
  for (const count of [5, 6, 7]) world.drop('a', count);
  world.drop('b', 1);
  expect(world.logged).toEqual([
    [TOO_MANY, 'a', 5],
    [TOO_MANY, 'b', 1],
  ]);
  world.tick();
  expect(world.logged.slice(2)).toEqual([[TOO_MANY, 'a', 13]]);
  world.tick();
  expect([world.logged.length, world.timers.length]).toEqual([3, 0]);
  world.drop('a', 2);
  world.drop('a', 3);
  world.reports.close();
  expect(world.logged.slice(3)).toEqual([
    [TOO_MANY, 'a', 2],
    [TOO_MANY, 'a', 3],
  ]);
  expect(world.timers).toEqual([]);
  expect(world.counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(24);
});

test('rolled back drops are not reported', () => {
  const world = openReports();
  world.reports.note('a', 5, 'too_old');
  world.reports.note('b', 7, 'too_old');
  world.undone.pop()?.();
  world.reports.committed();
  expect(world.counted).toEqual([['too_old', 5]]);
});

test('drops at the end of a webhook are counted, and not logged', () => {
  const world = openReports();
  world.reports.note('a', 5, 'webhook_ended');
  world.reports.committed();
  expect([world.logged, world.counted]).toEqual([[], [['webhook_ended', 5]]]);
});

test('the last drop of a webhook is stored, for a hundred webhooks at most', () => {
  const world = openReports();
  expect(world.reports.lastDroppedAt('w0')).toBeNull();
  for (let n = 0; n <= 100; n += 1) {
    world.time.now += 1;
    world.drop(`w${n}`, 1);
  }
  expect(world.reports.lastDroppedAt('w0')).toBeNull();
  expect([world.reports.lastDroppedAt('w1'), world.reports.lastDroppedAt('w100')]).toEqual([1002, 1101]);
});
