/** The bench results in the README. */
import { expect, it } from 'vitest';
import { speedOf } from '../bench/readme.ts';

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
  machine: ['machine    2 cores (one), 24 GB, Node v24.1.0', 'load       0'],
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
