/** A child process ends with the process that started it, however that one ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRunning, until } from '../../server/process/support.ts';

const WATCHER = new URL('../../../src/cluster/command/watcher.ts', import.meta.url);

/** Starts a process that starts another one, and prints its id. */
async function startPair(seconds: number, after = ''): Promise<{ parent: ChildProcess; pid: number }> {
  const script = `
    import { spawn } from 'node:child_process';
    import { endWithThisProcess } from ${JSON.stringify(String(WATCHER))};
    const child = spawn('sleep', ['${seconds}'], { stdio: 'ignore' });
    endWithThisProcess(child);
    console.log(child.pid);
    ${after}`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout as NodeJS.ReadableStream, 'data');
  const pid = Number(String(line));
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  return { parent, pid };
}

describe('a child process', () => {
  it('is ended when its parent is killed', async () => {
    const { parent, pid } = await startPair(600);
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until('the end of the child', () => !isRunning(pid), 30_000);
  });

  it('is ended when its parent exits', async () => {
    const { parent, pid } = await startPair(600, 'setTimeout(() => process.exit(3), 50);');
    expect(await once(parent, 'exit')).toEqual([3, null]);
    await until('the end of the child', () => !isRunning(pid), 30_000);
  });

  it('that ends by itself does not keep its parent running', async () => {
    const { parent } = await startPair(0);
    expect(await once(parent, 'exit')).toEqual([0, null]);
  });
});
