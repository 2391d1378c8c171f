/** The bench results in the README. */
import { expect, it } from 'vitest';
import { drawCurve } from '../bench/curve.ts';
import { instancesOf, speedOf } from '../bench/readme.ts';

const line = (name: string, target: string, connections: number, toFloor: number) => ({
  measured: { name, title: `the case ${name}`, transactions: name === 'read' ? 0 : 1 },
  connections,
  target,
  perSecond: 1234.5,
  p50: 1,
  p99: 2,
  toFloor: [toFloor - 0.1, toFloor, toFloor + 0.1],
  toFile: [],
  cpuMicros: null,
  cpuToFloor: [],
  clientBusy: 0.5,
});
const RUN = {
  at: '2026-11-25T20:10:00.000Z',
  command: 'npm run bench',
  machine: ['machine    2 cores (one), 24 GB, Node v24.1.0', 'load       0.30 1.20 2.10 before the run'],
  process: [{}],
  control: [{}],
  lists: [],
  webhooks: [{}],
  lines: [
    line('ach', 'floor', 16, 1),
    line('ach', 'memory', 16, 0.5),
    line('ach', 'memory', 64, 0.1),
    line('read', 'file', 16, 0.6),
  ],
  aims: [
    { what: 'the case ach, 16 connections, bank in memory', target: '>= 0.42', measured: '0.50', met: true },
    { what: 'the case ach, 64 connections, bank in memory', target: '>= 0.45', measured: '0.10', met: false },
    { what: 'idle memory, bank in memory', target: '<= 100 MB', measured: '90 MB', met: true },
  ],
} as unknown as Parameters<typeof speedOf>[0];

it('the summary of a bench run lists the cases at 16 connections and every missed target, but no target of a case', () => {
  const { machine, cases, aims } = speedOf(RUN);
  expect(machine).toBe('2 cores (one), 24 GB, Node v24.1.0');
  expect(cases).toEqual([
    { what: 'the case ach, in memory', perSecond: 1235, p50: 1, p99: 2, share: 0.5, aim: 0.42 },
  ]);
  expect(aims.map(({ what }) => what)).toEqual([
    'the case ach, 64 connections, bank in memory',
    'idle memory, bank in memory',
  ]);
});

it('a partial bench run is rejected', () => {
  expect(() => speedOf({ ...RUN, process: [] })).toThrow('the run does not contain process');
});

const CLUSTER_RUN = {
  at: '2026-11-29T05:00:00.000Z',
  command: 'npm run bench -- --only cluster',
  machine: RUN.machine,
  cluster: {
    runtimes: [],
    curve: {
      share: 0.1,
      by: 'control group',
      sandboxes: 4,
      connections: 8,
      points: [
        { instances: 1, payments: 60, toOne: 1, used: 1, p50: 500 },
        { instances: 3, payments: 150, toOne: 2.5, used: null, p50: 600 },
      ],
    },
  },
} as unknown as Parameters<typeof instancesOf>[0];

it('the summary of a run with instances has the figures of each number of them', () => {
  expect(instancesOf(CLUSTER_RUN)).toEqual({
    at: '2026-11-29T05:00:00.000Z',
    command: 'npm run bench -- --only cluster',
    machine: '2 cores (one), 24 GB, Node v24.1.0',
    load: 0.3,
    share: 0.1,
    sandboxes: 4,
    connections: 8,
    points: [
      { instances: 1, payments: 60, p50: 500, used: 1 },
      { instances: 3, payments: 150, p50: 600, used: null },
    ],
  });
});

it('the picture of instances shows and describes each point, beside a line of one instance times their number', () => {
  const drawn = drawCurve(instancesOf(CLUSTER_RUN));
  expect(drawn).toContain('Payments per second by the number of instances: 1: 60, 3: 150.');
  expect(drawn).toMatch(/prefers-color-scheme: dark/);
  const heights = [...drawn.matchAll(/<circle [^>]*cy="([\d.]+)"/g)].map(([, y]) => Number(y));
  const [, x1 = '', zero = '', x2 = '', end = ''] =
    /class="linear" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/.exec(drawn) ?? [];
  expect([Number(x1), Number(x2)]).toEqual([64, 616]);
  // The first point is on the line, and the last one at 150 of 180.
  const ofLinear = heights.map((y) => (Number(zero) - y) / (Number(zero) - Number(end)));
  expect(ofLinear[0]).toBeCloseTo(1 / 3, 2);
  expect(ofLinear[1]).toBeCloseTo(150 / 180, 2);
});
