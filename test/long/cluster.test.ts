/**
 * `sandbank cluster dev`: an instance of workerd on this machine, with the ready file and the signals of `sandbank
 * start`. If workerd is not installed, a test with this name fails, and the others are skipped.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  isRunning,
  launch,
  makeFolder,
  type Settings,
  type Started,
  until,
  within,
} from '../server/process/support.ts';
import { WORKERD } from '../support/workerd-program.ts';

const SHOP = fileURLToPath(new URL('../../examples/seed/shop.json', import.meta.url));

/** On a quiet machine it takes less than two seconds. */
const DEADLINE_MS = 60_000;

interface Ready {
  readonly url: string;
  readonly api_key: string;
  readonly pid: number;
  readonly control_token?: string;
}

/** The programs' folders of this file's instances are in it. */
const temporary = mkdtempSync(join(tmpdir(), 'sandbank-cluster-test-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

async function startDev(settings: Settings = {}, words: string[] = []): Promise<Started & { ready: Ready }> {
  const started = launch({ TMPDIR: temporary, ...settings }, ['cluster', 'dev', ...words]);
  const early = started.ended.then((end) => {
    throw new Error(`the instance ended before it was ready: ${JSON.stringify(end)}`);
  });
  const written = until('the ready file', () => existsSync(started.readyFile), DEADLINE_MS);
  await Promise.race([written, early]);
  early.catch(() => {});
  return { ...started, ready: JSON.parse(readFileSync(started.readyFile, 'utf8')) as Ready };
}

async function endDev({ child, ended }: Started, signal: NodeJS.Signals = 'SIGTERM') {
  child.kill(signal);
  return within(DEADLINE_MS, 'the end of the instance', ended);
}

/** The process id of workerd. */
function runtimeOf({ pid }: Ready): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const runtime = children.find((child) => readFileSync(`/proc/${child}/comm`, 'utf8') === 'workerd\n');
  if (runtime === undefined) throw new Error(`none of ${children.join(', ')} is workerd`);
  return Number(runtime);
}

const readJson = async (url: string, key = 'test_default', headers: Settings = {}) =>
  (await fetch(url, { headers: { 'api-key': key, ...headers } })).json();

it('workerd is installed', () => {
  expect(WORKERD, 'npm run test:long installs it from test/cluster/workerd').not.toBe('');
});

describe.runIf(WORKERD !== '')('the folder of cluster init', () => {
  it('has a configuration that workerd accepts', async () => {
    const folder = join(makeFolder(), 'bank');
    expect(await launch({}, ['cluster', 'init', folder]).ended).toMatchObject({ code: 0, stderr: '' });
    const compiled = execFileSync(WORKERD, ['compile', join(folder, 'instance.capnp')], {
      maxBuffer: 2 ** 28,
    });
    expect(compiled.length).toBeGreaterThan(1_000_000);
  });
});

describe.runIf(WORKERD !== '')('cluster dev', () => {
  let bank: Awaited<ReturnType<typeof startDev>>;
  beforeAll(async () => {
    bank = await startDev({ SANDBANK_PROFILE: 'ci', SANDBANK_RAILS: 'manual' });
  });

  it('writes the ready file when it is ready, with its URL, key and process id', async () => {
    expect(bank.ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      api_key: 'test_default',
      pid: bank.child.pid,
    });
    expect(await readJson(`${bank.ready.url}/_sandbox`)).toMatchObject({
      sandbox: 'default',
      rails: 'manual',
    });
  });

  it('prints its URL, its key, its ids and a command to try that works', async () => {
    const line = await until('the log', () =>
      bank
        .stdout()
        .split('\n')
        .find((text) => text.includes('"listening"')),
    );
    const output = JSON.parse(line);
    expect(output).toMatchObject({
      level: 'info',
      url: bank.ready.url,
      api_key: 'test_default',
      rails: 'manual',
    });
    const answer = execFileSync('sh', ['-c', output.try], { encoding: 'utf8' });
    expect(JSON.parse(answer)).toMatchObject({
      id: output.seeded.sub_account_id,
      available_balance: '5000.00',
    });
  });

  it('logs each request like start', async () => {
    await readJson(`${bank.ready.url}/v2/accounts/sub_account`, 'test_logged');
    const line = await until('the line of the request', () =>
      bank
        .stdout()
        .split('\n')
        .find((text) => text.includes('"test_logged"') || text.includes('"logged"')),
    );
    expect(JSON.parse(line)).toMatchObject({ level: 'info', sandbox: 'logged', status: 200, msg: 'request' });
  });

  it('serves the pages, the inspector and the documents', async () => {
    for (const [path, type, content] of [
      ['/docs/', 'text/html', '<title>'],
      ['/docs/guides/cluster.html', 'text/html', 'A bank for the whole company'],
      ['/openapi/v2.json', 'application/json', '"openapi"'],
      ['/openapi/sandbox.json', 'application/json', '"openapi"'],
      ['/llms.txt', 'text/plain', '/docs/'],
      ['/_sandbox/ui/', 'text/html', '<script'],
    ] as const) {
      const response = await fetch(bank.ready.url + path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toContain(type);
      expect(await response.text()).toContain(content);
    }
    expect((await fetch(`${bank.ready.url}/docs/nothing`)).status).toBe(404);
  });

  it('ends on SIGTERM, and removes the ready file and its temporary folder', async () => {
    const folders = readdirSync(temporary);
    expect(folders).toHaveLength(1);
    expect(await endDev(bank)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(bank.readyFile)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
    await expect(fetch(bank.ready.url)).rejects.toThrow('fetch failed');
  });

  it('keeps its sandboxes over a restart with --data, on the given port', async () => {
    const data = join(makeFolder(), 'data');
    const first = await startDev({}, ['--data', data]);
    const { seeded } = (await readJson(`${first.ready.url}/_sandbox`, 'test_kept')) as { seeded: Settings };
    const response = await fetch(`${first.ready.url}/v2/payments/ach/pull`, {
      method: 'POST',
      headers: { 'api-key': 'test_kept', 'content-type': 'application/json' },
      body: JSON.stringify({
        sub_account_id: seeded.sub_account_id,
        counterparty_id: seeded.ach_counterparty_id,
        amount: '12.50',
      }),
    });
    const payment = (await response.json()) as { id: string };
    expect(await endDev(first, 'SIGINT')).toMatchObject({ code: 0 });
    const { port } = new URL(first.ready.url);
    const second = await startDev({}, ['--data', data, '--port', port]);
    expect(second.ready.url).toBe(first.ready.url);
    expect(
      await readJson(`${second.ready.url}/v2/payments/transaction/${payment.id}`, 'test_kept'),
    ).toMatchObject({
      id: payment.id,
    });
    const taken = launch({ TMPDIR: temporary, SANDBANK_PORT: port }, ['cluster', 'dev']);
    expect(await taken.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^sandbank: port ${port} on 127\\.0\\.0\\.1 is taken by workerd`),
      ),
    });
    const beside = launch({ TMPDIR: temporary }, ['cluster', 'dev', '--data', data]);
    expect(await beside.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`is in use by process ${second.ready.pid}`),
    });
    await endDev(second);
    expect(readdirSync(data)).toEqual(['objects']);
  });

  it('seeds new sandboxes from a seed file, and a reset brings its records back', async () => {
    const shop = await startDev({}, ['--seed-file', SHOP]);
    const read = async (key: string) =>
      (await readJson(`${shop.ready.url}/_sandbox`, key)) as { names: Settings };
    const { names } = await read('test_default');
    expect(Object.keys(names)).toEqual(expect.arrayContaining(['alice', 'alice_checking']));
    expect((await read('test_new')).names).toEqual(names);
    const headers = { 'api-key': 'test_new' };
    const account = `${shop.ready.url}/v2/accounts/sub_account/${names.alice_checking}`;
    expect(await readJson(account, 'test_new')).toMatchObject({ available_balance: '237.50' });
    expect((await fetch(`${shop.ready.url}/_sandbox/reset`, { method: 'POST', headers })).status).toBe(200);
    expect((await read('test_new')).names).toEqual(names);
    await endDev(shop);
  });

  it('ends with the reason if the runtime exits', async () => {
    const lost = await startDev();
    process.kill(runtimeOf(lost.ready), 'SIGKILL');
    const end = await within(DEADLINE_MS, 'the end', lost.ended);
    expect(end).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^sandbank: workerd ended by SIGKILL/),
    });
    expect(existsSync(lost.readyFile)).toBe(false);
  });

  it('leaves no runtime behind when it is killed, so that the next one can use the port and the data', async () => {
    const data = join(makeFolder(), 'data');
    const killed = await startDev({}, ['--data', data]);
    const runtime = runtimeOf(killed.ready);
    await endDev(killed, 'SIGKILL');
    await until('the end of the runtime', () => !isRunning(runtime), DEADLINE_MS);
    const { port } = new URL(killed.ready.url);
    const next = await startDev({}, ['--data', data, '--port', port]);
    expect(await endDev(next)).toMatchObject({ code: 0, stderr: '' });
  });
});
