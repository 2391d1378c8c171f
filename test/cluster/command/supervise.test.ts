/** An instance is restarted when it exits, until it is stopped; one that was never ready is not. */
import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Instance, InstanceEnd } from '../../../src/cluster/command/instance.ts';
import { supervise } from '../../../src/cluster/command/supervise.ts';
import { until } from '../../server/process/support.ts';

/** An instance without a process, which exits on request. */
function createInstance() {
  const { promise: ended, resolve } = Promise.withResolvers<InstanceEnd>();
  const end = (code: number | null, signal: NodeJS.Signals | null = null): void =>
    resolve({ code, signal, output: 'the last that it printed\n' });
  const child = Object.assign(new EventEmitter(), {
    pid: 1,
    kill: (signal: NodeJS.Signals) => end(null, signal),
  });
  return { instance: { child, ports: Promise.resolve({ port: 1 }), ended } as unknown as Instance, end };
}

function createScene(isReady: () => boolean, giveUpMs = 60_000) {
  const started: ReturnType<typeof createInstance>[] = [];
  const states: string[] = [];
  const calls: string[] = [];
  const problems: unknown[] = [];
  const note = ({ state, problem }: { state: string; problem?: string }): void => {
    states.push(state);
    if (state === 'ended') problems.push(problem);
  };
  const supervisor = supervise({
    log: { info: note, warn: note, error: note } as unknown as Logger,
    start() {
      const one = createInstance();
      started.push(one);
      return one.instance;
    },
    isReady: async () => isReady(),
    onReady: () => void calls.push('ready'),
    onUnready: () => void calls.push('unready'),
    explain: async ({ code }) => (code === 1 ? 'the bucket is closed' : undefined),
    stopDeadlineMs: 1_000,
    giveUpMs,
  });
  return { supervisor, started, states, calls, problems };
}

describe('an instance that exits', () => {
  it('is restarted, and each change of its state is logged, with an explanation', async () => {
    const { supervisor, started, states, calls, problems } = createScene(() => true);
    await until('the first to be ready', () => calls.length === 1);
    started[0]?.end(1);
    await until('the second to be ready', () => calls.length === 3);
    supervisor.stop('SIGTERM');
    expect(await supervisor.ended).toBeUndefined();
    expect(calls).toEqual(['ready', 'unready', 'ready', 'unready']);
    expect(states).toEqual(['starting', 'ready', 'ended', 'starting', 'ready', 'stopping', 'stopped']);
    expect(started).toHaveLength(2);
    expect(problems).toEqual(['the bucket is closed']);
  });

  it('is not restarted after a stop, even if the restart is already scheduled', async () => {
    const { supervisor, started, states } = createScene(() => true);
    await until('it to be ready', () => states.includes('ready'));
    started[0]?.end(1);
    await until('the pause', () => states.includes('ended'));
    supervisor.stop('SIGINT');
    expect(await supervisor.ended).toBeUndefined();
    expect(started).toHaveLength(1);
  });
});

it('before it was ready is not restarted, and the error contains its exit', async () => {
  const { supervisor, started, states } = createScene(() => false, -1);
  await until('the start', () => started.length === 1);
  started[0]?.end(3);
  expect(await supervisor.ended).toMatchObject({ code: 3, output: 'the last that it printed\n' });
  expect(states).toEqual(['starting', 'failed']);
});

it('an instance that is not ready gets no requests until it is ready again', async () => {
  let isReady = true;
  const { supervisor, states, calls } = createScene(() => isReady);
  await until('it to be ready', () => calls.length === 1);
  isReady = false;
  await until('it to be not ready', () => calls.length === 2);
  isReady = true;
  await until('it to be ready again', () => calls.length === 3);
  supervisor.stop('SIGTERM');
  await supervisor.ended;
  expect(calls.slice(0, 3)).toEqual(['ready', 'unready', 'ready']);
  expect(states).toEqual(['starting', 'ready', 'not ready', 'ready', 'stopping', 'stopped']);
});
