// A full disk while sandboxes are idle and while the bank starts: the bank continues, reports the problem, and
// recovers. The disk is a small tmpfs, which only root can mount.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { launch, makeFolder, pull, type Running, startBank, stop, until } from '../server/process/support.ts';

const DISK_MB = 16;
const IS_ROOT = process.getuid?.() === 0;
const PAST_IDLE_MS = 100_000;

interface FullDisk {
  readonly folder: string;
  fill(): void;
  empty(): void;
}

function mountDisk(): FullDisk {
  const folder = makeFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2)) {
        while (tryAppend(filler, size));
      }
    },
    empty: () => rmSync(filler),
  };
}

function tryAppend(file: string, size: number): boolean {
  try {
    writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    return true;
  } catch {
    return false;
  }
}

interface Readiness {
  status: string;
  failing_jobs?: { job: string; sandboxes: number; message: string }[];
}

async function readinessOf(bank: Running): Promise<Readiness> {
  return (await fetch(`${bank.url}/readyz`)).json() as Promise<Readiness>;
}

const statusOf = async (bank: Running, key: string): Promise<number> =>
  (await bank.v1('GET', '/v1/account', undefined, { 'sd-api-key': key })).status;

it('the tests run as root, which can mount a small disk', () => {
  expect(IS_ROOT).toBe(true);
});

it.skipIf(!IS_ROOT)(
  'a full disk stops neither a bank with idle sandboxes nor its next start',
  async () => {
    const disk = mountDisk();
    const settings = { SANDBANK_DATA: join(disk.folder, 'data') };
    const log = join(disk.folder, 'log');
    const first = await startBank(settings, undefined, undefined, log);
    expect(await statusOf(first, 'test_a')).toBe(200);
    disk.fill();
    const { status, failing_jobs: failing } = await until(
      'the closing that fails',
      async () => {
        const readiness = await readinessOf(first);
        return readiness.failing_jobs?.some(({ job }) => job === 'close') === true && readiness;
      },
      PAST_IDLE_MS,
    );
    expect(status).toBe('not_writable');
    // The log may fail as well: it is on the same disk.
    expect(failing).toContainEqual(
      expect.objectContaining({ job: 'close', sandboxes: 1, message: 'database or disk is full' }),
    );
    const metrics = await (await fetch(`${first.url}/metrics`)).text();
    expect(metrics).toMatch(/sandbank_background_jobs_failing\{background_job="close"\} 1/);
    expect(await statusOf(first, 'test_a')).toBe(200);
    expect((await pull(first, '1.00')).status).toBe(503);

    await stop(first, 'SIGKILL');
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const again = await startBank(settings, undefined, undefined, log);
      expect([await statusOf(again, 'test_default'), await statusOf(again, 'test_a')]).toEqual([200, 200]);
      expect((await readinessOf(again)).status).toBe('not_writable');
      await stop(again, signal);
    }

    const last = await startBank(settings, undefined, undefined, log);
    disk.empty();
    const recovered = await until(
      'the end of all failures',
      async () => {
        const readiness = await readinessOf(last);
        return readiness.status === 'ready' && readiness.failing_jobs === undefined && readiness;
      },
      20_000,
    );
    expect(recovered).toEqual({ status: 'ready' });
    expect((await pull(last, '1.00')).status).toBe(201);
    expect((await stop(last)).code).toBe(0);
  },
  180_000,
);

it('a bank whose output cannot be written responds and stops normally', async () => {
  const bank = await startBank({}, undefined, undefined, '/dev/full');
  for (let count = 0; count < 200; count += 1) expect(await statusOf(bank, 'test_default')).toBe(200);
  const { code, stderr } = await stop(bank);
  expect([code, stderr]).toEqual([0, '']);
});

it('a refused start exits with its code even if its output cannot be written', async () => {
  const { ended } = launch({ SANDBANK_PORT: 'no' }, ['start'], undefined, undefined, '/dev/full');
  const { code, stderr } = await ended;
  expect([code, stderr.includes('SANDBANK_PORT')]).toEqual([1, true]);
});
