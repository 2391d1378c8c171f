// strace kills the server at a system call on this machine: its options depend on the versions of strace and of the
// kernel.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../server/process/support.ts';
import { startServer } from './server.ts';

it('a server is killed at the injected call', async () => {
  const folder = makeFolder();
  const settings = {
    data: join(folder, 'data'),
    readyFile: join(folder, 'ready.json'),
    synchronous: 'normal',
  };
  // Each start writes the first image of the default sandbox.
  const started = await startServer(settings, { call: 'pwrite64', when: 1 });
  if (!('failed' in started)) await started.stop();
  expect(started).toMatchObject({ failed: true, killed: true });
});
