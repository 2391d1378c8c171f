/**
 * What an instance knows of all its sandboxes: the list, the maximum, the keys of created ones, and its readiness and metrics; and what
 * it refuses. Where workerd is not installed, a test says so by its name and fails, and the others are skipped.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../server/process/support.ts';
import {
  endWorkerd,
  makeWorkerFolder,
  startWorkerd,
  type Workerd,
  type WorkerFolder,
} from '../support/workerd.ts';
import { WORKERD } from '../support/workerd-program.ts';

const MANUAL = { SANDBANK_RAILS: 'manual' };
const TOKEN = 'tiger-lily-and-rose';

interface Row {
  readonly name: string;
  readonly key: string | null;
  readonly bytes: number;
  readonly open: boolean;
  readonly used_at: string;
  readonly clock: { mode: string; now: string } | null;
}

it('workerd is installed', () => {
  expect(WORKERD, 'npm run test:long installs it from test/cluster/workerd').not.toBe('');
});

describe.runIf(WORKERD !== '')('an instance', () => {
  let folder: WorkerFolder;
  let workerd: Workerd;
  beforeAll(async () => {
    folder = await makeWorkerFolder();
  });
  afterAll(endWorkerd);

  const call = async (method: string, path: string, key = 'test_default', body?: object) => {
    const response = await fetch(workerd.url + path, {
      method,
      headers: {
        'api-key': key,
        'x-control-token': TOKEN,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  };
  const accounts = async (key: string) => (await call('GET', '/v2/accounts/sub_account', key)).status;
  const list = async (): Promise<Row[]> => (await call('GET', '/_sandbox/sandboxes')).body.sandboxes;
  const restart = async (settings: Record<string, string>) => {
    await workerd?.kill();
    workerd = await startWorkerd(folder, settings);
  };

  describe('that is open', () => {
    beforeAll(() => restart({ ...MANUAL, SANDBANK_MAX_SANDBOXES: '3' }));

    it('lists a sandbox that any request created, with its size, last use and clock', async () => {
      const before = Date.now();
      expect(await accounts('test_zoe')).toBe(200);
      expect(await accounts('test_alice')).toBe(200);
      const rows = await list();
      expect(rows.map(({ name }) => name)).toEqual(['alice', 'zoe']);
      for (const { name, key, bytes, open, used_at, clock } of rows) {
        expect({ key, open, mode: clock?.mode }).toEqual({ key: `test_${name}`, open: true, mode: 'live' });
        expect(bytes).toBeGreaterThan(100_000);
        expect(Date.parse(used_at)).toBeGreaterThanOrEqual(before);
        expect(Date.parse(used_at)).toBeLessThanOrEqual(Date.now());
      }
    });

    it('reports a change of the clock and a later use, and forgets the clock of one that is not used', async () => {
      const [row] = await list();
      const at = '2030-01-02T03:04:05.000Z';
      expect((await call('PUT', '/_sandbox/clock', 'test_alice', { mode: 'frozen', now: at })).status).toBe(
        200,
      );
      const later = await until(
        'the report',
        async () => (await list()).find(({ name, clock }) => name === 'alice' && clock?.mode === 'frozen'),
        30_000,
      );
      expect(later.clock).toEqual({ mode: 'frozen', now: at });
      expect(Date.parse(later.used_at)).toBeGreaterThan(Date.parse(row?.used_at ?? ''));
      const resting = await until('its rest', async () => (await list()).find(({ open }) => !open), 60_000);
      expect(resting.clock).toBeNull();
    });

    it('has a maximum number of sandboxes in all instances together, besides the default one', async () => {
      expect(await accounts('test_default')).toBe(200);
      const refused = await call('GET', '/v2/accounts/sub_account', 'test_more');
      expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('3 sandboxes')]);
      expect((await call('POST', '/_sandbox/sandboxes', undefined, { name: 'more' })).status).toBe(429);
      expect((await list()).map(({ name }) => name)).toEqual(['alice', 'default', 'zoe']);
      expect((await call('DELETE', '/_sandbox/sandboxes/zoe')).status).toBe(204);
      expect(await accounts('test_more')).toBe(200);
      expect((await list()).map(({ name }) => name)).toEqual(['alice', 'default', 'more']);
    });

    it('creates nothing for a request with a wrong key or of an observer', async () => {
      await call('DELETE', '/_sandbox/sandboxes/more');
      const headers = { 'api-key': 'test_nobody', 'x-sandbox-observer': 'test' };
      expect((await fetch(`${workerd.url}/v2/accounts/sub_account`, { headers })).status).toBe(401);
      expect(await accounts('test_nobody.random')).toBe(401);
      expect((await list()).map(({ name }) => name)).toEqual(['alice', 'default']);
      // The place was given back.
      expect(await accounts('test_last')).toBe(200);
    });

    it('refuses unsupported operations with 501, and lists them', async () => {
      const { unavailable } = (await call('GET', '/_sandbox')).body;
      expect(unavailable.map(({ what }: { what: string }) => what)).toEqual([
        'connection faults',
        'SQLite exports',
        'large images',
      ]);
      const reset = await call('POST', '/_sandbox/faults', undefined, { connection: 'reset' });
      expect([reset.status, reset.text]).toEqual([501, expect.stringContaining(unavailable[0].why)]);
      expect((await call('POST', '/_sandbox/faults', undefined, { latency: { fixed_ms: 1 } })).status).toBe(
        201,
      );
    });

    it('reports that it is ready, alone and with the directory', async () => {
      for (const path of ['/livez', '/readyz', '/readyz?scope=cluster']) {
        expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
      }
    });

    it('counts its requests, and has the gauges of all sandboxes', async () => {
      const text = await until(
        'the reports',
        async () => {
          const metrics = await call('GET', '/metrics');
          return /^sandbank_steps_planned /m.test(metrics.text) && metrics.text;
        },
        30_000,
      );
      const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
      const rows = await list();
      expect(
        value('sandbank_sandboxes\\{state="open"\\}') + value('sandbank_sandboxes\\{state="resting"\\}'),
      ).toBe(rows.length);
      expect(value('sandbank_database_bytes')).toBeGreaterThan(100_000 * rows.length);
      expect(
        value('sandbank_request_duration_seconds_count\\{operation="v2_list_sub_accounts",status="2xx"\\}'),
      ).toBeGreaterThan(2);
      expect(text).not.toContain('alice');
    });
  });

  describe('that is closed', () => {
    const closed = {
      ...MANUAL,
      SANDBANK_SANDBOXES: 'closed',
      SANDBANK_CONTROL_TOKEN: TOKEN,
      SANDBANK_HOST: '0.0.0.0',
    };
    beforeAll(() => restart(closed));

    it('opens a created sandbox with its random key alone, also after it was lost', async () => {
      expect(await accounts('test_secret')).toBe(401);
      const { status, body } = await call('POST', '/_sandbox/sandboxes', undefined, { name: 'secret' });
      expect([status, body]).toEqual([
        201,
        { name: 'secret', key: expect.stringMatching(/^test_secret\.[\w-]{32}$/) },
      ]);
      const works = async (key: string) => [
        await accounts(key),
        (await call('GET', '/_sandbox', key)).status,
      ];
      expect(await works(body.key)).toEqual([200, 200]);
      await restart(closed);
      expect(await works(body.key)).toEqual([200, 200]);
      for (const wrong of ['test_secret', `${body.key}x`, body.key.replace('secret', 'other')]) {
        expect(await accounts(wrong), wrong).toBe(401);
      }
      const row = (await list()).find(({ name }) => name === 'secret');
      expect(row).toMatchObject({ key: null });
      const copy = await call('POST', '/_sandbox/sandboxes', body.key, { name: 'copied', from: 'secret' });
      expect(copy.body?.key).toMatch(/^test_copied\./);
      expect(await accounts(copy.body.key)).toBe(200);
      expect((await call('DELETE', '/_sandbox/sandboxes/secret')).status).toBe(204);
      expect(await accounts(body.key)).toBe(401);
    });

    it('requires the token for the control plane and for its metrics', async () => {
      for (const path of ['/_sandbox', '/_sandbox/sandboxes', '/metrics']) {
        expect([path, (await fetch(workerd.url + path)).status]).toEqual([path, 401]);
      }
      expect((await fetch(`${workerd.url}/readyz`)).status).toBe(200);
    });
  });

  it('does not start on other addresses while it is open, or with a setting that has no effect', async () => {
    await workerd.kill();
    for (const [settings, problem] of [
      [{ SANDBANK_HOST: '0.0.0.0' }, 'SANDBANK_SANDBOXES=closed and a SANDBANK_CONTROL_TOKEN'],
      [{ SANDBANK_HOST: '0.0.0.0', SANDBANK_SANDBOXES: 'closed' }, 'a SANDBANK_CONTROL_TOKEN'],
      [{ SANDBANK_REST_AFTER: '30' }, 'SANDBANK_REST_AFTER has no effect'],
      [{ SANDBANK_PORT: '5000' }, 'SANDBANK_PORT has no effect'],
    ] as const) {
      await expect(startWorkerd(folder, settings), problem).rejects.toThrow(problem);
    }
  });
});
